"""A campus' source files: one YAML file and some CSV files, read with the line of everything that may be wrong."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import yaml

from surefoot.errors import InputInvalid
from surefoot.texts import Text

T = TypeVar("T")
Row = dict[str, str]
Location = tuple[str | int, ...]


def wrong(file: str, line: int | None, problem: str) -> InputInvalid:
    """Return the error that says what is wrong where."""
    where = f"{file}:{line}" if line else file
    return InputInvalid(Text(f"{where}：{problem}", f"{where}: {problem}"))


def read_rows(folder: Path, name: str, read: Callable[[Row], T], *, optional: bool = False) -> Iterator[tuple[int, T]]:
    """Yield the line number and what ``read`` makes of each row of a CSV file with a header.

    Raises:
        InputInvalid: no such file, not UTF-8, a cell too many, or ``read`` raised ValueError or KeyError.
    """
    path = folder / name
    if not path.is_file():
        if optional:
            return
        raise wrong(name, None, "the file is missing")
    # utf-8-sig: spreadsheet programs put a byte order mark before the first column's name.
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        try:
            for row in reader:
                if None in row:
                    raise wrong(name, reader.line_num, "more cells than the header has columns")
                yield reader.line_num, read({key: (value or "").strip() for key, value in row.items()})
        except UnicodeDecodeError as error:
            raise wrong(name, None, "not UTF-8 text; save the file as CSV UTF-8") from error
        except KeyError as error:
            raise wrong(name, reader.line_num, f"the column {error} is missing") from error
        except (ValueError, csv.Error) as error:
            raise wrong(name, reader.line_num, str(error)) from error


class Sheet:
    """A YAML file whose scalars are kept as they are written, with the line of every key and item."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._lines: dict[Location, int] = {}
        try:
            # BaseLoader keeps 08:00 and 2026-09-14 as they are written; YAML 1.1 would make numbers and dates of them.
            root = yaml.compose(path.read_text(encoding="utf-8-sig"), Loader=yaml.BaseLoader)
        except UnicodeDecodeError as error:
            raise wrong(self.name, None, "not UTF-8 text") from error
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else None
            raise wrong(self.name, line, f"not YAML: {error.problem}") from error
        self.data: Any = self._plain(root, ()) if root is not None else None

    def wrong(self, problem: str, *location: str | int) -> InputInvalid:
        """Return the error that points at ``location``, or at its nearest parent that is in the file."""
        here: Location = location
        while here not in self._lines and here:
            here = here[:-1]
        return wrong(self.name, self._lines.get(here, 1), problem)

    def _plain(self, node: yaml.Node, at: Location) -> Any:
        if isinstance(node, yaml.MappingNode):
            found: dict[str, Any] = {}
            for key, value in node.value:
                self._lines[*at, key.value] = key.start_mark.line + 1
                if key.value in found:
                    raise self.wrong(f"the key {key.value!r} stands twice", *at, key.value)
                found[key.value] = self._plain(value, (*at, key.value))
            return found
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self._lines[*at, index] = item.start_mark.line + 1
            return [self._plain(item, (*at, index)) for index, item in enumerate(node.value)]
        return str(node.value)
