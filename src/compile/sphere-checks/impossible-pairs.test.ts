import { describe, expect, it } from 'vitest';
import { joint, placement, robot } from '../../../test/models.js';
import type { SphereModel } from '../../geometry/sphere-model.js';
import { forwardKinematics } from '../../kinematics/forward-kinematics.js';
import { createRandom, type Random } from '../../math/random.js';
import { buildModel } from '../../model/build-model.js';
import { createData, type Model } from '../../model/model.js';
import { proveImpossiblePairs } from './impossible-pairs.js';
import type { ImpossiblePairs } from './impossible-proof.js';
import { verifyImpossiblePairs } from './verify-impossible.js';

interface Made {
  readonly model: Model;
  readonly spheres: SphereModel;
  readonly pairs: readonly (readonly [string, string])[];
}

/** A branching arm of `count` joints about oblique axes, one of them sliding, one following another, with three spheres per link. */
function makeArm(random: Random, count: number): Made {
  const u = () => random.uniform(-1, 1);
  const joints = Array.from({ length: count }, (_, i) => {
    const slides = i === 2;
    const parent = i === 0 ? 'l0' : `l${i > 3 && random.next() < 0.3 ? i - 1 : i}`;
    return joint(`j${i}`, slides ? 'prismatic' : 'revolute', parent, `l${i + 1}`, {
      origin: placement([0.1 * u(), 0.1 * u(), 0.25], [u(), u(), u()]),
      axis: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ][random.integer(3)] as [number, number, number],
      limits: slides ? { lower: -0.05, upper: 0.1 } : { lower: -1.2 - random.next(), upper: 0.4 + random.next() },
      ...(i === 3 ? { mimic: { joint: 'j1', multiplier: -0.5, offset: 0.2 } } : {}),
    });
  });
  const { model } = buildModel(robot(joints));
  const links = model.linkNames.map((link) => ({
    link,
    bound: Float64Array.of(0, 0, 0, 1),
    levels: [
      Float64Array.from(
        [0, 1, 2].flatMap(() => [0.08 * u(), 0.08 * u(), 0.1 + 0.1 * u(), 0.03 + 0.03 * random.next()]),
      ),
    ],
  }));
  const pairs: [string, string][] = [];
  for (let i = 0; i < links.length; i++)
    for (let k = i + 2; k < links.length; k++) pairs.push([links[i].link, links[k].link]);
  return { model, spheres: { links, proven: false, assumed: [] }, pairs };
}

const all = (model: Model): number[] => Array.from({ length: model.nq }, (_, i) => i);

function prove({ model, spheres, pairs }: Made, boxes = 4000): ImpossiblePairs {
  return proveImpossiblePairs(model, spheres, {
    pairs,
    indices: all(model),
    rest: new Float64Array(model.nq),
    boxes,
    samples: 300,
  });
}

describe('impossible pairs', () => {
  it('are never seen touching, and their proofs pass the verifier', () => {
    let proven = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed);
      const made = makeArm(random, 5);
      const { model, spheres } = made;
      const proof = prove(made);
      const verdict = verifyImpossiblePairs(model, spheres, proof);
      expect(verdict).toMatchObject({ isProven: true, reason: '' });
      proven += verdict.spherePairs;
      const data = createData(model);
      const q = new Float64Array(model.nq);
      for (let n = 0; n < 2000; n++) {
        // Ends of the limits often: that is where links come near.
        for (let i = 0; i < q.length; i++) {
          const t = random.next();
          q[i] = t < 0.2 ? model.lower[i] : t < 0.4 ? model.upper[i] : random.uniform(model.lower[i], model.upper[i]);
        }
        forwardKinematics(model, data, q);
        for (const { a, b, never } of proof.pairs) {
          for (let k = 0; k < never.length; k += 2) {
            const gap = gapOf(made, data.jointPlacements, [a, never[k]], [b, never[k + 1]]);
            if (!(gap > 0)) expect({ seed, a, b, gap }).toBe('apart');
          }
        }
      }
    }
    expect(proven).toBeGreaterThan(200);
  });

  it('are refused by the verifier once a proof is altered', () => {
    const made = makeArm(createRandom(11), 5);
    const { model, spheres } = made;
    const proof = prove(made);
    const random = createRandom(5);
    const withTree = proof.pairs.filter(({ never, splits }) => never.length > 0 && splits.length > 1);
    expect(withTree.length).toBeGreaterThan(1);
    let refused = 0;
    let tried = 0;
    for (let n = 0; n < 200; n++) {
      const pair = withTree[random.integer(withTree.length)];
      const splits = Int8Array.from(pair.splits);
      const at = random.integer(splits.length);
      // A box that needed halving is closed: its children are taken out.
      if (splits[at] < 0) continue;
      tried++;
      const end = endOfSubtree(splits, at);
      const cut = Int8Array.from([...splits.subarray(0, at), -1, ...splits.subarray(end)]);
      const altered = { ...proof, pairs: [{ ...pair, splits: cut }] };
      if (!verifyImpossiblePairs(model, spheres, altered).isProven) refused++;
    }
    expect(tried).toBeGreaterThan(50);
    expect(refused).toBe(tried);
    const [pair] = withTree;
    const faults: Partial<typeof pair>[] = [
      { splits: pair.splits.subarray(0, pair.splits.length - 1) },
      { splits: Int8Array.from([...pair.splits, -1]) },
      { splits: Int8Array.from([-1]) },
      { coordinates: pair.coordinates.slice(1) },
      { never: Int32Array.from([...pair.never, 99, 0]) },
      { a: 'nothing' },
    ];
    for (const fault of faults)
      expect(verifyImpossiblePairs(model, spheres, { ...proof, pairs: [{ ...pair, ...fault }] }).isProven).toBe(false);
  });

  it('of spheres that touch somewhere are never accepted', () => {
    let tried = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const made = makeArm(createRandom(seed), 5);
      const proof = prove(made);
      for (const pair of proof.pairs.filter(({ possible }) => possible > 0)) {
        tried++;
        const every = Int32Array.from([0, 1, 2].flatMap((i) => [0, 1, 2].flatMap((k) => [i, k])));
        const altered = { ...proof, pairs: [{ ...pair, never: every }] };
        expect(verifyImpossiblePairs(made.model, made.spheres, altered).isProven).toBe(false);
      }
    }
    expect(tried).toBeGreaterThan(5);
  });
});

function endOfSubtree(splits: Int8Array, at: number): number {
  let open = 1;
  let i = at;
  while (open > 0) open += splits[i++] < 0 ? -1 : 1;
  return i;
}

function gapOf(
  { model, spheres }: Made,
  placements: Float64Array,
  [a, i]: readonly [string, number],
  [b, k]: readonly [string, number],
): number {
  const place = (name: string, n: number): number[] => {
    const link = model.linkIndex.get(name) as number;
    const [x, y, z, r] = spheres.links[link].levels[0].subarray(4 * n, 4 * n + 4);
    const X = placements.subarray(12 * model.linkJoints[link], 12 * model.linkJoints[link] + 12);
    return [...[0, 1, 2].map((c) => X[3 * c] * x + X[3 * c + 1] * y + X[3 * c + 2] * z + X[9 + c]), r];
  };
  const p = place(a, i);
  const q = place(b, k);
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) - p[3] - q[3];
}
