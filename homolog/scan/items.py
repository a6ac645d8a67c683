"""Which items can be measured from a scan, and where: module of this room and function, loaded in the measuring process only."""

from __future__ import annotations

ITEMS = {
    "goalkeeper": ("keeper", "measure_goalkeeper"),
    "ball": ("ball", "measure_ball"),
    "goal": ("goal", "measure_goal"),
}
