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
 * Modules are kept by the content of what they were made from: the same robot in another scene has an instance of its own of the same
 * module, with what the engine has optimised of it.
 * Cost: some ten milliseconds to compile, one for what is kept; per call see docs/planning.md. Nothing is evaluated: no eval, no Function.
 * Fails: a rotation of which only some coordinates vary, and slides along an axis without limits, throw and are named.
 * Tested by compile-sphere-checks.test.ts.
 */
import type { SphereModel } from '../../geometry/sphere-model.js';
import { hashContent } from '../../math/content-hash.js';
import type { Model } from '../../model/model.js';
import type { ModuleRequest } from './check-layout.js';
import { type CompiledModule, compileModule } from './compile-module.js';
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
  const { compiled, module } = findModule(call, model, request);
  const exports = new WebAssembly.Instance(module).exports as unknown as SphereCheckExports;
  return { ...wrapExports(call, exports, model, request, compiled), module, bytes: compiled.bytes.slice() };
}

interface KeptModule {
  readonly compiled: CompiledModule;
  readonly module: WebAssembly.Module;
}

/** By content, the latest last. */
const kept = new Map<string, KeptModule>();
const MOST_KEPT = 8;

function findModule(call: string, model: Model, request: ModuleRequest): KeptModule {
  const key = describeContent(model, request);
  const found = kept.get(key);
  if (found) {
    kept.delete(key);
    kept.set(key, found);
    return found;
  }
  const compiled = compileModule(call, model, request);
  const made = { compiled, module: new WebAssembly.Module(compiled.bytes) };
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(key, made);
  return made;
}

/** Everything that the code and what is beside it depend on; names of joints only where they are said in errors. */
function describeContent(model: Model, request: ModuleRequest): string {
  const { spheres, pairs, indices, rest, margin, never, carried, environmentBytes } = request;
  const tree = [
    model.jointKinds.map((kind) => kind?.name ?? null),
    model.parents,
    model.wholeJoints,
    model.idxQ,
    model.nqs,
  ];
  const joints = [model.placements, model.axes, model.motionSubspaces, model.lower, model.upper];
  const mimics = [model.mimicDrivers, model.mimicMultipliers, model.mimicOffsets, model.mimicSubspaces];
  const frames = [model.basePlacement, model.framePlacements, model.frameJoints, model.linkFrames, model.linkJoints];
  const links = spheres.links.map(({ link, levels }) => [link, levels.map((level) => Float64Array.from(level))]);
  const held = carried?.map(({ name, frame, spheres: own }) => [name, frame, Float64Array.from(own)]);
  const robot = { tree, joints, mimics, frames, names: [...model.linkIndex], links, held };
  const wanted = { pairs, indices, rest, margin, never, environmentBytes };
  return hashContent({ robot, wanted }, 'compileSphereChecks', 'request');
}
