import { describe, expect, it } from 'vitest';
import { createChain } from './chain.js';
import { type ChainRaceRequest, type ChainRaceResult, raceChains } from './chain-race.js';
import { createChainTree } from './chain-tree.js';
import { chainRepresentations } from './representations.js';

const createRow = (linkCount: number, radius = 0.3) =>
  createChain({
    links: Array.from({ length: linkCount }, () => ({ shape: { type: 'sphere', radius } as const })),
    joints: Array.from({ length: linkCount - 1 }, () => ({
      type: 'revolute' as const,
      origin: [1, 0, 0.2, 0, 0, 0, 1] as const,
    })),
  });

const runners = Object.entries(chainRepresentations).map(([name, create]) => ({ name, create }));
/** Every reading a millisecond after the last: times count readings. */
const createClock = () => {
  let time = 0;
  return () => time++;
};

function finish(request: Partial<ChainRaceRequest>, chain = createRow(40)): [ChainRaceResult[], number[]] {
  const race = raceChains(chain, { runners, steps: 100, seed: 1, reach: 3, now: createClock(), ...request });
  const shares: number[] = [];
  for (;;) {
    const { value, done } = race.next();
    if (done) return [value, shares];
    shares.push(value);
  }
}

describe('raceChains', () => {
  it('takes the same steps by every representation and counts each once', () => {
    const [results, shares] = finish({});
    expect(results.map(({ name }) => name)).toEqual(Object.keys(chainRepresentations));
    expect(shares).toHaveLength((200 + 100) / 25);
    expect(shares.at(-1)).toBe(1);
    const [{ times: first }] = results;
    expect(first.freeSteps).toBeGreaterThan(0);
    expect(first.collidingSteps).toBeGreaterThan(0);
    for (const { steps, times, blocks, pairTests } of results) {
      expect(steps).toBe(100);
      expect(blocks.map(({ time }) => time)).toEqual([3, 3, 3, 3]);
      expect(blocks.reduce((sum, block) => sum + block.pairTests, 0) / 4).toBe(pairTests);
      expect(times).toEqual({
        update: 100,
        undo: 100,
        free: first.freeSteps,
        colliding: first.collidingSteps,
        freeSteps: first.freeSteps,
        collidingSteps: 100 - first.freeSteps,
      });
      expect(pairTests).toBeGreaterThan(0);
    }
    const again = finish({})[0];
    expect(again).toEqual(results);
  });

  it('takes blocks as long as asked for, whatever their length the same steps', () => {
    const [[short], [long, shares]] = [finish({ steps: 200 }), finish({ steps: 200, blockSteps: 100 })];
    expect(shares).toHaveLength(4);
    long.forEach(({ times, blocks, volumeTests }, i) => {
      expect(blocks).toHaveLength(2);
      expect(times).toEqual(short[i].times);
      expect(volumeTests).toBeCloseTo(short[i].volumeTests, 9);
    });
    expect(() => finish({ blockSteps: 0 })).toThrow(/blockSteps, got 0/);
  });

  it('leaves out the first steps, in whole blocks: what follows is counted as if all had been', () => {
    const [all] = finish({ warmUp: 0, steps: 300 });
    const [rest, shares] = finish({ warmUp: 60, steps: 225 });
    expect(shares).toHaveLength(12);
    expect(rest.map(({ blocks }) => blocks)).toEqual(all.map(({ blocks }) => blocks.slice(3)));
    expect(() => finish({ warmUp: -1 })).toThrow(/warmUp, got -1/);
  });

  it('lets a slow one stop early', () => {
    const few = runners.map((runner, i) => ({ ...runner, steps: i === 1 ? 30 : undefined }));
    expect(
      finish({ runners: few })[0]
        .map(({ steps }) => steps)
        .slice(0, 3),
    ).toEqual([100, 50, 100]);
  });

  it('refuses what it cannot compare', () => {
    expect(() => finish({}, createRow(20, 1.2))).toThrow('raceChains: chain, got a start in contact (ChainTree: links');
    expect(() => finish({}, createRow(1))).toThrow('raceChains: chain, got no revolute or prismatic joint');
    expect(() => finish({ steps: 0 })).toThrow('raceChains: steps, got 0');
    const lying = {
      name: 'liar',
      create: (chain: Parameters<typeof createChainTree>[0]) => {
        const tree = createChainTree(chain);
        let asked = 0;
        const { hasContact } = tree;
        return Object.assign(tree, {
          hasContact: () => (asked++ > 50 ? !hasContact.call(tree) : hasContact.call(tree)),
        });
      },
    };
    expect(() => finish({ runners: [...runners, lying] })).toThrow('raceChains: liar gives another verdict');
  });
});
