"""The entry of the command. `main` imports the rest, so that Ctrl-C during imports is caught, too."""


def main() -> int:
    try:
        from enumerator.command import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
