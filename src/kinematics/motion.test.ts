import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { multiplyTransformAt } from '../math/transform.js';
import { integrateConfiguration } from '../model/configuration.js';
import { createData } from '../model/model.js';
import { createRandomState, createRandomTree, multiply, relativeError } from '../model/random-tree.test-support.js';
import { computeFramePlacement, forwardKinematics } from './forward-kinematics.js';
import { computeFrameJacobian } from './frame-jacobian.js';
import { computeFrameJacobianRate } from './frame-jacobian-rate.js';
import { computeFrameAcceleration, computeFrameClassicalAcceleration, computeFrameVelocity } from './frame-motion.js';
import { computeMotion, computeVelocities } from './motion.js';
import { createMotionData } from './motion-data.js';

const cases = Array.from({ length: 40 }, (_, i) => {
  const model = createRandomTree(300 + i, { joints: 2 + (i % 12), mimic: i % 2 === 1 });
  return {
    model,
    data: createData(model),
    motion: createMotionData(model),
    ...createRandomState(model, createRandom(i)),
  };
});

describe('motion of joints and frames', () => {
  it('products of relative placements are forward kinematics', () => {
    for (const { model, data, motion, q, v } of cases) {
      computeVelocities(model, motion, q, v);
      forwardKinematics(model, data, q);
      const placements = Float64Array.from(data.jointPlacements);
      for (let j = 1; j < model.jointCount; j++) {
        multiplyTransformAt(placements, 12 * j, placements, 12 * model.parents[j], motion.relativePlacements, 12 * j);
      }
      expect(relativeError(placements, data.jointPlacements)).toBeLessThan(1e-13);
    }
  });

  it.each(['world', 'local', 'local-world-aligned'] as const)(
    '%s: velocity is J v, and J a + dJ v the spatial acceleration (the classical one at the frame in world axes)',
    (reference) => {
      for (const { model, data, motion, q, v, a } of cases) {
        forwardKinematics(model, data, q);
        computeMotion(model, motion, q, v, a);
        const J = new Float64Array(6 * model.nv);
        const dJ = new Float64Array(6 * model.nv);
        const six = new Float64Array(6);
        for (let frame = 0; frame < model.frameCount; frame++) {
          computeFrameJacobian(J, model, data, frame, reference);
          computeFrameJacobianRate(dJ, model, data, motion, frame, reference);
          const expected = multiply(J, v);
          computeFrameVelocity(six, model, data, motion, frame, reference);
          expect(relativeError(six, expected)).toBeLessThan(1e-12);
          const rate = multiply(dJ, v);
          const acceleration = multiply(J, a).map((x, i) => x + rate[i]);
          if (reference === 'local-world-aligned') {
            computeFrameClassicalAcceleration(six, model, data, motion, frame, reference);
          } else {
            computeFrameAcceleration(six, model, data, motion, frame, reference);
          }
          expect(relativeError(six, acceleration)).toBeLessThan(1e-12);
        }
      }
    },
  );

  it.each(['world', 'local', 'local-world-aligned'] as const)(
    '%s: dJ/dt is the difference quotient of J',
    (reference) => {
      const h = 1e-5;
      for (const { model, data, motion, q, v } of cases) {
        const frame = model.frameCount - 1;
        const at = (step: number): Float64Array => {
          forwardKinematics(
            model,
            data,
            integrateConfiguration(
              new Float64Array(model.nq),
              model,
              q,
              v.map((x) => step * x),
            ),
          );
          return computeFrameJacobian(new Float64Array(6 * model.nv), model, data, frame, reference);
        };
        const [ahead, behind] = [at(h), at(-h)];
        forwardKinematics(model, data, q);
        computeVelocities(model, motion, q, v);
        const dJ = computeFrameJacobianRate(new Float64Array(6 * model.nv), model, data, motion, frame, reference);
        expect(
          relativeError(
            dJ,
            ahead.map((x, i) => (x - behind[i]) / (2 * h)),
          ),
        ).toBeLessThan(1e-8);
      }
    },
  );

  it('the classical acceleration is the second difference of the frame origin', () => {
    const h = 1e-4;
    for (const { model, data, motion, q, v } of cases) {
      const frame = model.frameCount - 1;
      const still = new Float64Array(model.nv);
      // Along constant v the configuration moves on a one-parameter path whose acceleration is zero.
      const at = (step: number): Float64Array => {
        forwardKinematics(
          model,
          data,
          integrateConfiguration(
            new Float64Array(model.nq),
            model,
            q,
            v.map((x) => step * x),
          ),
        );
        return computeFramePlacement(new Float64Array(12), model, data, frame).slice(9);
      };
      const [ahead, here, behind] = [at(h), at(0), at(-h)];
      forwardKinematics(model, data, q);
      computeMotion(model, motion, q, v, still);
      const acceleration = new Float64Array(6);
      computeFrameClassicalAcceleration(acceleration, model, data, motion, frame, 'local-world-aligned');
      const expected = here.map((x, i) => (ahead[i] - 2 * x + behind[i]) / (h * h));
      expect(relativeError(acceleration.subarray(0, 3), expected)).toBeLessThan(1e-6);
    }
  });

  it('misuse is named', () => {
    const { model, data, motion, q, v } = cases[0];
    expect(() => computeVelocities(model, motion, q, [])).toThrow(
      `computeVelocities: v, got 0 numbers, expected ${model.nv}`,
    );
    const bad = Float64Array.from(v);
    bad[0] = Number.NaN;
    expect(() => computeMotion(model, motion, q, v, bad)).toThrow('computeMotion: a, got [NaN');
    const six = new Float64Array(6);
    expect(() => computeFrameVelocity(six, model, data, motion, -1, 'world')).toThrow('frame, got -1');
    expect(() => computeFrameJacobianRate(six, model, data, motion, 0, 'world')).toThrow('out, got 6 numbers');
  });
});
