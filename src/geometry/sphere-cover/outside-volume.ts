/**
 * How much space outside a shape balls take up, on a lattice: cells count in part at a ball's rim, so that small moves tell, and more where
 * they are farther from the shape.
 * Units: cells. Cost: cells near the balls in question. Checked by fit-spheres.test.ts.
 */
export class OutsideVolume {
  /** Cells near the place last asked for, and how much of each others take. */
  private readonly nearby: Int32Array;
  private readonly others: Float64Array;
  private readonly weights: Float64Array;
  private count = 0;

  /** `cells`: x, y, z, distance from the shape each. A cell at distance d weighs 1 + d / `scale`. */
  constructor(
    private readonly cells: Float64Array,
    private readonly spacing: number,
    scale: number,
  ) {
    this.nearby = new Int32Array(cells.length / 4);
    this.others = new Float64Array(cells.length / 4);
    this.weights = new Float64Array(cells.length / 4);
    for (let c = 0; c < this.weights.length; c++) this.weights[c] = 1 + cells[4 * c + 3] / scale;
  }

  /** Looks at the cells within `reach` of a place, as balls other than `i` and `j` leave them. */
  focus(balls: Float64Array, i: number, j: number, x: number, y: number, z: number, reach: number): void {
    const { cells, nearby, others, spacing } = this;
    const near: number[] = [];
    for (let b = 0; b < balls.length; b += 4) {
      const r = balls[b + 3];
      if (b === i || b === j || r <= 0) continue;
      const [dx, dy, dz] = [balls[b] - x, balls[b + 1] - y, balls[b + 2] - z];
      const far = reach + r + spacing;
      if (dx * dx + dy * dy + dz * dz < far * far) near.push(b);
    }
    let count = 0;
    const most = reach * reach;
    for (let c = 0, at = 0; at < cells.length; c++, at += 4) {
      const [dx, dy, dz] = [cells[at] - x, cells[at + 1] - y, cells[at + 2] - z];
      if (dx * dx + dy * dy + dz * dz > most) continue;
      let taken = 0;
      for (let k = 0; k < near.length && taken < 1; k++) {
        const b = near[k];
        const share = this.shareOf(balls[b], balls[b + 1], balls[b + 2], balls[b + 3], at);
        if (share > taken) taken = share;
      }
      if (taken >= 1) continue;
      others[c] = taken;
      nearby[count++] = c;
    }
    this.count = count;
  }

  /** What one ball adds where `focus` looked. */
  added(x: number, y: number, z: number, r: number): number {
    const { nearby, others, weights, count, spacing } = this;
    let sum = 0;
    for (let n = 0; n < count; n++) {
      const c = nearby[n];
      const share = this.shareOf(x, y, z, r, 4 * c);
      if (share > others[c]) sum += (share - others[c]) * weights[c];
    }
    return sum + volumeTerm(r, spacing);
  }

  /** What two balls add together. */
  addedByPair(a: ArrayLike<number>, b: ArrayLike<number>): number {
    const { nearby, others, weights, count, spacing } = this;
    let sum = 0;
    for (let n = 0; n < count; n++) {
      const c = nearby[n];
      const share = Math.max(this.shareOf(a[0], a[1], a[2], a[3], 4 * c), this.shareOf(b[0], b[1], b[2], b[3], 4 * c));
      if (share > others[c]) sum += (share - others[c]) * weights[c];
    }
    return sum + volumeTerm(a[3], spacing) + volumeTerm(b[3], spacing);
  }

  /** What all balls take. */
  total(balls: Float64Array): number {
    const { cells, weights, spacing } = this;
    let sum = 0;
    for (let c = 0, at = 0; at < cells.length; c++, at += 4) {
      let taken = 0;
      for (let b = 0; b < balls.length && taken < 1; b += 4) {
        if (balls[b + 3] <= 0) continue;
        const share = this.shareOf(balls[b], balls[b + 1], balls[b + 2], balls[b + 3], at);
        if (share > taken) taken = share;
      }
      sum += taken * weights[c];
    }
    for (let b = 0; b < balls.length; b += 4) sum += volumeTerm(balls[b + 3], spacing);
    return sum;
  }

  /** Share of the cell at `at` that a ball takes: 1 well inside, 0 well outside. */
  private shareOf(x: number, y: number, z: number, r: number, at: number): number {
    const { cells, spacing } = this;
    const dx = cells[at] - x;
    const dy = cells[at + 1] - y;
    const dz = cells[at + 2] - z;
    const square = dx * dx + dy * dy + dz * dz;
    const far = r + 0.5 * spacing;
    if (square >= far * far || r <= 0) return 0;
    const near = r - 0.5 * spacing;
    if (near > 0 && square <= near * near) return 1;
    const share = (far - Math.sqrt(square)) / spacing;
    return Math.min(share, 1);
  }
}

/** Where no cell tells two balls apart, the smaller one is the better one. */
function volumeTerm(r: number, spacing: number): number {
  const cells = r > 0 ? r / spacing : 0;
  return 1e-3 * cells * cells * cells;
}
