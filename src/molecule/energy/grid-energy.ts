/**
 * The energy of a moving protein by a grid of cells: what programs do that keep no partial sums.
 *
 * Method: the atoms are sorted into rows of cells a third of the cutoff wide. An atom looks at the rows within the cutoff,
 * each from the first to the last cell that its sphere reaches, so the atoms of a row are one stretch of flat arrays.
 * `pairs: 'all'` computes every pair anew. `pairs: 'changed'` leaves pairs within rigid pieces alone: the sum over pairs
 * that the change moved against each other is computed before and after it, and the difference is added to the total:
 * after overlaps the total keeps a rounding error of their size. The larger piece is sorted, the smaller one asks.
 * Source: Allen, Tildesley 2017, Computer Simulation of Liquids, 2nd edition, section 5.3.
 * Cost: linear in atoms and pairs; some 10 ns per pair within the cutoff. Checked by energy-tree.test.ts against
 * computeEnergy.
 */
import { includesSorted } from '../clashes.js';
import type { ConformationEnergy } from '../monte-carlo/conformation-energy.js';
import type { ProteinState } from '../protein-state.js';
import { AtomPositions } from './atom-positions.js';
import type { EnergyTerms } from './compute-energy.js';
import { type ForceField, LEAST_SQUARE, type PairConstants, pairConstants } from './force-field.js';
import { requireChainOf } from './require-chain.js';
import { TorsionEnergy } from './torsion-energy.js';

export interface GridEnergyOptions {
  /** Pairs computed per update: 'all' (default), or the 'changed' ones. */
  readonly pairs?: 'all' | 'changed';
}

/** Cells per cutoff, fewer where the atoms lie far apart: no more than this many cells per atom, and some. */
const FINENESS = 3;
const CELLS_PER_ATOM = 8;
/** With more changes at once all pairs are computed: a piece's number is kept in 32 bits. */
const MOST_CHANGES = 30;

export class GridEnergy implements ConformationEnergy {
  /** Pairs of atoms within the cutoff computed since it was last set to zero. */
  pairCount = 0;
  private readonly positions: AtomPositions;
  private readonly torsions: TorsionEnergy;
  private readonly constants: PairConstants;
  private lennardJones = 0;
  private electrostatic = 0;
  private savedLennardJones = 0;
  private savedElectrostatic = 0;
  /** Sums of the last `sumAround`, and of the last pair that bonds join. */
  private aroundLennardJones = 0;
  private aroundElectrostatic = 0;
  private bondedLennardJones = 0;
  private bondedElectrostatic = 0;
  /** By row of the protein's atoms: whether the atom interacts; parameters of those that do. */
  private readonly isActive: Uint8Array;
  /** Rows of atoms at most three bonds away lie between these. */
  private readonly lowest: Int32Array;
  private readonly highest: Int32Array;
  /** Squared distance beyond which no pair is three bonds apart or less. */
  private readonly bondReach2: number;
  private readonly onlyChanged: boolean;
  private readonly count: number;
  /** Pieces of the chain that the last change moved against each other, and the runs of rows they consist of. */
  private readonly pieces: number[] = [];
  private readonly runs: { piece: number; first: number; last: number }[] = [];
  private readonly grid: CellRows;
  /** By row of the protein's atoms. */
  private readonly depthRoots: Float64Array;
  private readonly halfMinima: Float64Array;
  private readonly charges: Float64Array;
  /** What `collectAround` found, with room for one more. */
  private readonly places: Int32Array;
  private readonly squares: Float64Array;

  constructor(
    private readonly conformation: ProteinState,
    readonly field: ForceField,
    { pairs = 'all' }: GridEnergyOptions = {},
  ) {
    requireChainOf('GridEnergy', conformation, field);
    const { protein } = conformation;
    this.onlyChanged = pairs === 'changed';
    this.constants = pairConstants(field);
    this.positions = new AtomPositions(conformation);
    this.torsions = new TorsionEnergy(conformation, field);
    this.count = protein.atoms.length;
    const active = new Uint8Array(protein.molecule.atomCount);
    for (const atom of field.atoms) active[atom] = 1;
    this.isActive = Uint8Array.from(protein.atoms, (atom) => active[atom]);
    this.grid = new CellRows(this.count, field.cutoff);
    this.depthRoots = Float64Array.from(protein.atoms, (atom) => field.depthRoots[atom]);
    this.halfMinima = Float64Array.from(protein.atoms, (atom) => field.halfMinima[atom]);
    this.charges = Float64Array.from(protein.atoms, (atom) => field.charges[atom]);
    this.places = new Int32Array(this.count + 1);
    this.squares = new Float64Array(this.count + 1);
    const rowOf = new Int32Array(protein.molecule.atomCount).fill(-1);
    protein.atoms.forEach((atom, row) => {
      rowOf[atom] = row;
    });
    this.lowest = Int32Array.from({ length: this.count }, (_, row) => row);
    this.highest = this.lowest.slice();
    let longest = 0;
    const { bonds, positions } = protein.molecule;
    for (let k = 0; k < bonds.length; k += 2) {
      const [a, b] = [3 * bonds[k], 3 * bonds[k + 1]];
      const length = Math.hypot(...[0, 1, 2].map((i) => positions[a + i] - positions[b + i]));
      if (rowOf[bonds[k]] >= 0) longest = Math.max(longest, length);
    }
    this.bondReach2 = (3 * longest) ** 2 * (1 + 1e-9);
    protein.atoms.forEach((atom, row) => {
      for (const list of [field.excluded[atom], field.pairs14[atom]]) {
        for (const other of list) {
          this.lowest[row] = Math.min(this.lowest[row], rowOf[other]);
          this.highest[row] = Math.max(this.highest[row], rowOf[other]);
        }
      }
    });
    this.sumAll();
  }

  get total(): number {
    return this.lennardJones + this.electrostatic + this.torsions.total;
  }

  listTerms(): EnergyTerms & Readonly<Record<string, number>> {
    const { lennardJones, electrostatic, total } = this;
    return { lennardJones, electrostatic, torsion: this.torsions.total, total };
  }

  update(): number {
    const { conformation, positions, torsions } = this;
    this.savedLennardJones = this.lennardJones;
    this.savedElectrostatic = this.electrostatic;
    torsions.update();
    if (this.onlyChanged && conformation.changedCount <= MOST_CHANGES) {
      this.markPieces();
      this.sumChanged(-1);
      positions.update();
      this.sumChanged(1);
    } else {
      positions.update();
      this.sumAll();
    }
    return this.total;
  }

  undo(): void {
    this.positions.undo();
    this.torsions.undo();
    this.lennardJones = this.savedLennardJones;
    this.electrostatic = this.savedElectrostatic;
  }

  private sumAll(): void {
    const { grid, count, isActive } = this;
    grid.clear();
    for (let row = 0; row < count; row++) if (isActive[row]) grid.add(row);
    grid.sort(this.positions.values);
    let lennardJones = 0;
    let electrostatic = 0;
    for (let row = 0; row < count; row++) {
      if (!isActive[row]) continue;
      this.sumAround(row, true);
      lennardJones += this.aroundLennardJones;
      electrostatic += this.aroundElectrostatic;
    }
    this.lennardJones = lennardJones;
    this.electrostatic = electrostatic;
  }

  /** Numbers the pieces (bit i tells whether changed torsion i turned it) and lists them, the largest first. */
  private markPieces(): void {
    const { protein, changed, changedCount } = this.conformation;
    const { atomStarts, torsions, linkCount } = protein;
    const { pieces, runs } = this;
    const borders = [0, linkCount];
    for (let i = 0; i < changedCount; i++) borders.push(torsions[changed[i]].link, torsions[changed[i]].end);
    borders.sort((a, b) => a - b);
    const sizes = new Map<number, number>();
    runs.length = 0;
    for (let k = 1; k < borders.length; k++) {
      const [from, to] = [borders[k - 1], borders[k]];
      if (from === to) continue;
      let piece = 0;
      for (let i = 0; i < changedCount; i++) {
        const { link, end } = torsions[changed[i]];
        if (from >= link && from < end) piece |= 1 << i;
      }
      const [first, last] = [atomStarts[from], atomStarts[to]];
      runs.push({ piece, first, last });
      sizes.set(piece, (sizes.get(piece) ?? 0) + last - first);
    }
    pieces.length = 0;
    pieces.push(...sizes.keys());
    pieces.sort((a, b) => sizes.get(b)! - sizes.get(a)! || a - b);
  }

  /** Adds `sign` times the pairs of atoms of different pieces: each piece asks those sorted before it. */
  private sumChanged(sign: number): void {
    const { grid, isActive, pieces, runs } = this;
    let lennardJones = 0;
    let electrostatic = 0;
    grid.clear();
    for (let i = 1; i < pieces.length; i++) {
      for (const { piece, first, last } of runs) {
        if (piece !== pieces[i - 1]) continue;
        for (let row = first; row < last; row++) if (isActive[row]) grid.add(row);
      }
      grid.sort(this.positions.values);
      for (const { piece, first, last } of runs) {
        if (piece !== pieces[i]) continue;
        for (let row = first; row < last; row++) {
          if (!isActive[row]) continue;
          this.sumAround(row, false);
          lennardJones += this.aroundLennardJones;
          electrostatic += this.aroundElectrostatic;
        }
      }
    }
    this.lennardJones += sign * lennardJones;
    this.electrostatic += sign * electrostatic;
  }

  /** Pairs of an atom with those of the grid; with `onlyAfter` those sorted behind it, when it is in the grid itself. */
  private sumAround(row: number, onlyAfter: boolean): void {
    const found = this.collectAround(row, onlyAfter);
    this.pairCount += found;
    const { grid, places, squares, lowest, highest, bondReach2, depthRoots, halfMinima, charges } = this;
    const { cutoff2, switch2, switchScale, coulomb } = this.constants;
    const depthRoot = depthRoots[row] * switchScale;
    const halfMinimum = halfMinima[row];
    const charge = coulomb * charges[row] * switchScale;
    const tail = cutoff2 - 3 * switch2;
    const low = lowest[row];
    const high = highest[row];
    let lennardJones = 0;
    let electrostatic = 0;
    for (let k = 0; k < found; k++) {
      const other = grid.rows[places[k]];
      const s = squares[k];
      if (s < bondReach2 && other >= low && other <= high && this.sumBonded(row, other, s)) {
        lennardJones += this.bondedLennardJones;
        electrostatic += this.bondedElectrostatic;
        continue;
      }
      const inverse = 1 / Math.max(s, LEAST_SQUARE);
      const t = Math.max(s, switch2);
      const u = cutoff2 - t;
      const weight = u * u * (t + t + tail);
      const minimum = halfMinimum + halfMinima[other];
      const q = minimum * minimum * inverse;
      const q3 = q * q * q;
      lennardJones += weight * depthRoot * depthRoots[other] * q3 * (q3 - 2);
      electrostatic += weight * charge * charges[other] * inverse;
    }
    this.aroundLennardJones = lennardJones;
    this.aroundElectrostatic = electrostatic;
  }

  /** Places in the grid of the atoms within the cutoff of an atom, and their squared distances; their number. */
  private collectAround(row: number, onlyAfter: boolean): number {
    const { grid, places, squares } = this;
    const { xs, ys, zs, starts, columns, lines, planes, inverse, origin } = grid;
    const { cutoff2 } = this.constants;
    const radius = this.field.cutoff * inverse;
    const radius2 = radius * radius;
    const values = this.positions.values;
    const x = values[3 * row];
    const y = values[3 * row + 1];
    const z = values[3 * row + 2];
    const cx = (x - origin[0]) * inverse;
    const cy = (y - origin[1]) * inverse;
    const cz = (z - origin[2]) * inverse;
    if (cx < -radius || cx > columns + radius) return 0;
    const ownLine = Math.floor(cy);
    const ownPlane = Math.floor(cz);
    const firstLine = Math.max(0, Math.floor(cy - radius));
    const lastLine = Math.min(lines - 1, Math.floor(cy + radius));
    const firstPlane = onlyAfter ? ownPlane : Math.max(0, Math.floor(cz - radius));
    const lastPlane = Math.min(planes - 1, Math.floor(cz + radius));
    let found = 0;
    for (let plane = firstPlane; plane <= lastPlane; plane++) {
      const dz0 = plane > cz ? plane - cz : cz > plane + 1 ? cz - plane - 1 : 0;
      const isOwnPlane = onlyAfter && plane === firstPlane;
      for (let line = isOwnPlane ? ownLine : firstLine; line <= lastLine; line++) {
        const dy0 = line > cy ? line - cy : cy > line + 1 ? cy - line - 1 : 0;
        const left2 = radius2 - dz0 * dz0 - dy0 * dy0;
        if (left2 <= 0) continue;
        const reach = Math.sqrt(left2);
        const from = Math.max(0, Math.floor(cx - reach));
        const to = Math.min(columns - 1, Math.floor(cx + reach));
        if (from > to) continue;
        const base = (plane * lines + line) * columns;
        const isOwnLine = isOwnPlane && line === ownLine;
        const end = starts[base + to + 1];
        for (let k = isOwnLine ? grid.placeOf[row] + 1 : starts[base + from]; k < end; k++) {
          const dx = xs[k] - x;
          const dy = ys[k] - y;
          const dz = zs[k] - z;
          const s = dx * dx + dy * dy + dz * dz;
          // Written in any case and counted when within: a branch here is guessed wrong too often.
          places[found] = k;
          squares[found] = s;
          found += s < cutoff2 ? 1 : 0;
        }
      }
    }
    return found;
  }

  /** True for pairs at most three bonds apart, with what they count. */
  private sumBonded(row: number, other: number, squared: number): boolean {
    const { excluded, pairs14, depthRoots14, halfMinima14, charges } = this.field;
    const { atoms } = this.conformation.protein;
    const i = atoms[row];
    const j = atoms[other];
    const { cutoff2, switch2, switchScale, coulomb14 } = this.constants;
    this.bondedLennardJones = 0;
    this.bondedElectrostatic = 0;
    if (includesSorted(excluded[i], j)) return true;
    if (!includesSorted(pairs14[i], j)) return false;
    const s = Math.max(squared, LEAST_SQUARE);
    const t = Math.max(s, switch2);
    const weight = (cutoff2 - t) * (cutoff2 - t) * (cutoff2 + 2 * t - 3 * switch2) * switchScale;
    const minimum = halfMinima14[i] + halfMinima14[j];
    const q3 = ((minimum * minimum) / s) ** 3;
    this.bondedLennardJones = weight * depthRoots14[i] * depthRoots14[j] * q3 * (q3 - 2);
    this.bondedElectrostatic = (weight * coulomb14 * charges[i] * charges[j]) / s;
    return true;
  }
}

/** Atoms sorted by cells, the cells of a row one after the other along x. */
class CellRows {
  /** By place: row of the protein's atoms, and its position. */
  readonly rows: Int32Array;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly zs: Float64Array;
  /** Place of each row. */
  readonly placeOf: Int32Array;
  /** First place of each cell, one entry more than cells. */
  starts = new Int32Array(64);
  columns = 0;
  lines = 0;
  planes = 0;
  readonly origin = new Float64Array(3);
  /** Cells per angstrom. */
  inverse = 1;
  private readonly added: Int32Array;
  private readonly cells: Int32Array;
  private addedCount = 0;

  constructor(
    count: number,
    private readonly cutoff: number,
  ) {
    this.rows = new Int32Array(count);
    this.xs = new Float64Array(count);
    this.ys = new Float64Array(count);
    this.zs = new Float64Array(count);
    this.placeOf = new Int32Array(count);
    this.added = new Int32Array(count);
    this.cells = new Int32Array(count);
  }

  clear(): void {
    this.addedCount = 0;
  }

  add(row: number): void {
    this.added[this.addedCount++] = row;
  }

  /** At least one atom has been added. */
  sort(positions: Float64Array): void {
    const { added, addedCount, cells, origin, rows, xs, ys, zs, placeOf } = this;
    const high = [-Infinity, -Infinity, -Infinity];
    origin.fill(Infinity);
    for (let i = 0; i < addedCount; i++) {
      for (let k = 0; k < 3; k++) {
        const value = positions[3 * added[i] + k];
        if (value < origin[k]) origin[k] = value;
        if (value > high[k]) high[k] = value;
      }
    }
    const most = CELLS_PER_ATOM * addedCount + 4096;
    for (this.inverse = FINENESS / this.cutoff; ; this.inverse *= 0.8) {
      const [columns, lines, planes] = high.map((value, k) => Math.floor((value - origin[k]) * this.inverse) + 1);
      this.columns = columns;
      this.lines = lines;
      this.planes = planes;
      if (columns * lines * planes <= most) break;
    }
    const { columns, lines, planes, inverse } = this;
    const size = columns * lines * planes + 1;
    if (this.starts.length < size + 1) this.starts = new Int32Array(2 * size);
    const { starts } = this;
    starts.fill(0, 0, size + 1);
    for (let i = 0; i < addedCount; i++) {
      const at = 3 * added[i];
      const cell =
        (Math.floor((positions[at + 2] - origin[2]) * inverse) * lines +
          Math.floor((positions[at + 1] - origin[1]) * inverse)) *
          columns +
        Math.floor((positions[at] - origin[0]) * inverse);
      cells[i] = cell;
      starts[cell + 1]++;
    }
    for (let cell = 0; cell < size; cell++) starts[cell + 1] += starts[cell];
    // Filled from the back, each cell's end moves down to its start.
    for (let i = addedCount - 1; i >= 0; i--) {
      const place = --starts[cells[i] + 1];
      const row = added[i];
      rows[place] = row;
      placeOf[row] = place;
      xs[place] = positions[3 * row];
      ys[place] = positions[3 * row + 1];
      zs[place] = positions[3 * row + 2];
    }
    // Entry c + 1 now holds the start of cell c.
    starts.copyWithin(0, 1, size + 1);
    starts[size] = addedCount;
  }
}
