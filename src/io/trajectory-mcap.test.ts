import { McapStreamReader } from '@mcap/core';
import { expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { buildModel } from '../model/build-model.js';
import { createLimits } from '../trajectory/limits.js';
import { planPointToPoint } from '../trajectory/point-to-point.js';
import { sampleTrajectory } from '../trajectory/trajectory.js';
import { toTrajectoryTable } from '../trajectory/trajectory-table.js';
import { encodeJointState } from './joint-messages.js';
import { writeTrajectoryMcap } from './trajectory-mcap.js';

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
