"""The entry point of the command.

It imports nothing itself, so that Ctrl-C during start-up is caught.
"""


def main() -> int:
    try:
        from enumerator.command.main import main as run_command

        return run_command()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
