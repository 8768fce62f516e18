/**
 * Allowed pairs by sampling, as MoveIt's setup assistant finds them, but repeatable.
 *
 * Method:
 *  1. adjacent: links that share a joint or are rigidly connected.
 *  2. default: pairs in collision at the neutral configuration (clamped to the limits).
 *  3. `samples` seeded random configurations inside the limits; count the collisions of every remaining pair.
 *  4. always: in collision in at least `alwaysFraction` of the samples. never: in none of them.
 * The rest is checked. A pair that is almost never in collision can be called never: more samples make that rarer.
 * Source: MoveIt setup assistant (Chitta, Sucan, Cousins 2012, doi:10.1109/MRA.2011.2181749).
 * Cost: samples x pairs box tests + narrow phase. Same seed, same matrix.
 */
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { clampConfiguration, neutralConfiguration, randomConfiguration } from '../model/configuration.js';
import { type AllowedPair, type AllowedReason, adjacentPairs } from './allowed-collisions.js';
import { boxesOverlap } from './bodies.js';
import { bodiesTouch } from './body-pairs.js';
import { type SceneRobot, setConfiguration, updateRobot } from './robot.js';
import type { SceneBody } from './scene.js';

export interface SampleAllowedOptions {
  /** Default 10,000. */
  readonly samples?: number;
  readonly seed?: number;
  /** Default 0.95. */
  readonly alwaysFraction?: number;
  /** Called now and then with the number of samples done. */
  readonly onProgress?: (done: number) => void;
}

export interface SampledPair extends AllowedPair {
  /** Samples in collision; adjacent and default pairs are counted too. */
  readonly collisions: number;
}

export interface SampledAllowed {
  readonly pairs: readonly SampledPair[];
  /** Pairs to be checked, with their collision counts. */
  readonly checked: readonly { readonly a: string; readonly b: string; readonly collisions: number }[];
  readonly samples: number;
}

/** Leaves the robot at its former configuration. */
export function sampleAllowedPairs(robot: SceneRobot, options: SampleAllowedOptions = {}): SampledAllowed {
  const { samples = 10_000, seed = 1, alwaysFraction = 0.95 } = options;
  if (!Number.isInteger(samples) || samples < 1)
    throw new MisuseError(`sampleAllowedPairs: samples, got ${samples}, expected a positive integer`);
  const bodies = robot.links.map(({ body }) => body);
  const names = new Set(bodies.map(({ name }) => name));
  const adjacent = new Map(
    adjacentPairs(robot.description.model, (link) => names.has(link)).map((pair) => [`${pair.a}\u0000${pair.b}`, pair]),
  );
  const isAdjacent = (a: string, b: string): AllowedPair | undefined =>
    adjacent.get(`${a}\u0000${b}`) ?? adjacent.get(`${b}\u0000${a}`);
  const pairs: { a: SceneBody; b: SceneBody; collisions: number; reason: AllowedReason | null }[] = [];
  for (let i = 0; i < bodies.length; i++) {
    for (let j = i + 1; j < bodies.length; j++) {
      const reason = isAdjacent(bodies[i].name, bodies[j].name) ? 'adjacent' : null;
      pairs.push({ a: bodies[i], b: bodies[j], collisions: 0, reason });
    }
  }
  const before = Float64Array.from(robot.q);
  const q = new Float64Array(robot.model.nq);
  setConfiguration(robot, clampConfiguration(q, robot.model, neutralConfiguration(q, robot.model)));
  updateRobot(robot);
  for (const pair of pairs)
    if (!pair.reason && boxesOverlap(pair.a.box, pair.b.box, 0) && bodiesTouch(pair.a, pair.b, 0))
      pair.reason = 'default';
  const random = createRandom(seed);
  for (let sample = 0; sample < samples; sample++) {
    setConfiguration(robot, randomConfiguration(q, robot.model, random));
    updateRobot(robot);
    for (const pair of pairs)
      if (boxesOverlap(pair.a.box, pair.b.box, 0) && bodiesTouch(pair.a, pair.b, 0)) pair.collisions++;
    if (options.onProgress && sample % 64 === 0) options.onProgress(sample);
  }
  setConfiguration(robot, before);
  const allowed: SampledPair[] = [];
  const checked: { a: string; b: string; collisions: number }[] = [];
  for (const { a, b, collisions, reason } of pairs) {
    const found = reason ?? (collisions >= alwaysFraction * samples ? 'always' : collisions === 0 ? 'never' : null);
    const [first, second] = a.name < b.name ? [a.name, b.name] : [b.name, a.name];
    if (found) allowed.push({ a: first, b: second, reason: found, collisions });
    else checked.push({ a: first, b: second, collisions });
  }
  return { pairs: allowed, checked, samples };
}
