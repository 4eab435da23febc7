# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit, with the programs named by --param: opt (mlir-opt), tool (dytq-opt), plugin (dytq_mlir.so), filecheck.
import lit.formats

config.name = "dytq-fold"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_exec_root = lit_config.params["work"]
pass_and_remarks = "--pass-pipeline='builtin.module(dytq-fold)' --remarks-filter=dytq"
config.substitutions += [
    ("%fold", f"{lit_config.params['opt']} --load-pass-plugin={lit_config.params['plugin']} {pass_and_remarks}"),
    ("%tool", f"{lit_config.params['tool']} {pass_and_remarks}"),
    ("%FileCheck", lit_config.params["filecheck"]),
]
