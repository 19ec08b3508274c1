"""What a user may import from ``surefoot`` is listed, sorted, and really there."""

import surefoot


def test_all_is_exactly_what_the_package_exports() -> None:
    exported = {
        name
        for name, value in vars(surefoot).items()
        if not name.startswith("_") and not isinstance(value, type(surefoot))
    }
    assert exported == set(surefoot.__all__)
    assert list(surefoot.__all__) == sorted(surefoot.__all__)


def test_every_public_class_has_a_docstring_of_its_own() -> None:
    for name in surefoot.__all__:
        value = getattr(surefoot, name)
        assert not isinstance(value, type) or value.__doc__, name
