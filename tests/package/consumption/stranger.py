#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stranger.py ROOT WORK CXX: does what the section "Use it" of README.md says, word for word, in an empty folder with an empty home.

The C++ block at the top of the page goes into main.cpp, the CMake block into CMakeLists.txt, and the commands are run as
they stand there, but for apt-get; the program must print what the page promises. What is cloned is the tree ROOT."""
import os
import pathlib
import re
import shutil
import subprocess
import sys


def main(root, work, cxx):
    readme = (root / "README.md").read_text(encoding="utf-8")
    code, promised = re.search(r"```cpp\n(.*?)```\n\n((?:    [^\n]*\n)+)", readme, re.S).groups()
    section = re.search(r"^## Use it\n(.*?)^## ", readme, re.M | re.S)[1]
    cmake = re.search(r"```cmake\n(.*?)```", section, re.S)[1]
    install, build = (re.sub("^    ", "", block, flags=re.M) for block in re.findall(r"(?:^    [^\n]*\n)+", section, re.M)[:2])
    home = work / "home"
    new = home / "hello"
    new.mkdir(parents=True)
    (new / "main.cpp").write_text(code, encoding="utf-8")
    (new / "CMakeLists.txt").write_text(cmake, encoding="utf-8")
    assert "git clone" in install and "apt-get install" in install
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        for name in listed.stdout.splitlines():
            if (root / name).is_file():
                (home / "dytq" / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / name, home / "dytq" / name)
    else:
        shutil.copytree(root, home / "dytq", ignore=shutil.ignore_patterns("build*"))
    run_there = "".join(line + "\n" for line in install.splitlines() if not line.startswith(("apt-get", "git clone")))
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "CXX": cxx}
    subprocess.run(["sh", "-ec", run_there], cwd=home, env=environment, check=True)
    shutil.rmtree(home / "dytq")  # nothing of the tree is needed any more
    printed = subprocess.run(["sh", "-ec", build], cwd=new, env=environment, check=True, capture_output=True, text=True).stdout
    print(printed)
    promised = re.sub("^    ", "", promised, flags=re.M)
    if not printed.endswith(promised):
        sys.exit(f"README.md promises\n{promised}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3])
