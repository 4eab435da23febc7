// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs models by ONNX Runtime: lines {"model": base64, "input": [int8...], "shape": [...]} to lines [int8...].
'use strict';
const readline = require('readline');
const ort = require('onnxruntime-node');

async function main() {
  for await (const line of readline.createInterface({input: process.stdin})) {
    const {model, input, shape} = JSON.parse(line);
    const session = await ort.InferenceSession.create(Buffer.from(model, 'base64'), {
      graphOptimizationLevel: 'disabled', intraOpNumThreads: 1, logSeverityLevel: 3});
    const out = await session.run({x: new ort.Tensor('int8', Int8Array.from(input), shape)});
    console.log(JSON.stringify(Array.from(out.y.data)));
    await session.release();
  }
}

if (process.argv[2] === 'version') {
  console.log(process.versions.node, require('onnxruntime-node/package.json').version);
} else {
  main();
}
