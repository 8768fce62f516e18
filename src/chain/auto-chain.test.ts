import { describe, expect, it } from 'vitest';
import { createAutoChain } from './auto-chain.js';
import { BruteForceChain } from './brute-force-chain.js';
import { createChain } from './chain.js';
import { ChainTree } from './chain-tree.js';
import { HashGridChain } from './hash-grid-chain.js';

const chainOf = (linkCount: number, largest = 1) =>
  createChain({
    links: Array.from({ length: linkCount }, (_, i) => ({
      shape: { type: 'sphere', radius: i === 0 ? largest : 1 } as const,
    })),
    joints: Array.from({ length: linkCount - 1 }, () => ({ type: 'revolute', origin: [4, 0, 0, 0, 0, 0, 1] }) as const),
  });

describe('createAutoChain', () => {
  it('chooses by links, changes and sizes, and says why', () => {
    const few = createAutoChain(chainOf(10));
    expect([few.method, few.state instanceof BruteForceChain]).toEqual(['brute force', true]);
    expect(few.reason).toContain('10 links');
    const long = createAutoChain(chainOf(400));
    expect([long.method, long.state instanceof ChainTree]).toEqual(['chain tree', true]);
    expect(long.reason).toContain('1 of 399 joints');
    const busy = createAutoChain(chainOf(400), 100);
    expect([busy.method, busy.state instanceof HashGridChain]).toEqual(['hash grid', true]);
    expect(busy.reason).toContain('100 of 399 joints');
    const uneven = createAutoChain(chainOf(400, 50), 100);
    expect([uneven.method, uneven.reason.includes('times the mean')]).toEqual(['chain tree', true]);
    expect(() => createAutoChain(chainOf(3), 0)).toThrow('createAutoChain: changesPerStep, got 0');
  });
});
