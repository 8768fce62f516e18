/**
 * The torsion terms of a force field under a moving protein, kept up to date.
 *
 * A term turns with the chain's torsion about its middle bond; terms about other bonds never change. Values are summed in
 * a binary tree, so a change costs O(log n), and the sum depends on the torsions alone, not on the steps that led there.
 * Checked by energy-tree.test.ts against computeEnergy.
 */
import { cos } from '../../math/scalar.js';
import type { ProteinState } from '../protein-state.js';
import { measureTorsion } from '../torsions.js';
import type { ForceField, ForceFieldTorsion } from './force-field.js';

/** A term of a chain torsion: its angle less the torsion's. */
interface AttachedTerm {
  readonly term: ForceFieldTorsion;
  readonly offset: number;
}

const termEnergy = ({ height, periodicity, phase }: ForceFieldTorsion, angle: number): number =>
  height * (1 + cos(periodicity * angle + phase));

export class TorsionEnergy {
  private readonly terms: readonly (readonly AttachedTerm[])[];
  /** Sum of the terms that never change. */
  private constant = 0;
  /** Binary tree: node i has children 2 i and 2 i + 1, torsion t is leaf size + t; sums[1] is the sum. */
  private readonly sums: Float64Array;
  private readonly size: number;
  private readonly logged: number[] = [];

  constructor(
    private readonly conformation: ProteinState,
    field: ForceField,
  ) {
    const { torsions } = conformation.protein;
    const { positions } = field.molecule;
    const byBond = new Map(torsions.map(({ atoms: [, b, c] }, i) => [`${Math.min(b, c)} ${Math.max(b, c)}`, i]));
    const terms: AttachedTerm[][] = torsions.map(() => []);
    for (const term of field.torsions) {
      const [a, b, c, d] = term.atoms;
      const angle = measureTorsion(positions, a, b, c, d);
      const torsion = byBond.get(`${Math.min(b, c)} ${Math.max(b, c)}`);
      if (torsion === undefined) this.constant += termEnergy(term, angle);
      else terms[torsion].push({ term, offset: angle - torsions[torsion].reference });
    }
    this.terms = terms;
    let size = 1;
    while (size < torsions.length) size *= 2;
    this.size = size;
    this.sums = new Float64Array(2 * size);
    torsions.forEach((_, torsion) => {
      this.sums[size + torsion] = this.evaluate(torsion);
    });
    for (let node = size - 1; node > 0; node--) this.sums[node] = this.sums[2 * node] + this.sums[2 * node + 1];
  }

  get total(): number {
    return this.constant + this.sums[1];
  }

  /** Follows the torsions that the conformation changed last, or all of them. */
  update(isAll = false): void {
    const { sums, size, logged } = this;
    const { changed, changedCount } = this.conformation;
    logged.length = 0;
    const count = isAll ? this.terms.length : changedCount;
    for (let i = 0; i < count; i++) {
      const torsion = isAll ? i : changed[i];
      let node = size + torsion;
      this.set(node, this.evaluate(torsion));
      for (node >>= 1; node > 0; node >>= 1) this.set(node, sums[2 * node] + sums[2 * node + 1]);
    }
  }

  undo(): void {
    for (let k = this.logged.length - 2; k >= 0; k -= 2) this.sums[this.logged[k]] = this.logged[k + 1];
    this.logged.length = 0;
  }

  private set(node: number, value: number): void {
    this.logged.push(node, this.sums[node]);
    this.sums[node] = value;
  }

  private evaluate(torsion: number): number {
    const angle = this.conformation.torsions[torsion];
    let sum = 0;
    for (const { term, offset } of this.terms[torsion]) sum += termEnergy(term, angle + offset);
    return sum;
  }
}
