"""How Sphinx builds the site; `build.py` copies this file beside the pages."""

from tapeless.version import __version__

project, author, copyright = "Tapeless", "The Tapeless authors", "The Tapeless authors"
version = release = __version__
extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure", "myst.header"]  # MLIR has no lexer; pages of the API begin deep
html_theme = "alabaster"
html_theme_options = {
    "description": "Differentiate programs without a tape",
    "page_width": "1180px",
    "sidebar_width": "270px",
    "fixed_sidebar": False,
    "show_powered_by": False,
}
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
