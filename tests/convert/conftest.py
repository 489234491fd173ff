"""What the tests of the converters share."""

import importlib.util

import pytest


@pytest.fixture(scope="session", autouse=True)
def _extra() -> None:
    missing = [name for name in ("pdfplumber", "pypdfium2") if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"extra convert absent ({', '.join(missing)})")
