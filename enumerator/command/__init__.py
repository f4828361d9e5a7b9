"""The command `enumerate`: options in, answers in print, an exit status.

main.py       signals, standard streams, the errors that end a command
options.py    the options, and which of them go together
dispatch.py   the table of questions, one line each
views/        one view a question: the option that asks for it, how it is asked, how the answer is shown
request.py    what the options say, for a view
boards.py     every board of some files in order: one at a time, or many at a time in processes
output.py     solutions as lines, JSON or grids, and the file that they are written to
layout.py     figures as lines of text; terminal.py: drawings; progress.py: a bar
mismatch.py   reports of counts that do not agree
console.py    exit status, standard output and standard error
"""
