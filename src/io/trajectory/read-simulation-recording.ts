/**
 * What a recording of `clearance simulate` holds, from its MCAP file as createSimulationRecorder writes it: enough to show the run again.
 * Source: MCAP specification 1.0, mcap.dev/spec. Cost: linear in the file. Tested by simulation-mcap.test.ts.
 */
import { requireBytes } from '../../math/arguments.js';
import type { Parsed } from '../issue.js';

export interface SimulationRecording {
  /** Of bodies and links: `body`, `robot/link`. */
  readonly names: readonly string[];
  /** Seconds, ascending. */
  readonly times: readonly number[];
  /** Per time: a pose of seven numbers per name, in the world. */
  readonly poses: readonly Float64Array[];
  /** Per time: the step report, with t and energy (J). */
  readonly reports: readonly Readonly<Record<string, unknown>>[];
}

interface TransformsMessage {
  readonly transforms: readonly {
    readonly child_frame_id: string;
    readonly translation: { readonly x: number; readonly y: number; readonly z: number };
    readonly rotation: { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
  }[];
}

/** Issues instead of a value where the file is no such recording, or ends too early. */
export async function readSimulationRecording(bytes: Uint8Array): Promise<Parsed<SimulationRecording>> {
  requireBytes('readSimulationRecording', 'bytes', bytes);
  const fail = (code: string, message: string): Parsed<SimulationRecording> => ({
    value: null,
    issues: [{ severity: 'error', code, message }],
  });
  let names: readonly string[] = [];
  const times: number[] = [];
  const poses: Float64Array[] = [];
  const reports: Readonly<Record<string, unknown>>[] = [];
  try {
    const { McapStreamReader } = await import('@mcap/core');
    const reader = new McapStreamReader();
    reader.append(bytes);
    const decoder = new TextDecoder();
    const topics = new Map<number, string>();
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
      if (record.type === 'Channel' && record.messageEncoding === 'json') topics.set(record.id, record.topic);
      if (record.type !== 'Message') continue;
      const topic = topics.get(record.channelId);
      if (topic !== '/tf' && topic !== '/report') continue;
      const message: unknown = JSON.parse(decoder.decode(record.data));
      if (topic === '/report') {
        reports.push(message as Readonly<Record<string, unknown>>);
        continue;
      }
      const { transforms } = message as TransformsMessage;
      if (times.length === 0) names = transforms.map((entry) => entry.child_frame_id);
      const time = Number(record.logTime) / 1e9;
      if (transforms.length !== names.length || !(time > (times.at(-1) ?? -1)))
        throw new RangeError(`frames of ${time} s that do not follow those before`);
      times.push(time);
      poses.push(readPoses(transforms));
    }
    if (!reader.done()) throw new RangeError('the file ends too early');
  } catch (error) {
    return fail('bad-mcap', `no MCAP file of a simulation that can be read: ${(error as Error).message}`);
  }
  if (times.length === 0) return fail('no-poses', 'no poses in it; record a run with clearance simulate --record');
  if (reports.length !== times.length) return fail('bad-mcap', 'as many reports as poses were expected');
  return { value: { names, times, poses, reports }, issues: [] };
}

function readPoses(transforms: TransformsMessage['transforms']): Float64Array {
  const out = new Float64Array(7 * transforms.length);
  for (const [i, { translation: p, rotation: r }] of transforms.entries())
    out.set([p.x, p.y, p.z, r.x, r.y, r.z, r.w], 7 * i);
  if (!out.every(Number.isFinite)) throw new RangeError('poses that are no numbers');
  return out;
}
