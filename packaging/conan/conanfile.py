# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conan 2 recipe: it packages the tree that it stands in.  conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class Dytq(ConanFile):
    name = "dytq"
    description = "Exact quantization mathematics for Dynamic Tanh: folds and certified tables, header-only, constexpr"
    license = "Apache-2.0 WITH LLVM-exception"
    topics = ("quantization", "constexpr", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    @property
    def _tree(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", ".."))

    def set_version(self):
        numbers = re.findall(r"^#define DYTQ_VERSION_\w+ (\d+)$", load(self, os.path.join(self._tree, "include/dytq/version.hpp")), re.M)
        self.version = ".".join(numbers)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*"):
            copy(self, pattern, src=self._tree, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCH"):
            toolchain.cache_variables[f"DYTQ_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share"))  # Conan makes the package files of each build system

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_file_name", "dytq")
        self.cpp_info.set_property("cmake_target_name", "dytq::dytq")
        self.cpp_info.set_property("pkg_config_name", "dytq")
