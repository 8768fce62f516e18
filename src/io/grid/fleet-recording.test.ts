import { McapStreamReader } from '@mcap/core';
import { describe, expect, it } from 'vitest';
import { createFleetRun, createFleetSetup } from '../../fleet/fleet-run.js';
import { createFleetRecorder, fleetMetricsHeader, formatFleetMetrics } from './fleet-recording.js';
import { readFleetRecording } from './read-fleet-recording.js';

describe("records of a fleet's run", () => {
  it('hold poses, metrics and events at their times', async () => {
    const map = { width: 4, height: 4, free: new Uint8Array(16).fill(1) };
    const setup = createFleetSetup({ version: 1, objects: [], fleet: { map: [], robots: 3, turnRate: 1 } }, map);
    const { run } = createFleetRun(setup);
    const chunks: Uint8Array[] = [];
    const recorder = await createFleetRecorder((bytes) => void chunks.push(bytes.slice()));
    await recorder.record(run!);
    for (let k = 0; k < 25; k++) run!.step(0.1);
    await recorder.record(run!);
    await recorder.event(run!.time, { kind: 'deadlock', robots: ['a'] });
    await recorder.end();
    const reader = new McapStreamReader();
    for (const chunk of chunks) reader.append(chunk);
    const topics = new Map<number, string>();
    const found: [string, number, Record<string, unknown>][] = [];
    for (let record = reader.nextRecord(); record; record = reader.nextRecord())
      if (record.type === 'Channel') topics.set(record.id, record.topic);
      else if (record.type === 'Message')
        found.push([
          topics.get(record.channelId)!,
          Number(record.logTime) / 1e9,
          JSON.parse(new TextDecoder().decode(record.data)),
        ]);
    expect(found.map(([topic, time]) => `${topic} ${time.toFixed(1)}`)).toEqual([
      '/poses 0.0',
      '/metrics 0.0',
      '/poses 2.5',
      '/metrics 2.5',
      '/events 2.5',
    ]);
    const poses = found[2][2].poses as { position: { x: number } }[];
    expect(poses.map(({ position }) => position.x)).toEqual([...run!.execution.x]);
    expect(found[3][2]).toMatchObject({ robots: 3, collisions: 0 });
    const { value, issues } = await readFleetRecording(Buffer.concat(chunks));
    expect(issues).toEqual([]);
    expect(value!.times).toEqual([0, 2.5]);
    expect([0, 3, 6].map((k) => value!.poses[1][k])).toEqual([...run!.execution.x]);
    expect((await readFleetRecording(new Uint8Array(9))).issues[0].code).toBe('bad-mcap');
    expect((await readFleetRecording(Buffer.concat(chunks).subarray(0, 900))).value).toBeNull();
  });

  it('are rows of numbers too', () => {
    const metrics = {
      time: 1,
      robots: 2,
      moving: 1,
      waiting: 0,
      stopped: 0,
      arrived: 1,
      delivered: 0,
      collisions: 0,
      leastGap: null,
    };
    expect(fleetMetricsHeader().split(',').length).toBe(formatFleetMetrics(metrics).split(',').length);
    expect(formatFleetMetrics(metrics)).toBe('1,2,1,0,0,1,0,0,""');
  });
});
