/**
 * What robots of a world did, arms and all, as an MCAP file and as rows of numbers.
 *
 * MCAP: JSON messages, each at its time: `foxglove.PosesInFrame` of the robots in their order on /poses, joints by the robots' names on /joints, pairs
 * that touch on /contacts, counts on /metrics, whatever is told on /events. CSV: one row per robot and time, with as many joints as the robot
 * of most has. Source: MCAP specification 1.0, mcap.dev/spec. Tested by robot-recording.test.ts.
 */
import type { RobotFleet } from '../../fleet/robot-fleet.js';
import { requireCount, requireFunction, requireObject } from '../../math/arguments.js';
import { cos, sin } from '../../math/scalar.js';
import { formatCsvRow } from '../trajectory/csv.js';
import {
  listOf,
  numberSchema,
  objectOf,
  posesSchema,
  startJsonChannels,
  textSchema,
  toTimestamp,
} from './json-channels.js';

export interface RobotRecorder {
  /** Poses, joints, contacts and counts as they are now. */
  record(fleet: RobotFleet): Promise<void>;
  event(time: number, event: Readonly<Record<string, unknown>>): Promise<void>;
  /** Nothing can be recorded after it. */
  end(): Promise<void>;
}

const METRICS = ['time', 'robots', 'moving', 'idle', 'carrying', 'contacts'] as const;

function listRobots(fleet: RobotFleet): number[] {
  return Array.from({ length: fleet.count }, (_, r) => r).filter((r) => fleet.isThere(r));
}

export async function createRobotRecorder(sink: (bytes: Uint8Array) => void | Promise<void>): Promise<RobotRecorder> {
  requireFunction('createRobotRecorder', 'sink', sink);
  const channels = await startJsonChannels(sink);
  const poses = await channels.open('foxglove.PosesInFrame', '/poses', posesSchema);
  const joints = await channels.open('clearance.FleetJoints', '/joints', {
    robots: listOf(objectOf({ name: textSchema, positions: listOf(numberSchema) })),
  });
  const contacts = await channels.open('clearance.FleetContacts', '/contacts', { pairs: listOf(listOf(textSchema)) });
  const metrics = await channels.open(
    'clearance.RobotMetrics',
    '/metrics',
    Object.fromEntries(METRICS.map((name) => [name, numberSchema])),
  );
  const events = await channels.open('clearance.FleetEvent', '/events', { kind: textSchema });
  return {
    record: async (fleet) => {
      const { world } = fleet;
      const { time } = world;
      const robots = listRobots(fleet);
      await channels.write(poses, time, {
        timestamp: toTimestamp(time),
        frame_id: 'world',
        poses: robots.map((r) => {
          const o = 6 * fleet.bodyOf(r);
          const [x, y, z, yaw] = world.poses.subarray(o, o + 4);
          return {
            position: { x, y, z },
            orientation: { x: 0, y: 0, z: sin(yaw / 2), w: cos(yaw / 2) },
          };
        }),
      });
      const withJoints = robots.filter((r) => fleet.jointsOf(r).length > 0);
      if (withJoints.length > 0)
        await channels.write(joints, time, {
          robots: withJoints.map((r) => ({ name: fleet.nameOf(r), positions: [...fleet.jointsOf(r)] })),
        });
      const pairs: [string, string][] = [];
      world.forEachContact((a, b) => {
        pairs.push([world.nameOf(a), world.nameOf(b)]);
      });
      await channels.write(contacts, time, { pairs });
      await channels.write(metrics, time, {
        time,
        robots: robots.length,
        moving: robots.filter((r) => fleet.speedOf(r) > 0).length,
        idle: robots.filter((r) => fleet.isIdle(r)).length,
        carrying: robots.filter((r) => fleet.loadOf(r) >= 0).length,
        contacts: pairs.length,
      });
    },
    event: (time, event) => channels.write(events, time, event),
    end: () => channels.end(),
  };
}

/** The first line of a table of robots with at most so many joints. */
export function robotTableHeader(joints: number): string {
  requireCount('robotTableHeader', 'joints', joints);
  const names = Array.from({ length: joints }, (_, k) => `joint${k + 1}`);
  return formatCsvRow(['time', 'robot', 'x', 'y', 'z', 'yaw', 'speed', 'action', 'load', ...names]);
}

/** One row per robot; columns of joints that it does not have are empty. */
export function formatRobotRows(fleet: RobotFleet, joints: number): string[] {
  requireObject('formatRobotRows', 'fleet', fleet, 'one of createRobotFleet');
  requireCount('formatRobotRows', 'joints', joints);
  const { world } = fleet;
  return listRobots(fleet).map((r) => {
    const o = 6 * fleet.bodyOf(r);
    const load = fleet.loadOf(r);
    const values = fleet.jointsOf(r);
    return formatCsvRow([
      world.time,
      fleet.nameOf(r),
      ...world.poses.subarray(o, o + 4),
      fleet.speedOf(r),
      fleet.actionOf(r)?.type ?? '',
      load < 0 ? '' : world.nameOf(load),
      ...Array.from({ length: joints }, (_, k) => values[k] ?? ''),
    ]);
  });
}
