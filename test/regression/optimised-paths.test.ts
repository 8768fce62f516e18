/** Optimised paths: limits that a path does not keep, numbers that no path can be made of. */
import { describe, expect, it } from 'vitest';
import { optimisePath, type PathOptimisationRequest } from '../../src/control/paths/optimise-path.js';
import { createTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { ModelDescription } from '../../src/model/description.js';
import { addRobot } from '../../src/scene/robot.js';
import { createScene } from '../../src/scene/scene.js';

const origin = createTransform();

function cartOf(limit: number): ModelDescription {
  return {
    name: 'cart',
    links: [{ name: 'base' }, { name: 'a' }, { name: 'b' }],
    joints: [
      {
        name: 'x',
        type: 'prismatic',
        parent: 'base',
        child: 'a',
        origin,
        axis: [1, 0, 0],
        limits: { lower: -limit, upper: limit },
      },
      {
        name: 'y',
        type: 'prismatic',
        parent: 'a',
        child: 'b',
        origin,
        axis: [0, 1, 0],
        limits: { lower: -limit, upper: limit },
      },
    ],
  };
}

function optimise(request: PathOptimisationRequest, limit = 3) {
  const scene = createScene();
  const { model } = buildModel(cartOf(limit));
  const collisions = [{ link: 'b', origin, shape: { type: 'sphere' as const, radius: 0.1 } }];
  const robot = addRobot(scene, {
    model,
    description: { name: 'cart', model: cartOf(limit), collisions, visuals: [] },
  });
  return optimisePath(scene, robot, request);
}

describe('limits of velocity and acceleration', () => {
  const far = { start: [0, 0], goal: [1, 0], seeds: 2, maxIterations: 20 };

  it('that no path of these waypoints keeps are not answered by one that is solved', () => {
    for (const limits of [
      { step: 0.1, velocity: 1e-9 },
      { step: 0.1, velocity: 5, acceleration: 1e-3 },
    ]) {
      const { status, certified, certificate, reason, place } = optimise({ ...far, limits });
      expect(status).toBe('not-certified');
      expect(certified).toBe(false);
      expect(certificate).toBeNull();
      expect(reason).toMatch(/^not certified: joint "x" has an? (velocity|acceleration) of /);
      expect(place?.reason).toBe(reason.slice('not certified: '.length));
    }
  });

  it('that a path keeps are', () => {
    expect(optimise({ ...far, maxIterations: 100, limits: { step: 1, velocity: 1, acceleration: 1 } }).status).toBe(
      'solved',
    );
  });

  it('are refused of CHOMP, which does not look at them', () => {
    expect(() => optimise({ ...far, method: 'chomp', limits: { step: 0.1, velocity: 1 } })).toThrow(/limits, got/);
  });
});

it('a thousand million segments are refused before memory is', () => {
  expect(() => optimise({ start: [0, 0], goal: [1, 0], segments: 1e9 })).toThrow(/segments, got 1000000000/);
});

it.each([1e16, 1e300, Number.MAX_VALUE])('limits of %f are no limits to draw between', (limit) => {
  const { status, path } = optimise({ start: [0, 0], goal: [1, 1], seeds: 4, all: true, maxIterations: 5 }, limit);
  expect(status).toBe('solved');
  for (const q of path) for (const x of q) expect(Math.abs(x)).toBeLessThan(10);
});

it('a goal that is no place is a bad goal', () => {
  expect(optimise({ start: [0, 0], goal: [1e200, 0] }, 1e300)).toMatchObject({ status: 'invalid-goal' });
});

it('looks too dense or a goal too far to look at every step end', () => {
  expect(optimise({ start: [0, 0], goal: [1, 0], resolution: 1e-9, seeds: 1, maxIterations: 2 }).status).toBe('solved');
  expect(optimise({ start: [0, 0], goal: [1e9, 0], seeds: 1, maxIterations: 2 }, 1e12).path.length).toBe(17);
});
