/**
 * Gradients of pairs with closed forms against differences in 160 binary places, where a step of 2^-60 leaves no error that counts.
 * The reference has its own kinematics and its own distances. 10,500 poses in all with `ORACLE_FULL=1`.
 */
import { describe, expect, test } from 'vitest';
import type { Shape } from '../../geometry/shapes.js';
import { createRandom, type Random } from '../../math/random.js';
import { randomConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import { disposeScene, moveObject } from '../../scene/scene.js';
import type { SceneObject, SceneRobot } from '../../scene/types.js';
import { createArms, poseAt } from './arms.test-support.js';
import { createDistanceGradients } from './distance-gradients.js';
import {
  along,
  dot,
  type Extended,
  least,
  length,
  magnitude,
  minus,
  most,
  ONE,
  over,
  root,
  sineCosine,
  times,
  toExtended,
  toNumber,
  type Vector,
} from './extended.test-support.js';

const POSES = process.env.ORACLE_FULL ? 1500 : 40;
const STEP = ONE >> 60n;

/** Rotation row by row, then the position. */
type Placement = readonly Extended[];

function multiply(X: Placement, Y: Placement): Placement {
  const out: Extended[] = [];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      let sum = 0n;
      for (let k = 0; k < 3; k++) sum += times(X[3 * r + k], Y[3 * k + c]);
      out.push(sum);
    }
  for (let r = 0; r < 3; r++) {
    let sum = X[9 + r];
    for (let k = 0; k < 3; k++) sum += times(X[3 * r + k], Y[9 + k]);
    out.push(sum);
  }
  return out;
}

/** By Rodrigues' formula; the joints of these arms turn. */
function turn(axis: ArrayLike<number>, angle: Extended): Placement {
  const [x, y, z] = [0, 1, 2].map((k) => toExtended(axis[k]));
  const [s, c] = sineCosine(angle);
  const d = ONE - c;
  const t = (a: Extended, b: Extended): Extended => times(times(a, b), d);
  return [
    ...[t(x, x) + c, t(x, y) - times(z, s), t(x, z) + times(y, s)],
    ...[t(x, y) + times(z, s), t(y, y) + c, t(y, z) - times(x, s)],
    ...[t(x, z) - times(y, s), t(y, z) + times(x, s), t(z, z) + c],
    ...[0n, 0n, 0n],
  ];
}

const exact = (X: ArrayLike<number>): Placement => Array.from(X, toExtended);

function placeTool({ model, placement }: SceneRobot, tool: SceneObject, q: readonly Extended[]): Placement {
  let X = exact(placement);
  for (let j = 1; j < model.jointCount; j++)
    X = multiply(multiply(X, exact(model.placements.subarray(12 * j, 12 * j + 12))), turn(axisOf(model, j), q[j - 1]));
  const { frame, placement: onLink } = tool.attachment!;
  return multiply(multiply(X, exact(model.framePlacements.subarray(12 * frame, 12 * frame + 12))), exact(onLink));
}

const axisOf = (model: Model, j: number): Float64Array => model.axes.subarray(3 * j, 3 * j + 3);
const origin = (X: Placement): Vector => [X[9], X[10], X[11]];
const column = (X: Placement, c: number): Vector => [X[c], X[3 + c], X[6 + c]];
const clamp = (x: Extended, low: Extended, high: Extended): Extended => most(low, least(high, x));

function distanceSegments(p: Vector, u: Vector, half: Extended, q: Vector, v: Vector, other: Extended): Extended {
  // Least over s and t of |p + s u - q - t v|: inside, or with one of them at an end.
  const w = minus(p, q);
  const [uv, uw, vw] = [dot(u, v), dot(u, w), dot(v, w)];
  const at = (s: Extended, t: Extended): Extended => length(minus(along(p, u, s), along(q, v, t)));
  const found: Extended[] = [];
  const det = ONE - times(uv, uv);
  if (det > 0n) {
    const s = over(times(uv, vw) - uw, det);
    const t = over(vw - times(uv, uw), det);
    if (magnitude(s) <= half && magnitude(t) <= other) found.push(at(s, t));
  }
  for (const s of [half, -half]) found.push(at(s, clamp(times(s, uv) + vw, -other, other)));
  for (const t of [other, -other]) found.push(at(clamp(times(t, uv) - uw, -half, half), t));
  return found.reduce(least);
}

/** Signed distance of a point to a shape. */
function distancePoint(p: Vector, X: Placement, shape: Shape): Extended {
  const w = minus(p, origin(X));
  const local: Vector = [dot(column(X, 0), w), dot(column(X, 1), w), dot(column(X, 2), w)];
  if (shape.type === 'halfspace') {
    const n = shape.normal.map(toExtended) as unknown as Vector;
    return over(dot(n, local) - toExtended(shape.offset), length(n));
  }
  if (shape.type === 'box') {
    const over3 = local.map((x, k) => magnitude(x) - toExtended(0.5 * shape.size[k]));
    const outside = over3.map((x) => most(x, 0n)) as unknown as Vector;
    const deepest = over3.reduce(most);
    return deepest > 0n ? length(outside) : deepest;
  }
  if (shape.type === 'cylinder') {
    const radial = root(times(local[0], local[0]) + times(local[1], local[1])) - toExtended(shape.radius);
    const axial = magnitude(local[2]) - toExtended(0.5 * shape.length);
    if (radial <= 0n && axial <= 0n) return most(radial, axial);
    return length([most(radial, 0n), most(axial, 0n), 0n]);
  }
  throw new Error(shape.type);
}

function halfOf(shape: Shape): Extended {
  return shape.type === 'capsule' ? toExtended(0.5 * shape.length) : 0n;
}

function measure(tool: Shape, X: Placement, object: Shape, Y: Placement): Extended {
  const radius = (shape: Shape): Extended => ('radius' in shape ? toExtended(shape.radius!) : 0n);
  const isRound = object.type === 'sphere' || object.type === 'capsule';
  if (isRound)
    return (
      distanceSegments(origin(X), column(X, 2), halfOf(tool), origin(Y), column(Y, 2), halfOf(object)) -
      radius(tool) -
      radius(object)
    );
  if (tool.type === 'sphere') return distancePoint(origin(X), Y, object) - radius(tool);
  const ends = [halfOf(tool), -halfOf(tool)].map((t) => distancePoint(along(origin(X), column(X, 2), t), Y, object));
  return least(ends[0], ends[1]) - radius(tool);
}

const sphere = (random: Random): Shape => ({ type: 'sphere', radius: random.uniform(0.05, 0.3) });
const capsule = (random: Random): Shape => ({
  type: 'capsule',
  radius: random.uniform(0.05, 0.2),
  length: random.uniform(0.1, 0.8),
});
const MAKERS: Readonly<Record<string, (random: Random) => Shape>> = {
  sphere,
  capsule,
  box: (random) => ({ type: 'box', size: [random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)] }),
  cylinder: (random) => ({ type: 'cylinder', radius: random.uniform(0.1, 0.4), length: random.uniform(0.2, 0.8) }),
  halfspace: (random) => {
    const [x, y, z] = [random.normal(), random.normal(), random.normal()];
    const size = Math.sqrt(x * x + y * y + z * z);
    return { type: 'halfspace', normal: [x / size, y / size, z / size], offset: random.uniform(-0.5, 0.5) };
  },
};

const PAIRS = [
  ['sphere', 'sphere'],
  ['sphere', 'capsule'],
  ['capsule', 'capsule'],
  ['sphere', 'box'],
  ['sphere', 'cylinder'],
  ['sphere', 'halfspace'],
  ['capsule', 'halfspace'],
] as const;

describe(`${POSES} poses each`, () => {
  test.each(PAIRS)('%s and %s within 1e-6', (first, second) => {
    const random = createRandom(PAIRS.findIndex(([a, b]) => a === first && b === second) + 1);
    const tool = MAKERS[first](random);
    const object = MAKERS[second](random);
    const { scene, robots } = createArms(random, {
      types: ['revolute', 'revolute', 'revolute'],
      shapes: [tool],
      objects: [object],
    });
    const [robot] = robots;
    const held = scene.objects.get('tool0')!;
    const stands = scene.objects.get('object0')!;
    const rows = createDistanceGradients(scene, robot);
    let worst = 0;
    let overlaps = 0;
    for (let n = 0; n < POSES; n++) {
      moveObject(scene, stands, poseAt(random, 0.6));
      const q = randomConfiguration(new Float64Array(robot.model.nq), robot.model, random);
      expect(rows.update(q)).toBe(1);
      const Y = exact(stands.body.worldPlacement);
      const at = Array.from(q, toExtended);
      const here = measure(tool, placeTool(robot, held, at), object, Y);
      expect(Math.abs(toNumber(here) - rows.distances[0])).toBeLessThan(1e-12);
      if (here < 0n) overlaps++;
      for (let k = 0; k < 3; k++) {
        const [up, down] = [STEP, -STEP].map((step) => {
          const moved = at.map((x, i) => (i === k ? x + step : x));
          return measure(tool, placeTool(robot, held, moved), object, Y);
        });
        worst = Math.max(worst, Math.abs(toNumber(over(up - down, 2n * STEP)) - rows.gradients[k]));
      }
    }
    expect(overlaps).toBeGreaterThan(0);
    expect(worst).toBeLessThan(1e-6);
    if (process.env.ORACLE_FULL) console.log(`${first} and ${second}: ${worst}, ${overlaps} of ${POSES} overlap`);
    disposeScene(scene);
  });
});
