"""The report for an auditor: what was checked, what failed and who owns it, as one HTML file for itself."""

from __future__ import annotations

from workbench.show.report.document import report_html
from workbench.show.report.made import Report, Subject, report
from workbench.show.report.tuning import Tuning

__all__ = ["Report", "Subject", "Tuning", "report", "report_html"]
