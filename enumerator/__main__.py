"""The entry of the command. It imports the rest inside `main`, so that Ctrl-C during the imports is caught, too."""


def main() -> int:
    try:
        from enumerator.command import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
