/**
 * A trajectory as an MCAP file (ROS 2 profile): joint states on /joint_states at their times, all of it on /joint_trajectory
 * at time 0. Read back is the first JointTrajectory of a file, else its JointStates in the order of the file, from time 0.
 *
 * Chunks are handed to `sink` in order as they are filled, so a file or a stream takes them without holding the whole; the
 * writer (@mcap/core) is loaded when first needed. Tested by trajectory-mcap.test.ts and test/cli/trajectory.test.ts.
 */

import { requireBytes, requireFunction } from '../../math/arguments.js';
import type { TrajectoryTable } from '../../trajectory/trajectory-table.js';
import { requireTable } from '../io-door.js';
import type { Parsed } from '../issue.js';
import {
  decodeJointState,
  decodeJointTrajectory,
  encodeJointState,
  encodeJointTrajectory,
  type JointSamples,
  jointStateSchema,
  jointTrajectorySchema,
  toNanoseconds,
} from '../robot/joint-messages.js';
import { startMcap } from './start-mcap.js';

/** @param sink takes the file's next bytes; the array may be used again once it returns or its promise resolves */
export async function writeTrajectoryMcap(
  sink: (bytes: Uint8Array) => void | Promise<void>,
  table: TrajectoryTable,
): Promise<void> {
  requireFunction('writeTrajectoryMcap', 'sink', sink);
  requireTable('writeTrajectoryMcap', table);
  const writer = await startMcap(sink, 'ros2');
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

const MAX_BYTES = 1024 * 1024 * 1024;
const MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50];

export function isMcap(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** Times are those of the file, to the nanosecond; columns that a sample lacks are left out. */
export async function readTrajectoryMcap(bytes: Uint8Array): Promise<Parsed<TrajectoryTable>> {
  requireBytes('readTrajectoryMcap', 'bytes', bytes);
  const fail = (code: string, message: string): Parsed<TrajectoryTable> => ({
    value: null,
    issues: [{ severity: 'error', code, message }],
  });
  if (bytes.length > MAX_BYTES) return fail('too-long', `${bytes.length} bytes, expected at most ${MAX_BYTES}`);
  let found: JointSamples | null;
  try {
    found = await readMessages(bytes);
  } catch (error) {
    return fail('bad-mcap', `no MCAP file of joint states that can be read: ${(error as Error).message}`);
  }
  if (!found || found.samples.length === 0)
    return fail('no-joint-states', 'no JointTrajectory and no JointState in it; record one of these topics');
  return toTable(found, fail);
}

async function readMessages(bytes: Uint8Array): Promise<JointSamples | null> {
  const { McapStreamReader } = await import('@mcap/core');
  const reader = new McapStreamReader();
  reader.append(bytes);
  const schemas = new Map<number, string>();
  const channels = new Map<number, string | undefined>();
  const states: JointSamples[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Schema') schemas.set(record.id, record.name);
    else if (record.type === 'Channel')
      channels.set(record.id, record.messageEncoding === 'cdr' ? schemas.get(record.schemaId) : undefined);
    else if (record.type === 'Message') {
      const schema = channels.get(record.channelId);
      if (schema === jointTrajectorySchema.name) return decodeJointTrajectory(record.data);
      if (schema === jointStateSchema.name) states.push(decodeJointState(record.data));
    }
  }
  if (!reader.done()) throw new RangeError('the file ends too early');
  const [first] = states;
  if (!first) return null;
  const other = states.find(({ names }) => names.join('\n') !== first.names.join('\n'));
  if (other) throw new RangeError(`joint states of ${other.names.join(', ')} among those of ${first.names.join(', ')}`);
  return { names: first.names, samples: states.flatMap(({ samples }) => samples) };
}

function toTable(
  { names, samples }: JointSamples,
  fail: (code: string, message: string) => Parsed<TrajectoryTable>,
): Parsed<TrajectoryTable> {
  const start = samples[0].time;
  const times = samples.map(({ time }) => time - start);
  const late = times.findIndex((time, i) => i > 0 && !(time > times[i - 1]));
  if (late > 0) return fail('times', `time ${times[late]} follows ${times[late - 1]}, expected increasing times`);
  for (const [i, { positions }] of samples.entries()) {
    if (positions.length !== names.length || !positions.every(Number.isFinite))
      return fail('columns', `sample ${i}: got ${positions.length} positions, expected ${names.length} finite numbers`);
  }
  const column = (kind: 'velocities' | 'accelerations' | 'torques') =>
    samples.every((sample) => sample[kind].length === names.length && sample[kind].every(Number.isFinite))
      ? { [kind]: samples.map((sample) => sample[kind]) }
      : {};
  return {
    value: {
      positionNames: names,
      velocityNames: names,
      times,
      positions: samples.map(({ positions }) => positions),
      ...column('velocities'),
      ...column('accelerations'),
      ...column('torques'),
    },
    issues: [],
  };
}
