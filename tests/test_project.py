"""The project's own files agree with each other: requirements, lock, conda environment, README and .ci/run."""

import importlib.util
import re
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import workbench

REPO = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (REPO / "constraints.txt").read_text(encoding="utf-8")
NOT_OURS = re.compile(
    r"(^|/)(\.git|\.venv[^/]*|build|dist|[^/]*\.egg-info|__pycache__|\.[a-z]+_cache|\.hypothesis)(/|$)"
)
MOST_BYTES = 5_000_000


def requirements() -> list[str]:
    """What the package and all its extras ask for, as written."""
    project = PROJECT["project"]
    return project["dependencies"] + [one for extra in project["optional-dependencies"].values() for one in extra]


def pins(lock: str) -> dict[str, list[tuple[str, list[str]]]]:
    """The versions and hashes under each name; a name has several versions where they differ by Python."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for entry in re.split(r"\n(?=\S)", lock):
        pin = re.match(r"([\w.-]+)==(\S+)", entry)
        assert pin is not None, entry
        hashes = re.findall(r"--hash=(sha256:[0-9a-f]{64})\b", entry)
        found.setdefault(canonicalize_name(pin[1]), []).append((pin[2], hashes))
    return found


@pytest.mark.parametrize("written", requirements() + PROJECT["build-system"]["requires"])
def test_the_lock_pins_what_is_asked_for(written: str) -> None:
    asked = Requirement(written)
    pinned = pins(LOCK).get(canonicalize_name(asked.name), [])
    assert pinned, "not locked; the README says how to lock again"
    assert all(asked.specifier.contains(version) for version, _ in pinned)


def test_every_pin_of_the_lock_has_hashes() -> None:
    assert [name for name, versions in pins(LOCK).items() if not all(hashes for _, hashes in versions)] == []


def test_the_lock_names_no_registry_and_no_machine() -> None:
    lines = [line for line in LOCK.splitlines() if not re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)]
    assert [line for line in lines if "://" in line or line.lstrip().startswith("-") or "/" in line] == []


def test_the_build_backend_is_locked_as_a_group_of_its_own() -> None:
    assert PROJECT["dependency-groups"]["build"] == PROJECT["build-system"]["requires"]


def test_conda_s_environment_repeats_the_requirements() -> None:
    environment = yaml.safe_load((REPO / "environment.yml").read_text(encoding="utf-8"))
    *conda, pip = environment["dependencies"]
    assert conda == [f"python {PROJECT['project']['requires-python']}", "pip"]
    assert pip == {"pip": [*requirements(), "-e ."]}
    assert not any("/" in channel for channel in environment["channels"])


def test_versions_agree() -> None:
    assert workbench.__version__ == PROJECT["project"]["version"]


def one_line_commands(folder: str) -> list[str]:
    """The README's lines that make an environment in that folder."""
    readme = (REPO / "README.md").read_text(encoding="utf-8")
    return [line for line in readme.splitlines() if line.startswith(f"python3 -m venv {folder} && ")]


@pytest.mark.parametrize(("folder", "last"), [(".venv", "workbench lab"), (".venv-test", "python -m pytest -n auto")])
def test_the_readme_s_two_commands_install_from_the_lock(folder: str, last: str) -> None:
    (command,) = one_line_commands(folder)
    _, lock, install, run = command.split(" && ")
    assert lock == f"{folder}/bin/pip install --require-hashes -r constraints.txt"
    assert install == f"{folder}/bin/pip install --no-deps --no-build-isolation -e ."
    assert run == f"{folder}/bin/{last}"


def test_ci_takes_its_command_from_the_readme() -> None:
    script = (REPO / ".ci" / "run").read_text(encoding="utf-8")
    assert subprocess.run(["bash", "-n", str(REPO / ".ci" / "run")], check=False).returncode == 0
    (pattern,) = re.findall(r"sed -n '(/[^']+/p)' README.md", script)
    done = subprocess.run(["sed", "-n", pattern, "README.md"], cwd=REPO, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == one_line_commands(".venv-test")
    assert "pip install" not in script
    assert "pytest" not in re.sub(r"#.*", "", script)


@pytest.fixture(scope="module")
def skips() -> ModuleType:
    """The script .ci/skips.py."""
    spec = importlib.util.spec_from_file_location("skips", REPO / ".ci" / "skips.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "line",
    [
        "SKIPPED [1] tests/test_x.py:3: no chromium",
        "SKIPPED [12] tests/test_x.py: no chromium",
        "SKIPPED [1] tests/test_x.py:3: got empty parameter set for (path)",
        "SKIPPED [1] tests/test_x.py:3: unconditional skip",
    ],
)
def test_ci_counts_a_skip_that_nobody_allowed(line: str, skips: ModuleType) -> None:
    assert len(skips.preventable(f"== short test summary info ==\n{line}\n== 3 passed in 1.00s ==")) == 1


def test_ci_counts_skips_that_have_no_reason(skips: ModuleType) -> None:
    assert skips.preventable("== 3 passed, 2 skipped in 1.00s ==") == [
        "2 without a reason: is -rs gone from pytest's options?"
    ]


def test_ci_allows_what_a_machine_cannot_have(
    skips: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = (
        "SKIPPED [1] tests/conftest.py:29: real data absent (WORKBENCH_TEST_DATA, default ../shared/data)\n"
        "SKIPPED [3] tests/conftest.py:38: oracle absent (../shared/oracle)\n"
        "SKIPPED [1] tests/test_quality.py:9: Python 3.99 does not run here (not found)\n"
        "== 3 passed, 5 skipped, 1 warning in 61.00s (0:01:01) ==\n"
    )
    monkeypatch.delenv("WORKBENCH_TEST_DATA", raising=False)
    monkeypatch.setattr(skips, "REPO", tmp_path / "checkout")
    assert skips.preventable(report) == []

    for folder in ("data", "oracle"):  # but not where they are there, and the test did not find them
        (tmp_path / "shared" / folder).mkdir(parents=True)
    assert len(skips.preventable(report)) == 2


def files() -> list[Path]:
    """The project's files, without what tools leave beside them."""
    every = (path for path in REPO.rglob("*") if not NOT_OURS.search(path.relative_to(REPO).as_posix()))
    return [path for path in every if path.is_file()]


def test_no_file_is_too_large() -> None:
    assert [path.name for path in files() if path.stat().st_size > MOST_BYTES] == []


def test_no_file_names_a_registry_or_a_place_of_this_machine() -> None:
    # Written in pieces, so that this file does not find itself.
    hosts = ["pypi" + ".org", "python" + "hosted.org", "registry.npm" + "js", "deb.debian" + ".org", "index-" + "url"]
    unwanted = [*hosts, *(f"{place}/" for place in (REPO, Path.home()) if place != Path("/"))]
    found = []
    for path in files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        found += [f"{path.relative_to(REPO)}: {word}" for word in unwanted if word in text]
    assert found == []
