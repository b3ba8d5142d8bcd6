"""Streamlit's look through every installed package for components, taken once for all processes forked from
one that has imported this: a quarter of a second at each start of an app."""

from streamlit.components.v2 import manifest_scanner

_FOUND = manifest_scanner.scan_component_manifests()


def scanned_once() -> None:
    """Let Streamlit take in this process what was found."""
    manifest_scanner.scan_component_manifests = lambda: list(_FOUND)
