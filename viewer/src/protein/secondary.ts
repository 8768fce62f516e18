/**
 * Helices and strands of a row of residues, by the places of their C alphas.
 *
 * Method: distances from a C alpha to the second, third and fourth after it are those of a helix or of a strand within their spread;
 * such places in a row make a helix of at least five residues or a strand of at least three.
 * Source: Labesse, Colloc'h, Pothier, Mornon 1997, "P-SEA: a new efficient assignment of secondary structure from C alpha trace of
 * proteins", doi:10.1093/bioinformatics/13.3.291, table 1 (its distances; its angles are left out).
 * Units: angstrom. Cost: linear. Checked by secondary.test.ts on built peptides.
 */
export type Secondary = 'helix' | 'strand' | 'coil';

interface Distances {
  readonly kind: 'helix' | 'strand';
  /** To the second, third and fourth: mean and spread. */
  readonly at: readonly (readonly [number, number])[];
  readonly least: number;
}

const KINDS: readonly Distances[] = [
  {
    ...{ kind: 'helix', least: 5 },
    at: [
      [5.5, 0.5],
      [5.3, 0.5],
      [6.4, 0.6],
    ],
  },
  {
    ...{ kind: 'strand', least: 3 },
    at: [
      [6.7, 0.6],
      [9.9, 0.9],
      [12.4, 1.1],
    ],
  },
];

/** `points`: 3 per residue. */
export function findSecondary(points: ArrayLike<number>): Secondary[] {
  const count = points.length / 3;
  const distance = (i: number, k: number): number =>
    Math.sqrt([0, 1, 2].reduce((sum, n) => sum + (points[3 * i + n] - points[3 * k + n]) ** 2, 0));
  const found = new Array<Secondary>(count).fill('coil');
  for (const { kind, at, least } of KINDS) {
    const marked = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      // Those near the end by what is there; the fourth alone may miss.
      const fits = at.map(
        ([mean, spread], k) => i + k + 2 < count && Math.abs(distance(i, i + k + 2) - mean) <= spread,
      );
      if (fits[0] && fits[1] && (fits[2] || i + 4 >= count)) marked.fill(1, i, Math.min(i + 4, count));
    }
    for (let from = 0; from < count; from++) {
      if (!marked[from] || found[from] !== 'coil') continue;
      let to = from;
      while (to < count && marked[to] && found[to] === 'coil') to++;
      if (to - from >= least) found.fill(kind, from, to);
      from = to;
    }
  }
  return found;
}
