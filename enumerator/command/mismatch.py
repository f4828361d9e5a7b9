"""Reports of counts that disagree: a file to attach to a bug report."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from time import gmtime, strftime

from enumerator import __version__
from enumerator.questions.plans import kernel_facts
from enumerator.text.phrases import printable


def save_report(facts: dict[str, object]) -> str:
    """Save a report of facts that disagree, and return a sentence that says where.

    The report is saved in the current folder or, if that fails, in the folder of temporary files.
    """
    build = kernel_facts()
    report = {
        **facts,
        "version": __version__,
        "kernel": "{compiler}, {flags}, {instructions}, checks {checks}".format(**build),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "date": strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()),
    }
    text = json.dumps(report, indent=2) + "\n"
    for folder in (os.curdir, tempfile.gettempdir()):
        try:
            number, path = tempfile.mkstemp(".json", f"enumerator-mismatch-{strftime('%Y%m%d-%H%M%S')}-", folder)
            with os.fdopen(number, "w") as file:
                file.write(text)
        except OSError:
            continue
        return f"a report is in {printable(os.path.normpath(path))}; please pass it on"
    return f"no report could be saved: {json.dumps(report)}"
