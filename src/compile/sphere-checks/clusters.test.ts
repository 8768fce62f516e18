import { describe, expect, it } from 'vitest';
import { makeArm, randomState, scatter } from '../../../test/support/sphere-arms.js';
import { PARTS, SOLIDS } from '../../../test/support/sphere-obstacles.js';
import { forwardKinematics } from '../../kinematics/forward-kinematics.js';
import { createRandom } from '../../math/random.js';
import { createData } from '../../model/model.js';
import { clusterLinks, clusterPairs } from './clusters.js';
import { compileSphereChecks } from './compile-sphere-checks.js';
import { AddressSpace, layOutTrace } from './layout.js';
import { planPairs } from './pair-plan.js';
import { createSphereRobot } from './sphere-robot.js';
import { createSphereChecks } from './tabulated-sphere-checks.js';

/** An arm of four links that holds a hand of five, whose finger stands still. */
function makeHeld(seed: number) {
  const random = createRandom(seed);
  const arm = makeArm(random, 4, 5);
  const { model, pairs } = arm;
  const rest = randomState(model, random);
  const indices = Array.from({ length: model.nq - 1 }, (_, i) => i);
  // The hand's links never move against each other, nor far from the arm's last ones.
  const compared = pairs.filter(([a, b]) => !(['l3', 'l4'].includes(a) || a.startsWith('h')) || !b.startsWith('h'));
  return { ...arm, random, rest, indices, pairs: compared };
}

function readHeld(seed: number) {
  const { model, spheres, pairs, indices, rest, random } = makeHeld(seed);
  const robot = createSphereRobot('test', model, layOutTrace(new AddressSpace(), model), {
    ...{ spheres, pairs, indices, rest, carried: [] },
  });
  return { robot, model, rest, indices, random };
}

describe('clusters', () => {
  it('are the links that move together, those on a joint that stands still among them', () => {
    const { robot } = readHeld(1);
    const [hand, ...others] = clusterLinks(robot);
    expect(others).toEqual([]);
    expect(hand.links.map((k) => robot.links[k].name)).toEqual(['l4', 'h0', 'h1', 'h2', 'h3', 'h4']);
    // No longer when the finger slides.
    const { model, spheres, pairs } = makeHeld(1);
    const indices = Array.from({ length: model.nq }, (_, i) => i);
    const free = createSphereRobot('test', model, layOutTrace(new AddressSpace(), model), {
      ...{ spheres, pairs, indices, rest: new Float64Array(model.nq), carried: [] },
    });
    expect(clusterLinks(free).map(({ links }) => links.map((k) => free.links[k].name))).toEqual([
      ['l4', 'h2', 'h3', 'h4'],
    ]);
  });

  it('have balls that hold their spheres wherever the robot is', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const { robot, model, rest, random } = readHeld(seed);
      const data = createData(model);
      const plans = planPairs(robot, undefined);
      const pairClusters = clusterPairs(robot, plans);
      const listed = pairClusters.flatMap((cluster) => cluster.plans);
      expect([...listed].sort((a, b) => a - b)).toEqual(plans.map((_, p) => p));
      expect(pairClusters.some(({ balls }) => balls !== null)).toBe(true);
      const held = [
        ...clusterLinks(robot).flatMap(({ links, ball }) => links.map((k) => ({ k, ball }))),
        ...pairClusters.flatMap(({ plans: own, balls }) =>
          own.flatMap((p) =>
            [plans[p].first, plans[p].second].flatMap((k) =>
              (balls ?? []).filter(({ anchor }) => anchor === robot.links[k].anchor).map((ball) => ({ k, ball })),
            ),
          ),
        ),
      ];
      for (let n = 0; n < 20; n++) {
        const q = randomState(model, random);
        q[model.nq - 1] = rest[model.nq - 1];
        forwardKinematics(model, data, q);
        for (const { k, ball } of held) {
          const centre = move(
            data.jointPlacements.subarray(12 * ball.anchor),
            untrace(robot, ball.anchor, ball.centre),
          );
          const { joint, inJoint } = robot.links[k];
          for (let i = 0; i < inJoint.length; i += 4) {
            const p = move(data.jointPlacements.subarray(12 * joint), inJoint.subarray(i, i + 3));
            const away = Math.hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]);
            expect(away + inJoint[i + 3]).toBeLessThan(ball.size);
          }
        }
      }
    }
  });

  it('change no verdict', () => {
    const shapes = [...Object.values(PARTS), ...Object.values(SOLIDS)];
    const counts = { free: 0, touching: 0, proven: 0 };
    for (let seed = 1; seed <= 8; seed++) {
      const { model, spheres, pairs, indices, rest, random } = makeHeld(seed);
      const options = { pairs, indices, rest, margin: seed % 2 === 0 ? 0.02 : 0, environmentBytes: 2 ** 22 };
      const tiers = [compileSphereChecks(model, spheres, options), createSphereChecks(model, spheres, options)];
      const state = () => randomState(model, random).subarray(0, indices.length);
      for (let scene = 0; scene < 5; scene++) {
        const plain = [
          ...([
            { type: 'box', size: [0.2, 0.3, 0.2] },
            { type: 'sphere', radius: 0.1 },
          ] as const),
          ...([
            { type: 'capsule', radius: 0.05, length: 0.3 },
            { type: 'ellipsoid', semiAxes: [0.1, 0.2, 0.1] },
          ] as const),
        ];
        const obstacles = Array.from({ length: 3 * scene }, () => scatter(random, [...plain, ...shapes], 1));
        for (const checks of tiers) checks.setEnvironment(obstacles);
        for (let n = 0; n < 40; n++) {
          const [a, b] = [state(), state()];
          const near = a.map((x, i) => x + 0.1 * (b[i] - x));
          const [first, second] = tiers.map((checks) => [
            ...[checks.isFree(a), checks.isMotionFree(a, near, 0.01)],
            checks.certifyMotion(a, near, { locate: false, record: true }),
          ]);
          expect(second).toEqual(first);
          counts[first[0] ? 'free' : 'touching']++;
          if (typeof first[2] === 'object' && first[2].status === 'free') counts.proven++;
        }
      }
    }
    expect(Math.min(counts.free, counts.touching, counts.proven)).toBeGreaterThan(20);
  });
});

function move(X: Float64Array, p: ArrayLike<number>): number[] {
  return [0, 1, 2].map((r) => X[3 * r] * p[0] + X[3 * r + 1] * p[1] + X[3 * r + 2] * p[2] + X[9 + r]);
}

/** From the traced frame of a joint to its own. */
function untrace(robot: ReturnType<typeof readHeld>['robot'], joint: number, p: Float64Array): number[] {
  const R = robot.mechanism.joints[joint].toModel;
  return R === null ? [...p] : [0, 1, 2].map((c) => R[c] * p[0] + R[3 + c] * p[1] + R[6 + c] * p[2]);
}
