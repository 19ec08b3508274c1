"""A campus behind HTTP: the embedded one served to others, as a process of its own."""

import contextlib
import inspect
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from surefoot.errors import BusinessRefused, ToolError
from surefoot_campus.systems.embedded import EmbeddedCampus
from surefoot_campus.systems.faults import Faults
from surefoot_campus.systems.port import METHODS


def campus_server(campus: EmbeddedCampus, faults: str = "") -> ASGIApp:
    """Return an ASGI app that serves the port; ``faults`` breaks chosen calls (see ``systems.faults``)."""

    async def call(request: Request) -> JSONResponse:
        method = request.path_params["method"]
        if method not in METHODS:
            return JSONResponse({"error": f"no method {method!r}; there are {', '.join(METHODS)}"}, 404)
        try:
            asked = inspect.signature(getattr(campus, method)).bind(**await request.json())
        except (TypeError, ValueError) as error:
            return JSONResponse({"error": f"bad request: {error}"}, 400)
        try:
            data = await getattr(campus, method)(*asked.args, **asked.kwargs)
        except BusinessRefused as refused:
            return JSONResponse({"code": 1, "message": refused.text.to_json(), "details": refused.details})
        except ToolError as error:
            return JSONResponse({"error": str(error)}, 503)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            # Only what reads the arguments raises these, before anything is stored.
            return JSONResponse({"error": f"bad request: {error}"}, 400)
        return JSONResponse({"code": 0, "data": data})

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await campus.close()

    return Faults(Starlette(routes=[Route("/v1/{method}", call, methods=["POST"])], lifespan=lifespan), faults)


def serve_forever(database: Path, *, host: str, port: int, faults: str = "") -> None:
    """Serve the campus of ``database`` until the process is stopped."""
    app = campus_server(EmbeddedCampus(database), faults)
    uvicorn.run(app, host=host, port=port, log_level="warning", lifespan="on", timeout_graceful_shutdown=2)
