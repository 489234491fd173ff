"""What an app's server writes beside its notebook: Voilà's page without the icons from a network, and refusals."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Final

# Voilà's own template with the two style sheets of a content network left out: no panel uses their icons, and an app
# asks no other host. Mermaid would be fetched from a network too.
INDEX: Final = """\
{%- extends "voila/templates/lab/index.html.j2" -%}
{% import "spinner.macro.html.j2" as spinner %}
{%- block notebook_css -%}
{{ resources.include_js("static/voila-style.js") }}
{{ spinner.css() }}
<style>.jp-mod-noOutputs.jp-mod-noInput { display: none; }</style>
{{ super.super() }}
{%- endblock notebook_css -%}
{%- block html_head_js_mermaidjs -%}{%- endblock html_head_js_mermaidjs -%}
"""

# The same for Voilà's other pages, which are shown in place of the panel only where something is wrong.
REFUSED: Final = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>
<body style="color:#1a1a1a;background:#fff;font-family:sans-serif;max-width:45em;margin:3em auto">
<main><h1>{title}</h1><p>{todo}</p></main></body></html>
"""
SAYINGS: Final = {
    403: (
        "This app does not know you",
        "Open it by the whole address that you were given. If you did, whoever runs the app has to enter you.",
    ),
    404: ("There is no such page", "The app has one page only: take away what stands behind the address's slash."),
    503: ("All places are taken", "So many people use this app now as it can serve. Try again in a few minutes."),
}
OTHERWISE: Final = (
    "The app has failed",
    "Load the page again; if it fails again, tell whoever runs this app: the cause stands in its log.",
)
TITLES: Final = {
    "search": "What do the documents say?",
    "validity": "Which instruction is in force?",
    "tuner": "Which passage size finds what is asked for?",
}


def refusal(status: int) -> str:
    """The page for a status: what is wrong and what to do, and nothing about the server.

    >>> "does not know you" in refusal(403), "Traceback" in refusal(500)
    (True, False)
    """
    title, todo = SAYINGS.get(status, OTHERWISE)
    return REFUSED.format(title=html.escape(title), todo=html.escape(todo))


def write_files(folder: Path, kind: str) -> Path:
    """The notebook of an app and its template in `folder`; gives the notebook. Its code is put in for each visitor."""
    templates = folder / "templates"
    templates.mkdir()
    (templates / "index.html.j2").write_text(INDEX, encoding="utf-8")
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "title": TITLES[kind]}
    head = {"cell_type": "markdown", "metadata": {}, "source": f"# {TITLES[kind]}"}
    code: dict[str, object] = {
        "cell_type": "code",
        "metadata": {},
        "source": "",
        "outputs": [],
        "execution_count": None,
    }
    path = folder / "app.ipynb"
    written = {"nbformat": 4, "nbformat_minor": 4, "metadata": metadata, "cells": [head, code]}
    path.write_text(json.dumps(written), encoding="utf-8")
    return path
