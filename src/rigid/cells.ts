/**
 * Which parts of what a tree has reached are worth growing from: cells of a coarse grid of positions and orientations, with counts.
 *
 * Method: a cell's value is its score over (selections) (poses) (1 + filled neighbours); the best is grown from next, of its poses the newer
 * ones more often. Three times of four it is chosen at the rim, among cells with few filled neighbours along the axes. A cell that
 * gave nothing loses score.
 * Source: Sucan, Kavraki 2009, "Kinodynamic motion planning by interior-exterior cell exploration",
 * doi:10.1007/978-3-642-00312-7_28 (KPIECE); its two-tree form BKPIECE of OMPL.
 */
import type { RigidPose } from './pose.js';

interface Cell {
  readonly nodes: number[];
  selections: number;
  score: number;
  readonly born: number;
  neighbours: number;
  readonly key: string;
  readonly coordinates: readonly number[];
}

/** Of the six axes two neighbours each; a cell with fewer than this many is at the rim. */
const INTERIOR = 6;

export class Cells {
  private readonly cells = new Map<string, Cell>();
  private readonly list: Cell[] = [];
  private turns = 0;

  /** `size`: edge of a cell in the metric's length. */
  constructor(
    private readonly size: number,
    private readonly weight: number,
  ) {}

  add(pose: RigidPose, node: number): void {
    const sign = pose[6] < 0 ? -1 : 1;
    const coordinates: number[] = [];
    for (let k = 0; k < 6; k++)
      coordinates.push(Math.floor((k < 3 ? pose[k] : 2 * this.weight * sign * pose[k]) / this.size));
    const key = coordinates.join();
    const cell = this.cells.get(key);
    if (cell) {
      cell.nodes.push(node);
      return;
    }
    const born: Cell = { nodes: [node], selections: 1, score: 1, born: ++this.turns, neighbours: 0, key, coordinates };
    for (let k = 0; k < 6; k++) {
      for (const step of [-1, 1]) {
        const beside = [...coordinates];
        beside[k] += step;
        const neighbour = this.cells.get(beside.join());
        if (!neighbour) continue;
        neighbour.neighbours++;
        born.neighbours++;
      }
    }
    this.cells.set(key, born);
    this.list.push(born);
  }

  /** A node to grow from, and its cell for `report`. */
  choose(u: number, v: number): { node: number; cell: Cell } {
    const atRim = u < 0.75;
    let best: Cell = this.list[0];
    let most = -1;
    for (const cell of this.list) {
      const isRim = cell.neighbours < INTERIOR;
      const value =
        (cell.score / (cell.selections * cell.nodes.length * (1 + cell.neighbours))) * (isRim === atRim ? 1 : 1e-6);
      if (value > most) {
        most = value;
        best = cell;
      }
    }
    best.selections++;
    // The newer half more often, as a half-normal choice does.
    const i = Math.floor((1 - v * v) * best.nodes.length);
    return { node: best.nodes[Math.min(i, best.nodes.length - 1)], cell: best };
  }

  /** `gained`: whether growing from it made something. */
  report(cell: Cell, gained: boolean): void {
    cell.score = Math.max(1e-6, cell.score * (gained ? 1 : 0.6));
  }
}
