/** A trajectory as an MCAP file: joint states on /joint_states at their times, all of it on /joint_trajectory at time 0. */
import { closeSync, openSync, writeSync } from 'node:fs';
import {
  encodeJointState,
  encodeJointTrajectory,
  jointStateSchema,
  jointTrajectorySchema,
  toNanoseconds,
} from '../io/joint-messages.js';
import type { TrajectoryTable } from '../trajectory/trajectory-table.js';
import { version } from './version.js';

export async function writeTrajectoryMcap(file: string, table: TrajectoryTable): Promise<void> {
  const { McapWriter } = await import('@mcap/core');
  const handle = openSync(file, 'w');
  try {
    let position = 0n;
    const writer = new McapWriter({
      writable: {
        position: () => position,
        write: async (bytes) => {
          for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
          position += BigInt(bytes.length);
        },
      },
    });
    await writer.start({ profile: 'ros2', library: `clearance ${version}` });
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
  } finally {
    closeSync(handle);
  }
}
