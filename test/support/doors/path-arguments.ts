/** Examples of arguments (see doors.ts) for distances with gradients and path optimisation. */
import { createDistanceGradients, type DistanceGradients } from '../../../src/control.js';
import type { Door } from './door.js';
import type { Fixture } from './fixture.js';
import { either, exactly, isNumbers, loose, maybe, oneOf, output } from './slot.js';

const isScene = (s: unknown): boolean => typeof s === 'object' && s !== null && 'objects' in s;
const isRobot = (r: unknown): boolean => typeof r === 'object' && r !== null && 'attached' in r;
const sr = (x: Fixture) => ({ scene: either(x.scene, isScene), robot: either(x.robot, isRobot) });
/** Of a path optimisation, without functions. */
export const optimisationRequest = (x: Fixture) => ({
  method: maybe(oneOf('trajopt', 'chomp')),
  start: exactly(x.q),
  goal: exactly(x.q2),
  indices: maybe(either([0, 1, 2, 3], isNumbers)),
  initial: maybe(either([], Array.isArray)),
  segments: maybe(2),
  clearance: maybe(0.01),
  resolution: maybe(0.5),
  seeds: maybe(1),
  seed: maybe(1),
  maxIterations: maybe(2),
  limits: maybe(loose({ step: 0.1 })),
  all: maybe(false),
});
const made = new WeakMap<Fixture, DistanceGradients>();

function gradients(x: Fixture): DistanceGradients {
  let rows = made.get(x);
  if (!rows) {
    rows = createDistanceGradients(x.scene, x.robot);
    rows.update(x.robot.q);
    made.set(x, rows);
  }
  return rows;
}

/** Of the control door. */
export const pathControl: Door = {
  createDistanceGradients: (x) => ({
    ...sr(x),
    options: maybe({ reach: maybe(1), depth: maybe(oneOf('hull', 'exact')), nearestOnly: maybe(true) }),
  }),
  softDistance: (x) => ({ gradient: output(new Float64Array(x.model.nv)), from: loose(gradients(x)), beta: 10 }),
  sweptDistances: (x) => ({
    ...sr(x),
    from: exactly(x.q),
    to: exactly(x.q2),
    options: maybe({ reach: maybe(0.1), tolerance: maybe(0.01), maxConfigurations: maybe(8) }),
  }),
  optimisePath: (x) => ({
    ...sr(x),
    request: {
      ...optimisationRequest(x),
      shouldStop: maybe(() => false),
      onProgress: maybe(() => undefined),
    },
  }),
};
