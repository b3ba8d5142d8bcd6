"""OpenVINO, which computes the small networks that come with Strata, imported without its telemetry."""

import sys
from functools import cache
from typing import Any


@cache
def openvino() -> Any:
    """Return the module, a tenth of a second to import. Raises ImportError where it is not installed.

    Its package reports on its use, in its own process, if it can import what does that.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino as module

    return module


@cache
def openvino_core() -> Any:
    """Return OpenVINO's `Core`, one a process."""
    return openvino().Core()
