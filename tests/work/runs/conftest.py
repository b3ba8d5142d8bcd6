"""The servers that files and questions lean on, started once for a file of tests."""

from collections.abc import Iterator

import pytest

from tests.work.services import Services, all_services


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    with all_services(tmp_path_factory.mktemp("services")) as started:
        yield started
