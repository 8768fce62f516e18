/** The state of a world and its robots as a text and back, bit for bit. Tested by robot-arms.test.ts. */
import { requireObject, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { FleetWorld } from './fleet-world.js';
import type { PoseSolver, RobotAction } from './robot-actions.js';
import type { RobotRecord } from './robot-record.js';
import { floatsToText, textToFloats } from './state-text.js';
import { restoreWorld, saveWorld, type WorldState } from './world-state.js';

const FORMAT = 'clearance-robots-1';

interface RobotState {
  readonly name: string;
  readonly queue: readonly RobotAction[];
  readonly current: RobotAction | null;
  readonly pieces: RobotRecord['pieces'];
  readonly targets: readonly string[];
  readonly finalYaw: string | null;
  readonly wantedJoints: string | null;
  readonly joints: string;
  readonly load: number;
  readonly grip: string;
  readonly avoiding: string | null;
  readonly hasTarget: boolean;
}

export function saveRobots(world: FleetWorld, robots: readonly RobotRecord[], state: Float64Array): string {
  const named = (action: RobotAction | null): RobotAction | null => {
    if (action?.type === 'pose' && action.name === undefined)
      throw new MisuseError(`save: action "pose", got a solver without a name, expected one that restore can be given`);
    return action;
  };
  return JSON.stringify({
    format: FORMAT,
    world: saveWorld(world),
    state: floatsToText(state),
    robots: robots.map((record): RobotState | null =>
      record.isGone
        ? null
        : {
            name: record.description.name,
            queue: record.queue.map((action) => named(action)!),
            current: named(record.current),
            pieces: record.pieces,
            targets: record.targets.map(floatsToText),
            finalYaw: record.finalYaw === null ? null : floatsToText([record.finalYaw]),
            wantedJoints: record.wantedJoints === null ? null : floatsToText(record.wantedJoints),
            joints: floatsToText(record.joints),
            load: record.load,
            grip: floatsToText(record.grip),
            avoiding:
              record.avoiding === null
                ? null
                : floatsToText([
                    record.avoiding.vx,
                    record.avoiding.vy,
                    record.avoiding.stuckFor,
                    record.avoiding.nearest,
                    record.avoiding.radius,
                  ]),
            hasTarget: record.avoiding?.target != null,
          },
    ),
  });
}

export function restoreRobots(
  text: string,
  world: FleetWorld,
  robots: readonly RobotRecord[],
  state: Float64Array,
  solvers: Readonly<Record<string, PoseSolver>>,
): void {
  requireText('restore', 'text', text);
  let data: { format: string; world: WorldState; state: string; robots: readonly (RobotState | null)[] };
  try {
    data = JSON.parse(text);
  } catch {
    throw new MisuseError('restore: text, got no JSON, expected what save wrote');
  }
  requireObject('restore', 'text', data, 'what save wrote');
  const names = (data.robots ?? []).map((robot) => robot?.name);
  const isSame =
    data.format === FORMAT &&
    names.length === robots.length &&
    robots.every((record, r) => record.isGone || names[r] === undefined || names[r] === record.description.name);
  if (!isSame || data.robots.some((robot, r) => (robot === null) !== robots[r].isGone))
    throw new MisuseError('restore: text, got the state of other robots, expected what save wrote of these');
  const solved = (action: RobotAction | null): RobotAction | null => {
    if (action?.type !== 'pose') return action;
    const solve = Object.hasOwn(solvers, action.name!) ? solvers[action.name!] : undefined;
    if (solve === undefined)
      throw new MisuseError(`restore: solvers, got none of the name "${action.name}", expected one`);
    return { ...action, solve };
  };
  try {
    restoreWorld(world, data.world);
    textToFloats(state, data.state);
    robots.forEach((record, r) => {
      const saved = data.robots[r];
      if (saved === null) return;
      const read = (digits: string): number[] => {
        const out = new Float64Array(digits.length / 16);
        textToFloats(out, digits);
        return [...out];
      };
      record.queue.splice(0, record.queue.length, ...saved.queue.map((action) => solved(action)!));
      record.current = solved(saved.current);
      record.pieces.splice(0, record.pieces.length, ...saved.pieces);
      record.targets.splice(0, record.targets.length, ...saved.targets.map(read));
      record.finalYaw = saved.finalYaw === null ? null : read(saved.finalYaw)[0];
      record.wantedJoints = saved.wantedJoints === null ? null : read(saved.wantedJoints);
      textToFloats(record.joints, saved.joints);
      record.load = saved.load;
      textToFloats(record.grip, saved.grip);
      record.isStill = false;
      if (record.avoiding === null || saved.avoiding === null) return;
      const [vx, vy, stuckFor, nearest, radius] = read(saved.avoiding);
      Object.assign(record.avoiding, { vx, vy, stuckFor, nearest, radius });
      record.avoiding.target = saved.hasTarget ? record.targets[0] : null;
    });
  } catch (error) {
    if (error instanceof MisuseError) throw error;
    throw new MisuseError(`restore: text, got a broken state (${(error as Error).message}), expected what save wrote`);
  }
}
