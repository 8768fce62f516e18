import { describe, expect, it } from 'vitest';
import { ENERGY_MOST_LEAF_ATOMS } from '../../kernel/layout.js';
import type { ProteinChain } from '../protein-chain.js';
import { layOutLeaves } from './energy-leaves.js';

/** Links in a row, each the parent of the next, except that the trunk goes on from link 1 after the branch behind it. */
function createBranched(branch: number, atomsOf: (link: number) => number) {
  const linkCount = branch + 4;
  const parents = Int32Array.from({ length: linkCount }, (_, link) => (link === branch + 2 ? 1 : link - 1));
  const atomStarts = new Int32Array(linkCount + 1);
  for (let link = 0; link < linkCount; link++) atomStarts[link + 1] = atomStarts[link] + atomsOf(link);
  const count = atomStarts[linkCount];
  const atoms = Int32Array.from({ length: count }, (_, i) => i);
  const linkOf = Int32Array.from(atoms, (atom) => atomStarts.findIndex((start) => start > atom) - 1);
  const torsionOf = Int32Array.from({ length: linkCount }, (_, link) => link - 1);
  const torsions = Array.from({ length: linkCount - 1 }, (_, i) => ({ link: i + 1 }));
  const protein = { atomStarts, linkCount, parents, atoms, linkOf, torsionOf, torsions } as unknown as ProteinChain;
  return { protein, count };
}

describe('layOutLeaves', () => {
  // A branch of hundreds of links, as a chain that hangs on another by a disulfide: no place in it is passed by the trunk.
  it.each([
    [10, 4],
    [300, 4],
    [300, 1],
    [40, 16],
    [40, 17],
    [3, 383],
  ])('keeps every leaf within what the kernel takes: a branch of %i links of %i atoms', (branch, atoms) => {
    const { protein, count } = createBranched(branch, () => atoms);
    const leaves = layOutLeaves(protein, new Uint8Array(count).fill(1));
    for (let leaf = 0; leaf < leaves.count; leaf++) {
      const size = leaves.starts[leaf + 1] - leaves.starts[leaf];
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(ENERGY_MOST_LEAF_ATOMS);
    }
    expect(leaves.starts[leaves.count]).toBe(count);
    expect(Array.from(leaves.rows)).toEqual(Array.from({ length: count }, (_, i) => i));
  });
});
