/**
 * Poses of a fleet from its MCAP file, as createFleetRecorder and createRobotRecorder write it: what is needed to show it again.
 * Source: MCAP specification 1.0, mcap.dev/spec. Cost: linear in the file. Tested by fleet-recording.test.ts.
 */
import { requireBytes } from '../../math/arguments.js';
import { atan2 } from '../../math/scalar.js';
import type { Parsed } from '../issue.js';

export interface FleetRecording {
  readonly robots: number;
  /** Seconds, ascending. */
  readonly times: readonly number[];
  /** Per time: x, y, yaw of each robot. */
  readonly poses: readonly Float64Array[];
}

interface PosesMessage {
  readonly poses: readonly {
    readonly position: { readonly x: number; readonly y: number };
    readonly orientation: { readonly z: number; readonly w: number };
  }[];
}

/** Frames of another number of robots than the first are left out, and said. */
export async function readFleetRecording(bytes: Uint8Array): Promise<Parsed<FleetRecording>> {
  requireBytes('readFleetRecording', 'bytes', bytes);
  const fail = (code: string, message: string): Parsed<FleetRecording> => ({
    value: null,
    issues: [{ severity: 'error', code, message }],
  });
  const times: number[] = [];
  const poses: Float64Array[] = [];
  let left = 0;
  try {
    const { McapStreamReader } = await import('@mcap/core');
    const reader = new McapStreamReader();
    reader.append(bytes);
    const decoder = new TextDecoder();
    let channel = -1;
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
      if (record.type === 'Channel' && record.topic === '/poses' && record.messageEncoding === 'json')
        channel = record.id;
      if (record.type !== 'Message' || record.channelId !== channel) continue;
      const frame = readFrame(JSON.parse(decoder.decode(record.data)) as PosesMessage);
      const time = Number(record.logTime) / 1e9;
      if ((poses.length > 0 && frame.length !== poses[0].length) || time <= (times.at(-1) ?? -1)) left++;
      else {
        times.push(time);
        poses.push(frame);
      }
    }
    if (!reader.done()) throw new RangeError('the file ends too early');
  } catch (error) {
    return fail('bad-mcap', `no MCAP file of a fleet that can be read: ${(error as Error).message}`);
  }
  if (poses.length === 0) return fail('no-poses', 'no poses in it; record a fleet with --record');
  const issues = [
    {
      severity: 'warning' as const,
      code: 'other-frames',
      message: `${left} frames of another number of robots or out of order were left out`,
      assumes: 'dropped' as const,
    },
  ];
  return { value: { robots: poses[0].length / 3, times, poses }, issues: left > 0 ? issues : [] };
}

function readFrame({ poses }: PosesMessage): Float64Array {
  const frame = new Float64Array(3 * poses.length);
  poses.forEach(({ position, orientation }, i) => {
    frame[3 * i] = position.x;
    frame[3 * i + 1] = position.y;
    frame[3 * i + 2] = 2 * atan2(orientation.z, orientation.w);
  });
  if (!frame.every(Number.isFinite)) throw new RangeError('poses that are no numbers');
  return frame;
}
