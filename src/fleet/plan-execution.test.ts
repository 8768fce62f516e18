import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { createLifelongFleet } from './lifelong.js';
import { MotionProof } from './motion-proof.js';
import { createGridGraph } from './path-graph.js';
import { createPlanExecution, type PlanExecution } from './plan-execution.js';
import { planPaths } from './plan-paths.js';
import { createRandomProblem } from './random-problem.js';
import { explainWaits } from './stall-report.js';

const nameOf = (robot: number) => `r${robot}`;

/** Steps once; speeds, accelerations and gaps are within their bounds. */
function createWatchedStep(execution: PlanExecution, radius: number) {
  const proof = new MotionProof(execution.x, execution.y, radius, execution.acceleration);
  return (dt: number) => {
    const before = execution.speed.slice();
    const [x, y] = [execution.x.slice(), execution.y.slice()];
    execution.step(dt);
    expect(proof.prove(dt).unproven).toBe(0);
    for (let i = 0; i < before.length; i++) {
      expect(execution.speed[i]).toBeLessThanOrEqual(execution.maxSpeed);
      const gone = Math.sqrt((execution.x[i] - x[i]) ** 2 + (execution.y[i] - y[i]) ** 2);
      expect(gone).toBeLessThanOrEqual(execution.maxSpeed * dt + 1e-8);
      expect(Math.abs(execution.speed[i] - before[i])).toBeLessThanOrEqual(execution.acceleration * dt + 1e-4);
      // What was gone fits the speeds at both ends and the acceleration between.
      const even = ((before[i] + execution.speed[i]) / 2) * dt;
      expect(Math.abs(gone - even)).toBeLessThanOrEqual((execution.acceleration * dt * dt) / 4 + 1e-8);
    }
  };
}

function plannedExecution(seed: number, robots: number, turnRate?: number) {
  const random = createRandom(seed);
  const free = Uint8Array.from({ length: 144 }, () => (random.next() < 0.1 ? 0 : 1));
  const graph = createGridGraph({ width: 12, height: 12, free });
  const problem = { ...createRandomProblem(graph, robots, seed), rotations: false };
  const { status, paths } = planPaths(problem, { seed, rounds: 100 });
  expect(status).toBe('solved');
  return { graph, problem, execution: createPlanExecution(graph, paths, { speed: 1.3, acceleration: 0.9, turnRate }) };
}

describe('executed plans', () => {
  it('keep apart within speed and acceleration, and arrive, though robots stop at random', () => {
    for (let seed = 1; seed <= 3; seed++) {
      const { graph, problem, execution } = plannedExecution(seed, 40, seed % 2 === 0 ? 2 : undefined);
      const random = createRandom(seed);
      const step = createWatchedStep(execution, 0.49);
      for (let k = 0; k < 5000 && !execution.isDone; k++) {
        if (random.next() < 0.1) execution.stop(random.integer(40), random.uniform(0, 10));
        step(0.1);
      }
      expect(execution.isDone).toBe(true);
      for (let i = 0; i < 40; i++)
        expect([execution.x[i], execution.y[i]]).toEqual([graph.x[problem.goals[i]], graph.y[problem.goals[i]]]);
    }
  });

  it('wait behind a robot that never goes on, which is named with those behind it', () => {
    const graph = createGridGraph({ width: 8, height: 1, free: new Uint8Array(8).fill(1) });
    const paths = [Int32Array.from([2, 3, 4, 5]), Int32Array.from([1, 2, 3, 4]), Int32Array.from([0, 1, 2, 3])];
    const execution = createPlanExecution(graph, paths);
    execution.stop(0, 1e6);
    const step = createWatchedStep(execution, 0.49);
    for (let k = 0; k < 100; k++) step(0.1);
    expect([...execution.x]).toEqual([2, 1, 0]);
    expect(explainWaits(execution.waits(), nameOf)).toEqual([
      { kind: 'stopped', robots: ['r0'], waiting: ['r1', 'r2'] },
    ]);
  });

  it('refuse a plan in which a circle of robots turns at once', () => {
    const graph = createGridGraph({ width: 2, height: 2, free: new Uint8Array(4).fill(1) });
    const paths = [
      [0, 1],
      [1, 3],
      [3, 2],
      [2, 0],
    ].map((path) => Int32Array.from(path));
    expect(() => createPlanExecution(graph, paths)).toThrow(/got a rotation with robot 0 in step 1/);
  });

  it('name a circle of waits as a deadlock', () => {
    const waits = [
      { robot: 1, for: 2 },
      { robot: 2, for: 3 },
      { robot: 3, for: 2 },
      { robot: 5, for: 1 },
    ];
    expect(explainWaits(waits, nameOf)).toEqual([{ kind: 'deadlock', robots: ['r2', 'r3'], waiting: ['r1', 'r5'] }]);
  });
});

describe('deliveries without an end', () => {
  it('go on for ten minutes of a crowded floor, apart at every time', () => {
    const graph = createGridGraph({ width: 10, height: 10, free: new Uint8Array(100).fill(1) });
    const random = createRandom(2);
    const starts = Array.from({ length: 25 }, (_, k) => 4 * k);
    const fleet = createLifelongFleet(
      graph,
      starts,
      () => ({ pickup: random.integer(100), delivery: random.integer(100) }),
      {
        speed: 2,
        acceleration: 2,
      },
    );
    const proof = new MotionProof(fleet.execution.x, fleet.execution.y, 0.45, 2);
    for (let k = 0; k < 3000; k++) {
      if (random.next() < 0.02) fleet.execution.stop(random.integer(25), random.uniform(0, 20));
      fleet.step(0.2);
      expect(proof.prove(0.2).unproven).toBe(0);
    }
    expect(fleet.delivered).toBeGreaterThan(100);
  });

  it('take up and give away where they stand, in the order of their tasks, and pass places of others', () => {
    const graph = createGridGraph({ width: 12, height: 12, free: new Uint8Array(144).fill(1) });
    const random = createRandom(5);
    const starts = Array.from({ length: 30 }, (_, k) => 4 * k);
    const given = starts.map((): { pickup: number; delivery: number }[] => []);
    const fleet = createLifelongFleet(
      graph,
      starts,
      (robot) => {
        const task = { pickup: random.integer(72), delivery: 72 + random.integer(72) };
        given[robot].push(task);
        return task;
      },
      { speed: 1.5, acceleration: 1, turnRate: 2 },
    );
    const { execution } = fleet;
    const done = starts.map(() => 0);
    let changes = 0;
    for (let k = 0; k < 4000; k++) {
      const carried = starts.map((_, i) => fleet.isCarrying(i));
      const tasks = starts.map((_, i) => fleet.taskOf(i));
      fleet.step(0.1);
      for (let i = 0; i < starts.length; i++) {
        if (fleet.isCarrying(i) === carried[i]) continue;
        changes++;
        expect(execution.speed[i]).toBe(0);
        expect(tasks[i]).toBe(given[i][done[i]]);
        const place = carried[i] ? tasks[i]!.delivery : tasks[i]!.pickup;
        expect(execution.vertexOf(i)).toBe(place);
        if (carried[i]) done[i]++;
      }
    }
    expect(changes).toBeGreaterThan(250);
    expect(fleet.delivered).toBeGreaterThan(120);
  });

  it('tell who drives in vain', () => {
    const graph = createGridGraph({ width: 3, height: 1, free: new Uint8Array(3).fill(1) });
    // Each wants to where the other has to stay in a corridor.
    const fleet = createLifelongFleet(graph, [0, 2], (robot) => ({
      pickup: robot === 0 ? 2 : 0,
      delivery: robot === 0 ? 2 : 0,
    }));
    for (let k = 0; k < 600; k++) fleet.step(0.2);
    expect(fleet.progress.find(fleet.execution.time, 60, nameOf)).toEqual({
      kind: 'livelock',
      robots: ['r0', 'r1'],
      waiting: [],
    });
    expect(fleet.delivered).toBe(0);
  });
});
