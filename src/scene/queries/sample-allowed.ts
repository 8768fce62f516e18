/**
 * Allowed pairs by sampling, as MoveIt's setup assistant finds them, but repeatable, and with a look for rare contacts.
 *
 * Method:
 *  1. adjacent: links that share a joint or are rigidly connected.
 *  2. default: pairs in collision at the neutral configuration (clamped to the limits).
 *  3. `samples` seeded random configurations inside the limits; count the collisions of every remaining pair.
 *  4. always: in collision in at least `alwaysFraction` of the samples.
 *  5. pairs that never collided: from the samples in which their boxes came closest, one of each quarter of the samples, down
 *     the distance (find-contact.ts); a contact that is found makes the pair one to be checked.
 *  6. never: the rest.
 * What `never` means: with n samples and no contact, contacts fill at most the share 3/n of the configurations (at 95 %
 * confidence; 0.03 % by default), and descent found none. It is no proof.
 * Source: MoveIt setup assistant (Chitta, Sucan, Cousins 2012, doi:10.1109/MRA.2011.2181749); the bound: Hanley,
 * Lippman-Hand 1983, "If nothing goes wrong, is everything all right?", doi:10.1001/jama.1983.03330370053031.
 * Cost: samples x pairs box tests + narrow phase; up to 320 distances per pair that never collided. Same seed, same matrix.
 * Tested by sample-allowed.test.ts.
 */

import { requireFlag, requireFunction, requireNumberThat } from '../../math/arguments.js';
import { describeValue, requireKnownKeys } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { createRandom } from '../../math/random.js';
import { clampConfiguration, neutralConfiguration, randomConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import { type AllowedPair, type AllowedReason, adjacentPairs } from '../allowed-collisions.js';
import { formatAssumption, type SceneAssumptions } from '../assumptions.js';
import { boxDistance } from '../bodies.js';
import { createRobotState } from '../context.js';
import { placeRobot, setConfiguration } from '../robot.js';
import type { RobotLink, SceneRobot } from '../types.js';
import { updateRobot } from '../update.js';
import { bodiesTouch } from './body-pairs.js';
import { ContactSearch } from './find-contact.js';

export interface SampleAllowedOptions {
  /** Default 10,000: `never` then bounds the share of contacts by 0.0003. */
  readonly samples?: number;
  readonly seed?: number;
  /** Default 0.95. */
  readonly alwaysFraction?: number;
  /** Look for contacts of pairs that no sample found in contact. Default true. */
  readonly search?: boolean;
  /** Called now and then with the number of samples done. */
  readonly onProgress?: (done: number) => void;
}

export interface SampledPair extends AllowedPair {
  /** Samples in collision; adjacent and default pairs are counted too. */
  readonly collisions: number;
  /** `never` only: contacts fill at most this share of the configurations, at 95 % confidence. */
  readonly atMost?: number;
}

export interface CheckedPair {
  readonly a: string;
  readonly b: string;
  readonly collisions: number;
  /** A configuration in contact, where no sample was and the search found one. */
  readonly contact?: Float64Array;
}

/** `complete` and `assumed`: of the robot's geometry, and of joints without limits, which are sampled within some. */
export interface SampledAllowed extends SceneAssumptions {
  readonly pairs: readonly SampledPair[];
  /** Pairs to be checked, with their collision counts. */
  readonly checked: readonly CheckedPair[];
  readonly samples: number;
}

/** Starts of the search for a contact: the best sample of each of so many parts of the samples. */
const STARTS = 4;
const KEYS = ['samples', 'seed', 'alwaysFraction', 'search', 'onProgress'];

interface Pair {
  readonly a: RobotLink;
  readonly b: RobotLink;
  collisions: number;
  reason: AllowedReason | null;
  /** Per part of the samples: the smallest gap of the boxes, and the number of its sample. */
  readonly gaps: Float64Array;
  readonly nearest: Int32Array;
}

/** The robot stays where it is. */
export function sampleAllowedPairs(robot: SceneRobot, options: SampleAllowedOptions = {}): SampledAllowed {
  if (typeof robot?.links?.length !== 'number')
    throw new MisuseError(`sampleAllowedPairs: robot, got ${describeValue(robot)}, expected what addRobot returned`);
  if (robot.links.some(({ body }) => body.parts.some(({ collider }) => collider.isDisposed)))
    throw new MisuseError('sampleAllowedPairs: robot, got one of a disposed scene, expected one of a live one');
  requireKnownKeys('sampleAllowedPairs', 'options', options, KEYS);
  if (options.search !== undefined) requireFlag('sampleAllowedPairs', 'options.search', options.search);
  if (options.onProgress !== undefined) requireFunction('sampleAllowedPairs', 'options.onProgress', options.onProgress);
  const { samples = 10_000, seed = 1, alwaysFraction = 0.95, search = true } = options;
  const call = 'sampleAllowedPairs';
  requireNumberThat(
    call,
    'samples',
    samples,
    (x) => Number.isInteger(x) && x > 0 && x < 2 ** 31,
    'a positive integer below 2^31',
  );
  requireNumberThat(call, 'seed', seed, Number.isSafeInteger, 'a whole number');
  requireNumberThat(call, 'alwaysFraction', alwaysFraction, (x) => x > 0 && x <= 1, 'a number above 0, up to 1');
  const own = createRobotState(robot.definition);
  placeRobot(own, robot.placement);
  const pairs = listPairs(own);
  markDefaults(own, pairs);
  countCollisions(own, pairs, { samples, seed, onProgress: options.onProgress });
  const quiet = pairs.filter(({ reason, collisions }) => !reason && collisions === 0);
  const contacts = search ? findContacts(own, quiet, seed) : new Map<Pair, Float64Array>();
  return { ...sortOut(pairs, contacts, alwaysFraction, samples), samples, ...assumptionsOf(own) };
}

function listPairs({ links, description }: SceneRobot): Pair[] {
  const names = new Set(links.map(({ name }) => name));
  const adjacent = new Set(
    adjacentPairs(description.model, (link) => names.has(link)).flatMap(({ a, b }) => [
      `${a}\u0000${b}`,
      `${b}\u0000${a}`,
    ]),
  );
  const pairs: Pair[] = [];
  for (let i = 0; i < links.length; i++) {
    for (let j = i + 1; j < links.length; j++) {
      const [a, b] = [links[i], links[j]];
      const reason = adjacent.has(`${a.name}\u0000${b.name}`) ? 'adjacent' : null;
      const gaps = new Float64Array(STARTS).fill(Infinity);
      pairs.push({ a, b, collisions: 0, reason, gaps, nearest: new Int32Array(STARTS).fill(-1) });
    }
  }
  return pairs;
}

function markDefaults(robot: SceneRobot, pairs: readonly Pair[]): void {
  const q = new Float64Array(robot.model.nq);
  setConfiguration(robot, clampConfiguration(q, robot.model, neutralConfiguration(q, robot.model)));
  updateRobot(robot);
  for (const pair of pairs) {
    const { a, b } = pair;
    if (!pair.reason && boxDistance(a.body.box, b.body.box) === 0 && bodiesTouch(a.body, b.body, 0))
      pair.reason = 'default';
  }
}

function countCollisions(
  robot: SceneRobot,
  pairs: readonly Pair[],
  { samples, seed, onProgress }: Pick<SampleAllowedOptions, 'onProgress'> & { samples: number; seed: number },
): void {
  const q = new Float64Array(robot.model.nq);
  const random = createRandom(seed);
  for (let sample = 0; sample < samples; sample++) {
    setConfiguration(robot, randomConfiguration(q, robot.model, random));
    updateRobot(robot);
    const part = sample % STARTS;
    for (const pair of pairs) {
      const { a, b, gaps } = pair;
      const gap = boxDistance(a.body.box, b.body.box);
      if (gap === 0 && bodiesTouch(a.body, b.body, 0)) pair.collisions++;
      else if (pair.collisions === 0 && gap <= gaps[part]) {
        // Boxes that overlap are as near as boxes can tell: then the centres decide.
        const rank = gap > 0 ? gap : -1 / (1 + centerDistance(a, b));
        if (rank >= gaps[part]) continue;
        gaps[part] = rank;
        pair.nearest[part] = sample;
      }
    }
    if (onProgress && sample % 64 === 0) onProgress(sample);
  }
}

function centerDistance(a: RobotLink, b: RobotLink): number {
  const [p, q] = [a.body.box, b.body.box];
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += (p[i] + p[i + 3] - q[i] - q[i + 3]) ** 2;
  return 0.5 * Math.sqrt(sum);
}

/** Draws the samples again up to the last one that is a start, so that none need be kept. */
function findContacts(robot: SceneRobot, pairs: readonly Pair[], seed: number): Map<Pair, Float64Array> {
  const startsAt = new Map<number, Pair[]>();
  let last = -1;
  for (const pair of pairs) {
    for (const sample of pair.nearest) {
      if (sample < 0) continue;
      const known = startsAt.get(sample);
      if (known) known.push(pair);
      else startsAt.set(sample, [pair]);
      last = Math.max(last, sample);
    }
  }
  const contacts = new Map<Pair, Float64Array>();
  const descent = new ContactSearch(robot);
  const q = new Float64Array(robot.model.nq);
  const random = createRandom(seed);
  for (let sample = 0; sample <= last; sample++) {
    randomConfiguration(q, robot.model, random);
    for (const pair of startsAt.get(sample) ?? []) {
      if (contacts.has(pair)) continue;
      const contact = descent.descend(pair.a, pair.b, q);
      if (contact) contacts.set(pair, contact);
    }
  }
  return contacts;
}

function sortOut(
  pairs: readonly Pair[],
  contacts: ReadonlyMap<Pair, Float64Array>,
  alwaysFraction: number,
  samples: number,
): Pick<SampledAllowed, 'pairs' | 'checked'> {
  const allowed: SampledPair[] = [];
  const checked: CheckedPair[] = [];
  for (const pair of pairs) {
    const { a, b, collisions, reason } = pair;
    const contact = contacts.get(pair);
    const always = collisions >= alwaysFraction * samples ? 'always' : null;
    const found = reason ?? always ?? (collisions === 0 && !contact ? 'never' : null);
    const [first, second] = a.name < b.name ? [a.name, b.name] : [b.name, a.name];
    if (found === 'never')
      allowed.push({ a: first, b: second, reason: found, collisions, atMost: Math.min(3 / samples, 1) });
    else if (found) allowed.push({ a: first, b: second, reason: found, collisions });
    else checked.push({ a: first, b: second, collisions, ...(contact && { contact }) });
  }
  return { pairs: allowed, checked };
}

/** The base as a whole moves no link against another; a shift without limits elsewhere is sampled within one metre. */
function assumptionsOf(robot: SceneRobot): SceneAssumptions {
  const unlimited = listUnlimitedShifts(robot.model).map(
    (joint) => `guessed: joint "${joint}": it has no limits and is sampled within 1 m, or one turn`,
  );
  return {
    complete: robot.assumed.every(({ kind }) => kind !== 'dropped'),
    assumed: [...robot.assumed.map(formatAssumption), ...unlimited],
  };
}

function listUnlimitedShifts(model: Model): string[] {
  const names: string[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j]!;
    if (model.jointDescriptions[j] === null || model.nqs[j] === 0) continue;
    if (kind.largestShift(model.lower, model.upper, model.idxQ[j]) === Infinity) names.push(model.jointNames[j]);
  }
  return names;
}
