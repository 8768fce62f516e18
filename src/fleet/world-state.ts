/** Where the bodies of a world are and who touches whom, bit for bit. Tested by robot-arms.test.ts. */
import { MisuseError } from '../math/misuse.js';
import type { FleetMode } from './fleet-body.js';
import type { FleetWorld } from './fleet-world.js';
import { POSE_STRIDE } from './footprint.js';
import { floatsToText, textToFloats } from './state-text.js';

/** Plain data. */
export interface WorldState {
  readonly time: string;
  readonly steps: number;
  /** Per body; null of ids that are free. */
  readonly names: readonly (string | null)[];
  readonly modes: readonly (FleetMode | null)[];
  readonly poses: string;
  readonly solids: readonly (string | null)[];
  readonly contacts: readonly number[];
}

export function saveWorld(world: FleetWorld): WorldState {
  const ids = Array.from({ length: world.bodyCount }, (_, id) => id);
  const contacts: number[] = [];
  world.forEachContact((a, b) => {
    contacts.push(a, b);
  });
  return {
    time: floatsToText([world.time]),
    steps: world.steps,
    names: ids.map((id) => (world.isHere(id) ? world.nameOf(id) : null)),
    modes: ids.map((id) => (world.isHere(id) ? world.modeOf(id) : null)),
    poses: floatsToText(world.poses.subarray(0, POSE_STRIDE * world.bodyCount)),
    solids: ids.map((id) => {
      const solid = world.solids.find(id);
      return solid === undefined ? null : floatsToText(solid.transform);
    }),
    contacts,
  };
}

/** Into a world to which the same bodies were added; throws MisuseError for others, RangeError for broken numbers. */
export function restoreWorld(world: FleetWorld, state: WorldState): void {
  const isSame =
    state?.names?.length === world.bodyCount &&
    state.names.every((name, id) => name === (world.isHere(id) ? world.nameOf(id) : null));
  if (!isSame) throw new MisuseError('restore: text, got the state of other bodies, expected that of these');
  const time = new Float64Array(1);
  textToFloats(time, state.time);
  world.time = time[0];
  world.steps = state.steps;
  const poses = new Float64Array(POSE_STRIDE * world.bodyCount);
  textToFloats(poses, state.poses);
  for (let id = 0; id < world.bodyCount; id++) {
    const mode = state.modes[id];
    if (mode === null || !world.isHere(id)) continue;
    world.setMode(id, mode);
    const o = POSE_STRIDE * id;
    world.setPose(id, poses[o], poses[o + 1], poses[o + 2], poses[o + 3]);
    const solid = world.solids.find(id);
    if (solid !== undefined) textToFloats(solid.transform, state.solids[id] ?? '');
  }
  world.resumeContacts(state.contacts);
}
