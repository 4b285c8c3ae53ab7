"""Policies: named, frozen rule sets; everything about one version stands in one module."""
