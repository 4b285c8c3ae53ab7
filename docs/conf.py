"""The documentation as a site: `make docs` builds it from the pages as they are; every warning is an error."""

from __future__ import annotations

from prme import __version__

project = "prme"
author = "the prme authors"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# The root is the source, so that pages link to each other as they do when they are read raw.
root_doc = "docs/contents"
include_patterns = ["*.md", "docs/**", "extractors/README.md", "plans/README.md", "examples/*/README.md"]

nitpicky = True
# Types of other packages, and of modules that are not public, have no page to lead to.
nitpick_ignore_regex = [("py:.*", r"(?!prme\.[A-Z]).*")]
default_role = "literal"  # docstrings write code between single backticks
napoleon_use_rtype = False  # what is returned is told in sentences, which may hold a colon
autodoc_typehints = "signature"

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

html_extra_path = ["site"]  # leads from the root to the contents
html_theme = "furo"
html_title = f"prme {__version__}"
