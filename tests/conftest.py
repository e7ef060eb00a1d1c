"""Settings for every test: random tests are the same on every run and never fail for being slow.

And caches: of compiled searches, which are the same for most models, and of bytecode for processes that tests start.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

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


def pytest_configure(config: pytest.Config) -> None:
    """Where Python is told to write no bytecode, every process compiles all modules: half of what most of them do."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        folder = TemporaryDirectory(prefix="burnside-bytecode-")
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name
        config.add_cleanup(folder.cleanup)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of compiled checkers for these tests alone, and for all processes that run them."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each of these has a folder of its own in a common one
        folder = folder.parent
    (folder / "cache").mkdir(mode=0o700, exist_ok=True)
    return folder / "cache"
