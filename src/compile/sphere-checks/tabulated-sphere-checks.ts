/**
 * A robot's sphere checks without compilation: the generic kernel (assembly/spheres/) with the robot, its spheres, pairs and obstacles as
 * data. The instance keeps the contract of sphere-checks.ts, so planners link with it as with a compiled module.
 *
 * Verdicts are those of `compileSphereChecks`, bit for bit: the same operations in single precision on the same numbers.
 * Cost: some milliseconds to trace; a state costs several times that of a compiled module, see docs/spheres.md.
 * Fails: as compileSphereChecks. Tested by test/contract/sphere-tiers.test.ts.
 */
import type { SphereModel } from '../../geometry/sphere-model.js';
import { moduleText } from '../../kernel/generated/spheres-module.js';
import { unpackModule } from '../../kernel/packed-module.js';
import { MisuseError } from '../../math/misuse.js';
import type { Model } from '../../model/model.js';
import { PAGE_BYTES } from '../wasm-module.js';
import type { SphereCheckOptions } from './options.js';
import { readRequest, type SphereCheckExports, type SphereChecks, wrapExports } from './sphere-checks.js';
import { tabulateChecks } from './tabulate-checks.js';

type Functions = Pick<SphereCheckExports, 'state' | 'four' | 'motion' | 'samples' | 'certify'> & {
  readonly open: (head: number) => void;
};

const MOST_PAGES = 65536;
let compiled: WebAssembly.Module | undefined;

function loadKernel(call: string): WebAssembly.Module {
  try {
    compiled ??= new WebAssembly.Module(unpackModule(moduleText));
  } catch (cause) {
    throw new MisuseError(
      `${call}: WebAssembly with SIMD, got a compile error, expected an engine that supports it and allows it here (content security policy: wasm-unsafe-eval)`,
      { cause },
    );
  }
  return compiled;
}

/** The instant tier of `compileSphereChecks`, with the same options and the same verdicts. */
export function createSphereChecks(model: Model, spheres: SphereModel, options: SphereCheckOptions): SphereChecks {
  const call = 'createSphereChecks';
  const request = readRequest(call, model, spheres, options);
  const tables = tabulateChecks(call, model, request);
  const pages = Math.ceil(tables.memoryBytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES });
  const bytes = new Uint8Array(memory.buffer);
  for (const part of tables.data) bytes.set(part.bytes, part.address);
  const abort = (): never => {
    throw new Error('sphere kernel: aborted');
  };
  const instance = new WebAssembly.Instance(loadKernel(call), { env: { memory, abort } });
  const { open, state, four, motion, samples, certify } = instance.exports as unknown as Functions;
  open(tables.head);
  const numberOf = (name: string): WebAssembly.Global =>
    new WebAssembly.Global({ value: 'i32', mutable: false }, tables.addresses.get(name));
  const exports: SphereCheckExports = {
    memory,
    state,
    four,
    motion,
    samples,
    certify,
    failed: numberOf('failed'),
    certificate: numberOf('certificate'),
    intervals: numberOf('intervals'),
    weights: numberOf('weights'),
    arguments: numberOf('arguments'),
    heapBase: numberOf('heapBase'),
  };
  return wrapExports(call, exports, model, request, tables);
}
