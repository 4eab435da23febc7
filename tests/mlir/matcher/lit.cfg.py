# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit, with the programs named by --param: opt (mlir-opt), tool (dytq-opt), plugin (dytq_mlir.so), filecheck.
import lit.formats

config.name = "dytq-fold"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_exec_root = lit_config.params["work"]
def pass_and_remarks(options=""):
    return f"--pass-pipeline='builtin.module(dytq-fold{options})' --remarks-filter=dytq"


fold = f"{lit_config.params['opt']} --load-pass-plugin={lit_config.params['plugin']}"
config.substitutions += [
    ("%chains", f"{fold} {pass_and_remarks()}"),
    ("%near", f"{fold} {pass_and_remarks('{tolerance=1}')}"),
    ("%bounded", f"{fold} {pass_and_remarks('{conv-tolerance=1}')}"),
    # Dynamic Tanh alone, so that what it leaves can be seen.
    ("%fold", f"{fold} {pass_and_remarks('{chains=false}')}"),
    ("%tool", f"{lit_config.params['tool']} {pass_and_remarks('{chains=false}')}"),
    ("%FileCheck", lit_config.params["filecheck"]),
]
