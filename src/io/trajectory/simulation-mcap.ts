/**
 * A simulation as an MCAP file: where bodies and links are, joint states, and the step reports, as JSON messages that viewers know.
 *
 * Channels: /tf (foxglove.FrameTransforms), /joint_states/ROBOT (names, positions, velocities, efforts), /report. Chunks go to `sink` as
 * they fill, so that nothing grows with the length of a run. Tested by simulation-mcap.test.ts.
 */

import { requireFunction, requireTexts } from '../../math/arguments.js';
import { startMcap } from './start-mcap.js';

export interface SimulationSample {
  /** Seconds. */
  readonly t: number;
  readonly frames: readonly { readonly name: string; readonly pose: ArrayLike<number> }[];
  readonly robots: readonly {
    readonly name: string;
    readonly joints: readonly string[];
    readonly position: ArrayLike<number>;
    readonly velocity: ArrayLike<number>;
    readonly effort: ArrayLike<number>;
  }[];
  readonly report: Readonly<Record<string, unknown>>;
}

export interface SimulationRecorder {
  write(sample: SimulationSample): Promise<void>;
  end(): Promise<void>;
}

const number = { type: 'number' };
const vector = { type: 'object', properties: { x: number, y: number, z: number } };
const stamp = { type: 'object', properties: { sec: { type: 'integer' }, nsec: { type: 'integer' } } };
const TRANSFORMS = {
  title: 'foxglove.FrameTransforms',
  type: 'object',
  properties: {
    transforms: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          timestamp: stamp,
          parent_frame_id: { type: 'string' },
          child_frame_id: { type: 'string' },
          translation: vector,
          rotation: { type: 'object', properties: { ...vector.properties, w: number } },
        },
      },
    },
  },
};
const numbers = { type: 'array', items: number };
const JOINTS = {
  title: 'clearance.JointState',
  type: 'object',
  properties: {
    stamp,
    name: { type: 'array', items: { type: 'string' } },
    position: numbers,
    velocity: numbers,
    effort: numbers,
  },
};
const REPORT = { title: 'clearance.StepReport', type: 'object' };

/** @param sink takes the file's next bytes; the array may be used again once it returns or its promise resolves */
export async function createSimulationRecorder(
  sink: (bytes: Uint8Array) => void | Promise<void>,
  robots: readonly string[],
): Promise<SimulationRecorder> {
  requireFunction('createSimulationRecorder', 'sink', sink);
  requireTexts('createSimulationRecorder', 'robots', robots);
  const writer = await startMcap(sink, '');
  const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const add = async (schema: { readonly title: string }, topic: string): Promise<number> => {
    const schemaId = await writer.registerSchema({ name: schema.title, encoding: 'jsonschema', data: encode(schema) });
    return writer.registerChannel({ schemaId, topic, messageEncoding: 'json', metadata: new Map() });
  };
  const transforms = await add(TRANSFORMS, '/tf');
  const reports = await add(REPORT, '/report');
  const joints = new Map<string, number>();
  for (const name of robots) joints.set(name, await add(JOINTS, `/joint_states/${name}`));
  let sequence = 0;
  return {
    async write({ t, frames, robots: states, report }) {
      const nanoseconds = BigInt(Math.round(t * 1e9));
      const timestamp = { sec: Number(nanoseconds / 1000000000n), nsec: Number(nanoseconds % 1000000000n) };
      const message = (channelId: number, value: unknown): Promise<void> =>
        writer.addMessage({ channelId, sequence, logTime: nanoseconds, publishTime: nanoseconds, data: encode(value) });
      await message(transforms, {
        transforms: frames.map(({ name, pose: p }) => ({
          timestamp,
          parent_frame_id: 'world',
          child_frame_id: name,
          translation: { x: p[0], y: p[1], z: p[2] },
          rotation: { x: p[3], y: p[4], z: p[5], w: p[6] },
        })),
      });
      for (const { name, joints: list, position: q, velocity, effort } of states)
        await message(joints.get(name)!, {
          stamp: timestamp,
          name: list,
          position: Array.from(q),
          velocity: Array.from(velocity),
          effort: Array.from(effort),
        });
      await message(reports, { t, ...report });
      sequence++;
    },
    end: () => writer.end().then(() => undefined),
  };
}
