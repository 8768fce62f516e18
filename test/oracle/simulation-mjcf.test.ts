/** Worlds that `writeWorldMjcf` writes, run by MuJoCo: everything is where it is here, and moves as it does here. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeWorldMjcf } from '../../src/io.js';
import { createTransform } from '../../src/math.js';
import { buildModel } from '../../src/model.js';
import { loadWorld } from '../../src/node.js';
import {
  createSimulation,
  createWorld,
  type Simulation,
  stepSimulation,
  toWorldOptions,
} from '../../src/simulation.js';

const mujoco = await import('@mujoco/mujoco').then(
  (module) => module,
  () => null,
);

async function run(simulation: Simulation) {
  const m = await mujoco!.default();
  const { value, issues } = writeWorldMjcf(simulation);
  const model = m.MjModel.from_xml_string(value);
  const data = new m.MjData(model);
  m.mj_resetDataKeyframe(model, data, 0);
  m.mj_forward(model, data);
  return {
    issues,
    step: (count: number) => {
      for (let i = 0; i < count; i++) m.mj_step(model, data);
    },
    /** Largest distance of a shape from where it is here. */
    distance: () => {
      let largest = 0;
      for (const [g, { collider }] of simulation.world.geometries.entries()) {
        if (collider.shape.type === 'halfspace') continue;
        const id = m.mj_name2id(model, m.mjtObj.mjOBJ_GEOM.value, `g${g}`);
        expect(id).toBeGreaterThanOrEqual(0);
        for (let k = 0; k < 3; k++)
          largest = Math.max(
            largest,
            Math.abs(data.geom_xpos[3 * id + k] - simulation.places.placements[12 * g + 9 + k]),
          );
      }
      return largest;
    },
    end: () => {
      data.delete();
      model.delete();
    },
  };
}

describe.skipIf(mujoco === null)('worlds in MuJoCo', () => {
  it.each([
    ['stack', 0.01],
    ['pendulum', 0.005],
    ['humanoid', 0.005],
    ['push', Infinity],
    ['lift', Infinity],
  ])('%s', { timeout: 600_000 }, async (name, within) => {
    const file = join(import.meta.dirname, '../../examples/worlds', `${name}.json`);
    const { value } = await loadWorld(file);
    const simulation = createSimulation(createWorld(toWorldOptions(value!.description, value!).options));
    const other = await run(simulation);
    expect(other.distance()).toBeLessThan(1e-9);
    const steps = Math.round(2 / simulation.world.step.step);
    other.step(steps);
    stepSimulation(simulation, steps);
    expect(other.distance()).toBeLessThan(within);
    // Where they go elsewhere, it is said why.
    const isHeld = other.issues.some(({ code }) => code === 'drive-held');
    expect(isHeld).toBe(within === Infinity);
    other.end();
  });

  it('drives, limits of drives, damping, rotor inertia, springs and joins do there what they do here', async () => {
    const origin = createTransform();
    const next = createTransform();
    next[11] = -0.5;
    const middle = createTransform();
    middle[11] = -0.25;
    const inertial = { mass: 1, origin: middle, inertia: [0.02, 0, 0, 0.02, 0, 0.002] as const };
    const joint = { type: 'revolute' as const, axis: [0, 1, 0] as const, limits: { lower: -2, upper: 2, effort: 3 } };
    const { model } = buildModel({
      name: 'arm',
      links: [{ name: 'base' }, { name: 'upper', inertial }, { name: 'lower', inertial }, { name: 'hand', inertial }],
      joints: [
        { ...joint, name: 'shoulder', parent: 'base', child: 'upper', origin },
        { ...joint, name: 'elbow', parent: 'upper', child: 'lower', origin: next },
        { ...joint, name: 'wrist', parent: 'lower', child: 'hand', origin: next },
      ],
    });
    const ball = { type: 'sphere', radius: 0.05 } as const;
    const simulation = createSimulation(
      createWorld({
        step: 1e-4,
        bodies: [
          { name: 'load', shapes: [{ shape: ball }], pose: [0.4, 0.6, -0.8, 0, 0, 0, 1], mass: 0.5 },
          { name: 'bob', shapes: [{ shape: ball }], pose: [2, 0, 0, 0, 0, 0, 1], mass: 0.5 },
        ],
        robots: [
          {
            name: 'arm',
            model,
            shapes: model.linkNames.map((link) => ({ link, shape: ball })),
            pose: [0.3, 0.2, 0.1, 0, 0, Math.sqrt(0.5), Math.sqrt(0.5)],
            q: [0.3, 0.4, -0.2],
            v: [0.5, 0, 0],
            damping: [0.2, 0.1, 0],
            armature: [0.05, 0, 0],
            allowed: [
              ['upper', 'hand'],
              ['base', 'lower'],
              ['base', 'hand'],
            ],
            servos: [
              { joint: 'shoulder', type: 'position', stiffness: 60, damping: 2, limit: 5, target: 1 },
              { joint: 'elbow', type: 'velocity', damping: 2, target: 0.7 },
              { joint: 'wrist', type: 'torque', target: 0.1 },
            ],
          },
        ],
        joins: [
          {
            type: 'spring',
            a: 'load',
            b: 'arm/lower',
            stiffness: 40,
            damping: 0.5,
            length: 0.3,
            poseB: [0, 0, -0.1, 0, 0, 0, 1],
          },
          { type: 'point', a: 'bob', poseA: [-0.4, 0, 0, 0, 0, 0, 1] },
        ],
      }),
    );
    const other = await run(simulation);
    expect(other.distance()).toBeLessThan(1e-12);
    other.step(1000);
    stepSimulation(simulation, 1000);
    // Both are of first order in the step.
    expect(other.distance()).toBeLessThan(5e-4);
    other.end();
  });
});
