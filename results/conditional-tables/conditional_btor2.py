"""BTOR2 from Verilog by yosys, and its own proofs of equivalence beside tamper's answers. Called by results/conditional-tables/make.sh."""

import json
import subprocess
import sys
from pathlib import Path

# Designs, and what each mutant writes in place of what.
DESIGNS = [
    (
        "counter",
        """module top(input clk, input up, input [2:0] step, output [2:0] shown, output wrap);
  reg [2:0] count = 0;
  assign shown = count;
  assign wrap = up && (count + step < count);
  always @(posedge clk) begin
    if (up) count <= count + step;
    else if ($signed(count) < $signed(step)) count <= count ^ (step >> 1);
    else count <= {count[0], count[2:1]};
  end
endmodule
""",
        [
            ("count + step < count", "count + step <= count"),
            ("count + step < count", "step > 3'd7 - count"),
            ("count <= count + step", "count <= count - step"),
            ("count <= count + step", "count <= step + count"),
            ("count <= count + step", "count <= count - ~step - 3'd1"),
            ("$signed(count) < $signed(step)", "count < step"),
            ("$signed(count) < $signed(step)", "(count ^ 3'd4) < (step ^ 3'd4)"),
            ("count ^ (step >> 1)", "count | (step >> 1)"),
            ("count ^ (step >> 1)", "(count | (step >> 1)) & ~(count & (step >> 1))"),
            ("step >> 1", "step >>> 1"),
            ("step >> 1", "$signed(step) >>> 1"),
            ("{count[0], count[2:1]}", "{count[1], count[2:1]}"),
            ("{count[0], count[2:1]}", "((count >> 1) | (count << 2))"),
        ],
    ),
    (
        "arithmetic unit",
        """module top(input clk, input [2:0] op, input signed [3:0] a, output [3:0] result, output zero);
  reg signed [3:0] acc = 0;
  wire signed [3:0] by = a == 0 ? 4'sd1 : a;
  assign result = acc;
  assign zero = ~|acc;
  always @(posedge clk) case (op)
    0: acc <= acc + a;
    1: acc <= acc * a;
    2: acc <= acc / by;
    3: acc <= acc % by;
    4: acc <= acc <<< a[1:0];
    5: acc <= acc >>> a[1:0];
    6: acc <= acc & ~a;
    default: acc <= a;
  endcase
endmodule
""",
        [
            ("acc + a", "acc - a"),
            ("acc + a", "acc - (-a)"),
            ("acc * a", "a * acc"),
            ("acc * a", "acc * a + 4'sd1"),
            ("acc / by", "$unsigned(acc) / $unsigned(by)"),
            ("acc / by", "(acc - acc % by) / by"),
            ("acc % by", "acc - by * (acc / by)"),
            ("acc % by", "(acc % by + by) % by"),
            ("acc <<< a[1:0]", "acc << a[1:0]"),
            ("acc <<< a[1:0]", "acc << a[0]"),
            ("acc >>> a[1:0]", "acc >> a[1:0]"),
            ("acc & ~a", "~(~acc | a)"),
            ("acc & ~a", "acc & a"),
            ("~|acc", "acc == 0"),
            ("~|acc", "~&acc"),
        ],
    ),
    (
        "shift register with parity",
        """module top(input clk, input bit_in, input clear, output [3:0] word, output parity);
  reg [3:0] word = 0;
  reg seen = 0;
  assign parity = ^word ^ seen;
  always @(posedge clk) begin
    if (clear) begin word <= 4'd0; seen <= 1'b0; end
    else begin word <= {word[2:0], bit_in}; seen <= seen ^ word[3]; end
  end
endmodule
""",
        [
            ("^word ^ seen", "^{word, seen}"),
            ("^word ^ seen", "^word"),
            ("^word ^ seen", "~(^word ~^ seen)"),
            ("{word[2:0], bit_in}", "(word << 1) | bit_in"),
            ("{word[2:0], bit_in}", "(word << 1) + bit_in"),
            ("{word[2:0], bit_in}", "{word[2:0], ~bit_in}"),
            ("seen ^ word[3]", "seen != word[3]"),
            ("seen ^ word[3]", "seen | word[3]"),
            ("seen <= 1'b0", "seen <= seen"),
            ("word <= 4'd0", "word <= 4'd1"),
        ],
    ),
]


def run(*arguments, codes=(0,)):
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True)
    assert done.returncode in codes, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def btor2(text, name, folder):
    source, target = folder / f"{name}.v", folder / f"{name}.btor2"
    source.write_text(text)
    run("yosys", "-q", "-p", f"read_verilog {source}; prep -top top; write_btor {target}")
    return target


def is_equivalent(folder):
    """Whether yosys proves that the two designs never differ, by induction; it must settle the question."""
    for name in ("original", "mutant"):
        text = (folder / f"{name}.v").read_text()
        (folder / f"{name}-alone.v").write_text(text.replace("module top", f"module {name}"))
    script = (
        f"read_verilog {folder}/original-alone.v {folder}/mutant-alone.v; proc; opt; "
        "miter -equiv -flatten -make_assert original mutant both; hierarchy -top both; opt -full; "
        "sat -prove-asserts -tempinduct -maxsteps 64 -show-inputs both"
    )
    done = subprocess.run(["yosys", "-p", script], capture_output=True, text=True)
    if "Induction step proven: SUCCESS!" in done.stdout:
        return True
    if "model found for base case: FAIL!" in done.stdout:
        return False
    raise AssertionError(done.stdout[-3000:] + done.stderr)


def section(tamper, folder):
    print("## BTOR2 from Verilog\n")
    print("Designs in Verilog and textual mutants of them, as BTOR2 by `write_btor` of yosys. `tamper refine MUTANT.btor2 ORIGINAL.btor2` beside the induction of yosys")
    print("(`miter -equiv`, `sat -tempinduct`) on the Verilog. The designs have no choices, so every mutant that differs is killed blindly.\n")
    print("| design | operators in BTOR2 | mutants | equal: yosys, tamper | killed blindly | answers that differ |\n|---|---|---|---|---|---|")
    wrong = 0
    for name, text, mutants in DESIGNS:
        original = btor2(text, "original", folder)
        words, equal, ours, blind, differ = set(), 0, 0, 0, 0
        for old, new in mutants:
            assert text.count(old) == 1, (name, old)
            mutant = btor2(text.replace(old, new), "mutant", folder)
            for file in (original, mutant):
                words |= {line.split()[1] for line in file.read_text().splitlines() if line[:1].isdigit()}
            answer = json.loads(run(tamper, "refine", mutant, original, "--format", "json", codes=(0, 1)))
            proved = is_equivalent(folder)
            equal += proved
            ours += answer["kill"] == "none"
            blind += answer["kill"] == "blind"
            # Both are deterministic: what differs at all is killed by one word.
            if answer["kill"] != ("none" if proved else "blind"):
                differ += 1
                print(name, old, new, answer, proved, file=sys.stderr)
        words -= {"sort", "input", "state", "init", "next", "output", "const", "zero", "one", "ones"}
        print(f"| {name} | {', '.join(sorted(words))} | {len(mutants)} | {equal}, {ours} | {blind} | {differ} |")
        wrong += differ
    print(flush=True)
    return wrong == 0
