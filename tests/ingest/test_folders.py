"""Which files of a folder are read, and which are left out and why."""

from pathlib import Path

from core.ingest.folders import LeftOut, files_under


def test_a_folder_is_listed_and_what_is_left_out_is_said(tmp_path: Path) -> None:
    for name in ("b.txt", "a/c.txt", ".git/config", ".hidden", "~$open.docx", "Thumbs.db", "a/x.part"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text", "utf-8")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = list(files_under([tmp_path, tmp_path / "b.txt"]))
    assert [p.name for p in found if isinstance(p, Path)] == ["c.txt", "b.txt"]
    left = {p.path.name: p.reason for p in found if isinstance(p, LeftOut)}
    assert set(left) == {".git", ".hidden", "~$open.docx", "Thumbs.db", "x.part", "loop"}
    assert left[".hidden"] == "hidden"
    assert list(files_under([tmp_path / ".hidden"])) == [tmp_path / ".hidden"]
