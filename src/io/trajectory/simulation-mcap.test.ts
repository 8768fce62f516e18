import { McapStreamReader } from '@mcap/core';
import { expect, it } from 'vitest';
import { readSimulationRecording } from './read-simulation-recording.js';
import { createSimulationRecorder } from './simulation-mcap.js';

it('writes transforms, joints and reports at their times', async () => {
  const chunks: Uint8Array[] = [];
  const recorder = await createSimulationRecorder((bytes) => void chunks.push(bytes.slice()), ['arm']);
  for (const t of [0, 0.5]) {
    await recorder.write({
      t,
      frames: [{ name: 'ball', pose: [t, 0, 1, 0, 0, 0, 1] }],
      robots: [{ name: 'arm', joints: ['j'], position: [t], velocity: [1], effort: [2] }],
      report: { contacts: 3 },
    });
  }
  await recorder.end();
  const reader = new McapStreamReader({ validateCrcs: true });
  for (const chunk of chunks) reader.append(chunk);
  const topics = new Map<number, string>();
  const found: [string, bigint, unknown][] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Channel') topics.set(record.id, record.topic);
    if (record.type !== 'Message') continue;
    found.push([topics.get(record.channelId)!, record.logTime, JSON.parse(new TextDecoder().decode(record.data))]);
  }
  expect(found.map(([topic, time]) => [topic, time])).toEqual([
    ['/tf', 0n],
    ['/joint_states/arm', 0n],
    ['/report', 0n],
    ['/tf', 500000000n],
    ['/joint_states/arm', 500000000n],
    ['/report', 500000000n],
  ]);
  expect(found[3][2]).toMatchObject({ transforms: [{ child_frame_id: 'ball', translation: { x: 0.5, z: 1 } }] });
  expect(found[4][2]).toMatchObject({ name: ['j'], position: [0.5], velocity: [1], effort: [2] });
  expect(found[5][2]).toEqual({ t: 0.5, contacts: 3 });
});

it('is read again, and says what is none', async () => {
  const chunks: Uint8Array[] = [];
  const recorder = await createSimulationRecorder((bytes) => void chunks.push(bytes.slice()), []);
  for (const t of [0, 0.5])
    await recorder.write({
      t,
      frames: [
        { name: 'ball', pose: [t, 0, 1, 0, 0, 0, 1] },
        { name: 'arm/hand', pose: [0, t, 0, 1, 0, 0, 0] },
      ],
      robots: [],
      report: { energy: 3 - t },
    });
  await recorder.end();
  const bytes = new Uint8Array(Buffer.concat(chunks));
  const { value, issues } = await readSimulationRecording(bytes);
  expect(issues).toEqual([]);
  expect(value).toEqual({
    names: ['ball', 'arm/hand'],
    times: [0, 0.5],
    poses: [
      Float64Array.of(0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
      Float64Array.of(0.5, 0, 1, 0, 0, 0, 1, 0, 0.5, 0, 1, 0, 0, 0),
    ],
    reports: [
      { t: 0, energy: 3 },
      { t: 0.5, energy: 2.5 },
    ],
  });
  expect((await readSimulationRecording(new Uint8Array(9))).issues[0].code).toBe('bad-mcap');
  expect((await readSimulationRecording(bytes.subarray(0, bytes.length - 40))).value).toBeNull();
});
