# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import fnmatch
import pathlib
import shutil


def load(conanfile, path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def copy(conanfile, pattern, src, dst):
    src, dst = pathlib.Path(src), pathlib.Path(dst)
    found = [p for p in src.rglob("*") if p.is_file() and fnmatch.fnmatch(p.relative_to(src).as_posix(), pattern)]
    assert found, f"nothing matches {pattern}"
    for path in found:
        target = dst / path.relative_to(src)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def rmdir(conanfile, path):
    shutil.rmtree(path)
