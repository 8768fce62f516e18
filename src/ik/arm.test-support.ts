/** A seven-joint arm with a tool frame for tests, in the proportions of the bundled example arm. */
import { joint, placement, robot } from '../../test/models.js';
import { buildModel } from '../model/build-model.js';
import { findFrame, type Model } from '../model/model.js';

const AXES = [
  [0, 0, 1],
  [0, 1, 0],
  [0, 0, 1],
  [0, -1, 0],
  [0, 0, 1],
  [0, 1, 0],
  [0, 0, 1],
] as const;
const LIFTS = [0.34, 0, 0.4, 0, 0.4, 0, 0.126];

export function createSevenJointArm(): { model: Model; tool: number; elbow: number } {
  const limits = { lower: -2.9, upper: 2.9, velocity: 1.7 };
  const { model } = buildModel(
    robot([
      ...AXES.map((axis, i) =>
        joint(`j${i}`, 'revolute', `l${i}`, `l${i + 1}`, { axis, limits, origin: placement([0, 0, LIFTS[i]]) }),
      ),
      joint('tool', 'fixed', 'l7', 'tool', { origin: placement([0, 0, 0.1]) }),
    ]),
  );
  return { model, tool: findFrame(model, 'tool'), elbow: findFrame(model, 'l4') };
}
