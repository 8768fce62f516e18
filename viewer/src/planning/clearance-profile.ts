/**
 * How near things come along a path: the nearest pair at times spread evenly, and the places where that is nearest.
 *
 * Pairs that the path does not move against each other (fingers that stay closed) are left out: their distance is the same all along.
 * The minima between samples are sought by golden sections. What is shown is measured at these times; that nothing touches between
 * them is what the certificate says.
 */
import { createTransform, hypot } from 'clearance/math';
import type { Model } from 'clearance/model';
import {
  pairsWithin,
  robotFramePlacement,
  type Scene,
  type ScenePair,
  type SceneRobot,
  setConfiguration,
} from 'clearance/scene';
import type { BuiltRobot } from '../load/build-scene.js';
import { toolLink } from '../stage/tool-link.js';
import { configurationAt, listTimes } from './path-times.js';

export interface TightPlace {
  /** Along the path, 0 to 1 of its time. */
  readonly position: number;
  readonly distance: number;
  readonly a: string;
  readonly b: string;
  readonly pointA: readonly [number, number, number];
  readonly pointB: readonly [number, number, number];
}

/** Positions along the path, 0 to 1. */
export type Stretch = readonly [number, number];

export interface ClearanceProfile {
  /** Where a distance was measured, the curve's corners: the samples, and all that the search for minima asked. Ascending. */
  readonly knots: { readonly positions: Float64Array; readonly distances: Float64Array };
  /** Distance of the nearest pair that moves at evenly spread times, ends included; Infinity beyond FAR. Metres. */
  readonly distances: Float64Array;
  /** Of the tool at these times, on the clock of the player. Metres a second. */
  readonly speeds: Float64Array;
  /** Where something is nearer than the scene's margin: from the sample before to the one after. */
  readonly touching: readonly Stretch[];
  /** Nearest first. */
  readonly places: readonly TightPlace[];
}

const SAMPLES = 97;
/** Farther than this nothing is looked for. Metres. */
const FAR = 2;
const FIRST_LOOK = 0.05;
const MOST_PLACES = 5;
const SECTIONS = 10;
const GOLDEN = 0.381966011250105;
/** Samples between two places that are told apart. */
const APART = 4;

/** Yields between samples, so that the caller can stop; the robot is left where it stood. */
export function* measureProfile(
  scene: Scene,
  { scene: robot, model }: Pick<BuiltRobot, 'scene' | 'model'>,
  path: readonly Float64Array[],
  indices: ArrayLike<number>,
): Generator<null, ClearanceProfile> {
  const times = listTimes(model, path);
  const total = times[times.length - 1];
  const isStill = findStillPairs(scene, robot, indices);
  const q = new Float64Array(model.nq);
  let look = FIRST_LOOK;
  const measured = new Map<number, number>();
  const measure = (position: number): ScenePair | null => {
    const stood = robot.q.slice();
    setConfiguration(robot, configurationAt(q, model, path, times, position * total));
    let found: ScenePair | undefined;
    for (let margin = look; found === undefined && margin < 2 * FAR; margin *= 2)
      found = pairsWithin(scene, { margin, objectPairs: false }).find((pair) => !isStill(pair));
    setConfiguration(robot, stood);
    look = found ? Math.max(1.3 * found.distance, 0.25 * FIRST_LOOK) : FAR;
    measured.set(position, found?.distance ?? Infinity);
    return found ?? null;
  };
  const distances = new Float64Array(SAMPLES);
  for (let i = 0; i < SAMPLES; i++) {
    distances[i] = measure(i / (SAMPLES - 1))?.distance ?? Infinity;
    yield null;
  }
  const speeds = measureSpeeds(robot, (position) => configurationAt(q, model, path, times, position * total), total);
  yield null;
  const places: TightPlace[] = [];
  for (const i of listMinima(distances)) {
    let [from, to] = [Math.max(i - 1, 0), Math.min(i + 1, SAMPLES - 1)].map((k) => k / (SAMPLES - 1));
    const distanceAt = (position: number): number => measure(position)?.distance ?? Infinity;
    let [left, right] = [from + GOLDEN * (to - from), to - GOLDEN * (to - from)];
    let [atLeft, atRight] = [distanceAt(left), distanceAt(right)];
    for (let n = 0; n < SECTIONS; n++) {
      if (atLeft <= atRight) {
        [to, right, atRight] = [right, left, atLeft];
        left = from + GOLDEN * (to - from);
        atLeft = distanceAt(left);
      } else {
        [from, left, atLeft] = [left, right, atRight];
        right = to - GOLDEN * (to - from);
        atRight = distanceAt(right);
      }
    }
    const candidates = [i / (SAMPLES - 1), atLeft <= atRight ? left : right];
    const best = distanceAt(candidates[1]) < distances[i] ? candidates[1] : candidates[0];
    const pair = measure(best);
    yield null;
    if (pair)
      places.push({
        position: best,
        distance: pair.distance,
        a: pair.a,
        b: pair.b,
        pointA: pair.pointA,
        pointB: pair.pointB,
      });
  }
  places.sort((x, y) => x.distance - y.distance || x.position - y.position);
  const positions = Float64Array.from(measured.keys()).sort();
  const knots = { positions, distances: positions.map((position) => measured.get(position) as number) };
  return { knots, distances, speeds, touching: listTouching(distances, scene.margin), places };
}

/** Of the tool's origin, by differences between the samples. */
function measureSpeeds(
  robot: SceneRobot,
  configuration: (position: number) => Float64Array,
  total: number,
): Float64Array {
  const link = toolLink({ model: robot.model, scene: robot, tool: null });
  const stood = robot.q.slice();
  const X = createTransform();
  const points = Array.from({ length: SAMPLES }, (_, i) => {
    setConfiguration(robot, configuration(i / (SAMPLES - 1)));
    robotFramePlacement(X, robot, link);
    return [X[9], X[10], X[11]];
  });
  setConfiguration(robot, stood);
  return Float64Array.from(points, (_, i) => {
    const [from, to] = [Math.max(i - 1, 0), Math.min(i + 1, SAMPLES - 1)];
    const [x, y, z] = points[to].map((value, k) => value - points[from][k]);
    const seconds = ((to - from) / (SAMPLES - 1)) * total;
    return seconds > 0 ? hypot(x, y, z) / seconds : 0;
  });
}

function listTouching(distances: Float64Array, margin: number): Stretch[] {
  const stretches: [number, number][] = [];
  const last = distances.length - 1;
  for (let i = 0; i <= last; i++) {
    if (distances[i] > margin) continue;
    const [from, to] = [Math.max(i - 1, 0) / last, Math.min(i + 1, last) / last];
    const before = stretches.at(-1);
    if (before && before[1] >= from) before[1] = to;
    else stretches.push([from, to]);
  }
  return stretches;
}

/** Samples that no other within APART of them is below, nearest first. */
function listMinima(distances: Float64Array): number[] {
  const minima: number[] = [];
  const order = Array.from(distances, (_, i) => i).sort((i, k) => distances[i] - distances[k] || i - k);
  for (const i of order) {
    const isLowest = (k: number): boolean => k < 0 || k >= distances.length || distances[k] >= distances[i];
    if (distances[i] === Infinity || !isLowest(i - 1) || !isLowest(i + 1)) continue;
    if (minima.every((k) => Math.abs(k - i) > APART)) minima.push(i);
    if (minima.length === MOST_PLACES) break;
  }
  return minima;
}

/** Pairs that none of the coordinates moves against each other, by their names. */
function findStillPairs(
  scene: Scene,
  robot: SceneRobot,
  indices: ArrayLike<number>,
): (pair: Pick<ScenePair, 'a' | 'b'>) => boolean {
  const { model } = robot;
  const varying = new Set(Array.from(indices));
  const carriers = new Map<string, string>();
  const carrierOf = (frame: number): string => listMovers(model, frame, varying).join();
  for (const { name, frame } of robot.links)
    carriers.set(scene.robots.length > 1 ? `${robot.name}/${name}` : name, carrierOf(frame));
  for (const [name, { attachment }] of scene.objects)
    if (attachment?.robot === robot) carriers.set(name, carrierOf(attachment.frame));
  return ({ a, b }) => (carriers.get(a) ?? '') === (carriers.get(b) ?? '');
}

function listMovers(model: Model, frame: number, varying: ReadonlySet<number>): number[] {
  return [...model.supports[model.frameJoints[frame]]].filter((joint) => {
    // A joint that follows another stands at its driver's coordinates.
    const owner = model.mimicDrivers[joint] || joint;
    for (let k = 0; k < model.nqs[owner]; k++) if (varying.has(model.idxQ[owner] + k)) return true;
    return false;
  });
}
