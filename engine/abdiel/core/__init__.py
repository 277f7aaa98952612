"""The compiled core: rules, search and evaluation on plain integers.

Importing it checks first that this processor runs what the build was tuned for.
"""

from abdiel.core import cpu

if _missing := cpu.missing():
    _install = "pip install --force-reinstall --no-deps ."
    raise ImportError(
        f"abdiel was built with ABDIEL_MARCH={cpu.MARCH} and this processor lacks "
        f"{', '.join(_missing)}; rebuild it in its source directory, for this processor: {_install}"
        f" or for any since about 2010: ABDIEL_MARCH=x86-64-v2 {_install}"
    )
