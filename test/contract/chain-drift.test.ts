/**
 * Rounding over many updates: after 10^6 turns (ORACLE_FULL; 5,000 otherwise), each onto what the joint had, every link is
 * within 1e-12 per link before it of where the sums of the turns put it, and every cached transform is a rotation still.
 *
 * Turns are multiples of 2^-30, so that their sums are exact; positions count relative to the length of the chain so far.
 * CLEARANCE_REPORT prints the worst errors.
 */
import { describe, expect, it } from 'vitest';
import { ChainTree } from '../../src/chain/chain-tree.js';
import { chainRepresentations } from '../../src/chain/representations.js';
import { createRandom } from '../../src/math/random.js';
import { expSo3 } from '../../src/math/so3.js';
import { createTransform, multiplyTransform, setIdentityTransform } from '../../src/math/transform.js';
import { createChain, randomPose } from './random-chains.js';

const updates = process.env.ORACLE_FULL ? 1_000_000 : 5_000;
const unit = 2 ** -30;
/** Milliseconds, for what hangs. */
const limit = process.env.ORACLE_FULL ? 7_200_000 : 600_000;

/** Spheres one apart that turn about any axis. */
function createTurningChain(linkCount: number) {
  const random = createRandom(linkCount);
  const axes = Array.from({ length: linkCount - 1 }, (): [number, number, number] => {
    const [x, y, z] = randomPose(random, 1);
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  });
  const chain = createChain({
    links: Array.from({ length: linkCount }, () => ({ shape: { type: 'sphere', radius: 0.1 } as const })),
    joints: axes.map((axis) => ({
      type: 'revolute',
      origin: [1, 0, 0, ...randomPose(random, 1).slice(3)] as never,
      axis,
    })),
  });
  return chain;
}

/** Explicit representations place every link anew at each update: they get short chains. */
const cases = Object.keys(chainRepresentations).flatMap((name) =>
  (name.startsWith('ChainTree') ? [8, 1000] : [8]).map((linkCount): [string, number] => [name, linkCount]),
);

describe(
  'drift',
  () => {
    it.each(cases)(`of %s with %i links after ${updates} updates`, (name, linkCount) => {
      const chain = createTurningChain(linkCount);
      const state = chainRepresentations[name](chain);
      const random = createRandom(7);
      const turns = new Float64Array(linkCount - 1);
      for (let i = 0; i < updates; i++) {
        const joint = random.integer(linkCount - 1);
        const turn = (random.integer(2 ** 31) - 2 ** 30) * unit * 3;
        state.stageTurn(joint, turn);
        state.apply();
        if (random.next() < 0.25) state.undo();
        else turns[joint] += turn;
      }
      const poses = state.writeLinkPoses(new Float64Array(12 * linkCount));
      const [expected, X, motion, relative] = [0, 1, 2, 3].map(createTransform);
      setIdentityTransform(expected);
      let worst = 0;
      for (let i = 1; i < linkCount; i++) {
        setIdentityTransform(motion);
        expSo3(
          motion,
          Array.from(chain.axes.subarray(3 * i - 3, 3 * i), (x) => x * turns[i - 1]),
        );
        for (let k = 0; k < 12; k++) X[k] = chain.origins[12 * (i - 1) + k];
        multiplyTransform(expected, expected, multiplyTransform(X, X, motion));
        // The hierarchy's own shortcut to the link, and the product of the joints.
        state.relativePose(relative, 0, i);
        for (let k = 0; k < 12; k++) {
          const scale = i * (k < 9 ? 1 : i);
          worst = Math.max(
            worst,
            Math.abs(relative[k] - expected[k]) / scale,
            Math.abs(poses[12 * i + k] - expected[k]) / scale,
          );
        }
      }
      if (process.env.CLEARANCE_REPORT)
        console.log(`${name}, ${linkCount} links, ${updates} updates: ${worst} per link`);
      expect(worst).toBeLessThan(1e-12);
      // Rotations within 1e-12 of orthonormal, shortcuts within 1e-11 of their joints, volumes around their links.
      if (state instanceof ChainTree) state.validate();
    });
  },
  limit,
);
