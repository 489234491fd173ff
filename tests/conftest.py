"""What all tests share: where things lie, the hypothesis profile, and the named reasons to skip."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# Derandomized, so that a run means the same on every machine; no deadline, since speed is no test's subject.
settings.register_profile("workbench", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("workbench")


@pytest.fixture(scope="session")
def repo() -> Path:
    """Where the checkout lies."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def real_data(repo: Path) -> Path:
    """Where the real test data lies: WORKBENCH_TEST_DATA, else ../shared/data beside the checkout."""
    given = os.environ.get("WORKBENCH_TEST_DATA")
    folder = Path(given) if given else repo.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("real data absent (WORKBENCH_TEST_DATA, default ../shared/data)")
    return folder


@pytest.fixture(scope="session")
def oracle(repo: Path) -> Path:
    """Where the oracle lies: ../shared/oracle beside the checkout."""
    folder = repo.parent / "shared" / "oracle"
    if not folder.is_dir():
        pytest.skip("oracle absent (../shared/oracle)")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium lies."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("Chromium absent (Debian's package chromium)")
    return found
