/**
 * How far any point of a robot can move per unit of a state's metric: what makes a clearance a ball of free states.
 *
 * A joint that turns by an angle moves no point by more than the angle times the farthest that the point can be from the joint, at most the sum of
 * the offsets, slides and bounding spheres between; one that slides by as much as it slides. Over all joints |dx| <= sum_k r_k |dq_k| <= |r / s| |s dq|.
 * So does the gap of a pair: of the joints that move one of two bodies against the other each counts once. Infinity where a joint is neither, or a body or a slide is without bound.
 * Tested by explain-plan.test.ts (random motions never exceed it).
 */
import { hypot } from '../math/scalar.js';
import type { Model } from '../model/model.js';
import type { StateSpace } from '../planning/types.js';
import { boundBody } from '../scene/motion/body-motion.js';
import type { SceneRobot } from '../scene/types.js';

export function boundMotionRate(robot: SceneRobot, space: StateSpace, indices: ArrayLike<number>): number {
  const { model } = robot;
  const scale = space.coordinates?.scale;
  if (!scale) return Infinity;
  const reaches = jointReaches(robot);
  let sum = 0;
  for (let k = 0; k < indices.length; k++) {
    const joint = jointOf(model, indices[k]);
    const kind = model.jointKinds[joint];
    if (!kind || kind.motion === 'general' || model.mimicDrivers.includes(joint)) return Infinity;
    const reach = kind.motion === 'rotation' ? reaches[joint] : 1;
    if (model.lower[indices[k]] === model.upper[indices[k]]) continue;
    sum += (reach / scale[k]) * (reach / scale[k]);
  }
  return Math.sqrt(sum);
}

const jointOf = (model: Model, index: number): number => {
  for (let j = 1; j < model.jointCount; j++)
    if (index >= model.idxQ[j] && index < model.idxQ[j] + model.nqs[j]) return j;
  return 0;
};

/** Farthest that a point carried by each joint can be from it, metres. */
function jointReaches(robot: SceneRobot): Float64Array {
  const { model, links } = robot;
  const reaches = new Float64Array(model.jointCount);
  const bodies = links.map(({ frame, body }) => ({ frame, body, away: 0 }));
  for (const { attachment, body } of robot.attached) {
    const [x, y, z] = attachment!.placement.subarray(9, 12);
    bodies.push({ frame: attachment!.frame, body, away: hypot(x, y, z) });
  }
  for (const { frame, body, away } of bodies) {
    const { center, radius } = boundBody(body);
    const at = 12 * frame;
    const offset = model.framePlacements.subarray(at + 9, at + 12);
    let reach = away + hypot(center[0], center[1], center[2]) + radius + hypot(offset[0], offset[1], offset[2]);
    for (let j = model.frameJoints[frame]; j > 0; j = model.parents[j]) {
      reach += slideOf(model, j);
      reaches[j] = Math.max(reaches[j], reach);
      const p = model.placements.subarray(12 * j + 9, 12 * j + 12);
      reach += hypot(p[0], p[1], p[2]);
    }
  }
  return reaches;
}

function slideOf(model: Model, j: number): number {
  const kind = model.jointKinds[j];
  if (!kind || kind.motion === 'rotation') return 0;
  const i = model.idxQ[j];
  return Math.max(Math.abs(model.lower[i]), Math.abs(model.upper[i]));
}
