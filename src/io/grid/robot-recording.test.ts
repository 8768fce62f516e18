import { McapStreamReader } from '@mcap/core';
import { describe, expect, it } from 'vitest';
import { createArmModel } from '../../fleet/arm-model.test-support.js';
import { createFleetArm } from '../../fleet/fleet-arm.js';
import { createFleetWorld } from '../../fleet/fleet-world.js';
import { createRobotFleet } from '../../fleet/robot-fleet.js';
import { createRobotRecorder, formatRobotRows, robotTableHeader } from './robot-recording.js';

function fleetOfArms() {
  const arm = createFleetArm(createArmModel());
  const fleet = createRobotFleet(createFleetWorld());
  for (let k = 0; k < 3; k++)
    fleet.addRobot({
      name: `r${k}`,
      base: 'omni',
      shape: { type: 'disc', radius: 0.3 },
      pose: [0.5 * k, 0, 0, 0],
      ...(k === 0 ? {} : { arm, joints: { values: [0.1, 0.2, 0], rate: 1 } }),
    });
  return fleet;
}

describe('records of robots with arms', () => {
  it('hold poses, joints, contacts, counts and events, each at its time', async () => {
    const fleet = fleetOfArms();
    const parts: Uint8Array[] = [];
    const recorder = await createRobotRecorder((bytes) => void parts.push(bytes.slice()));
    fleet.enqueue(1, { type: 'joints', values: [0.5, 0, 0.1] });
    for (let k = 0; k < 3; k++) {
      fleet.world.step(0.1);
      await recorder.record(fleet);
    }
    await recorder.event(0.3, { kind: 'note' });
    await recorder.end();
    const reader = new McapStreamReader();
    reader.append(Buffer.concat(parts));
    const topics = new Map<number, string>();
    const messages: { topic: string; time: number; data: Record<string, unknown> }[] = [];
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord())
      if (record.type === 'Channel') topics.set(record.id, record.topic);
      else if (record.type === 'Message')
        messages.push({
          topic: topics.get(record.channelId)!,
          time: Number(record.logTime) / 1e9,
          data: JSON.parse(new TextDecoder().decode(record.data)),
        });
    const on = (topic: string) => messages.filter((message) => message.topic === topic);
    expect(on('/poses').length).toBe(3);
    expect((on('/poses')[0].data.poses as unknown[]).length).toBe(3);
    const joints = on('/joints')[2];
    expect(joints.time).toBeCloseTo(0.3, 9);
    const [first] = joints.data.robots as { name: string; positions: number[] }[];
    expect(first.name).toBe('r1');
    expect(first.positions.map((q) => Math.round(q * 1e9) / 1e9)).toEqual([0.4, 0, 0.1]);
    expect(on('/contacts')[0].data.pairs).toContainEqual(['r0', 'r1']);
    expect(on('/metrics')[0].data).toMatchObject({ robots: 3, idle: 2, carrying: 0 });
    expect(on('/events').length).toBe(1);
  });

  it('are rows of one width, whatever joints a robot has', () => {
    const fleet = fleetOfArms();
    fleet.removeRobot(2);
    const rows = [robotTableHeader(3), ...formatRobotRows(fleet, 3)];
    expect(rows.map((row) => row.split(',').length)).toEqual([12, 12, 12]);
    expect(rows[2]).toBe('0,r1,0.5,0,0,0,0,"","",0.1,0.2,0');
  });
});
