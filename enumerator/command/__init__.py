"""The command `enumerate`: options in, printed answers and an exit status out.

Modules:

    main.py             signals, standard streams, the errors that end the command
    options.py          the options, and which of them can be combined
    arguments.py        parsers of the arguments of options
    dispatch.py         the table of questions, one line each
    views/              one view per question: its option, asking it, showing the answer
    request.py          the options of a command, as a view receives them
    inputs.py           the arguments of a command, in chunks of boards: files, standard input, boards, links
    board_loop.py       the loop: all boards of some files are answered in order, and printed
    printing.py         the answers for blocks of boards as JSON, CSV and numbers
    solution_forms.py   solutions as lines, JSON or grids, and the file that they are written to
    terminal.py         drawings on a terminal
    saved_files.py      the files of --svg and --html
    console.py          exit status, standard output and standard error
    shell/              completions and the manual page, made by `python -m bench shell`
"""
