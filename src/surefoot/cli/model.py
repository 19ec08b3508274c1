"""``surefoot model check``: what a language model's endpoint can do, before anything depends on it."""

import asyncio
from typing import Annotated

import typer

from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import told_in
from surefoot.cli.options import AsJson
from surefoot.cli.screen import console, print_json
from surefoot.cli.speaking import language_here
from surefoot.texts import Text

model = typer.Typer(no_args_is_help=True, help="Language models: what an endpoint can do.")

NAMES = {
    "answers": Text("能回答", "answers"),
    "streams": Text("能流式输出", "streams"),
    "tells tokens": Text("会报告用量", "tells its tokens"),
    "calls tools": Text("能调用工具", "calls tools"),
    "object by tool call": Text("用工具调用给出对象", "gives an object by a tool call"),
    "object by json_schema": Text("按 JSON Schema 给出对象", "gives an object by json_schema"),
    "object in words": Text("按文字要求给出对象", "gives an object when asked in words"),
}


@model.callback()
def models() -> None:
    """Language models are optional: without one, rules plan."""


@model.command("check")
def check(
    name: Annotated[str, typer.Argument(help="provider:model, e.g. openai:gpt-4o-mini.")],
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible endpoint's address.")] = None,
    key_env: Annotated[str | None, typer.Option(help="The environment variable that holds the key.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for one request.")] = 15.0,
    as_json: AsJson = False,
) -> None:
    """Try the endpoint: does it answer, stream, call tools, follow a schema?"""
    with told_in(language_here()):
        from surefoot.llm.models import ModelSettings, open_model
        from surefoot.llm.probing import probe

        settings = ModelSettings(name=name, base_url=base_url, key_env=key_env, timeout_s=timeout)
        found = asyncio.run(probe(open_model(settings)))
    if as_json:
        print_json([{"name": one.name, "works": one.works, "seen": one.seen} for one in found])
    else:
        for one in found:
            label = NAMES[one.name].say(language_here())
            console().print(f"{'✓' if one.works else '✗'} {label}: {one.seen}", soft_wrap=True)
    raise typer.Exit(ExitCode.DONE if found[0].works else ExitCode.NOT_DONE)
