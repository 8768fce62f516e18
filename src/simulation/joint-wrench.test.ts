import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { readJointWrench } from './joint-wrench.js';
import { createPendulum, GROUND, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

const wrench = new Float64Array(6);

describe('readJointWrench', () => {
  it('is the weight and its moment of an arm that is held', () => {
    const servo = { type: 'position', stiffness: 1e5, damping: 1e3 } as const;
    const simulation = start({
      robots: [
        {
          ...{ name: 'p', model: createPendulum(2), shapes: [], q: [Math.PI / 2, 0] },
          servos: ['hinge0', 'hinge1'].map((joint) => ({ joint, ...servo })),
        },
      ],
    });
    expect([...readJointWrench(wrench, simulation, 0, 'hinge0')]).toEqual([0, 0, 0, 0, 0, 0]);
    stepSimulation(simulation, 3000);
    const [robot] = simulation.robots;
    for (const [j, [force, moment]] of [
      [2 * 9.81, 2 * 9.81],
      [9.81, 9.81 / 2],
    ].entries()) {
      readJointWrench(wrench, simulation, 0, `hinge${j}`);
      // The rods lie along x (a turn of -90 deg of their z): the weight is along the frame's x.
      expect(Math.sqrt(wrench[0] ** 2 + wrench[2] ** 2)).toBeCloseTo(force, 6);
      expect(Math.abs(wrench[4])).toBeCloseTo(moment, 2);
      expect(wrench[4]).toBeCloseTo(robot.applied[j], 6);
      expect(Math.abs(wrench[1]) + Math.abs(wrench[3]) + Math.abs(wrench[5])).toBeLessThan(1e-9);
    }
  });

  it('of a pendulum at its lowest point: m g and what bends its way', () => {
    const simulation = start({
      robots: [{ name: 'p', model: createPendulum(1), shapes: [], q: [0], v: [3] }],
      step: 1e-4,
    });
    stepSimulation(simulation);
    readJointWrench(wrench, simulation, 0, 'hinge0');
    expect(wrench[2]).toBeCloseTo(9.81 + 0.5 * 9, 9);
  });

  it('along joints: what drives and friction did there, with contacts and joins', () => {
    let touched = 0;
    for (const seed of [3, 4, 5]) {
      const random = createRandom(seed);
      const model = createPendulum(4);
      const links = model.linkNames.slice(1);
      const simulation = start({
        statics: [GROUND],
        robots: [
          {
            ...{
              name: 'p',
              model,
              limits: false,
              friction: new Array(model.nv).fill(0),
              damping: new Array(model.nv).fill(0.5),
              pose: [0, 0, 1, 0, 0, 0, 1],
              q: [1, 1, -0.5, seed - 4],
            },
            shapes: links.map((link) => ({ link, shape: { type: 'sphere', radius: 0.1 } })),
            allowed: links.flatMap((a, i) => links.slice(i + 1).map((b) => [a, b] as const)),
          },
        ],
        ...(seed === 4 && { joins: [{ type: 'weld' as const, a: `p/${links[links.length - 1]}` }] }),
        step: 0.002,
      });
      const [robot] = simulation.robots;
      for (let i = 0; i < 400; i++) {
        for (let k = 0; k < model.nv; k++) robot.torques[k] = random.uniform(-5, 5);
        const { contacts, residual } = stepSimulation(simulation);
        if (contacts > 0) touched++;
        if (residual > 1e-7) continue;
        for (let j = 1; j < model.jointCount; j++) {
          if (model.nvs[j] !== 1) continue;
          readJointWrench(wrench, simulation, 0, model.jointNames[j]);
          const { columnStarts, columnSubspaces: S } = robot.data;
          let along = 0;
          for (let k = 0; k < 6; k++) along += S[6 * columnStarts[j] + k] * wrench[k];
          const k = model.idxV[j];
          const expected = robot.applied[k] - 0.5 * robot.v[k];
          expect(Math.abs(along - expected)).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
        }
      }
    }
    expect(touched).toBeGreaterThan(100);
  });

  it('refuses joints that are not there', () => {
    const simulation = start({ robots: [{ name: 'p', model: createPendulum(1), shapes: [] }] });
    expect(() => readJointWrench(wrench, simulation, 0, 'none')).toThrow(
      /joint, got "none", expected a joint of robot "p"/,
    );
  });
});
