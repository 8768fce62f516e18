/**
 * Which pairs of a robot's links can never touch within its limits: by proof.
 *
 * Method: spheres cover the surfaces of both links (cover-body.ts), coarse ones first and finer ones for pairs that are left; branch and bound
 * over the joints between them proves each pair of spheres apart (compile/sphere-checks/impossible-pairs.ts), and the verifier
 * re-checks what it found. Where all pairs of spheres are proven, surfaces never meet; that the links are apart at one configuration, tested
 * exactly, then says that neither is ever inside the other, since the box of limits is in one piece.
 * Frames: none that matters. Cost: seconds for a robot of ten links; grows with the joints between links that come near each other.
 * Fails: a pair is not in the answer when joints of several coordinates lie between, a shape has no bounds, or the limit of boxes is
 * met. Tested by prove-never.test.ts and test/oracle/prove-never.test.ts.
 */
import { proveImpossiblePairs } from '../../compile/sphere-checks/impossible-pairs.js';
import { canVary } from '../../compile/sphere-checks/sphere-robot.js';
import { verifyImpossiblePairs } from '../../compile/sphere-checks/verify-impossible.js';
import type { SphereModel } from '../../geometry/sphere-model.js';
import { requireCount, requireFunction, requireList, requireObject, throwMisuse } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { clampConfiguration, neutralConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import { createRobotState } from '../context.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import { setConfiguration } from '../robot.js';
import type { SceneRobot } from '../types.js';
import { updateRobot } from '../update.js';
import { coverBody } from './cover-body.js';

export interface ProveNeverOptions {
  /** Cells along the longest side of each link's shapes, coarse to fine. Default 3, 6 and 12. */
  readonly cells?: readonly number[];
  /** Boxes looked at per pair and cover. Default 4,000. */
  readonly boxes?: number;
  /** Spheres of a link beyond which a finer cover is not tried. Default 400. */
  readonly mostSpheres?: number;
  /** Called now and then with the number of pairs done. */
  readonly onProgress?: (done: number) => void;
}

export interface ProvenPair {
  readonly a: string;
  readonly b: string;
  /** Pairs of spheres, and boxes of limits, that the verifier looked at. */
  readonly spherePairs: number;
  readonly boxes: number;
}

/** `pairs`: links by name. The robot stays where it is. */
export function proveNeverPairs(
  robot: SceneRobot,
  pairs: readonly { readonly a: string; readonly b: string }[],
  options: ProveNeverOptions = {},
): ProvenPair[] {
  const call = 'proveNeverPairs';
  if (typeof robot?.links?.length !== 'number') throwMisuse(call, 'robot', robot, 'what addRobot returned');
  requireList(call, 'pairs', pairs);
  for (const [i, pair] of pairs.entries()) requireObject(call, `pairs[${i}]`, pair, 'two links by name: { a, b }');
  requireKnownKeys(call, 'options', options, ['cells', 'boxes', 'mostSpheres', 'onProgress']);
  const { cells = [3, 6, 12], boxes = 4000, mostSpheres = 400, onProgress } = options;
  requireList(call, 'options.cells', cells);
  for (const count of cells) requireCount(call, 'options.cells', count, 1);
  requireCount(call, 'options.boxes', boxes, 1);
  requireCount(call, 'options.mostSpheres', mostSpheres, 1);
  if (onProgress !== undefined) requireFunction(call, 'options.onProgress', onProgress);
  const own = createRobotState(robot.definition);
  const { model } = own;
  const rest = clampConfiguration(
    new Float64Array(model.nq),
    model,
    neutralConfiguration(new Float64Array(model.nq), model),
  );
  setConfiguration(own, rest);
  updateRobot(own);
  const bodies = new Map(own.links.map(({ name, body }) => [name, body]));
  const indices = Array.from({ length: model.nq }, (_, i) => i).filter((i) => canVary(model, i));
  const proven: ProvenPair[] = [];
  pairs.forEach(({ a, b }, done) => {
    onProgress?.(done);
    const bodyA = bodies.get(a) ?? throwMisuse(call, 'pairs', a, 'links of the robot');
    const bodyB = bodies.get(b) ?? throwMisuse(call, 'pairs', b, 'links of the robot');
    if (bodyA.parts.length === 0 || bodyB.parts.length === 0) return;
    if (!areBetweenVarying(model, a, b, indices) || bodiesTouch(bodyA, bodyB, 0)) return;
    for (const count of cells) {
      const covers = [bodyA, bodyB].map((body) => coverBody(body, { cells: count, surface: true }));
      if (covers.some((cover) => cover === null || cover.length > 4 * mostSpheres)) return;
      const spheres = toModel([a, b], covers as Float64Array[]);
      const proof = proveImpossiblePairs(model, spheres, { pairs: [[a, b]], indices, rest, boxes, samples: 200 });
      const [{ possible, undecided }] = proof.pairs;
      if (possible > 0 || undecided > 0) continue;
      const verdict = verifyImpossiblePairs(model, spheres, proof);
      if (verdict.isProven) proven.push({ a, b, spherePairs: verdict.spherePairs, boxes: verdict.boxes });
      return;
    }
  });
  return proven;
}

/** True when every joint between two links has one coordinate that varies or is driven by one. */
function areBetweenVarying(model: Model, a: string, b: string, indices: readonly number[]): boolean {
  const [chainA, chainB] = [a, b].map((name) => model.supports[model.linkJoints[model.linkIndex.get(name) as number]]);
  let shared = 0;
  while (shared < chainA.length && chainA[shared] === chainB[shared]) shared++;
  return [...chainA.slice(shared), ...chainB.slice(shared)].every((j) => indices.includes(model.idxQ[j]));
}

function toModel(names: readonly string[], covers: readonly Float64Array[]): SphereModel {
  const links = names.map((link, i) => ({ link, bound: new Float64Array(4), levels: [covers[i]] }));
  return { links, proven: true, assumed: [] };
}
