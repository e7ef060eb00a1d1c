"""Settings for every test: random tests are the same on every run and never fail for being slow.

And two things that are kept: compiled searches, which are the same for most models, and byte code, since tests start
the command hundreds of times.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
)
settings.load_profile("default")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # of those that tests start


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of compiled checkers that ends with the tests."""
    return tmp_path_factory.mktemp("cache")
