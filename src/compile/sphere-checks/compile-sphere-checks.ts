/**
 * Compiles a robot, spheres of its links and the pairs of links to compare into a WebAssembly module that tells at four
 * configurations at a time whether all spheres are apart, from each other and from obstacles that are data.
 *
 * The instance keeps the contract of sphere-checks.ts.
 *
 * Method: kinematics in straight-line code from the tracer of compiled models, in single precision with proven bounds of its error
 * (rounding.ts) by which radii grow; links tip first, balls before spheres, obstacles that a link reaches in boxes by fours
 * (emit-obstacles.ts); pairs of links last (emit-self.ts).
 * Source: Thomason, Kingston, Kavraki 2024, "Motions in microseconds via vectorized sampling-based planning",
 * doi:10.1109/ICRA57147.2024.10611190, whose order of work this follows; the rest is this file's.
 * Cost: some milliseconds to compile; per call see docs/planning.md. Nothing is evaluated: no eval, no Function.
 * Fails: a rotation of which only some coordinates vary, and slides along an axis without limits, throw and are named.
 * Tested by compile-sphere-checks.test.ts.
 */
import type { SphereModel } from '../../geometry/sphere-model.js';
import type { Model } from '../../model/model.js';
import { compileModule } from './compile-module.js';
import type { SphereCheckOptions } from './options.js';
import { readRequest, type SphereCheckExports, type SphereChecks, wrapExports } from './sphere-checks.js';

export interface CompiledSphereChecks extends SphereChecks {
  /** For other modules, and for workers, which can be sent it. */
  readonly module: WebAssembly.Module;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function compileSphereChecks(
  model: Model,
  spheres: SphereModel,
  options: SphereCheckOptions,
): CompiledSphereChecks {
  const call = 'compileSphereChecks';
  const request = readRequest(call, model, spheres, options);
  const compiled = compileModule(call, model, request);
  const module = new WebAssembly.Module(compiled.bytes);
  const exports = new WebAssembly.Instance(module).exports as unknown as SphereCheckExports;
  return { ...wrapExports(call, exports, model, request, compiled), module, bytes: compiled.bytes };
}
