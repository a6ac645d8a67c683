"""The service as one application: `uvicorn api.app:app`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI

from api import blank, check, health, pages, specs, templates
from api.faults import Guard, add_handlers
from api.headers import Headers
from api.routes import FORMS, OPERATIONS, PAGES, PLAIN
from api.service import Service
from api.settings import Settings
from api.start import started
from homolog.version import VERSION

if TYPE_CHECKING:
    from homolog.service.settings import Settings as HostSettings


def create_app(settings: Settings | None = None, host: HostSettings | None = None) -> FastAPI:
    """Return a service of its own.

    Args:
        settings: Its limits; None reads them from the environment.
        host: Where its register is; None reads that from the environment when it is first needed.
    """
    # The framework's own pages load their scripts from elsewhere, and its telemetry would follow the environment.
    app = FastAPI(
        title="Homolog",
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=started,
        telemetry={"auto_configure": False, "tracing": False, "metrics": False, "logs": False},
    )
    app.state.service = Service(settings or Settings.from_environment(), host)
    add_handlers(app)
    app.add_middleware(Guard)
    app.add_middleware(Headers)
    app.add_route("/", pages.show, methods=["GET"])
    app.add_route("/", pages.submit, methods=["POST"])
    app.add_route("/problems/{code}", pages.problem, methods=["GET"])
    app.add_route("/static/{name}", templates.static, methods=["GET"])
    app.add_route("/api/v1/docs", pages.operations, methods=["GET"])
    app.add_route("/api/v1/openapi.json", specs.interface, methods=["GET"])
    app.add_route("/api/v1/check", check.check, methods=["POST"])
    app.add_route("/api/v1/specs", specs.bodies, methods=["GET"])
    app.add_route("/api/v1/specs/{body}/{edition}", specs.edition, methods=["GET"])
    app.add_route("/api/v1/specs/{body}/{edition}/{item}", specs.item, methods=["GET"])
    app.add_route("/api/v1/templates/{item}.{ending}", blank.blank, methods=["GET"])
    app.add_route("/api/v1/schemas/report", specs.report_schema, methods=["GET"])
    app.add_route("/healthz", health.healthz, methods=["GET"])
    app.add_route("/readyz", health.readyz, methods=["GET"])
    # Not included as a router, so that every route stands in one list: what answers 405, and tests, look through it.
    app.router.routes.extend([*FORMS, *PAGES, *PLAIN, *OPERATIONS])
    return app


app = create_app()
