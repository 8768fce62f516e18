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
import type { Body } from '../bodies.js';
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
  /** Asked now and then; once true, what is proven by then is returned. */
  readonly shouldStop?: () => boolean;
  /** Called now and then with the number of pairs proven. */
  readonly onProgress?: (proven: number) => void;
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
  requireKnownKeys(call, 'options', options, ['cells', 'boxes', 'mostSpheres', 'shouldStop', 'onProgress']);
  const { cells = [3, 6, 12], boxes = 4000, mostSpheres = 400, shouldStop = () => false, onProgress } = options;
  requireList(call, 'options.cells', cells);
  for (const count of cells) requireCount(call, 'options.cells', count, 1);
  requireCount(call, 'options.boxes', boxes, 1);
  requireCount(call, 'options.mostSpheres', mostSpheres, 1);
  if (onProgress !== undefined) requireFunction(call, 'options.onProgress', onProgress);
  requireFunction(call, 'options.shouldStop', shouldStop);
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
  const limits = { indices, rest, boxes, samples: 200, shouldStop };
  const covers = new Map<string, Float64Array | null>();
  const cover = (body: Body, count: number): Float64Array | null => {
    const key = `${count} ${body.name}`;
    if (!covers.has(key)) covers.set(key, coverBody(body, { cells: count, surface: true }));
    return covers.get(key) as Float64Array | null;
  };
  let open = pairs.map(({ a, b }, place) => {
    const bodyA = bodies.get(a) ?? throwMisuse(call, 'pairs', a, 'links of the robot');
    const bodyB = bodies.get(b) ?? throwMisuse(call, 'pairs', b, 'links of the robot');
    return { a, b, bodyA, bodyB, place };
  });
  open = open.filter(
    ({ a, b, bodyA, bodyB }) =>
      bodyA.parts.length > 0 &&
      bodyB.parts.length > 0 &&
      areBetweenVarying(model, a, b, indices) &&
      !bodiesTouch(bodyA, bodyB, 0),
  );
  const proven = new Map<number, ProvenPair>();
  // All pairs by coarse covers before any by finer ones: most is proven when time is up.
  for (const count of cells) {
    const left: typeof open = [];
    for (const pair of open) {
      if (shouldStop()) break;
      onProgress?.(proven.size);
      const { a, b, place } = pair;
      const [first, second] = [cover(pair.bodyA, count), cover(pair.bodyB, count)];
      if (first === null || second === null || Math.max(first.length, second.length) > 4 * mostSpheres) continue;
      const spheres = toModel([a, b], [first, second]);
      const proof = proveImpossiblePairs(model, spheres, { ...limits, pairs: [[a, b]] });
      const [{ possible, undecided }] = proof.pairs;
      if (possible > 0 || undecided > 0) {
        left.push(pair);
        continue;
      }
      const verdict = verifyImpossiblePairs(model, spheres, proof);
      if (verdict.isProven) proven.set(place, { a, b, spherePairs: verdict.spherePairs, boxes: verdict.boxes });
    }
    open = left;
  }
  return [...proven].sort(([a], [b]) => a - b).map(([, pair]) => pair);
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
