/** Seeded arms covered with spheres, obstacles around them, and a brute-force test in double precision. */
import type { Shape } from '../../src/geometry/shapes.js';
import type { SphereModel } from '../../src/geometry/sphere-model.js';
import { forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import type { Random } from '../../src/math/random.js';
import { buildModel } from '../../src/model/build-model.js';
import { createData, type Model } from '../../src/model/model.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { joint, placement, robot } from '../models.js';

export interface SphereArm {
  readonly model: Model;
  readonly spheres: SphereModel;
  readonly pairs: readonly (readonly [string, string])[];
}

export interface PlacedShape {
  readonly shape: Shape;
  readonly placement: Float64Array;
  readonly margin: number;
}

/**
 * A branching arm: joints about oblique axes, one sliding, one following another, three spheres per link. `hand`: links on its last one,
 * the first of which slides by the last coordinate, with another on it.
 */
export function makeArm(random: Random, count: number, hand = 0): SphereArm {
  const u = () => random.uniform(-1, 1);
  const joints = Array.from({ length: count }, (_, i) => {
    const slides = i === 2;
    const parent = i === 0 ? 'l0' : `l${i > 3 && random.next() < 0.3 ? i - 1 : i}`;
    const length = 1 + random.next();
    return joint(`j${i}`, slides ? 'prismatic' : 'revolute', parent, `l${i + 1}`, {
      origin: placement([0.1 * u(), 0.1 * u(), 0.25], [u(), u(), u()]),
      axis: random.next() < 0.5 ? [0, 0, 1] : [0.6 / length, 0.8 / length, Math.sqrt(1 - 1 / length ** 2)],
      limits: slides ? { lower: -0.05, upper: 0.1 } : { lower: -1.2 - random.next(), upper: 0.4 + random.next() },
      ...(i === 3 ? { mimic: { joint: 'j1', multiplier: -0.5, offset: 0.2 } } : {}),
    });
  });
  for (let i = 0; i < hand; i++)
    joints.push(
      joint(`k${i}`, i === 0 ? 'prismatic' : 'fixed', i === 1 ? 'h0' : `l${count}`, `h${i}`, {
        origin: placement([0.05 * u(), 0.05 * u(), 0.1], [u(), u(), u()]),
        axis: [0.6, 0, 0.8],
        ...(i === 0 && { limits: { lower: -0.05, upper: 0.05 } }),
      }),
    );
  const { model } = buildModel(robot(joints));
  const sphere = () => [0.08 * u(), 0.08 * u(), 0.1 + 0.1 * u(), 0.03 + 0.03 * random.next()];
  const links = model.linkNames.map((link) => ({
    link,
    bound: Float64Array.of(0, 0, 0, 1),
    levels: [Float64Array.from([...sphere(), ...sphere(), ...sphere()])],
  }));
  const pairs: [string, string][] = [];
  for (let i = 0; i < links.length; i++)
    for (let k = i + 2; k < links.length; k++) pairs.push([links[i].link, links[k].link]);
  return { model, spheres: { links, proven: false, assumed: [] }, pairs };
}

/** A chain of every kind of joint, three spheres per link. */
export function makeMixedArm(random: Random): SphereArm {
  const u = () => random.uniform(-1, 1);
  const types = ['planar', 'revolute', 'floating', 'helical', 'spherical', 'continuous', 'prismatic'] as const;
  const joints = types.map((type, i) =>
    joint(`j${i}`, type, `l${i}`, `l${i + 1}`, {
      origin: placement([0.1 * u(), 0.1 * u(), 0.3], [u(), u(), u()]),
      axis: random.next() < 0.5 ? [0, 0, 1] : [0.6, 0, 0.8],
      ...(type === 'helical' && { pitch: 0.05, limits: { lower: -2, upper: 3 } }),
      ...(type === 'revolute' && { limits: { lower: -2, upper: 1 } }),
      ...(type === 'prismatic' && { limits: { lower: -0.1, upper: 0.2 } }),
    }),
  );
  const { model } = buildModel(robot(joints), { continuous: random.next() < 0.5 ? 'cos-sin' : 'angle' });
  const sphere = () => [0.08 * u(), 0.08 * u(), 0.1 + 0.1 * u(), 0.05 + 0.05 * random.next()];
  const links = model.linkNames.map((link) => ({
    link,
    bound: Float64Array.of(0, 0, 0, 1),
    levels: [Float64Array.from([...sphere(), ...sphere(), ...sphere()])],
  }));
  const pairs = links.flatMap(({ link }, i) => links.slice(i + 2).map((other) => [link, other.link] as const));
  return { model, spheres: { links, proven: false, assumed: [] }, pairs };
}

export function randomState({ lower, upper }: Model, random: Random): Float64Array {
  return Float64Array.from(lower, (x, i) => random.uniform(x, upper[i]));
}

/** One of the shapes somewhere within `reach`; half of them along the axes of W. */
export function scatter(random: Random, shapes: readonly Shape[], reach: number): PlacedShape {
  const u = () => random.uniform(-reach, reach);
  const turn = random.next() < 0.5 ? 0 : Math.PI;
  const angle = () => turn * random.uniform(-1, 1);
  return {
    shape: shapes[random.integer(shapes.length)],
    placement: placement([u(), u(), u()], [angle(), angle(), angle()]),
    margin: random.next() < 0.5 ? 0 : 0.02 * random.next(),
  };
}

/** The smallest gap of spheres, margins taken off, at a configuration. */
export class BruteForce {
  private readonly colliders = new Map<PlacedShape, ReturnType<typeof createCollider>>();
  private readonly result = createDistanceResult();
  private readonly point = createCollider({ type: 'sphere', radius: 1e-9 });

  constructor(private readonly arm: SphereArm) {}

  /** `only`: links that obstacles are compared with. */
  gap(q: ArrayLike<number>, obstacles: readonly PlacedShape[], margin = 0): number {
    const { model, spheres, pairs } = this.arm;
    const data = createData(model);
    forwardKinematics(model, data, q);
    const placed = new Map<string, number[][]>();
    for (const { link, levels } of spheres.links) {
      const index = model.linkIndex.get(link) as number;
      const X = data.jointPlacements.subarray(12 * model.linkJoints[index], 12 * model.linkJoints[index] + 12);
      const F = model.framePlacements.subarray(12 * model.linkFrames[index], 12 * model.linkFrames[index] + 12);
      const level = levels[levels.length - 1];
      const list: number[][] = [];
      for (let i = 0; i < level.length; i += 4)
        list.push([...move(X, move(F, level.subarray(i, i + 3))), level[i + 3]]);
      placed.set(link, list);
    }
    let least = Infinity;
    for (const [a, b] of pairs)
      for (const p of placed.get(a) ?? [])
        for (const o of placed.get(b) ?? [])
          least = Math.min(least, Math.hypot(p[0] - o[0], p[1] - o[1], p[2] - o[2]) - p[3] - o[3] - margin);
    for (const obstacle of obstacles) {
      let collider = this.colliders.get(obstacle);
      if (!collider) {
        collider = createCollider(obstacle.shape);
        this.colliders.set(obstacle, collider);
      }
      for (const list of placed.values())
        for (const [x, y, z, r] of list) {
          const at = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
          distance(this.result, this.point, at, collider, obstacle.placement);
          least = Math.min(least, this.result.distance + 1e-9 - r - obstacle.margin);
        }
    }
    return least;
  }
}

function move(X: ArrayLike<number>, p: ArrayLike<number>): number[] {
  return [0, 1, 2].map((r) => X[3 * r] * p[0] + X[3 * r + 1] * p[1] + X[3 * r + 2] * p[2] + X[9 + r]);
}
