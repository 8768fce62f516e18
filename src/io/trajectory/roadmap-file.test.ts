import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRealVectorSpace } from '../../planning/real-vector-space.js';
import { createRoadmap, loadRoadmap } from '../../planning/roadmap.js';
import { parseRoadmap, writeRoadmap } from './roadmap-file.js';

const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1] });

function grown(): ReturnType<typeof createRoadmap> {
  const roadmap = createRoadmap(space);
  for (let i = 0; i < 20; i++) roadmap.add(Float64Array.of((i * 0.37) % 1, (i * 0.61) % 1), () => true);
  return roadmap;
}

describe('roadmap files', () => {
  test('states and motions come back bit for bit, nothing being known of them', () => {
    const roadmap = grown();
    const { value } = parseRoadmap(writeRoadmap(roadmap, ['x', 'y']), ['x', 'y']);
    const before = roadmap.save();
    expect(value!.states).toEqual(before.states);
    expect(value!.edges).toEqual(before.edges);
    expect(value!.known.every((state) => state === 0)).toBe(true);
    expect(loadRoadmap(space, value!).size).toBe(20);
  });

  test('says what is wrong', () => {
    const text = writeRoadmap(grown(), ['x', 'y']);
    expect(parseRoadmap(text, ['x', 'z']).issues[0].code).toBe('joints');
    expect(parseRoadmap(text.slice(3), ['x', 'y']).issues[0].code).toBe('json');
    expect(parseRoadmap('{"kind":"roadmap","version":2}', []).issues[0].code).toBe('structure');
    const file = { kind: 'roadmap', version: 1, joints: ['x'] };
    for (const rest of [
      { states: [[0, 1]], edges: [] },
      { states: [[0]], edges: [[0, 1]] },
    ])
      expect(parseRoadmap(JSON.stringify({ ...file, ...rest }), ['x']).issues[0].code).toBe('structure');
  });

  test('any text ends in a value or an issue', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { value, issues } = parseRoadmap(text, ['x']);
        expect(value !== null || issues.length > 0).toBe(true);
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});
