"""From readings and a spec to findings: knows no scan, no web, no clock."""
