"""Options that several commands share."""

from enum import StrEnum
from typing import Annotated

import typer


class Lang(StrEnum):
    """The two languages of the product."""

    ZH = "zh"
    EN = "en"


AppName = Annotated[str, typer.Option("--app", help="The installed app to use.")]
User = Annotated[str, typer.Option("--user", envvar="SUREFOOT_USER", help="On whose behalf.")]
Yes = Annotated[
    bool, typer.Option("--yes", help="Confirm cards by flag; one that shows a duplicate still needs a person.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value on stdout and nothing else; asks nobody.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The run's id, as `surefoot runs` shows it.")]
