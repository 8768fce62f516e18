/**
 * A trajectory as an MCAP file (ROS 2 profile): joint states on /joint_states at their times, all of it on /joint_trajectory
 * at time 0.
 *
 * Chunks are handed to `sink` in order as they are filled, so a file or a stream takes them without holding the whole; the
 * writer (@mcap/core) is loaded when first needed. Tested by trajectory-mcap.test.ts and test/cli/trajectory.test.ts.
 */
import type { TrajectoryTable } from '../trajectory/trajectory-table.js';
import {
  encodeJointState,
  encodeJointTrajectory,
  jointStateSchema,
  jointTrajectorySchema,
  toNanoseconds,
} from './joint-messages.js';

/** @param sink takes the file's next bytes; the array may be used again once it returns or its promise resolves */
export async function writeTrajectoryMcap(
  sink: (bytes: Uint8Array) => void | Promise<void>,
  table: TrajectoryTable,
): Promise<void> {
  const { McapWriter } = await import('@mcap/core');
  let position = 0n;
  const writer = new McapWriter({
    writable: {
      position: () => position,
      write: async (bytes) => {
        await sink(bytes);
        position += BigInt(bytes.length);
      },
    },
  });
  await writer.start({ profile: 'ros2', library: 'clearance' });
  const add = async (schema: { readonly name: string; readonly definition: string }, topic: string) => {
    const schemaId = await writer.registerSchema({
      name: schema.name,
      encoding: 'ros2msg',
      data: new TextEncoder().encode(schema.definition),
    });
    return writer.registerChannel({ schemaId, topic, messageEncoding: 'cdr', metadata: new Map() });
  };
  const whole = await add(jointTrajectorySchema, '/joint_trajectory');
  const states = await add(jointStateSchema, '/joint_states');
  const message = (channelId: number, sequence: number, logTime: bigint, data: Uint8Array) =>
    writer.addMessage({ channelId, sequence, logTime, publishTime: logTime, data });
  await message(whole, 0, 0n, encodeJointTrajectory(table));
  for (const [i, time] of table.times.entries())
    await message(states, i, toNanoseconds(time), encodeJointState(table, i));
  await writer.end();
}
