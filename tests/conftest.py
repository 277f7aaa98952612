"""Pytest and Hypothesis settings for the whole suite."""

import os
import signal
from typing import Any

from hypothesis import HealthCheck, settings

# Continuous integration must say the same twice: no random seeds, and no deadline, since the
# reference is slow. `HYPOTHESIS_PROFILE=deep pytest tests/test_laws.py` is for the night.
_COMMON: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("ci", derandomize=True, max_examples=100, database=None, **_COMMON)
settings.register_profile("deep", max_examples=5000, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A background job of a shell inherits SIGINT ignored, what nohup starts SIGHUP; and so would the
# programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
