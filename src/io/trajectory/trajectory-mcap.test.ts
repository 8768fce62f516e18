import { McapStreamReader } from '@mcap/core';
import { expect, it } from 'vitest';
import { joint, robot } from '../../../test/models.js';
import { buildModel } from '../../model/build-model.js';
import { createLimits } from '../../trajectory/limits.js';
import { planPointToPoint } from '../../trajectory/point-to-point.js';
import { sampleTrajectory } from '../../trajectory/trajectory.js';
import { toTrajectoryTable } from '../../trajectory/trajectory-table.js';
import { encodeJointState } from '../robot/joint-messages.js';
import { isMcap, readTrajectoryMcap, writeTrajectoryMcap } from './trajectory-mcap.js';

it('writes a file that a reader reads back, message for message', async () => {
  const { model } = buildModel(robot([joint('a', 'revolute', 'l0', 'l1'), joint('b', 'revolute', 'l1', 'l2')]));
  const limits = createLimits(model, { velocity: 1, acceleration: 2, jerk: 20 });
  const { trajectory } = planPointToPoint(model, [0, 0], [1, -0.5], { limits });
  const table = toTrajectoryTable(model, sampleTrajectory(trajectory!, 0.1));
  const reader = new McapStreamReader();
  await writeTrajectoryMcap((bytes) => reader.append(Uint8Array.from(bytes)), table);
  const states: { readonly logTime: bigint; readonly data: Uint8Array }[] = [];
  const topics = new Map<number, string>();
  let whole = 0;
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Channel') topics.set(record.id, record.topic);
    if (record.type !== 'Message') continue;
    if (topics.get(record.channelId) === '/joint_states')
      states.push({ ...record, data: Uint8Array.from(record.data) });
    else whole++;
  }
  expect(reader.done()).toBe(true);
  expect(whole).toBe(1);
  expect(states).toHaveLength(table.times.length);
  states.forEach(({ logTime, data }, i) => {
    expect(Number(logTime) / 1e9).toBeCloseTo(table.times[i], 9);
    expect(data).toEqual(Uint8Array.from(encodeJointState(table, i)));
  });
});

it('reads back what it wrote, and tells what it cannot read', async () => {
  const table = {
    positionNames: ['a', 'j"1, é'],
    velocityNames: ['a', 'j"1, é'],
    times: [0, 0.001, 1.25],
    positions: [
      [0, 1],
      [1 / 3, -2],
      [4, 5e-324],
    ],
    velocities: [
      [0, 0],
      [1, 2],
      [3, 4],
    ],
  };
  const chunks: number[] = [];
  await writeTrajectoryMcap((bytes) => {
    for (const byte of bytes) chunks.push(byte);
  }, table);
  const bytes = Uint8Array.from(chunks);
  expect(isMcap(bytes)).toBe(true);
  expect(await readTrajectoryMcap(bytes)).toEqual({ value: table, issues: [] });
  for (let seed = 0; seed < 300; seed++) {
    // Cut or changed anywhere: read, or told; never thrown.
    const at = (seed * 7919) % bytes.length;
    const broken =
      seed % 2 === 0 ? bytes.slice(0, at) : bytes.map((byte, i) => (i === at ? byte ^ (1 << (seed % 8)) : byte));
    const { value, issues } = await readTrajectoryMcap(broken);
    if (!value) expect(issues).toMatchObject([{ severity: 'error' }]);
  }
});
