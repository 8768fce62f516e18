import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChain } from '../chain/chain.js';
import { createChainTree } from '../chain/chain-tree.js';
import { parseChainFile } from './chain-file.js';

const origin = [3, 0, 0, 0, 0, 0, 1];
const CHAIN = {
  links: [
    { shape: { type: 'sphere', radius: 1 } },
    { shape: { type: 'box', size: [1, 2, 3] }, pose: [0, 1, 0, 0, 0, 0, 1] },
    { shape: { type: 'balls', centers: [0, 0, 0, 1, 0, 0], radii: [0.5, 0.25] } },
    { shape: { type: 'convex', points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] } }, // biome-ignore format: one row
    { shape: { type: 'capsule', radius: 0.5, length: 1 } },
  ],
  joints: [
    { type: 'revolute', origin, axis: [0, 0, 2] },
    { type: 'prismatic', origin, axis: [1, 0, 0] },
    { type: 'spherical', origin },
    { type: 'fixed', origin },
  ],
  exclusion: 1,
};

const messages = (content: unknown): string[] =>
  parseChainFile(JSON.stringify(content)).issues.map(({ element, message }) => `${element}: ${message}`);

describe('parseChainFile', () => {
  it('reads links of all kinds and joints of all types', () => {
    const { value, issues } = parseChainFile(JSON.stringify(CHAIN));
    expect(issues).toEqual([]);
    const chain = createChain(value!);
    expect([chain.linkCount, chain.exclusion, ...chain.jointKinds]).toEqual([5, 1, 0, 1, 2, 3]);
    expect(createChainTree(chain).nearestDistance()).toBeLessThan(6);
  });

  it('says what is wrong where', () => {
    expect(messages({ ...CHAIN, joints: CHAIN.joints.slice(1) })).toEqual([
      'joints: 3 joints for 5 links, expected one fewer than links',
    ]);
    const withShape = (shape: unknown) => messages({ ...CHAIN, links: [{ shape }, ...CHAIN.links.slice(1)] });
    expect(withShape({ type: 'mesh', file: 'a.stl' })).toEqual([
      'links.0.shape: names a file; write the shape out, a chain file stands alone',
    ]);
    expect(withShape({ type: 'sphere', radius: -1 })[0]).toMatch(/^links\.0\.shape: /);
    expect(withShape({ type: 'balls', centers: [0, 0, 0] })[0]).toMatch(/^links\.0\.shape\.radii: /);
    expect(withShape(null)[0]).toMatch(/^links\.0\.shape: /);
    expect(messages({ ...CHAIN, colour: 1 })[0]).toMatch(/colour/);
    expect(parseChainFile('{').issues[0].code).toBe('bad-json');
  });

  it('never throws, whatever the content', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const { value, issues } = parseChainFile(text);
        expect(value === null).toBe(issues.length > 0);
      }),
    );
  });
});
