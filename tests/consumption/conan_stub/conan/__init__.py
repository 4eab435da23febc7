# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As much of Conan 2's interface as packaging/conan uses, where Conan itself is not installed. See ../run.py."""
import subprocess


class CppInfo:
    def __init__(self):
        self.includedirs, self.bindirs, self.libdirs, self.properties = ["include"], ["bin"], ["lib"], {}

    def set_property(self, name, value):
        self.properties[name] = value


class ConanFile:
    name = version = None
    generators = ()

    def run(self, command, env=None):
        subprocess.run([command], check=True)
