"""Which skipped tests .ci/run could not have prevented: all others fail the run.

Reads a pytest report made with -rs. A reason is allowed only while what it names is really absent.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]


def no_test_data(_: re.Match[str]) -> bool:
    """The real test data cannot be installed: they lie beside the checkout or nowhere."""
    return "WORKBENCH_TEST_DATA" not in os.environ and not (REPO.parent / "shared" / "data").is_dir()


def no_oracle(_: re.Match[str]) -> bool:
    """The oracle lies beside the checkout or nowhere."""
    return not (REPO.parent / "shared" / "oracle").is_dir()


def no_such_python(reason: re.Match[str]) -> bool:
    """Debian has one Python; another is tested where the machine brings one, which the test has looked for."""
    return reason["version"] != f"{sys.version_info.major}.{sys.version_info.minor}"


def no_qdrant_server(_: re.Match[str]) -> bool:
    """Neither Debian nor Python's packages have Qdrant's server; one that runs somewhere is named by its URL."""
    return "WORKBENCH_QDRANT_URL" not in os.environ


ALLOWED: dict[str, Callable[[re.Match[str]], bool]] = {
    r"real data absent \(.*\)": no_test_data,
    r"oracle absent \(.*\)": no_oracle,
    r"no Qdrant server \(.*\)": no_qdrant_server,
    r"Python (?P<version>3\.\d+) does not run here \(.*\)": no_such_python,
}


def preventable(report: str) -> list[str]:
    """The skips of a report that no allowed reason covers, and those that the report counts without a reason."""
    skips = re.findall(r"^SKIPPED \[(\d+)\] (.+?:\d+|[^:]+): (.*)$", report, re.MULTILINE)
    found = [f"{where}: {reason}" for _, where, reason in skips if not allowed(reason)]
    counted = re.findall(r"^=+ .*?\b(\d+) skipped\b.* in .*=+$", report, re.MULTILINE)
    unnamed = int(counted[-1]) - sum(int(times) for times, _, _ in skips) if counted else 0
    return [*found, *([f"{unnamed} without a reason: is -rs gone from pytest's options?"] if unnamed else [])]


def allowed(reason: str) -> bool:
    """Whether a reason is on the list and holds."""
    return any((match := re.fullmatch(form, reason)) and holds(match) for form, holds in ALLOWED.items())


def main(path: str) -> int:
    """Exit status 1, and the skips, where .ci/run could have prevented some."""
    found = preventable(Path(path).read_text(encoding="utf-8"))
    for skip in found:
        print(f"preventable skip: {skip}", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
