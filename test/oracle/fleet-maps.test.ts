/**
 * Multi-agent paths on the benchmark maps beside the project: small ones in which robots must pass one another, solved or proven impossible; a
 * scenario; and, with ORACLE_FULL=1, every map with min(1000, 40 % of the free cells) robots and the largest with 10,000.
 * Every plan goes through the independent check.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createGridGraph } from '../../src/fleet/path-graph.js';
import { planPaths } from '../../src/fleet/plan-paths.js';
import { createRandomProblem } from '../../src/fleet/random-problem.js';
import { verifyPaths } from '../../src/fleet/verify-paths.js';
import { parseGridMap } from '../../src/io/grid/grid-map-file.js';
import { parseScenario } from '../../src/io/grid/scenario-file.js';
import { needsShared, sharedPath } from '../shared.js';

const folder = sharedPath('data', 'mapf');
const isFull = Boolean(process.env.ORACLE_FULL);
const clock = () => performance.now();

function load(name: string) {
  const { value, issues } = parseGridMap(readFileSync(`${folder}/${name}.map`, 'utf8'));
  expect(issues).toEqual([]);
  const graph = createGridGraph(value!);
  const at = ([x, y]: readonly [number, number]) => graph.vertexOfCell![y * value!.width + x];
  return { graph, at };
}

type Cells = readonly (readonly [number, number])[];

/** Starts and goals by column and row: robots have to pass one another. */
const passing: readonly [string, 'solved' | 'impossible', Cells, Cells][] = [
  [
    'tunnel',
    'solved',
    [
      [0, 2],
      [0, 3],
      [0, 4],
      [0, 5],
    ],
    [
      [0, 5],
      [0, 4],
      [0, 3],
      [0, 2],
    ],
  ],
  [
    'corners',
    'solved',
    [
      [0, 0],
      [4, 4],
    ],
    [
      [4, 4],
      [0, 0],
    ],
  ],
  [
    'corners',
    'solved',
    [
      [0, 0],
      [0, 1],
      [4, 4],
      [4, 3],
    ],
    [
      [4, 4],
      [4, 3],
      [0, 0],
      [0, 1],
    ],
  ],
  [
    'connector',
    'solved',
    [
      [0, 0],
      [1, 0],
      [3, 6],
      [5, 6],
    ],
    [
      [5, 6],
      [3, 6],
      [0, 0],
      [1, 0],
    ],
  ],
  [
    'tree',
    'solved',
    [
      [0, 3],
      [2, 3],
    ],
    [
      [2, 3],
      [0, 3],
    ],
  ],
  [
    'tree',
    'solved',
    [
      [1, 0],
      [0, 3],
      [2, 3],
    ],
    [
      [2, 3],
      [1, 0],
      [0, 3],
    ],
  ],
  [
    'string',
    'solved',
    [
      [1, 0],
      [1, 5],
    ],
    [
      [1, 5],
      [1, 0],
    ],
  ],
  [
    'string',
    'solved',
    [
      [1, 0],
      [0, 1],
      [0, 5],
      [1, 5],
    ],
    [
      [1, 5],
      [0, 5],
      [0, 1],
      [1, 0],
    ],
  ],
  [
    'loop-chain',
    'solved',
    [
      [0, 2],
      [3, 0],
    ],
    [
      [3, 0],
      [0, 2],
    ],
  ],
  [
    'loop-chain',
    'solved',
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
    [
      [2, 0],
      [0, 0],
      [1, 0],
    ],
  ],
];

describe.skipIf(!folder)(`multi-agent paths${needsShared('data', 'mapf')}`, () => {
  it.each(passing)('%s: %s with robots that pass one another', (name, status, starts, goals) => {
    const { graph, at } = load(name);
    const problem = { graph, starts: starts.map(at), goals: goals.map(at) };
    const plan = planPaths(problem, { rounds: 50 });
    expect(`${plan.status} ${plan.status === status ? '' : plan.reason}`.trim()).toBe(status);
    if (plan.status === 'solved') expect(verifyPaths(problem, plan.paths)).toEqual([]);
  });

  // Every place is taken: on a tree nobody can move, on a ring with a tail only the ring turns.
  it.each(['tunnel', 'string', 'tree', 'loop-chain'])(
    '%s: two of a full map that change places are proven impossible',
    (name) => {
      const { graph } = load(name);
      const starts = Array.from({ length: graph.vertexCount }, (_, v) => v);
      const goals = [1, 0, ...starts.slice(2)];
      const plan = planPaths({ graph, starts, goals });
      expect(plan.status).toBe('impossible');
      expect(plan.reason).toMatch(name === 'loop-chain' ? /all 8 configurations/ : /all 1 configurations/);
    },
  );

  it('plans a scenario of the benchmark', () => {
    const { graph, at } = load('random-32-32-10');
    const { value } = parseScenario(readFileSync(`${folder}/random-32-32-10-random-1.scen`, 'utf8'));
    const used = value!.slice(0, 100);
    const problem = { graph, starts: used.map(({ start }) => at(start)), goals: used.map(({ goal }) => at(goal)) };
    const plan = planPaths(problem, { rounds: 400 });
    expect(verifyPaths(problem, plan.paths)).toEqual([]);
    // From here on improvements are small: within a tenth of what each would need alone.
    expect(plan.sumOfCosts).toBeLessThan(1.1 * plan.lowerBound);
  });

  it
    .runIf(isFull)
    .each([
      'empty-32-32',
      'empty-48-48',
      'maze-32-32-4',
      'maze-128-128-10',
      'random-32-32-10',
      'random-32-32-20',
      'random-64-64-20',
      'room-64-64-8',
      'warehouse-10-20-10-2-1',
      'warehouse-20-40-10-2-2',
    ])('%s, crowded (ORACLE_FULL)', (name) => {
    const { graph } = load(name);
    const problem = createRandomProblem(graph, Math.min(1000, Math.floor(0.4 * graph.vertexCount)), 1);
    const plan = planPaths(problem, { timeoutMs: 60_000, clock });
    expect(plan.status).toBe('solved');
    expect(verifyPaths(problem, plan.paths)).toEqual([]);
  });

  it.runIf(isFull)('10,000 robots (ORACLE_FULL)', () => {
    const { graph } = load('warehouse-20-40-10-2-2');
    const plan = planPaths(createRandomProblem(graph, 10_000, 1), { timeoutMs: 300_000, clock, rounds: 0 });
    expect(plan.status).toBe('solved');
  });
});
