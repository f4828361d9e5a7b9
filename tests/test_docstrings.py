"""The documentation of the public names: each has a docstring with an example that runs."""

import doctest
import inspect
from pathlib import Path

import pytest

import enumerator as en
from enumerator.questions.checks import Keywords

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def examples(name: str) -> list[doctest.DocTest]:
    """Return the tests in the docstrings of a public name and of its public methods."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    return [test for test in finder.find(getattr(en, name), name, globs={"en": en}) if test.examples]


def run(test: doctest.DocTest) -> str:
    """Run the examples of a docstring, and return a report of those that fail."""
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(test, out=report.append)
    return "".join(report)


def test_every_public_name_has_a_docstring_with_an_example() -> None:
    undescribed = [name for name in en.__all__ if not inspect.getdoc(getattr(en, name))]
    assert undescribed == [], "public names without a docstring"
    # `__doc__` itself: `getdoc` would return the docstring of a base class
    without = [name for name in en.__all__ if ">>>" not in (getattr(en, name).__doc__ or "")]
    assert without == [], "public names whose docstring has no example: add one that begins with >>>"


def test_help_says_where_keywords_are_explained() -> None:
    functions = [value for value in map(en.__getattr__, en.__all__) if inspect.isfunction(value)]
    shared = [each for each in functions if "keywords" in inspect.signature(each, follow_wrapped=False).parameters]
    assert {"clues", "nth", "verify"} <= {each.__name__ for each in shared}
    silent = [each.__name__ for each in shared if "keywords" not in (each.__doc__ or "")]
    assert silent == [], "functions whose docstring does not say whose keywords they have"
    assert set(Keywords.__annotations__) <= set(inspect.signature(en.count).parameters)


@pytest.mark.parametrize("name", en.__all__)
def test_the_examples_of_a_public_name_are_right(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, test in enumerate(examples(name)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        if report := run(test):
            pytest.fail(report, pytrace=False)


def test_the_tour_of_the_package_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert en.__doc__ is not None
    test = doctest.DocTestParser().get_doctest(en.__doc__, {}, "enumerator", None, 0)
    assert test.examples
    assert run(test) == ""


def test_all_public_names_are_listed() -> None:
    assert sorted(en.__all__) == list(en.__all__)
    assert {*en.__all__, "__version__", "__doc__"} <= set(dir(en))
    public = {name for name in en.__all__ if not name.startswith("_")}
    assert {name for name in dir(en) if not name.startswith("_")} == public


def test_every_error_that_is_raised_has_the_common_base() -> None:
    errors = [getattr(en, name) for name in en.__all__ if name.endswith("Error") or name == "Stopped"]
    assert all(issubclass(error, en.EnumeratorError) for error in errors)
    listed = inspect.getdoc(en.EnumeratorError) or ""
    assert all(error.__name__ in listed for error in errors if error is not en.EnumeratorError)
    kinds: dict[type[BaseException], type[BaseException]] = {}
    kinds |= {en.BoardError: ValueError, en.OutOfTimeError: TimeoutError, en.NoSuchSolutionError: IndexError}
    kinds |= {en.LedgerError: ValueError, en.ResumeError: ValueError, en.RunLostError: RuntimeError}
    kinds |= {en.NoSolutionError: ValueError, en.NotUniqueError: ValueError, en.Interrupted: KeyboardInterrupt}
    assert all(issubclass(error, kind) for error, kind in kinds.items())
    assert not issubclass(en.Interrupted, Exception)  # `except Exception` does not swallow Ctrl-C
