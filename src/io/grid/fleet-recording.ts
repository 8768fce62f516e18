/**
 * What a fleet did, as an MCAP file and as rows of numbers.
 *
 * MCAP: JSON messages with their JSON schemas: `foxglove.PosesInFrame` on /poses, metrics on /metrics, events on /events, each at its time. Chunks go
 * to `sink` in order, so that a file takes them without holding the whole. CSV: one row of metrics per time.
 * Source: MCAP specification 1.0, mcap.dev/spec. Tested by fleet-recording.test.ts.
 */

import type { FleetMetrics, FleetRun } from '../../fleet/fleet-run.js';
import { requireFunction, requireObject } from '../../math/arguments.js';
import { cos, sin } from '../../math/scalar.js';
import { formatCsvRow } from '../trajectory/csv.js';
import { startMcap } from '../trajectory/start-mcap.js';

export interface FleetRecorder {
  /** Poses and metrics as they are now. */
  record(run: FleetRun): Promise<void>;
  event(time: number, event: Readonly<Record<string, unknown>>): Promise<void>;
  /** Nothing can be recorded after it. */
  end(): Promise<void>;
}

const METRICS = [
  'time',
  'robots',
  'moving',
  'waiting',
  'stopped',
  'arrived',
  'delivered',
  'collisions',
  'leastGap',
] as const;

export async function createFleetRecorder(sink: (bytes: Uint8Array) => void | Promise<void>): Promise<FleetRecorder> {
  requireFunction('createFleetRecorder', 'sink', sink);
  const writer = await startMcap(sink, '');
  const encoder = new TextEncoder();
  const channel = async (name: string, topic: string, properties: Readonly<Record<string, unknown>>) => {
    const schemaId = await writer.registerSchema({
      name,
      encoding: 'jsonschema',
      data: encoder.encode(JSON.stringify({ type: 'object', properties })),
    });
    return writer.registerChannel({ schemaId, topic, messageEncoding: 'json', metadata: new Map() });
  };
  const number = { type: 'number' };
  const vector = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((n) => [n, number])),
  });
  const poses = await channel('foxglove.PosesInFrame', '/poses', {
    timestamp: vector('sec', 'nsec'),
    frame_id: { type: 'string' },
    poses: {
      type: 'array',
      items: {
        type: 'object',
        properties: { position: vector('x', 'y', 'z'), orientation: vector('x', 'y', 'z', 'w') },
      },
    },
  });
  const metrics = await channel(
    'clearance.FleetMetrics',
    '/metrics',
    Object.fromEntries(METRICS.map((name) => [name, number])),
  );
  const events = await channel('clearance.FleetEvent', '/events', { kind: { type: 'string' } });
  let sequence = 0;
  const write = async (channelId: number, time: number, message: unknown) => {
    const logTime = BigInt(Math.round(time * 1e9));
    await writer.addMessage({
      channelId,
      sequence: sequence++,
      logTime,
      publishTime: logTime,
      data: encoder.encode(JSON.stringify(message)),
    });
  };
  return {
    record: async (run) => {
      const { x, y, heading } = run.execution;
      const nanoseconds = Math.round(run.time * 1e9);
      const sec = Math.floor(nanoseconds / 1e9);
      await write(poses, run.time, {
        timestamp: { sec, nsec: nanoseconds - sec * 1e9 },
        frame_id: 'world',
        poses: Array.from(x, (px, i) => ({
          position: { x: px, y: y[i], z: 0 },
          orientation: { x: 0, y: 0, z: sin(heading[i] / 2), w: cos(heading[i] / 2) },
        })),
      });
      await write(metrics, run.time, run.metrics());
    },
    event: (time, event) => write(events, time, event),
    end: () => writer.end(),
  };
}

/** The first line of a table of metrics. */
export function fleetMetricsHeader(): string {
  return formatCsvRow(METRICS);
}

export function formatFleetMetrics(metrics: FleetMetrics): string {
  requireObject('formatFleetMetrics', 'metrics', metrics);
  return formatCsvRow(METRICS.map((name) => metrics[name] ?? ''));
}
