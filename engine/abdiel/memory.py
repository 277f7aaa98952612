"""How much memory the process may ever take: the machine's, or less in a container."""

from __future__ import annotations

import os

# Where the Linux kernel shows the control groups of a process, and their limits.
_GROUPS = "/proc/self/cgroup"
_MOUNT = "/sys/fs/cgroup"

# For the interpreter and all else that is not the table, which was seen to take up to 40 MB.
_OTHERS = 64 << 20


def largest_table() -> int:
    """Return the bytes that a hash table may have; the system may kill who uses more."""
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(0, min([physical, *group_limits()]) - _OTHERS)


def group_limits(groups: str = _GROUPS, mount: str = _MOUNT) -> list[int]:
    """Return the limits, in bytes, of all control groups that hold the process.

    `groups` lists them, `mount` is the folder where their hierarchies are; both versions of them
    are read. Whatever cannot be read limits nothing.
    """
    found: list[int] = []
    for line in _read(groups).splitlines():
        _, controllers, path = (line.split(":", 2) + ["", ""])[:3]
        if "memory" in controllers.split(","):
            root, name = mount + "/memory", "memory.limit_in_bytes"
        elif not controllers:  # version 2 has a single hierarchy
            root, name = mount, "memory.max"
        else:
            continue
        # A group is bound by all above it. In a container its path may be that of the world
        # outside, of which only the root is to be seen here.
        while True:
            limit = _read(f"{root}{path.rstrip('/')}/{name}").strip()
            if limit.isdecimal():  # and not "max"
                found.append(int(limit))
            if path in ("", "/"):
                break
            path = path.rpartition("/")[0]
    return found


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123  # pathlib is slow to import
            return file.read()
    except OSError:
        return ""
