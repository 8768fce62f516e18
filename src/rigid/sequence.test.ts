import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { joinMeshes } from '../geometry/join-meshes.js';
import { findClosedSets } from './blocking-graph.js';
import { boxMesh, pose, ringMesh } from './rigid.test-support.js';
import { type AssemblyPart, planSequence } from './sequence.js';

const part = (name: string, mesh: AssemblyPart['mesh']): AssemblyPart => ({ name, mesh, pose: pose(0, 0, 0) });

/** Binary; no reader of a higher folder. */
function readStl(bytes: Uint8Array): AssemblyPart['mesh'] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const count = view.getUint32(80, true);
  const vertices = new Float64Array(9 * count);
  for (let i = 0; i < vertices.length; i++)
    vertices[i] = view.getFloat32(96 + 50 * Math.floor(i / 9) + 4 * (i % 9), true);
  return { vertices, triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

/** An open box; in it a sleeve and a pin across it, which the box's walls keep in; a lid over it. */
const parts: AssemblyPart[] = [
  part(
    'tray',
    joinMeshes([
      boxMesh([-3, -3, -1], [3, 3, 0]),
      boxMesh([-3, -3, 0], [-2, 3, 2]),
      boxMesh([2, -3, 0], [3, 3, 2]),
      boxMesh([-2, -3, 0], [2, -2, 2]),
      boxMesh([-2, 2, 0], [2, 3, 2]),
    ]),
  ),
  part('sleeve', ringMesh([0, 0, 0.8], 0.6, 0.3, 0.5, 1)),
  part('pin', boxMesh([-0.25, -1.9, 0.55], [0.25, 1.9, 1.05])),
  part('lid', joinMeshes([boxMesh([-3, -3, 2.1], [3, 3, 2.3]), boxMesh([-1.9, -1.9, 1.8], [1.9, 1.9, 2.1])])),
];

describe('sequences', () => {
  it('takes sets out as one where they hold each other, and apart where they are', () => {
    const sequence = planSequence(parts, { queriesPerPart: 0 });
    expect(sequence.status).toBe('solved');
    expect(sequence.steps.map((step) => step.parts.join('+'))).toEqual(['lid', 'sleeve+pin', 'pin']);
    expect(sequence.steps.every(({ certified, clearance }) => certified && clearance > 0)).toBe(true);
    const pairs = sequence.precedence.map(([a, b]) => `${a} ${b}`);
    expect(pairs).toContain('lid sleeve');
    expect(pairs).toContain('lid pin');
  });

  it('agrees with trying all orders of single parts', () => {
    // Without the pin every part comes out alone: of all orders just those are feasible in which the lid comes first.
    const three = parts.filter(({ name }) => name !== 'pin');
    const feasible = (order: readonly string[]): boolean => {
      let rest = three;
      for (const name of order) {
        const others = rest.filter((p) => p.name !== name);
        const joined = { name: 'others', mesh: joinMeshes(others.map(({ mesh }) => mesh)), pose: pose(0, 0, 0) };
        const moving = rest.find((p) => p.name === name) as AssemblyPart;
        if (planSequence([joined, moving], { queriesPerPart: 0, base: 'others' }).status !== 'solved') return false;
        rest = others;
      }
      return true;
    };
    expect(feasible(['lid', 'sleeve'])).toBe(true);
    expect(feasible(['sleeve', 'lid'])).toBe(false);
    const { steps } = planSequence(three, { queriesPerPart: 0 });
    expect(steps.map((step) => step.parts[0])).toEqual(['lid', 'sleeve']);
  });

  it('agrees with trying all orders of the bearing', () => {
    const bearing = ['housing', 'shaft', 'cover', 'foot'].map((name) => {
      const bytes = readFileSync(new URL(`../../examples/assembly/meshes/${name}.stl`, import.meta.url));
      return part(name, readStl(bytes));
    });
    const free = new Map<string, boolean>();
    /** Whether a part of those that are left comes straight out of the others. */
    const comesOut = (left: readonly string[], name: string): boolean => {
      const key = `${name} of ${[...left].sort().join()}`;
      const known = free.get(key);
      if (known !== undefined) return known;
      const others = left.filter((other) => other !== name);
      const joined = part('others', joinMeshes(others.map((other) => bearing.find((p) => p.name === other)!.mesh)));
      const moving = bearing.find((p) => p.name === name)!;
      const { status } = planSequence([joined, moving], { queriesPerPart: 0, base: 'others' });
      free.set(key, status === 'solved');
      return status === 'solved';
    };
    const { status, steps, precedence } = planSequence(bearing, { queriesPerPart: 0 });
    expect(status).toBe('solved');
    const found = steps.map((step) => step.parts.join());
    const orders = ['shaft', 'cover', 'foot'].flatMap((a, _, all) =>
      all.filter((b) => b !== a).map((b) => [a, b, ...all.filter((c) => c !== a && c !== b)]),
    );
    expect(orders).toHaveLength(6);
    const feasible = orders.filter((order) => order.every((name, k) => comesOut(['housing', ...order.slice(k)], name)));
    expect(feasible.map((order) => order.join())).toContain(found.join());
    // Whatever keeps what precedes is feasible.
    const keeps = orders.filter((order) => precedence.every(([a, b]) => order.indexOf(a) < order.indexOf(b)));
    expect(keeps.length).toBeGreaterThan(0);
    for (const order of keeps) expect(feasible).toContainEqual(order);
  });

  it('says who holds whom where nothing comes out', () => {
    const links = [part('a', ringMesh([0, 0, 0], 2, 1.5, 0.2)), part('b', ringMesh([1.75, 0, 0], 2, 1.5, 0.2, 1))];
    const sequence = planSequence(links, { queriesPerPart: 2000 });
    expect(sequence.status).toBe('stuck');
    expect(sequence.reason).toContain('"a" is held by "b" in every direction tried');
    expect(sequence.reason).toContain('2000 queries');
    const touching = planSequence([part('a', boxMesh([0, 0, 0], [1, 1, 1])), part('b', boxMesh([1, 0, 0], [2, 1, 1]))]);
    expect(touching).toMatchObject({ status: 'stuck', reason: expect.stringMatching(/touch or overlap/) });
  });

  it('uses the planner where no straight way is free', () => {
    // An L in a channel of the same form: along, then out.
    const channel = joinMeshes([
      boxMesh([-3, 1, -1], [3, 1.2, 1]),
      boxMesh([-3, -1.2, -1], [1, -1, 1]),
      boxMesh([-3.2, -1.2, -1], [-3, 1.2, 1]),
      boxMesh([3, -4, -1], [3.2, 1.2, 1]),
      boxMesh([-3, -1.2, -1.2], [3, 1.2, -1]),
      boxMesh([-3, -1.2, 1], [3, 1.2, 1.2]),
    ]);
    const block = boxMesh([-2.5, -0.7, -0.7], [-1.3, 0.7, 0.7]);
    const sequence = planSequence([part('channel', channel), part('block', block)], { base: 'channel' });
    expect(sequence.status).toBe('solved');
    expect(sequence.steps[0].method).not.toBe('straight');
  });

  it('finds closed sets of a graph', () => {
    // 0 needs 1, 1 and 2 need each other, 3 needs nothing, 4 is held from outside.
    const edges = [
      [0, 1],
      [1, 2],
      [2, 1],
    ];
    const sets = findClosedSets(
      5,
      (a, b) => edges.some(([p, q]) => p === a && q === b),
      (a) => a === 4,
    );
    expect(sets.map((set) => [...set].sort()).sort()).toEqual([[1, 2], [3]]);
  });
});
