"""Builds the compiled core; everything that is not about Cython is in pyproject.toml.

Environment variables steer the build; README's "Building" shows the first and ``CC``, and
tools/sanitize uses the second.

``ABDIEL_MARCH``
    the processor to compile for, a value of the compiler's ``-march`` (default ``native``)
``ABDIEL_SANITIZE``
    sanitizers to build in, a value of ``-fsanitize``, e.g. ``address,undefined``
``ABDIEL_ANNOTATE``
    any value: Cython's annotated pages (``build/cython/**/*.html``)
``CC``, ``CFLAGS``
    the compiler and its flags, as for every extension module
"""

import os
import platform
import subprocess
import sysconfig
from pathlib import Path
from shutil import which

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = Path("ext/abdiel/core")
GENERATED = Path("build/cython")
RECORD = GENERATED / "build_record.h"  # what this build was made with; read by cpu.pyx

MARCH = os.environ.get("ABDIEL_MARCH") or "native"
SANITIZE = os.environ.get("ABDIEL_SANITIZE", "")
ANNOTATE = bool(os.environ.get("ABDIEL_ANNOTATE"))

# What every processor of the family runs; the processor check itself is compiled for it.
BASELINE = {"x86_64": "x86-64", "AMD64": "x86-64", "aarch64": "armv8-a"}.get(platform.machine(), "")
CHECK = "abdiel.core.cpu"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}

# The first two are Python's own, which a CFLAGS in the environment replaces. Without the last the
# halves of 128-bit sets go through vector registers and back.
COMPILE = ["-DNDEBUG", "-fwrapv", "-O3", "-fno-strict-aliasing", "-fno-tree-slp-vectorize"]
# What Cython writes around our lines trips these; the others of -Wall and -Wextra stay ours to fix.
WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wno-unknown-warning-option",  # clang does not know all of gcc's
    "-Wno-maybe-uninitialized",  # Cython's conversion of 128-bit integers
    "-Wno-unused-parameter",  # signatures that the C API dictates
    "-Wno-unused-function",  # inline functions of a .pxd that one module does not call
    "-Wno-missing-field-initializers",  # Cython's type tables
    "-Wno-cast-function-type",  # Cython's method tables
]
LINK: list[str] = []
if SANITIZE:
    # With -fwrapv, Python's own, signed overflow would not count as undefined.
    COMPILE = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-strict-aliasing", "-fno-wrapv"]
    COMPILE += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=undefined", "-U_FORTIFY_SOURCE"]
    LINK = [f"-fsanitize={SANITIZE}"]


def features(compiler: list[str], march: str) -> list[str]:
    """Name what ``-march=march`` turns on beyond the baseline, as the compiler's macros tell."""

    def macros(name: str) -> set[str]:
        command = [*compiler, f"-march={name}", "-dM", "-E", "-x", "c", os.devnull]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(
                f"ABDIEL_MARCH={name}: {compiler[0]} knows no such processor; leave it unset to"
                " tune for this one, or give a value of -march, e.g. ABDIEL_MARCH=x86-64-v2"
            )
        words = (line.split() for line in done.stdout.splitlines())
        return {word[1].strip("_") for word in words if word[2:] == ["1"]}

    return sorted(name.lower() for name in macros(march) - macros(BASELINE) if name.isupper())


def python_headers() -> list[str]:
    """Return the folders of Python.h where the compiler has to be told, normally none.

    Debian and Ubuntu keep the headers of their Python in a package of its own. Without it the
    package is downloaded and unpacked below build/, which needs no rights and installs nothing.
    """
    include = Path(sysconfig.get_path("include"))
    if (include / "Python.h").exists():
        return []
    root = GENERATED.parent / "headers"
    unpacked = root / include.relative_to("/")
    package = f"lib{include.name}-dev"
    if not unpacked.exists() and include.parent == Path("/usr/include") and which("apt-get"):
        root.mkdir(parents=True, exist_ok=True)
        for command in (["apt-get", "download", package], ["sh", "-c", "dpkg-deb -x *.deb ."]):
            subprocess.run(command, cwd=root, capture_output=True, check=False)
    if not (unpacked / "Python.h").exists():
        raise SystemExit(
            f"{include / 'Python.h'} is missing: compiling the core needs Python's headers;"
            " on Debian or Ubuntu: apt-get install python3-dev"
        )
    return [str(unpacked), str(unpacked.parent)]


def write_if_new(path: Path, text: str) -> bool:
    """Write only what differs, so that an equal build keeps its objects; say whether it did."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


class BuildCore(build_ext):
    """Translates and compiles the modules of ext/ with flags that suit compiler and processor."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        compiler = self.compiler.compiler_so
        tuned = [f"-march={MARCH}"] if BASELINE else []
        found = features(compiler, MARCH) if BASELINE else []
        include = [SOURCES.as_posix(), GENERATED.as_posix(), *python_headers()]
        record = (
            f'#define ABDIEL_MARCH "{MARCH if BASELINE else ""}"\n'
            f'#define ABDIEL_FEATURES "{" ".join(found)}"\n'
            f"/* {compiler} {COMPILE} {Cython.__version__} {DIRECTIVES} */\n"
        )
        changed = write_if_new(RECORD, record)

        translated = cythonize(
            self.extensions,
            include_path=["ext"],
            build_dir=GENERATED.as_posix(),
            compiler_directives=DIRECTIVES,
            annotate=ANNOTATE,
            force=changed or ANNOTATE,
            nthreads=self.parallel if len(self.extensions) > 1 else 0,
        )
        sources = {extension.name: extension.sources for extension in translated}
        headers = [
            path.as_posix() for path in SOURCES.rglob("*.*") if path.suffix in (".pxd", ".h")
        ]
        for extension in self.extensions:
            check = extension.name == CHECK
            extension.sources = sources[extension.name]
            extension.depends = ["setup.py", RECORD.as_posix(), *headers]
            extension.include_dirs = include
            march = [f"-march={BASELINE}"] if check and BASELINE else tuned
            extension.extra_compile_args = [*COMPILE, *march, *WARNINGS]
            extension.extra_link_args = LINK
        super().build_extensions()


if __name__ == "__main__":
    setup(
        cmdclass={"build_ext": BuildCore},
        ext_modules=[
            Extension(f"abdiel.core.{source.stem}", [source.as_posix()])
            for source in sorted(SOURCES.glob("*.pyx"))
        ],
    )
