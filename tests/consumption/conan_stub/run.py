#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py RECIPE_FOLDER WORK VERSION CXX: what `conan create RECIPE_FOLDER` does, step by step, with the stub beside this file.

The recipe runs as it is and CMake really configures and installs; what stands in for Conan is folders and a CMake
package made from what the recipe says of itself in package_info."""
import importlib.util
import pathlib
import sys
import types

sys.dont_write_bytecode = True  # nothing is left beside the recipe
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from conan import ConanFile, CppInfo  # noqa: E402

REQUIRED = ("name", "version", "license", "description", "package_type", "settings")


def load(folder, work):
    spec = importlib.util.spec_from_file_location(f"recipe_of_{folder.name}", folder / "conanfile.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    recipe = next(c for c in vars(module).values() if isinstance(c, type) and issubclass(c, ConanFile) and c is not ConanFile)()
    recipe.recipe_folder, recipe.definitions = str(folder), []
    recipe.export_sources_folder = recipe.source_folder = str(work / "source")
    recipe.build_folder, recipe.package_folder = str(work / "build"), str(work / "package")
    recipe.cpp_info = CppInfo()
    recipe.info = types.SimpleNamespace(clear=lambda: None)
    recipe.cpp = types.SimpleNamespace(build=types.SimpleNamespace(bindir=recipe.build_folder))
    return recipe


def main(folder, work, version, cxx):
    recipe = load(folder, work / "recipe")
    recipe.set_version()
    missing = [field for field in REQUIRED if not getattr(recipe, field, None)]
    assert not missing, f"the recipe lacks {missing}"
    assert recipe.version == version, f"{recipe.version} is not {version}"
    recipe.export_sources()
    recipe.layout()
    recipe.validate()
    recipe.generate()
    recipe.definitions.append(f"-DCMAKE_CXX_COMPILER={cxx}")
    recipe.build()
    recipe.package()
    recipe.package_id()
    recipe.package_info()
    package = pathlib.Path(recipe.package_folder)
    assert sorted(p.name for p in package.iterdir()) == ["include", "licenses"], list(package.iterdir())

    # What the generator CMakeDeps would make of it.
    info = recipe.cpp_info
    test = load(folder / "test_package", work / "test")
    assert "CMakeDeps" in test.generators
    test.requires = lambda reference: None
    test.tested_reference_str = f"{recipe.name}/{recipe.version}"
    test.requirements()
    config = work / "generators" / f"{info.properties['cmake_file_name']}-config.cmake"
    config.parent.mkdir()
    target, includes = info.properties["cmake_target_name"], ";".join(str(package / i) for i in info.includedirs)
    config.write_text(f'add_library({target} INTERFACE IMPORTED)\ntarget_include_directories({target} INTERFACE "{includes}")\n')
    test.source_folder = str(folder / "test_package")
    test.definitions = [f"-DCMAKE_PREFIX_PATH={config.parent}", f"-DCMAKE_CXX_COMPILER={cxx}"]
    test.layout()
    test.build()
    test.test()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:])
