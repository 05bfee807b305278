#!/usr/bin/env python3
"""Writes docs/python.md, the reference of the Python package, from its sources: signatures and first paragraphs.

    python3 scripts/python-reference.py            writes the page
    python3 scripts/python-reference.py --check    fails if the page is not up to date

Signatures are in _native.pyi and the modules of the package, texts in docstrings and comments of bindings/python/src.
"""

import ast
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "bindings" / "python" / "python" / "throng"
RUST = ROOT / "bindings" / "python" / "src"
PAGE = ROOT / "docs" / "python.md"

HEAD = """# Python: reference

The public names of the package `throng`, each with its signature and a line. [The guide](../bindings/python/README.md)
has examples; `help(throng.World.step)` prints parameters, units and errors in full. `**keys` are the keys of [scenario
files](scenario-format.md). `order="id"` sorts agents by id, `ids` chooses agents; `among` names species or states.
`scripts/python-reference.py` writes this page.
"""

# Classes, in the order of the page: before the functions, and after them.
CLASSES = ["World", "Rule", "Motion", "View", "Table", "Picture", "Recorder", "Displacements", "Persons"]
CLASSES += ["TrajectoryWriter"]
STUDIES = ["Convergence", "Ensemble", "Nearest", "Fit", "Results"]


def paragraph(text):
    """The first paragraph of a text, on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())


def rust_texts():
    """The texts of functions and classes in Rust: by class and name, with the class None for functions and classes."""
    texts = {}
    for file in sorted(RUST.rglob("*.rs")):
        owner, text, attributes = None, [], ""
        # An attribute of several lines becomes one of one line.
        source = re.sub(r"#\[[^\]]*\n[^\]]*\]", lambda of: of[0].replace("\n", " "), file.read_text())
        for line in source.splitlines():
            bare = line.strip()
            if bare.startswith("///"):
                text.append(bare[3:].strip())
                continue
            if bare.startswith("#["):
                attributes += bare
                continue
            if found := re.match(r"impl (\w+) \{", line):
                owner = found[1] if "pymethods" in attributes else None
            elif found := re.match(r"(?:pub(?:\([a-z]+\))? )?(?:fn|struct) (?:r#)?(\w+)", bare):
                name = re.sub("^get_", "", found[1]) if "getter" in attributes else found[1]
                renamed = re.search(r'(?:getter\(|name = ")(\w+)', attributes)
                texts.setdefault((owner, renamed[1] if renamed else name), paragraph("\n".join(text)))
            elif line == "}":
                owner = None
            if bare:
                text, attributes = [], ""
    items = (RUST / "world" / "items.rs").read_text()
    for about, all_items, add, remove in re.findall(
        r'((?:    /// .*\n)+)    "\w+": \w+, \w+ in (\w+) (add_\w+)\(.*?\), (remove_\w+)', items
    ):
        text = paragraph(about.replace("///", ""))
        texts["World", add] = f"{text} `{all_items}()` lists them, `{remove}(handle)` removes one."
        # These two have no rows of their own.
        texts["World", all_items] = texts["World", remove] = None
    errors = (RUST / "errors.rs").read_text()
    names = {rust: python for python, rust in re.findall(r'add\("(\w+)", py.get_type::<(\w+)>', errors)}
    for rust, text in re.findall(r'create_exception!\(\s*throng,\s*(\w+),\s*\w+,\s*"(.*?)"\s*\)', errors):
        texts[None, names[rust]] = text
    return texts


def signature(function, is_method):
    """The signature of a function, without the types of its arguments."""
    arguments = function.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.kwarg, arguments.vararg]:
        if argument:
            argument.annotation = None
    positional = arguments.posonlyargs or arguments.args
    if is_method and not any(ast.unparse(of) == "staticmethod" for of in function.decorator_list):
        positional.pop(0)
    returns = ast.unparse(function.returns) if function.returns else "None"
    returns = returns.replace("npt.NDArray[Any]", "array")
    returns = re.sub(r"npt\.NDArray\[np\.(\w+)\]", r"array of \1", returns)
    if any(ast.unparse(of) == "property" for of in function.decorator_list):
        return f"{function.name}: {returns}"
    name = function.name.replace("__new__", "")
    text = re.sub("=_[A-Z]+", "=...", f"{name}({ast.unparse(arguments)})").replace("'", '"')
    return text if returns in ("None", "Self") else f"{text} -> {returns}"


def cell(text):
    return text.replace("|", "\\|")


def rows(functions, texts, owner=None):
    """A table with a row for each function that has a text; overloads share one."""
    lines, seen = ["| | |", "|---|---|"], set()
    for function in functions:
        if function.name in seen:
            continue
        seen.add(function.name)
        text = ast.get_docstring(function)
        text = paragraph(text) if text else texts.get((owner, function.name), "")
        if text is None:
            continue
        if not text:
            raise SystemExit(f"{owner}.{function.name} has no text")
        lines.append(f"| `{cell(signature(function, owner is not None))}` | {cell(text)} |")
    return "\n".join(lines) + "\n"


def methods(node):
    """The public methods and properties of a class; the setter of a property is left out."""
    of = [child for child in node.body if isinstance(child, ast.FunctionDef) and not child.name.startswith("_")]
    return [child for child in of if not any(ast.unparse(mark).endswith(".setter") for mark in child.decorator_list)]


def attributes(node):
    """A table of the attributes that the docstring of a class lists."""
    _, _, text = (ast.get_docstring(node) or "").partition("Attributes\n----------\n")
    found = re.findall(r"^(\w+) : (.*)\n((?:    .*\n?)+)", text, re.MULTILINE)
    lines = [f"| `{name}: {cell(kind)}` | {cell(paragraph(about))} |" for name, kind, about in found]
    return "\n".join(["\n| | |\n|---|---|", *lines, ""]) if lines else ""


def class_section(node, source, texts):
    """The section of a class: how it is made, and its methods below the comments that divide the class."""
    text = ast.get_docstring(node)
    text = paragraph(text) if text else texts.get((None, node.name), "")
    if not text:
        raise SystemExit(f"{node.name} has no text")
    new = [child for child in node.body if isinstance(child, ast.FunctionDef) and child.name == "__new__"]
    made = "".join(f"`{node.name}{signature(child, True)}`\n\n" for child in new)
    out = f"\n## {node.name}\n\n{made}{textwrap.fill(text, 120)}\n{attributes(node)}"
    marks = [
        (number, line.strip("# .\n"))
        for number, line in enumerate(source.splitlines(), 1)
        if node.lineno < number <= node.end_lineno and re.match(r"    # [A-Z].*\.$", line)
    ]
    parts = [(None, node.lineno), *((title, number) for number, title in marks)]
    for index, (title, start) in enumerate(parts):
        end = parts[index + 1][1] if index + 1 < len(parts) else node.end_lineno + 1
        inside = [child for child in methods(node) if start <= child.lineno < end]
        if inside:
            out += (f"\n### {title}\n" if title else "") + "\n" + rows(inside, texts, node.name)
    return out


def page():
    sources = {file.stem: file.read_text() for file in [*PACKAGE.glob("*.py"), PACKAGE / "_native.pyi"]}
    trees = {name: ast.parse(text) for name, text in sources.items()}
    public = next(
        ast.literal_eval(node.value)
        for node in trees["__init__"].body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    where = {}
    for node in trees["__init__"].body:
        if isinstance(node, ast.ImportFrom) and node.module.startswith("throng."):
            where |= {name.name: node.module.removeprefix("throng.") for name in node.names}

    def find(name):
        tree = trees[where[name]]
        return next(node for node in tree.body if getattr(node, "name", None) == name)

    texts = rust_texts()
    nodes = {name: find(name) for name in public if name in where and name not in ("PHYSICS", "__version__")}
    functions = [node for node in nodes.values() if isinstance(node, ast.FunctionDef)]
    errors = [node for node in nodes.values() if re.search("Error$|Warning$", node.name)]
    left = set(nodes) - {node.name for node in functions + errors} - {*CLASSES, *STUDIES}
    if left:
        raise SystemExit(f"classes that the page lacks: {sorted(left)}")
    out = HEAD
    for name in CLASSES:
        out += class_section(nodes[name], sources[where[name]], texts)
    out += "\n## Functions\n\n" + rows(functions, texts)
    for name in STUDIES:
        out += class_section(nodes[name], sources[where[name]], texts)
    measures = [node for node in trees["measures"].body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
    out += "\n## throng.measures\n\n" + paragraph(ast.get_docstring(trees["measures"])) + "\n\n" + rows(measures, texts)
    out += "\n## Errors and warnings\n\n| | |\n|---|---|\n"
    for node in errors:
        has = ", ".join(f"`{ast.unparse(of.target)}`" for of in node.body if isinstance(of, ast.AnnAssign))
        text = texts[None, node.name] + (f" It has {has}." if has else "")
        out += f"| `{node.name}({ast.unparse(node.bases[0])})` | {cell(text)} |\n"
    return out


def main():
    text = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != text:
            sys.exit("docs/python.md is not up to date: scripts/python-reference.py writes it")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
