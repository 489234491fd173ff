"""The oracle as a module, for the tests that compare with it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def seed(oracle: Path) -> ModuleType:
    """The seed's retriever, loaded from beside the checkout."""
    spec = importlib.util.spec_from_file_location("seed_retriever", oracle / "seed_retriever.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look their module up
    spec.loader.exec_module(module)
    return module
