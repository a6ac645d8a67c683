"""What is wrong with spec files beyond their form: every complaint at its line and column."""

from homolog.spec.lint.complaint import Complaint, Severity
from homolog.spec.lint.examples import ExampleRunner
from homolog.spec.lint.run import lint

__all__ = ["Complaint", "ExampleRunner", "Severity", "lint"]
