"""Builds the compiled core; everything that is not about Cython is in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCES = Path("ext/abdiel/core")
MARCH = os.environ.get("ABDIEL_MARCH", "native")

extensions = [
    Extension(
        f"abdiel.core.{source.stem}",
        [source.as_posix()],
        extra_compile_args=["-O3", f"-march={MARCH}", "-fno-strict-aliasing"],
    )
    for source in sorted(SOURCES.glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["ext"],
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    ),
)
