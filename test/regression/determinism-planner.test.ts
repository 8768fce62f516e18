/** U205 at the level of the planner: the same scene gives the same bits everywhere (arithmetic and square roots only). */
import { expect, test } from 'vitest';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { shortcutPath } from '../../src/planning/shortcut.js';

/** FNV-1a over the bytes of all states, little endian. */
function hashStates(path: readonly Float64Array[]): string {
  let hash = 0x811c9dc5;
  for (const state of path) {
    const view = new DataView(new ArrayBuffer(8 * state.length));
    state.forEach((value, i) => {
      view.setFloat64(8 * i, value, true);
    });
    for (let i = 0; i < view.byteLength; i++) hash = Math.imul(hash ^ view.getUint8(i), 0x01000193) >>> 0;
  }
  return hash.toString(16);
}

test('U205: a planned and shortened path has the recorded bits', () => {
  const space = createRealVectorSpace({ lower: [0, 0, 0], upper: [1, 1, 1] });
  const checker = {
    isValid: (q: Float64Array): boolean => {
      const x = q[0] - 0.5;
      const y = q[1] - 0.5;
      const z = q[2] - 0.5;
      return x * x + y * y + z * z > 0.2;
    },
  };
  const start = Float64Array.of(0, 0, 0);
  const goals = [Float64Array.of(1, 1, 1)];
  for (const sampler of ['random', 'halton'] as const) {
    const found = planRrtConnect({ space, checker, start, goals, seed: 42, sampler, range: 0.2 });
    expect(found.status).toBe('solved');
    const short = shortcutPath({ space, checker, path: found.path, seed: 42 });
    expect([hashStates(found.path), hashStates(short.path)], sampler).toEqual(HASHES[sampler]);
  }
});

/** Recorded once; they change when the planner's algorithm does, never with the machine or the engine. */
const HASHES = {
  random: ['9192059a', '37431a82'],
  halton: ['a367a000', '96e51a78'],
};
