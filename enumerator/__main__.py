"""The entry point of the command.

It imports only modules that Python has loaded already, so that an interrupt during the imports of
the command ends it silently.
"""


def main() -> int:
    try:
        leave_at_interrupts()
        secure_standard_streams()
        from enumerator.command.main import main as run_command

        return run_command()
    except KeyboardInterrupt:
        return 130


def leave_at_interrupts() -> None:
    """End this process at an interrupt, until the command sets its own handlers.

    Nothing is at work or written yet. An exception could be lost: an interrupt while Python makes a
    class becomes a RuntimeError. Signals that are ignored stay so, as SIGHUP does after `nohup`.
    """
    import _signal  # type: ignore[import-not-found]  # built in: `signal` makes classes, which takes 3 ms
    import os

    for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP):
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, lambda *_: os._exit(130))


def secure_standard_streams() -> None:
    """Open closed standard streams onto /dev/null, and keep other processes off standard output.

    A file, pipe or socket would get the number of a closed stream, and libraries would write to it.
    Reading from a closed standard input and writing to a closed standard output still fail.

    loky writes tracebacks of its processes to standard output, where only answers belong.
    """
    import os

    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free: this one
            os.set_inheritable(number, True)
    os.set_inheritable(1, False)


if __name__ == "__main__":
    raise SystemExit(main())
