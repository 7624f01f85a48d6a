//! State machines in all formats, and their tests.

use std::fmt::Write as _;

use tamper::features::Random;
use tamper::formats::machines::{
    MachineFormat, MachineOptions, Unspecified, read_machine, read_suite, write_dot, write_machine,
};

use super::expressions::{C_LIKE, Language, depth, list, one};

const EXTENDED: Language = Language {
    truths: &["n < 3", "b", "true", "n == v"],
    numbers: &["n", "v", "1", "0"],
    ..C_LIKE
};

/// A complete machine of `n` states over two inputs, faults included.
fn lines(random: &mut Random, n: usize, mut line: impl FnMut(bool, [usize; 4])) {
    for state in 0..n {
        for input in 0..2 {
            line(false, [state, input, random.below(3), random.below(n)]);
            if random.below(4) == 0 {
                line(true, [state, input, 3 + random.below(2), random.below(n)]);
            }
        }
    }
}

pub fn text(random: &mut Random) -> String {
    let n = depth(random, 300);
    let mut text = "# made\ninitial s0\n".to_owned();
    lines(random, n, |fault, [state, input, output, target]| {
        let _ = writeln!(
            text,
            "{}s{state} i{input} / o{output} -> s{target}",
            if fault { "mutated " } else { "" }
        );
    });
    text
}

pub fn kiss(random: &mut Random) -> String {
    let (n, bits) = (depth(random, 100), 1 + random.below(8));
    let mut text = format!(".i {bits}\n.o 3\n.r s0\n");
    for state in 0..n {
        let rest = "-".repeat(bits - 1);
        for first in ["0", "1"] {
            let _ = writeln!(
                text,
                "{first}{rest} s{state} s{} {:03b}",
                random.below(n),
                random.below(8)
            );
        }
    }
    text + ".e\n"
}

pub fn dot(random: &mut Random) -> String {
    let n = depth(random, 300);
    let mut text = "digraph g {\n__start0 [label=\"\" shape=none];\n__start0 -> s0;\n".to_owned();
    lines(random, n, |fault, [state, input, output, target]| {
        let fault = if fault { ", mutated=true" } else { "" };
        let _ = writeln!(text, "s{state} -> s{target} [label=\"i{input}/o{output}\"{fault}];");
    });
    let wide = depth(random, 200);
    text += &list(random, wide, "\n", |_, at| {
        format!("s0 [a{at}=1][b{at}=\"2\"]; /* no state */")
    });
    text + "}\n"
}

pub fn extended(random: &mut Random) -> String {
    let mut text = "var n : 0..5 = 0\nvar b : bool = false\ninput go(v : 0..2)\ninitial A\n".to_owned();
    let alternatives = if random.below(4) == 0 { depth(random, 60) } else { 1 };
    let value = EXTENDED.number(random);
    let update = match random.below(3) {
        // The specification keeps to the range, whatever stands there.
        0 => format!(" {{n := ({value}) < 0 ? 0 : 1}}"),
        1 => format!(" {{n := 1{}}}", " | 2".repeat(alternatives)),
        _ => String::new(),
    };
    let guard = EXTENDED.truth(random);
    let _ = writeln!(text, "A go(v) [{guard}] / ok{} -> A", update);
    let _ = writeln!(
        text,
        "A go(v) [!({guard})] / no{} -> A",
        " | maybe".repeat(alternatives)
    );
    let many = depth(random, 100);
    for at in 0..many {
        let _ = writeln!(text, "A i{at} / o -> A");
    }
    text
}

pub fn scxml(random: &mut Random) -> String {
    let mut text = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"s0\"><datamodel>\
                    <data id=\"n\" expr=\"0\" xmlns:t=\"urn:tamper:mutation\" t:range=\"0..5\"/><data id=\"b\" expr=\"false\"/></datamodel>\n"
        .to_owned();
    let language = Language {
        truths: &["n < 3", "b", "true"],
        numbers: &["n", "1", "0"],
        connectives: &["&&", "||"],
        ..EXTENDED
    };
    let n = depth(random, 55);
    for at in 0..n {
        let initial = if at + 1 < n {
            format!(" initial=\"s{}\"", at + 1)
        } else {
            String::new()
        };
        let _ = write!(
            text,
            "<state id=\"s{at}\"{initial}><transition event=\"e{}\" target=\"s{}\"",
            at % 7,
            random.below(n)
        );
        let _ = write!(
            text,
            "><send event=\"o{}\" target=\"#_parent\"/></transition>",
            random.below(3)
        );
        if at + 1 == n || random.below(10) == 0 {
            let condition = language
                .truth(random)
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let _ = write!(
                text,
                "<transition event=\"go\" cond=\"{condition}\"><assign location=\"n\" expr=\"1\"/></transition>"
            );
        }
        text += "\n";
    }
    let wide = if random.below(4) == 0 { depth(random, 60) } else { 0 };
    text += &"</state>".repeat(n);
    text += &list(random, wide, "", |_, at| {
        format!("<state id=\"w{at}\"><onentry><assign location=\"n\" expr=\"0\"/></onentry></state>")
    });
    text + "</scxml>"
}

const MACHINE: &str = "initial a\na x / 0 -> b\na y / 0 -> a\nb x / 1 -> a\nb y / 0 -> b\nmutated b y / 1 -> a\n";

pub fn suite(random: &mut Random) -> String {
    let tests = depth(random, 100);
    list(random, tests, "", |random, _| {
        let length = depth(random, 200);
        let between = one(random, &["", " "]);
        format!(
            "{} # a test\n",
            list(random, length, between, |random, _| one(random, &["x", "y"]).to_owned())
        )
    })
}

fn read(name: &str, text: &str, format: MachineFormat) -> Result<(), String> {
    let options = MachineOptions {
        unspecified: Unspecified::Fill,
        most_configurations: 200,
        ..MachineOptions::default()
    };
    let read = read_machine(name, text.as_bytes(), format, &options).map_err(|error| error.to_string())?;
    if read.machine.extended().is_none() {
        assert!(write_dot(&read.machine).len() > write_machine(&read.machine).len() / 9);
    }
    Ok(())
}

pub fn read_text(text: &str) -> Result<(), String> {
    read("x.fsm", text, MachineFormat::Text)
}

pub fn read_kiss(text: &str) -> Result<(), String> {
    read("x.kiss2", text, MachineFormat::Kiss2)
}

pub fn read_dot(text: &str) -> Result<(), String> {
    read("x.dot", text, MachineFormat::Dot)
}

pub fn read_extended(text: &str) -> Result<(), String> {
    read("x.efsm", text, MachineFormat::Extended)
}

pub fn read_scxml(text: &str) -> Result<(), String> {
    read("x.scxml", text, MachineFormat::Scxml)
}

pub fn read_tests(text: &str) -> Result<(), String> {
    let machine = read_machine(
        "m.fsm",
        MACHINE.as_bytes(),
        MachineFormat::Text,
        &MachineOptions::default(),
    );
    let machine = machine.map_err(|error| error.to_string())?.machine;
    let suite = read_suite("x.suite", text.as_bytes(), &machine).map_err(|error| error.to_string())?;
    assert!(!suite.tests.is_empty());
    Ok(())
}
