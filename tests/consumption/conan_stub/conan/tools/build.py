# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
def check_min_cppstd(conanfile, version):
    assert version == 20


def can_run(conanfile):
    return True
