/** Worlds of floors for tests: an arm of three joints on a base that carries a ball from one place to another, and porters that cross. */
import type { RobotDescription } from '../scene/description.js';
import type { FloorDescription } from '../scene/floor-description.js';
import type { FloorParts } from './floor-setup.js';

const at = (x: number, y: number, z: number) => Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z]);

/** Turns, bends, reaches; a ball at its tip. */
export function createArmParts(): FloorParts {
  const joint = (
    name: string,
    type: 'revolute' | 'prismatic',
    parent: string,
    child: string,
    origin: Float64Array,
    axis: readonly [number, number, number],
    [lower, upper]: readonly [number, number],
  ) => ({ name, type, parent, child, origin, axis, limits: { lower, upper, velocity: 1 } });
  const description: RobotDescription = {
    name: 'arm',
    model: {
      name: 'arm',
      links: ['foot', 'upper', 'fore', 'tip'].map((name) => ({ name })),
      joints: [
        joint('turn', 'revolute', 'foot', 'upper', at(0, 0, 0.6), [0, 0, 1], [-3, 3]),
        joint('bend', 'revolute', 'upper', 'fore', at(0.4, 0, 0), [0, 1, 0], [-2, 2]),
        joint('reach', 'prismatic', 'fore', 'tip', at(0.3, 0, 0), [1, 0, 0], [0, 0.3]),
      ],
    },
    collisions: [
      { link: 'upper', origin: at(0.2, 0, 0), shape: { type: 'box', size: [0.4, 0.06, 0.06] } },
      { link: 'tip', origin: at(0, 0, 0), shape: { type: 'sphere', radius: 0.03 } },
    ],
    visuals: [],
  };
  return { meshes: new Map(), arms: new Map([['arm', { description, meshes: new Map() }]]) };
}

export function createFloor(): FloorDescription {
  return {
    version: 1,
    objects: [
      { name: 'ball', shape: { type: 'sphere', radius: 0.05 }, pose: [2.8, 0, 0.5, 0, 0, 0, 1] },
      { name: 'post', shape: { type: 'box', size: [0.2, 0.2, 0.4] }, pose: [2.8, 0, 0.2, 0, 0, 0, 1] },
    ],
    floor: {
      arms: { arm: { file: 'arm.urdf', gripper: 'tip' } },
      loads: ['ball'],
      robots: [
        {
          name: 'carrier',
          base: 'omni',
          shape: { type: 'disc', radius: 0.2, height: 0.3 },
          pose: [0, 0, 0],
          arm: 'arm',
          q: [0, -1, 0],
          jointRate: 0.5,
          actions: [
            { type: 'move', to: [2, 0] },
            { type: 'joints', values: [0, -0.5, 0] },
            { type: 'pose', target: [2.8, 0, 0.61] },
            { type: 'pick', object: 'ball', within: 0.2 },
            { type: 'joints', values: [0, -0.6, 0] },
            { type: 'move', to: [0, 2] },
            { type: 'drop' },
            { type: 'charge', seconds: 1 },
          ],
        },
        {
          name: 'porter',
          base: 'omni',
          shape: { type: 'disc', radius: 0.2 },
          avoids: true,
          count: 4,
          at: { grid: { columns: 4, spacing: 1, origin: [-8, -3] } },
          goals: [
            [-5, -6],
            [-6, -6],
            [-7, -6],
            [-8, -6],
          ],
        },
        {
          name: 'guard',
          base: 'differential',
          shape: { type: 'box', size: [0.4, 0.3, 0.2] },
          count: 1,
          at: { random: { bounds: [10, 10, 14, 14], apart: 2 } },
          actions: [
            { type: 'path', points: [[20, 10]] },
            { type: 'wait', seconds: 0.5 },
          ],
        },
      ],
      step: 0.02,
      seed: 4,
    },
  };
}
