/**
 * Pairs that a caller or a file allows to touch, put where they are looked up.
 *
 * Objects count as links do, as in MoveIt's matrix: pairs of one robot's links go into that robot's matrix, all others into
 * the scene's. Names are those of `bodyName`, or `robot/link`; with a robot given, bare names are its own links' first where
 * no object has them. A name that nothing in the scene has is misuse: an allowance that does nothing looks like one that works.
 */
import { requireFlag, requireIterable } from '../math/arguments.js';
import { closestKey, describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { AllowedPair, AllowedPairs } from './allowed-collisions.js';
import { resolveName } from './body-names.js';
import { requireOpen } from './scene-door.js';
import type { Scene, SceneRobot } from './types.js';
import type { RobotDefinition } from './world.js';

export interface AllowPairsOptions {
  /** Whose links bare names are when several robots have them. */
  readonly robot?: SceneRobot;
  /** Remove what was allowed before: of that robot and of the scene, or of all robots. Default false: pairs are added. */
  readonly replace?: boolean;
}

/** A pair in its matrix: of a robot (links by their own names), or of the scene (full names). */
export interface ResolvedPair {
  readonly robot: Pick<RobotDefinition, 'allowed'> | null;
  readonly pair: AllowedPair;
}

/** Allows pairs to touch. Throws on names that mean nothing in the scene; then nothing is changed. */
export function allowPairs(scene: Scene, pairs: Iterable<AllowedPair>, options: AllowPairsOptions = {}): void {
  requireOpen(scene, 'allowPairs');
  requireKnownKeys('allowPairs', 'options', options, ['robot', 'replace']);
  const { robot, replace = false } = options;
  requireFlag('allowPairs', 'options.replace', replace);
  requireIterable('allowPairs', 'pairs', pairs, 'a list of { a, b, reason }');
  if (robot !== undefined && !scene.robots.includes(robot))
    throw new MisuseError(`allowPairs: robot, got ${describeValue(robot?.name)}, expected one of this scene`);
  const resolved = resolvePairs(scene, 'allowPairs', pairs, robot);
  if (replace) {
    for (const { allowed } of [scene, ...(robot ? [robot] : scene.robots)])
      for (const { a, b } of allowed.list()) allowed.forbid(a, b);
  }
  enterPairs(scene, resolved);
}

/** The two forms of `allowed` of a robot's options. */
export function readAllowed(given: Iterable<AllowedPair> | AllowedPairs | undefined): Required<AllowedPairs> {
  if (given === undefined) return { pairs: [], replace: false };
  if (given !== null && typeof given === 'object' && Symbol.iterator in given) return { pairs: given, replace: false };
  requireKnownKeys('addRobot', 'allowed', given, ['pairs', 'replace']);
  const { pairs, replace = false } = given as AllowedPairs;
  if (typeof pairs?.[Symbol.iterator] !== 'function')
    throw new MisuseError(`addRobot: allowed.pairs, got ${describeValue(pairs)}, expected a list of pairs`);
  return { pairs, replace };
}

type OwnNames = Pick<RobotDefinition, 'name' | 'description' | 'allowed'>;

/** `robot`: may not be part of the scene yet. */
export function resolvePairs(
  scene: Scene,
  call: string,
  pairs: Iterable<AllowedPair>,
  robot?: OwnNames,
): ResolvedPair[] {
  if (typeof pairs?.[Symbol.iterator] !== 'function')
    throw new MisuseError(`${call}: pairs, got ${describeValue(pairs)}, expected a list of { a, b, reason }`);
  const list = Array.from(pairs);
  const what = call === 'addRobot' ? 'allowed pair' : 'pair';
  if (list.length === 0) return [];
  const owners = new Map<string, { readonly robot: OwnNames; readonly link: string }>();
  const isNew = robot !== undefined && scene.robots.every(({ name }) => name !== robot.name);
  for (const owner of isNew ? [...scene.robots, robot] : scene.robots)
    for (const { name: link } of owner.description.model.links)
      owners.set(`${owner.name}/${link}`, { robot: owner, link });
  const fullNameOf = (name: unknown): string => {
    if (typeof name !== 'string')
      throw new MisuseError(`${call}: ${what}, got the name ${describeValue(name)}, expected a text`);
    const own = robot && !scene.objects.has(name) ? `${robot.name}/${name}` : name;
    const full = owners.has(own) ? own : resolveName(scene, name);
    if (owners.has(full) || scene.objects.has(full)) return full;
    const names = [...owners.values()].map(({ link }) => link);
    if (names.includes(name))
      throw new MisuseError(`${call}: ${what}, got "${name}", a link of several robots, expected "robot/link"`);
    const close = closestKey(name, [...scene.objects.keys(), ...names]);
    const hint = close === undefined ? '' : ` (did you mean "${close}"?)`;
    throw new MisuseError(`${call}: ${what}, got "${name}"${hint}, expected a link or an object of the scene`);
  };
  return list.map((pair): ResolvedPair => {
    requireKnownKeys(call, what, pair, ['a', 'b', 'reason', 'note', 'collisions']);
    const a = fullNameOf(pair.a);
    const b = fullNameOf(pair.b);
    if (a === b) throw new MisuseError(`${call}: ${what}, got "${pair.a}" twice, expected two bodies`);
    const ownerA = owners.get(a);
    const ownerB = owners.get(b);
    const rest = { reason: pair.reason ?? 'user', ...(pair.note === undefined ? {} : { note: pair.note }) };
    if (ownerA && ownerB && ownerA.robot === ownerB.robot)
      return { robot: ownerA.robot, pair: { a: ownerA.link, b: ownerB.link, ...rest } };
    return { robot: null, pair: { a, b, ...rest } };
  });
}

export function enterPairs(scene: Scene, resolved: readonly ResolvedPair[]): void {
  for (const { robot, pair } of resolved) (robot ?? scene).allowed.allow(pair);
}
