import { describe, expect, it } from 'vitest';
import { createDynamicsData } from '../../src/dynamics/dynamics-data.js';
import { rnea } from '../../src/dynamics/rnea.js';
import { buildModel } from '../../src/model/build-model.js';
import { inertial, joint, placement, robot } from '../models.js';

const QUARTER = Math.PI / 2;

function inertiaOf(description: Parameters<typeof buildModel>[0]): number[] {
  const { model } = buildModel(description);
  return [...model.inertias.slice(9, 18)].map((value) => Math.round(value * 1e12) / 1e12 + 0);
}

describe('inertia', () => {
  it('U122: the rotation of the inertial frame counts', () => {
    const body = { name: 'body', inertial: inertial(1, [1, 2, 2.5], [0, 0, 0], [0, 0, QUARTER]) };
    expect(inertiaOf(robot([joint('j', 'revolute', 'base', 'body')], ['base', body]))).toEqual([
      2, 0, 0, 0, 1, 0, 0, 0, 2.5,
    ]);
  });

  it('U122: 2 N m turn that body about x with 1 rad/s^2', () => {
    const body = { name: 'body', inertial: inertial(1, [1, 2, 2.5], [0, 0, 0], [0, 0, QUARTER]) };
    const { model } = buildModel(robot([joint('j', 'revolute', 'base', 'body', { axis: [1, 0, 0] })], ['base', body]));
    expect(rnea(model, createDynamicsData(model), [0.4], [0], [1])[0]).toBeCloseTo(2, 14);
  });

  it('U124: a fixed child turned by a quarter adds its inertia in the parent axes', () => {
    const child = { name: 'child', inertial: inertial(1, [1, 2, 3]) };
    const description = robot(
      [
        joint('j', 'revolute', 'base', 'body'),
        joint('fix', 'fixed', 'body', 'child', { origin: placement([0, 0, 0], [0, 0, QUARTER]) }),
      ],
      ['base', 'body', child],
    );
    expect(inertiaOf(description)).toEqual([2, 0, 0, 0, 1, 0, 0, 0, 3]);
  });
});
