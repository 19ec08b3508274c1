"""The shape of the house: file sizes, names, what imports what at import time."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
BANNED = {"utils", "util", "helpers", "common", "types", "misc", "manager", "managers"}
MAX_LINES = 400


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_outgrows_the_limit_or_has_a_name_that_says_nothing(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES
    assert not BANNED & {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}


@pytest.mark.parametrize("path", sorted((ROOT / "src").rglob("__init__.py")), ids=lambda p: p.parent.name)
def test_init_files_hold_a_docstring_imports_and_a_sorted_all(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    for node in tree.body[1:]:
        assert isinstance(node, ast.ImportFrom | ast.Import | ast.Assign), f"{path}:{node.lineno}"
        if isinstance(node, ast.Assign):
            names = ast.literal_eval(node.value)
            assert names == sorted(names, key=lambda name: (not name.isupper(), name))


@pytest.mark.parametrize("path", sorted((ROOT / "src").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT / "src")))
def test_every_module_says_in_one_sentence_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_importing_surefoot_imports_no_langgraph() -> None:
    code = "import surefoot, sys; print([m for m in sys.modules if m.split('.')[0] in ('langgraph', 'langchain_core')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_file_names_a_machines_path_or_a_registry() -> None:
    words = ["/" + "work/", "/" + "root/", "files." + "pythonhosted", "pypi" + ".org"]
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        path = ROOT / name
        if path.suffix not in {".py", ".md", ".toml", ".yaml", ".yml", ".txt", ".sh", ".csv"} or not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        assert not [word for word in words if word in text], path
