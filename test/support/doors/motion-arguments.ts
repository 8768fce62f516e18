/** Examples of arguments (see doors.ts) for optimal control and programmed motions. */
import { createLimits } from '../../../src/trajectory/limits.js';
import type { Door } from './door.js';
import { exactly, loose, maybe, orNull } from './slot.js';

export const motionDoor: Door = {
  planMotion: (x) => ({
    model: x.model,
    program: loose({
      format: 'clearance.motion/1',
      tool: { frame: x.model.linkNames[x.model.linkCount - 1] },
      start: Array.from(x.q),
      moves: [{ move: 'ptp', to: { joints: Array.from(x.q2) } }],
    }),
    request: {
      limits: loose(createLimits(x.model, { velocity: 2, acceleration: 5 })),
      around: orNull(loose({ scene: x.scene, robot: x.robot })),
      start: maybe(exactly(x.q)),
      intervals: maybe(50),
    },
  }),
};
