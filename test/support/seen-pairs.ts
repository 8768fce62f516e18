/** Pairs of spheres that touch at random configurations, by kinematics and distances in double precision alone. */
import type { SphereModel } from '../../src/geometry/sphere-model.js';
import { forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createRandom } from '../../src/math/random.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import { createData, type Model } from '../../src/model/model.js';

interface PlacedSpheres {
  readonly joint: number;
  readonly local: Float64Array;
  readonly world: Float64Array;
  /** Ball around them: x, y, z, radius, in the joint's frame; its centre in W. */
  readonly bound: Float64Array;
  readonly center: Float64Array;
}

export interface SeenPairs {
  /** Per pair of links, 1 where sphere i of the first touched sphere k of the second, at i times the number of the second's + k. */
  readonly seen: readonly Uint8Array[];
  readonly samples: number;
}

function place(model: Model, { link, levels }: SphereModel['links'][number]): PlacedSpheres {
  const index = model.linkIndex.get(link) as number;
  const F = model.framePlacements.subarray(12 * model.linkFrames[index], 12 * model.linkFrames[index] + 12);
  const level = levels[levels.length - 1];
  const local = level.slice();
  for (let i = 0; i < level.length; i += 4) move(local, i, F, level, i);
  const bound = new Float64Array(4);
  for (let i = 0; i < local.length; i += 4) for (let k = 0; k < 3; k++) bound[k] += (4 * local[i + k]) / local.length;
  for (let i = 0; i < local.length; i += 4) {
    const d = Math.hypot(local[i] - bound[0], local[i + 1] - bound[1], local[i + 2] - bound[2]);
    bound[3] = Math.max(bound[3], d + local[i + 3]);
  }
  return { joint: model.linkJoints[index], local, world: local.slice(), bound, center: new Float64Array(3) };
}

function move(out: Float64Array, at: number, X: Float64Array, p: Float64Array, from: number): void {
  const [x, y, z] = [p[from], p[from + 1], p[from + 2]];
  for (let r = 0; r < 3; r++) out[at + r] = X[3 * r] * x + X[3 * r + 1] * y + X[3 * r + 2] * z + X[9 + r];
}

/** `pairs`: links by name; those without spheres are seen never to touch. */
export function seeTouchingPairs(
  model: Model,
  spheres: SphereModel,
  pairs: readonly (readonly [string, string])[],
  samples: number,
): SeenPairs {
  const placed = new Map(spheres.links.map((link) => [link.link, place(model, link)]));
  const rows = pairs.map(([a, b]) => {
    const [A, B] = [placed.get(a), placed.get(b)];
    return { A, B, seen: new Uint8Array(A && B ? (A.local.length * B.local.length) / 16 : 0) };
  });
  const data = createData(model);
  const q = new Float64Array(model.nq);
  const random = createRandom(11);
  for (let n = 0; n < samples; n++) {
    randomConfiguration(q, model, random);
    forwardKinematics(model, data, q);
    for (const { joint, local, world, bound, center } of placed.values()) {
      const X = data.jointPlacements.subarray(12 * joint, 12 * joint + 12);
      for (let i = 0; i < local.length; i += 4) move(world, i, X, local, i);
      move(center, 0, X, bound, 0);
    }
    for (const { A, B, seen } of rows) if (A && B) look(A, B, seen);
  }
  return { seen: rows.map(({ seen }) => seen), samples };
}

function look(A: PlacedSpheres, B: PlacedSpheres, seen: Uint8Array): void {
  const [x, y, z] = [0, 1, 2].map((k) => A.center[k] - B.center[k]);
  const far = A.bound[3] + B.bound[3];
  if (x * x + y * y + z * z > far * far) return;
  const [p, o] = [A.world, B.world];
  const count = o.length / 4;
  for (let i = 0; i < p.length; i += 4)
    for (let k = 0; k < o.length; k += 4) {
      const at = (i / 4) * count + k / 4;
      if (seen[at] === 1) continue;
      const reach = p[i + 3] + o[k + 3];
      const d = (p[i] - o[k]) ** 2 + (p[i + 1] - o[k + 1]) ** 2 + (p[i + 2] - o[k + 2]) ** 2;
      if (d <= reach * reach) seen[at] = 1;
    }
}
