"""``check-app``, ``graph``, ``eval``, the apps' own commands, and how quickly the command line starts."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from surefoot.agents.drawing import draw, to_svg
from surefoot.agents.plan_execute import build
from surefoot.errors import InputInvalid
from surefoot.evals.report import Report

Cli = Callable[..., tuple[int, str, str]]


def test_check_app_lists_each_tool_with_what_it_promises(cli: Cli) -> None:
    code, out, _ = cli("check-app", "corner")
    assert code == 0
    charge = next(line for line in out.splitlines() if line.startswith("charge v1"))
    assert charge.split()[2:6] == ["write", "required", "refund", "find_order"]
    assert "irreversible" in next(line for line in out.splitlines() if line.startswith("refund"))
    assert "8 contracts are in order" in out


def test_check_app_says_in_one_line_what_is_wrong_and_where(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = home / "spoiled_shop"
    package.mkdir()
    (package / "spoiled_shop.py").write_text(
        "from dataclasses import replace\nfrom pathlib import Path\nfrom corner_shop import corner_app\n"
        "app = replace(corner_app(), contracts=Path(__file__).parent)\n"
    )
    (package / "charge.yaml").write_text("name: charge\nversion: 1\nsummary: {zh: 扣, en: Take}\neffect: sometimes\n")
    entries = home / "installed" / "corner_shop-1.0.dist-info" / "entry_points.txt"
    entries.write_text(entries.read_text().replace("broken = ", "spoiled = spoiled_shop:app\nbroken = "))
    monkeypatch.syspath_prepend(str(package))
    code, out, err = cli("check-app", "spoiled")
    assert (code, out) == (2, "")
    assert err.startswith("surefoot: charge.yaml:4: ")
    assert err.count("\n") == 1


def test_the_commands_of_an_app_are_mounted_under_its_name(cli: Cli) -> None:
    assert cli("corner", "hello")[:2] == (0, "hello from the shop\n")


def test_commands_that_cannot_be_loaded_take_no_others_away(cli: Cli, home: Path) -> None:
    entries = home / "installed" / "corner_shop-1.0.dist-info" / "entry_points.txt"
    entries.write_text(entries.read_text().replace("corner = corner_shop:commands", "corner = nowhere:commands"))
    code, out, err = cli("runs")
    assert (code, out) == (0, "There are no runs yet.\n")
    assert "the commands of 'corner' cannot be loaded" in err


def test_the_graph_is_printed_as_mermaid_and_written_as_svg(cli: Cli, home: Path) -> None:
    assert "guard -.-> plan" in cli("graph", "corner")[1]
    file = home / "graph.svg"
    assert cli("graph", "corner", "--format", "svg", "-o", str(file)) == (0, "", "")
    assert file.read_text(encoding="utf-8") == to_svg(build())
    code, _, err = cli("graph", "corner", "-o", str(home / "no" / "folder.svg"))
    assert code == 2
    assert "Cannot write" in err


def test_the_drawing_is_the_same_each_time_and_shows_every_node_and_edge() -> None:
    picture = to_svg(build())
    assert picture == to_svg(build())
    root = ET.fromstring(picture)
    namespace = {"svg": "http://www.w3.org/2000/svg"}
    drawn = build().get_graph()
    names = {text.text for text in root.findall("svg:text", namespace)}
    assert names == {name.strip("_") if name.startswith("__") else name for name in drawn.nodes}
    assert len(root.findall("svg:path", namespace)) == len(drawn.edges)


def test_in_a_drawing_no_two_boxes_overlap_and_edges_that_go_back_are_marked() -> None:
    picture = draw(["a", "b", "c", "d"], {("a", "b"): False, ("a", "c"): True, ("b", "d"): False, ("d", "a"): True})
    root = ET.fromstring(picture)
    boxes = [
        (int(r.get("x", 0)), int(r.get("y", 0))) for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("x")
    ]
    assert len(boxes) == len(set(boxes)) == 4
    assert sum("back" in (p.get("class") or "") for p in root.iter("{http://www.w3.org/2000/svg}path")) == 1


def test_an_eval_prints_a_table_and_writes_flat_figures(cli: Cli, home: Path) -> None:
    (home / "exams" / "corner").mkdir(parents=True)
    (home / "exams" / "corner" / "one").touch()
    file = home / "figures.json"
    code, out, _ = cli("eval", "corner", "--data", str(home / "exams"), "--json", str(file), "--limit", "3")
    assert code == 0
    assert "files" in out
    assert "options: --limit 3" in out
    assert json.loads(file.read_text()) == {"surefoot.files": 1, "peer.files": 0.5}


def test_absent_data_and_unknown_evals_are_said_in_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for words, said in (
        (["eval", "corner"], "give --data FOLDER or set SUREFOOT_EXAMS"),
        (["eval", "corner", "--data", "nowhere"], "nowhere/corner does not exist"),
        (["eval", "nothing"], "There is no eval 'nothing'; installed:"),
    ):
        code, _, err = cli(*words)
        assert code == 2
        assert said in err
        assert err.count("\n") == 1
    assert "corner" in cli("eval")[1]


@pytest.mark.parametrize(
    ("name", "figure"), [("tokens", 1), ("A.b", 1), ("a.", 1), ("a.b", float("nan")), ("a.b", True), ("a b.c", 2)]
)
def test_a_report_refuses_what_is_no_figure(name: str, figure: float) -> None:
    with pytest.raises(ValueError, match="figure"):
        Report("t").add(name, figure)


def test_a_report_holds_each_figure_once_and_compares_runners_side_by_side(tmp_path: Path) -> None:
    report = Report("speed")
    report.add("surefoot.p95_ms", 12.25)
    report.add("peer.p95_ms", 31)
    report.note("langmem could not be run: no model")
    with pytest.raises(ValueError, match="stands already"):
        report.add("peer.p95_ms", 30)
    console = Console(record=True, width=60, file=(tmp_path / "out").open("w"))
    report.show(console)
    text = console.export_text()
    console.file.close()
    assert "surefoot" in text
    assert "12.25" in text
    assert "langmem could not be run" in text
    with pytest.raises(InputInvalid, match="Cannot write"):
        report.write(tmp_path / "no" / "file.json")


def test_the_command_line_starts_without_langgraph_databases_or_apps() -> None:
    heavy = ("langgraph", "langchain_core", "sqlalchemy", "rich", "surefoot_campus")
    code = f"import surefoot.cli.main, sys; print([m for m in sys.modules if m.split('.')[0] in {heavy}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
