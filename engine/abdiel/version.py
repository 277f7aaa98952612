"""The version, where UCI can tell it without reading the package's metadata."""

VERSION = "0.1.0"
