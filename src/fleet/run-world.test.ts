import { describe, expect, it } from 'vitest';
import { runFleetInTime } from './run-world.js';

/** A clock on which a step takes 20 ms and waiting what it is asked to. */
function createTime() {
  let now = 1000;
  const waits: number[] = [];
  let steps = 0;
  return {
    world: {
      step: () => {
        steps++;
        now += 20;
      },
    },
    clock: () => now,
    wait: (ms: number) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
    waits,
    count: () => steps,
  };
}

describe('runs in time', () => {
  it('go as fast as they can, at a factor, or late without leaving out a step', async () => {
    const max = createTime();
    expect(await runFleetInTime(max.world, { seconds: 2, dt: 0.1, clock: max.clock, wait: max.wait })).toEqual({
      steps: 20,
      seconds: 2,
      realTimeFactor: 5,
    });
    expect(max.waits).toEqual([]);
    const twice = createTime();
    const report = await runFleetInTime(twice.world, {
      seconds: 2,
      dt: 0.1,
      realTimeFactor: 2,
      clock: twice.clock,
      wait: twice.wait,
    });
    expect(report.realTimeFactor).toBeCloseTo(2, 9);
    const late = createTime();
    const slow = await runFleetInTime(late.world, {
      seconds: 2,
      dt: 0.1,
      realTimeFactor: 50,
      clock: late.clock,
      wait: late.wait,
    });
    expect([slow.steps, slow.realTimeFactor, late.waits.length]).toEqual([20, 5, 0]);
  });

  it('pause, step by step, and stop', async () => {
    const time = createTime();
    let pauses = 3;
    const report = await runFleetInTime(time.world, {
      seconds: 1,
      dt: 0.1,
      clock: time.clock,
      wait: time.wait,
      isPaused: () => time.count() === 4 && pauses-- > 0,
      shouldStop: () => time.count() === 7,
    });
    expect([report.steps, time.waits, report.realTimeFactor]).toEqual([7, [50, 50, 50], 5]);
    await expect(runFleetInTime(time.world, { seconds: 1, dt: 0.1 } as never)).rejects.toThrow(/options\.clock/);
  });
});
