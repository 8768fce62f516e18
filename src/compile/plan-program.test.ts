import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { ConstantTable, emitProgram } from './emit-program.js';
import { evaluate } from './evaluate.test-support.js';
import { type Expression, ExpressionGraph } from './expression-graph.js';
import type { Lanes } from './instruction-writer.js';
import { type PlanOptions, planProgram } from './plan-program.js';
import type { TracedProgram } from './program.js';
import { assembleModule } from './wasm-module.js';

const INPUTS = 6;
const FIRST_OUTPUT = 8;

/** Random straight-line code with much sharing: each node takes recent or old ones. */
function createProgram(seed: number, size: number): TracedProgram {
  const random = createRandom(seed);
  const graph = new ExpressionGraph();
  const nodes: Expression[] = Array.from({ length: INPUTS }, (_, i) => graph.input(i));
  nodes.push(graph.constant(0.5), graph.constant(-1.25));
  const pick = () =>
    nodes[random.next() < 0.7 ? Math.max(0, nodes.length - 1 - random.integer(12)) : random.integer(nodes.length)];
  for (let i = 0; i < size; i++) {
    const kind = random.integer(7);
    const [a, b, c] = [pick(), pick(), pick()];
    if (kind === 0) nodes.push(graph.multiply(a, graph.constant(0.5)));
    else if (kind === 1) nodes.push(graph.subtract(a, b));
    else if (kind === 2) nodes.push(graph.minimum(a, b));
    else if (kind === 3) nodes.push(graph.selectPositive(a, b, c));
    else if (kind === 4) nodes.push(graph.negate(a));
    else nodes.push(graph.multiply(graph.constant(0.5), graph.add(a, b)));
  }
  const outputs = nodes.slice(-20).map((value, i) => ({ cell: FIRST_OUTPUT + i, value }));
  // A value that goes to two cells, an input and a constant as results.
  outputs.push({ cell: FIRST_OUTPUT + 20, value: nodes[nodes.length - 1] });
  outputs.push({ cell: FIRST_OUTPUT + 21, value: nodes[0] });
  outputs.push({ cell: FIRST_OUTPUT + 22, value: graph.constant(-1.25) });
  return { name: 'run', graph, outputs };
}

function runProgram(program: TracedProgram, shape: PlanOptions, lanes: Lanes, inputs: readonly number[][]): number[][] {
  const plan = planProgram(program, shape);
  const scratchStart = FIRST_OUTPUT + 32;
  const constants = new ConstantTable(scratchStart + plan.slotCount + (plan.slotCount % 2));
  const functions = emitProgram(program, plan, { lanes, scratchStart, constants });
  const data = Float64Array.from(constants.values.flatMap((x) => new Array<number>(lanes).fill(x)));
  const bytes = assembleModule({
    functions,
    exports: functions.map((_, i) => [`part${i}`, i]),
    memoryBytes: 8 * lanes * (constants.start + constants.values.length),
    data: [{ address: 8 * lanes * constants.start, bytes: new Uint8Array(data.buffer) }],
    custom: { name: 'none', bytes: new Uint8Array(0) },
  });
  const math = { sin: Math.sin, cos: Math.cos };
  const exports = new WebAssembly.Instance(new WebAssembly.Module(bytes), { math }).exports;
  const memory = new Float64Array((exports.memory as WebAssembly.Memory).buffer);
  for (let lane = 0; lane < lanes; lane++) {
    for (let i = 0; i < INPUTS; i++) memory[lanes * i + lane] = inputs[lane][i];
  }
  for (let i = 0; i < functions.length; i++) (exports[`part${i}`] as () => void)();
  return Array.from({ length: lanes }, (_, lane) => program.outputs.map(({ cell }) => memory[lanes * cell + lane]));
}

const shapes: PlanOptions[] = [
  { segmentSize: 1, functionSize: 1 },
  { segmentSize: 5, functionSize: 40 },
  { segmentSize: 60, functionSize: 200 },
  { segmentSize: 1e9, functionSize: 1e9 },
];

describe('planned and emitted programs', () => {
  for (const lanes of [1, 2] as const) {
    it.each(shapes)(`compute what the graph says, ${lanes} lanes, %o`, (shape) => {
      for (let seed = 1; seed <= 25; seed++) {
        const program = createProgram(seed, 20 + 20 * seed);
        const random = createRandom(100 + seed);
        const inputs = [0, 1].map(() => Array.from({ length: INPUTS }, () => random.uniform(-2, 2)));
        const results = runProgram(program, shape, lanes, inputs);
        results.forEach((result, lane) => {
          const expected = program.outputs.map(({ value }) => evaluate(program.graph, value, inputs[lane]));
          expect(result, `seed ${seed}`).toEqual(expected);
        });
      }
    });
  }

  it('respects the sizes asked for and drops what nothing needs', () => {
    const program = createProgram(3, 600);
    const all = planProgram(program, { segmentSize: 1e9, functionSize: 1e9 });
    expect(all.slotCount).toBe(0);
    expect(all.functions.length).toBe(1);
    const plan = planProgram(program, { segmentSize: 30, functionSize: 100 });
    expect(plan.operationCount).toBe(all.operationCount);
    expect(plan.operationCount).toBeLessThan(program.graph.size);
    const segments = plan.functions.flat();
    expect(segments.reduce((sum, segment) => sum + segment.operations, 0)).toBe(plan.operationCount);
    expect(plan.slotCount).toBeGreaterThan(0);
    for (const parts of plan.functions) {
      // One segment may be larger alone: the tree of one anchor is never cut.
      const size = parts.reduce((sum, segment) => sum + segment.operations, 0);
      expect(parts.length === 1 || size <= 100).toBe(true);
    }
  });
});
