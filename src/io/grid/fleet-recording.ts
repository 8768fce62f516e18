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
import { numberSchema, posesSchema, startJsonChannels, textSchema, toTimestamp } from './json-channels.js';

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
  const channels = await startJsonChannels(sink);
  const poses = await channels.open('foxglove.PosesInFrame', '/poses', posesSchema);
  const metrics = await channels.open(
    'clearance.FleetMetrics',
    '/metrics',
    Object.fromEntries(METRICS.map((name) => [name, numberSchema])),
  );
  const events = await channels.open('clearance.FleetEvent', '/events', { kind: textSchema });
  return {
    record: async (run) => {
      const { x, y, heading } = run.execution;
      await channels.write(poses, run.time, {
        timestamp: toTimestamp(run.time),
        frame_id: 'world',
        poses: Array.from(x, (px, i) => ({
          position: { x: px, y: y[i], z: 0 },
          orientation: { x: 0, y: 0, z: sin(heading[i] / 2), w: cos(heading[i] / 2) },
        })),
      });
      await channels.write(metrics, run.time, run.metrics());
    },
    event: (time, event) => channels.write(events, time, event),
    end: () => channels.end(),
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
