import { afterAll, describe, expect, it } from 'vitest';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { useInlinedKernel } from '../kernel/kernel.js';
import { createRandomTree } from '../model/random-tree.test-support.js';
import type { RobotOptions, WorldOptions } from './definition.js';
import { useKernelForRobots } from './robot-factors.js';
import { GROUND, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

interface Fall {
  readonly seed: number;
  readonly joints: number;
  readonly touchesItself: boolean;
  readonly cone: 'elliptic' | 'pyramidal';
  readonly seconds: number;
  /** A joint that mimics, a loop of links joined at a point, or a second robot. */
  readonly more?: 'mimic' | 'loop' | 'second';
}

/** Trees of balls that fall on the ground: contacts open, stick and slide, joints rub and reach limits. */
function createFall({ seed, joints, touchesItself, cone, more }: Fall): WorldOptions {
  const model = createRandomTree(seed, { joints, base: 'floating', mimic: more === 'mimic' });
  const links = model.linkNames.slice(1);
  const robot: RobotOptions = {
    name: 'tree',
    model,
    pose: [0, 0, 0.7, 0, 0, 0, 1],
    shapes: links.map((link) => ({ link, shape: { type: 'sphere' as const, radius: 0.1 } })),
    friction: new Float64Array(model.nv).map((_, k) => (k % 3 === 0 ? 0.05 : 0)),
    ...(!touchesItself && { allowed: links.flatMap((a, i) => links.slice(i + 1).map((b) => [a, b] as const)) }),
  };
  const second = { ...robot, name: 'other', pose: [3, 0, 0.9, 0, 0, 0, 1] as const };
  return {
    statics: [GROUND],
    robots: more === 'second' ? [robot, second] : [robot],
    joins: more === 'loop' ? [{ type: 'point', a: `tree/${links[2]}`, b: `tree/${links[links.length - 1]}` }] : [],
    step: 0.002,
    cone,
  };
}

/** States of every fiftieth step, and what was reported. */
function record(fall: Fall): { readonly states: number[][]; readonly iterations: number; readonly limits: number } {
  const simulation = start(createFall(fall));
  const states: number[][] = [];
  let [iterations, limits] = [0, 0];
  for (let i = 0; i < fall.seconds / 0.002; i++) {
    const report = stepSimulation(simulation);
    iterations += report.iterations;
    if (report.status === 'limit') limits++;
    if (i % 50 === 49) states.push([...simulation.state, ...simulation.contacts.impulses, report.residual]);
  }
  return { states, iterations, limits };
}

describe.each(['release', 'checked'])('contacts of a robot in the kernel (%s)', (build) => {
  afterAll(() => {
    useInlinedKernel();
    useKernelForRobots('late');
  });

  it.each([
    { seed: 1, joints: 8, touchesItself: false, cone: 'elliptic', seconds: 0.6 },
    { seed: 2, joints: 8, touchesItself: false, cone: 'pyramidal', seconds: 0.6 },
    { seed: 4, joints: 8, touchesItself: true, cone: 'elliptic', seconds: 0.8 },
    { seed: 6, joints: 30, touchesItself: false, cone: 'elliptic', seconds: 0.5 },
    { seed: 1, joints: 8, touchesItself: false, cone: 'elliptic', seconds: 0.6, more: 'mimic' },
    { seed: 2, joints: 8, touchesItself: false, cone: 'elliptic', seconds: 0.6, more: 'loop' },
    { seed: 8, joints: 8, touchesItself: false, cone: 'elliptic', seconds: 0.6, more: 'second' },
    { seed: 7, joints: 24, touchesItself: true, cone: 'pyramidal', seconds: 0.4 },
  ] as const)(
    'are solved to the bits of JavaScript: $joints joints, $cone, with itself: $touchesItself, $more',
    (fall) => {
      if (build === 'checked') useCheckedKernel();
      else useInlinedKernel();
      useKernelForRobots('never');
      const plain = record(fall);
      useKernelForRobots('always');
      const own = record(fall);
      expect(own).toEqual(plain);
      // Some steps need more than one round, with sweeps.
      expect(own.iterations).toBeGreaterThan(fall.joints > 8 ? 600 : 100);
    },
  );
});
