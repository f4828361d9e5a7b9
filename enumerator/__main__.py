"""Where the command begins: so thin that a Ctrl-C during start-up finds somebody to catch it."""


def main() -> int:
    try:
        from enumerator.command import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
