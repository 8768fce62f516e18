/** The first paths of a path optimisation as a job that can be sent: many seeds at once. */
import {
  createPathTrials,
  type PathOptimisation,
  type PathOptimisationRequest,
} from '../control/paths/optimise-path.js';
import { throwMisuse } from '../math/arguments.js';
import { packScene } from '../scene/transfer/pack-scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { createOrder, type JobOrder } from './job-order.js';
import { pathSeeds } from './kinds/path-seeds.js';
import { numberOfRobot } from './order-scene-batch.js';

/**
 * The scene as it is now: later changes are not seen. The job's output is what `optimisePath` gives for the request, bit for bit, in about
 * the time of its slowest first path where there are workers enough. Functions cannot travel: a job is cancelled, and tells its
 * progress, by itself. Throws MisuseError for what `optimisePath` refuses.
 */
export function orderPathOptimisation(
  scene: Scene,
  robot: SceneRobot,
  request: Omit<PathOptimisationRequest, 'shouldStop' | 'onProgress'>,
): JobOrder<PathOptimisation> {
  const call = 'orderPathOptimisation';
  const index = numberOfRobot(call, scene, robot);
  createPathTrials(scene, robot, request);
  for (const key of ['shouldStop', 'onProgress'] as const)
    if ((request as PathOptimisationRequest)[key] !== undefined)
      throwMisuse(
        call,
        `request.${key}`,
        (request as PathOptimisationRequest)[key],
        'nothing: functions cannot travel',
      );
  const { start, goal, indices, initial, limits, ...rest } = request;
  const values = (x: ArrayLike<number> | number): Float64Array | number =>
    typeof x === 'number' ? x : Float64Array.from(x);
  const plain = {
    ...rest,
    start: Float64Array.from(start),
    goal: Float64Array.from(goal),
    ...(indices && { indices: Int32Array.from(indices) }),
    ...(initial && { initial: initial.map((path) => path.map((q) => Float64Array.from(q))) }),
    ...(limits && {
      limits: {
        step: limits.step,
        ...(limits.velocity !== undefined && {
          velocity: limits.velocity === 'model' ? limits.velocity : values(limits.velocity),
        }),
        ...(limits.acceleration !== undefined && { acceleration: values(limits.acceleration) }),
      },
    }),
  };
  // Which world of this program it was, and how often it was edited, is no part of what is asked.
  const packed = { ...packScene(scene), world: 0, revision: 0 };
  const input = { shared: { scene: packed, robot: index, request: plain } };
  pathSeeds.requireInput(call, 'request', input);
  return createOrder(call, pathSeeds, 0, input);
}
