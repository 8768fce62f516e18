/** What a planned group's path is to cost little of: length, a weighted length, the way of its tool, distance kept from things. */
import { computeFramePlacement, updateKinematics } from '../kinematics/forward-kinematics.js';
import {
  type Fields,
  requireFields,
  requirePositiveNumber,
  requireText,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform } from '../math/transform.js';
import { createData, findFrame } from '../model/model.js';
import {
  createClearanceObjective,
  createPointPathObjective,
  createWeightedLengthObjective,
  type Objective,
} from '../planning/objective.js';
import type { StateSpace } from '../planning/types.js';
import { varyRobot } from '../scene/context.js';
import { nearestPair } from '../scene/queries/check.js';
import { setConfiguration } from '../scene/robot.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import type { GroupCoordinates } from '../semantics/group-coordinates.js';
import { findGroupTip } from '../semantics/named-states.js';

export interface PathObjective {
  /** `length` in joint space (default); `tool`: the way of a frame's origin, metres; `clearance`: length, more of it near things. */
  readonly kind?: 'length' | 'tool' | 'clearance';
  /** Of `tool`; default: the group's tip. */
  readonly frame?: string;
  /** Of `length`: a positive factor for each coordinate of the group. */
  readonly weights?: ArrayLike<number>;
  /** Of `clearance`: from this distance on things do not matter, metres; default 0.1. */
  readonly margin?: number;
}

const OBJECTIVE: Fields = { kind: unchecked, frame: requireText, weights: unchecked, margin: requirePositiveNumber };
const DEFAULT_MARGIN = 0.1;

/** Undefined for the length of the space, which planners know best. `rest`: what other coordinates are. */
export function createGroupObjective(
  scene: Scene,
  robot: SceneRobot,
  {
    indices,
    space,
    rest,
    group,
  }: { indices: GroupCoordinates['indices']; space: StateSpace; rest: Float64Array; group?: string },
  wanted: PathObjective | undefined,
): Objective | undefined {
  if (wanted === undefined) return undefined;
  requireFields('planGroup', 'optimise.objective', wanted, OBJECTIVE);
  const { kind = 'length', weights, margin = DEFAULT_MARGIN } = wanted;
  const full = Float64Array.from(rest);
  const widen = (state: Float64Array): Float64Array => {
    for (let k = 0; k < indices.length; k++) full[indices[k]] = state[k];
    return full;
  };
  if (kind === 'length') return weights === undefined ? undefined : createWeightedLengthObjective(space, weights);
  if (kind === 'tool') {
    const { model, semantic, description, name } = robot;
    const link = wanted.frame ?? findGroupTip(semantic, description, group);
    const frame = link === null ? -1 : findFrame(model, link);
    if (frame < 0)
      throw new MisuseError(
        `planGroup: optimise.objective.frame, got ${describeValue(link)}, expected a link or joint of robot "${name}"`,
      );
    const data = createData(model);
    const X_WF = createTransform();
    return createPointPathObjective(space, (out, state) => {
      updateKinematics(model, data, widen(state));
      computeFramePlacement(X_WF, model, data, frame);
      for (let k = 0; k < 3; k++) out[k] = X_WF[9 + k];
    });
  }
  if (kind !== 'clearance')
    throwMisuse('planGroup', 'optimise.objective.kind', kind, "'length', 'tool' or 'clearance'");
  const own = varyRobot(scene, robot, 'planGroup');
  const clearance = (state: Float64Array): number => {
    own.takePlacement();
    setConfiguration(own.robot, widen(state));
    return nearestPair(own, { maxDistance: margin })?.distance ?? margin;
  };
  return createClearanceObjective(space, { clearance, margin });
}
