"""Boards beyond 9×9: our engines and other programs on the same boards, in one run.

command    the command `python -m bench large`
cases      the boards, in sections
contest    the programs, and the measurements by turns
trial      one measurement in a new process
bounds     the printed tables, and what the figures must show
"""
