import { describe, expect, it } from 'vitest';
import type { FleetDescription } from '../scene/fleet-description.js';
import { createFleetRun, createFleetSetup } from './fleet-run.js';
import { floatsToText, textToFloats } from './state-text.js';

const rows = ['..........', '.@@.@@.@@.', '..........', '..........'];
const map = { width: 10, height: 4, free: Uint8Array.from(rows.join(''), (c) => (c === '.' ? 1 : 0)) };
const cells = [0, 2, 4, 6, 8].map((x) => [x, 0] as const);
const world = (more: Partial<FleetDescription['fleet']> = {}): FleetDescription => ({
  version: 1,
  objects: [],
  fleet: { map: rows, robots: 8, stops: { share: 0.05, seconds: 3 }, radius: 0.45, seed: 4, ...more },
});
const tasks = { pickups: cells, deliveries: cells.map(([x]) => [x, 3] as const) };

describe("a fleet's run", () => {
  it.each([
    ['tasks', world({ tasks })],
    ['goals', world({ turnRate: 2 })],
  ])('goes on from its state with the same bits: %s', (_, description) => {
    const setup = createFleetSetup(description, map);
    const make = () => createFleetRun(setup).run!;
    const whole = make();
    const first = make();
    for (let k = 0; k < 150; k++) whole.step(0.1);
    for (let k = 0; k < 70; k++) first.step(0.1);
    const second = make();
    second.restore(first.save());
    expect(second.hash()).toBe(first.hash());
    for (let k = 70; k < 150; k++) second.step(0.1);
    expect(second.hash()).toBe(whole.hash());
    expect(whole.collisions).toBe(0);
    expect(() => second.restore('{}')).toThrow(/state of another world/);
    expect(() => second.restore(first.save().replace('"reached"', '').slice(0, -2))).toThrow(/no JSON/);
    const other = createFleetRun(createFleetSetup({ ...description, fleet: { ...description.fleet, seed: 5 } }, map))
      .run!;
    expect(() => other.restore(first.save())).toThrow(/another world/);
  });

  it('arrives, delivers and counts', () => {
    const { run, plan } = createFleetRun(createFleetSetup(world({ stops: undefined }), map));
    while (!run!.isDone) run!.step(0.1);
    expect(plan!.status).toBe('solved');
    expect(run!.metrics()).toMatchObject({ robots: 8, arrived: 8, moving: 0, collisions: 0 });
    const delivering = createFleetRun(createFleetSetup(world({ tasks }), map)).run!;
    for (let k = 0; k < 3000; k++) delivering.step(0.1);
    expect(delivering.metrics().delivered).toBeGreaterThan(10);
  });

  it('closes a cell while robots move: nobody enters it again, and what is kept knows', () => {
    const setup = createFleetSetup(world({ tasks, stops: undefined }), map);
    const run = createFleetRun(setup).run!;
    for (let k = 0; k < 100; k++) run.step(0.1);
    const v = setup.graph.vertexOfCell![2 * 10 + 5];
    let state = run.closeCell(5, 2);
    for (let k = 0; k < 1000 && state === 'closing'; k++) {
      run.step(0.1);
      state = run.closeCell(5, 2);
    }
    expect(state).toBe('closed');
    const again = createFleetRun(setup).run!;
    again.restore(run.save());
    const { delivered } = run.metrics();
    for (let k = 0; k < 1500; k++) {
      run.step(0.1);
      again.step(0.1);
      for (let i = 0; i < 8; i++) expect(run.execution.vertexOf(i)).not.toBe(v);
    }
    expect(run.metrics().delivered).toBeGreaterThan(delivered);
    expect(again.hash()).toBe(run.hash());
    // No cell, a wall, a place of tasks, a plan.
    for (const [x, y] of [
      [99, 0],
      [1, 1],
      [0, 0],
    ])
      expect(run.closeCell(x, y)).toBe('refused');
    expect(createFleetRun(createFleetSetup(world(), map)).run!.closeCell(5, 2)).toBe('refused');
  });

  it('blocks the cells that objects touch, and says what it cannot use', () => {
    const pillar = { name: 'pillar', shape: { type: 'box' as const, size: [1, 0.9, 2] as [number, number, number] } };
    const count = (pose: [number, number, number, number, number, number, number]) =>
      createFleetSetup({ ...world(), objects: [{ ...pillar, pose }] }, map).graph.vertexCount;
    const free = createFleetSetup(world(), map).graph.vertexCount;
    expect(count([3, 3, 0, 0, 0, 0, 1])).toBe(free - 3);
    expect(count([3.3, 3, 0, 0, 0, 0, 1])).toBe(free - 2);
    const half = Math.SQRT1_2;
    expect(count([3, 3, 0, 0, 0, half, half])).toBeLessThan(free);
    expect(() => createFleetSetup(world({ radius: 0.6 }), map)).toThrow(/fleet\.radius, got 0\.6/);
    expect(() => createFleetSetup(world({ robots: [{ name: 'a', start: [1, 1], goal: [0, 0] }] }), map)).toThrow(
      /cell \[1, 1\]/,
    );
    expect(() => createFleetSetup(world({ robots: [{ name: 'a', start: [0, 0] }] }), map)).toThrow(/no goal of "a"/);
  });

  it('writes numbers bit for bit', () => {
    const values = Float64Array.of(0, -0, 1 / 3, Number.POSITIVE_INFINITY, -5e-324, 1e300);
    const back = new Float64Array(6);
    textToFloats(back, floatsToText(values));
    expect(new BigUint64Array(back.buffer)).toEqual(new BigUint64Array(values.buffer));
  });
});
