"""What the house measures itself by: scripts/lines.sh calls this in the folder to measure.

Tests (`tests.rs`, folders `tests`, and what follows `mod tests {`) do not count. A line of code is one that is neither
blank nor a comment. A function's lines are those from `fn` to its closing brace.
"""

import re
import textwrap
from collections import Counter, defaultdict
from pathlib import Path

LONGEST = 60
SHORT_WORDS = 4

# Comments, strings and characters, in the order in which they must be tried.
OPAQUE = re.compile(
    r'//[^\n]*|/\*.*?\*/|\bb?r(#*)".*?"\1|\bb?"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"|b?\'(?:[^\'\\]|\\[^\n\']+|\\\')\'',
    re.S,
)
FUNCTION = re.compile(r"\bfn\s+(\w+)")
TYPE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|union|type)\s+(\w+)", re.M)
USE = re.compile(r"^pub use ([^;]+);", re.M)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def room_of(path):
    parts = path.parts
    if parts[0] == "crates":
        return f"crates/{parts[1]}"
    return parts[1] if len(parts) > 2 else "(root)"


def without_tests(text):
    return re.split(r"^mod tests \{", text, maxsplit=1, flags=re.M)[0]


def blanked(text):
    """The text with comments and literals as spaces, line by line as before."""
    return OPAQUE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def closing(text, at):
    """The place of the bracket that closes the one at `at`; `->` and `=>` close nothing."""
    open_, close = text[at], PAIRS[text[at]]
    depth = 0
    for place in range(at, len(text)):
        if text[place] == open_:
            depth += 1
        elif text[place] == close and not (close == ">" and text[place - 1] in "-="):
            depth -= 1
            if depth == 0:
                return place
    raise ValueError("an open bracket")


def parameters(text):
    """The parameters of a list in brackets, split at its own commas."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        if sign in "([{<":
            depth += 1
        elif sign in ")]}" or (sign == ">" and text[place - 1] not in "-="):
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def takes_tuple(parameter):
    """Whether a parameter is a tuple, or a reference to one: by its pattern or by its type."""
    pattern, _, kind = parameter.partition(":")
    kind = re.sub(r"^(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)+", "", kind.strip())
    return kind != "()" and (pattern.strip().lstrip("&").startswith("(") or kind.startswith("("))


def functions(code):
    """Name, first line, lines and whether a parameter is a tuple, of every function with a body."""
    for found in FUNCTION.finditer(code):
        at = found.end()
        if code[at : at + 1] == "<":
            at = closing(code, at) + 1
        if code[at : at + 1] != "(":
            continue
        end = closing(code, at)
        is_tuple = any(map(takes_tuple, parameters(code[at + 1 : end])))
        body = re.compile(r"[{;]").search(code, end)
        while body and body.group() == ";" and code.count("[", end, body.start()) > code.count("]", end, body.start()):
            body = re.compile(r"[{;]").search(code, body.end())
        if body is None or body.group() == ";":
            yield found.group(1), 0, 0, is_tuple
            continue
        first = code.count("\n", 0, found.start()) + 1
        last = code.count("\n", 0, closing(code, body.start())) + 1
        yield found.group(1), first, last - first + 1, is_tuple


def doc_comments(text):
    """The words of every doc comment of an item, its lines joined."""
    block = []
    for line in [*text.splitlines(), ""]:
        line = line.strip()
        if line.startswith("///"):
            block.append(line[3:].strip())
        elif block:
            yield " ".join(block).split()
            block = []


def is_test(path):
    return path.name == "tests.rs" or "tests" in path.parts


def main():
    every = sorted(path for top in ("src", "crates") for path in Path(top).rglob("*.rs"))
    lines, files, tuples = Counter(), Counter(), Counter()
    long, types, exported = [], [], []
    docs = short = 0
    words_of_room = defaultdict(set)
    for path in every:
        text = path.read_text()
        room = room_of(path)
        if "src" not in path.parts or is_test(path):
            continue
        text = without_tests(text)
        files[room] += 1
        lines[room] += sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))
        code = blanked(text)
        words_of_room[room].update(WORD.findall(code))
        types += TYPE.findall(code)
        if path.name == "lib.rs" or (path.name == "mod.rs" and len(path.parts) == 3):
            exported += [(room, name) for names in USE.findall(code) for name in re.findall(r"\w+(?=\s*[,}]|\s*$)", names)]
        for name, first, n_lines, is_tuple in functions(code):
            tuples[room] += is_tuple
            if n_lines > LONGEST:
                long.append((n_lines, f"{path}:{first} {name}"))
        for words in doc_comments(text):
            docs += 1
            short += len(words) <= SHORT_WORDS
    # Who uses a name outside its room may also be a test, an example or a benchmark.
    elsewhere = set()
    for top in ("tests", "examples", "benches", "crates"):
        for path in Path(top).rglob("*.rs"):
            if top != "crates" or "src" not in path.parts or is_test(path):
                elsewhere.update(WORD.findall(blanked(path.read_text())))
    rooms_with = Counter(name for words in words_of_room.values() for name in words)
    unused = defaultdict(set)
    for room, name in exported:
        if rooms_with[name] == 1 and name not in elsewhere:
            unused[room].add(name)
    for room in sorted(files):
        print(f"{room:<20} {files[room]:4} files {lines[room]:7} lines {tuples[room]:4} with tuples")
    print(f"{'all':<20} {sum(files.values()):4} files {sum(lines.values()):7} lines {sum(tuples.values()):4} with tuples")
    print(f"\nfunctions above {LONGEST} lines: {len(long)}")
    for n_lines, name in sorted(long, reverse=True):
        print(f"    {n_lines:3} {name}")
    print(f"functions with tuples as parameters: {sum(tuples.values())}")
    print(f"types: {len(types)}, distinct names: {len(set(types))}")
    print(f"doc comments: {docs}, of at most {SHORT_WORDS} words: {short} ({100 * short / max(docs, 1):.1f} %)")
    print(f"exported names unused outside their room: {sum(map(len, unused.values()))} of {len(set(exported))}")
    for room, names in sorted(unused.items()):
        print(textwrap.fill(f"{room}: {' '.join(sorted(names))}", 120, initial_indent="    ", subsequent_indent="        "))


if __name__ == "__main__":
    main()
