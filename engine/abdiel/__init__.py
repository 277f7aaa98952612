"""Abdiel: an engine and a library for Angels and Devils."""
