"""The build: what the core is compiled for, how that is checked, and what the sdist carries."""

import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from abdiel.core import cpu

CHECKOUT = Path(__file__).parents[1]
SETUP: dict[str, Any] = runpy.run_path(str(CHECKOUT / "setup.py"))

on_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 is checked")

# Macros that announce instructions no compiler emits for plain C, or no instructions at all.
NOT_EMITTED = re.compile(
    r"""3dnow(_a)?|aes|amx_?\w+|avx10_max_\w+|avx10_ver\w*|cldemote|clflushopt|clwb|clzero|enqcmd|evex\w+
      |fp_fast_\w+|flt16_\w+|fsgsbase|fxsr|hreset|invpcid|kl|mmx_with_sse|movdir(i|64b)|mwait|mwaitx|pconfig|pku
      |prefetch(i|wt1)|ptwrite|raoint|rdpid|rdpru|rdrnd|rdseed|rtm|serialize|sgx|sha|sha512|shstk|sm[34]
      |tsxldtrk|uintr|usermsr|waitpkg|wbnoinvd|widekl|xsave(c|s|opt)?|lwp|hle""",
    re.VERBOSE,
)

# One of each generation, also of some that today's compilers do not know yet.
PROCESSORS = (
    ["x86-64-v2", "x86-64-v3", "x86-64-v4", "nehalem", "haswell", "skylake-avx512", "knl", "knm"]
    + ["tigerlake", "alderlake", "sapphirerapids", "graniterapids", "arrowlake-s", "diamondrapids"]
    + ["amdfam10", "bdver4", "btver2", "znver1", "znver3", "znver4", "znver5"]
)

# The kernel's names where they differ from the compiler's.
KERNEL = {
    "abm": "abm",
    "avxvnni": "avx_vnni",
    "avxifma": "avx_ifma",
    "bmi": "bmi1",
    "crc32": "sse4_2",
    "gcc_have_sync_compare_and_swap_16": "cx16",
    "lahf_sahf": "lahf_lm",
    "lzcnt": "abm",
    "pclmul": "pclmulqdq",
    "prfchw": "3dnowprefetch",
    "sse3": "pni",
} | {f"avx512{name}": f"avx512_{name}" for name in ("vbmi2", "vnni", "bitalg", "vpopcntdq", "bf16")}


def table() -> list[str]:
    header = (CHECKOUT / "ext/abdiel/core/processor.h").read_text(encoding="utf-8")
    return re.findall(r'^    \{"(\w+)"', header, re.MULTILINE)


def python(
    *arguments: str, cwd: Path = CHECKOUT, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A checkout whose core is the processor check and one tuned module: quick to build."""
    (tmp_path / "ext/abdiel/core").mkdir(parents=True)
    for name in ("setup.py", "ext/abdiel/core/cpu.pyx", "ext/abdiel/core/processor.h"):
        shutil.copy(CHECKOUT / name, tmp_path / name)
    shutil.copytree(
        CHECKOUT / "engine/abdiel/core",
        tmp_path / "engine/abdiel/core",
        ignore=shutil.ignore_patterns("*.so"),
    )
    (tmp_path / "engine/abdiel/__init__.py").touch()
    (tmp_path / "ext/abdiel/core/tuned.pxd").write_text("cdef int answer() noexcept\n")
    (tmp_path / "ext/abdiel/core/tuned.pyx").write_text("cdef int answer() noexcept: return 42\n")
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "abdiel"\nversion = "0"\n'
        '[tool.setuptools.packages.find]\nwhere = ["engine"]\n'
    )
    return tmp_path


def build(checkout: Path, march: str) -> dict[str, int]:
    """Build in place; return when each module was made."""
    done = python("setup.py", "-q", "build_ext", "--inplace", cwd=checkout, ABDIEL_MARCH=march)
    assert done.returncode == 0, done.stderr
    return {path.name.split(".")[0]: path.stat().st_mtime_ns for path in modules(checkout)}


def modules(checkout: Path) -> Sequence[Path]:
    return sorted((checkout / "engine/abdiel/core").glob("*.so"))


def test_this_processor_runs_this_build() -> None:
    assert cpu.missing() == ()
    assert cpu.MARCH or platform.machine() not in ("x86_64", "aarch64")


def test_an_unknown_feature_is_neither_there_nor_missing() -> None:
    assert cpu.supports("telepathy") is None
    assert cpu.missing(["telepathy"]) == ()


@on_x86_64
@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="the kernel tells nothing")
def test_the_processor_answers_as_the_kernel_does() -> None:
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    assert flags
    known = set(flags[1].split())
    # Too new for every kernel to name; not in a processor of the others' age.
    names = [name for name in table() if not re.match(r"avx10|apx|avxne|avxvnniint|cmpccx", name)]
    assert {name: cpu.supports(name) for name in names} == {
        name: KERNEL.get(name, name) in known for name in names
    }


@on_x86_64
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_each_feature_that_a_compiler_turns_on_can_be_checked(compiler: str) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")
    turned_on: set[str] = set()
    for processor in PROCESSORS:
        try:
            turned_on.update(SETUP["features"]([compiler], processor))
        except SystemExit:  # the compiler is older than the processor
            assert not processor.startswith("x86-64")
    assert "avx512f" in turned_on
    unchecked = turned_on - set(table())
    assert {name for name in unchecked if not NOT_EMITTED.fullmatch(name)} == set()


def test_a_lacking_processor_is_one_import_error_before_any_tuned_module() -> None:
    done = python(
        "-c",
        "import sys, types\n"
        "fake = types.ModuleType('abdiel.core.cpu')\n"
        "fake.MARCH, fake.missing = 'znver9', lambda: ('avx2', 'bmi2')\n"
        "sys.modules['abdiel.core.cpu'] = fake\n"
        "try:\n"
        "    import abdiel.core.position\n"
        "except ImportError as error:\n"
        "    print(error)\n"
        "print(*(name for name in sys.modules if name.startswith('abdiel.core.')))\n",
    )
    message, loaded = done.stdout.splitlines()
    assert "ABDIEL_MARCH=znver9" in message
    assert "lacks avx2, bmi2" in message
    assert "ABDIEL_MARCH=x86-64-v2 pip install" in message
    assert loaded == "abdiel.core.cpu"


@on_x86_64
@pytest.mark.slow
def test_a_build_for_a_newer_processor_says_what_is_missing(small: Path) -> None:
    build(small, "x86-64-v4")
    done = python("-c", "import abdiel.core", cwd=small / "engine")
    wanted = SETUP["features"](["cc"], "x86-64-v4")
    assert "avx512f" in wanted
    lacking = cpu.missing(wanted)
    if lacking:
        assert (
            f"ABDIEL_MARCH=x86-64-v4 and this processor lacks {', '.join(lacking)}" in done.stderr
        )
    else:
        assert done.returncode == 0, done.stderr


@on_x86_64
@pytest.mark.slow
def test_a_change_of_flags_or_headers_and_nothing_else_rebuilds(small: Path) -> None:
    first = build(small, "x86-64-v2")
    assert sorted(first) == ["cpu", "tuned"]
    assert build(small, "x86-64-v2") == first
    done = python("-c", "import abdiel.core as c; print(c.cpu.MARCH)", cwd=small / "engine")
    assert done.stdout == "x86-64-v2\n", done.stderr
    second = build(small, "x86-64")
    assert all(second[name] > first[name] for name in first)
    done = python("-c", "import abdiel.core as c; print(c.cpu.FEATURES)", cwd=small / "engine")
    assert done.stdout == "()\n", done.stderr
    (small / "ext/abdiel/core/tuned.pxd").touch()
    third = build(small, "x86-64")
    assert third["tuned"] > second["tuned"]


@pytest.mark.parametrize("march", ["pentium-nine", "native -O0"])
def test_an_unknown_processor_is_one_line(small: Path, march: str) -> None:
    done = python("setup.py", "-q", "build_ext", "--inplace", cwd=small, ABDIEL_MARCH=march)
    assert done.returncode == 1
    assert done.stderr.startswith(f"ABDIEL_MARCH={march}: ")
    assert done.stderr.count("\n") == 1
    assert "ABDIEL_MARCH=x86-64-v2" in done.stderr
    assert modules(small) == []


def test_missing_headers_are_one_line(small: Path) -> None:
    done = python(
        "-c",
        "import runpy, sys, sysconfig\n"
        "sysconfig.get_path = lambda name: '/nowhere/include/python3.99'\n"
        "sys.argv[:] = ['setup.py', '-q', 'build_ext', '--inplace']\n"
        "runpy.run_path('setup.py', run_name='__main__')\n",
        cwd=small,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("/nowhere/include/python3.99/Python.h is missing: ")
    assert done.stderr.count("\n") == 1
    assert "apt-get install python3-dev" in done.stderr


@pytest.mark.skipif(not shutil.which("git"), reason="git tells what the sdist should hold")
def test_the_sdist_holds_what_a_build_and_its_tests_need(tmp_path: Path) -> None:
    done = python(
        "-c", f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})"
    )
    assert done.returncode == 0, done.stderr
    (sdist,) = tmp_path.glob("abdiel-*.tar.gz")
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    if tracked.returncode:
        pytest.skip("not a git checkout")
    assert set(tracked.stdout.split()) - packed <= {".gitignore"}
    assert not [name for name in packed if name.endswith((".so", ".pyc"))]
