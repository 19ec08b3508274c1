"""The benchmarks run, and give the figures by the names that others read. How fast it is, no test asks."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def loaded(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return a benchmark as a module."""
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec.loader.exec_module(module)
    return module


async def test_the_overhead_is_measured_under_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = loaded("overhead", monkeypatch)
    for name, few in {"CALLS": 3, "RUNS": 2, "TURNS": 12, "IMPORTS": 1}.items():
        monkeypatch.setattr(module, name, few)
    await module.main(tmp_path / "figures.json")
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    named = {"door.read_ms", "door.write_beside_commits_ms", "graph.step_ratio", "import.seconds", "growth.ratio"}
    assert named <= figures.keys()
    assert all(figures[name] > 0 for name in named)
