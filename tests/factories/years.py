"""Moments to come for deadlines, which no umpire may set more than two years ahead (HR-UMP-11)."""

from datetime import date

#: Each day of it but the first of January is to come, whatever day it is today.
NEXT_YEAR = date.today().year + 1
