# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import subprocess


def cmake_layout(conanfile):
    pass


class CMakeToolchain:
    def __init__(self, conanfile):
        self.conanfile, self.cache_variables = conanfile, {}

    def generate(self):
        self.conanfile.definitions += [f"-D{k}={'ON' if v is True else 'OFF' if v is False else v}" for k, v in self.cache_variables.items()]


class CMake:
    """Runs cmake in the folders of the recipe."""

    def __init__(self, conanfile):
        self.conanfile = conanfile

    def configure(self):
        c = self.conanfile
        subprocess.run(["cmake", "-S", c.source_folder, "-B", c.build_folder, *c.definitions], check=True)

    def build(self):
        subprocess.run(["cmake", "--build", self.conanfile.build_folder], check=True)

    def install(self):
        c = self.conanfile
        subprocess.run(["cmake", "--install", c.build_folder, "--prefix", c.package_folder], check=True)
