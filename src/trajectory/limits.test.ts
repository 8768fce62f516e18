import { describe, expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { buildModel } from '../model/build-model.js';
import { coordinateName, createLimits } from './limits.js';

const { model } = buildModel(
  robot([
    joint('slide', 'prismatic', 'base', 'l1', { limits: { lower: 0, upper: 1, velocity: 0.5, effort: 20 } }),
    joint('follower', 'revolute', 'l1', 'l2', {
      limits: { lower: -1, upper: 1, velocity: 1, effort: 1 },
      mimic: { joint: 'slide', multiplier: -4, offset: 0 },
    }),
    joint('ball', 'spherical', 'l2', 'l3'),
  ]),
);

describe('createLimits', () => {
  it("takes the robot's own velocities, and no other limit, by default", () => {
    const { velocity, acceleration, jerk, torque } = createLimits(model);
    expect([...velocity]).toEqual([0.5, Infinity, Infinity, Infinity]);
    for (const values of [acceleration, jerk, torque]) expect(values.every((x) => x === Infinity)).toBe(true);
    expect([...createLimits(model, { torque: 'model' }).torque]).toEqual([20, Infinity, Infinity, Infinity]);
  });

  it('takes one number for all, or one each, and keeps its own copy', () => {
    const own = Float64Array.of(1, 2, 3, 4);
    const limits = createLimits(model, { acceleration: own, jerk: 7 });
    own[0] = 9;
    expect([...limits.acceleration]).toEqual([1, 2, 3, 4]);
    expect([...limits.jerk]).toEqual([7, 7, 7, 7]);
  });

  it('bounds a joint that mimics through its driver when asked', () => {
    expect(createLimits(model, { followers: true }).velocity[0]).toBe(0.25);
    expect(createLimits(model).velocity[0]).toBe(0.5);
  });

  it('names the coordinate whose limit is no limit', () => {
    expect(coordinateName(model, 0)).toBe('slide');
    expect(coordinateName(model, 2)).toBe('ball[1]');
    expect(() => createLimits(model, { acceleration: [1, 1, 0, 1] })).toThrow(
      'createLimits: acceleration of joint "ball[1]", got 0, expected a number above 0',
    );
    expect(() => createLimits(model, { jerk: -1 })).toThrow(/jerk of joint "slide", got -1/);
    expect(() => createLimits(model, { torque: [1] })).toThrow(/got an array of 1, expected nv = 4/);
  });
});
