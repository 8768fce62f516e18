/**
 * Volume of the convex hull of points that come in the order of a direction: for comparing cuts, where thousands of volumes are needed
 * and the last digits are not.
 *
 * Method: incremental hull; a point beyond all others along the direction sees a face at the last one, from where the faces that it sees are
 * found by neighbours; they give way to the cone over their rim, and the volume grows by the tetrahedra between. Points that see no face by
 * more than a tolerance, and those whose rim is not one loop by rounding, are left out: the volume is a lower one by about as much.
 * Source: de Berg, Cheong, van Kreveld, Overmars 2008, "Computational geometry", section 11.2, doi:10.1007/978-3-540-77974-2.
 * Cost: about a microsecond per point. For hulls that must hold their points: hull.ts. Checked by sweep-hull.test.ts.
 */

/** Of the extent: heights above a face that count as none. */
const TOLERANCE = 1e-9;

export class SweepHull {
  private points = new Float64Array(3 * 256);
  private pointCount = 0;
  private corner = new Int32Array(3 * 256);
  private neighbour = new Int32Array(3 * 256);
  /** Unit normal and offset. */
  private plane = new Float64Array(4 * 256);
  private area = new Float64Array(256);
  /** 0: no face; else the round in which it was looked at, signed: seen or not. */
  private stamp = new Int32Array(256);
  private used = 0;
  private readonly free: number[] = [];
  private readonly seen: number[] = [];
  private readonly rim: number[] = [];
  private startsAt = new Int32Array(256);
  private readonly early: number[] = [];
  private round = 1;
  private last = -1;
  private six = 0;
  private tolerance = 0;

  /** Begins anew, for points of about this extent. */
  reset(extent: number): void {
    this.pointCount = 0;
    this.used = 0;
    this.free.length = 0;
    this.early.length = 0;
    this.round = 1;
    this.last = -1;
    this.six = 0;
    this.tolerance = TOLERANCE * extent;
  }

  get volume(): number {
    return this.six / 6;
  }

  /** Points in the order of the sweep, or, with `searches`, in any. */
  add(x: number, y: number, z: number, searches = false): void {
    const point = this.store(x, y, z);
    if (this.used === 0) {
      this.early.push(point);
      this.begin();
      return;
    }
    const first = this.findFirst(point, searches);
    if (first >= 0) this.insert(point, first);
  }

  private store(x: number, y: number, z: number): number {
    if (3 * this.pointCount + 3 > this.points.length) {
      this.points = enlarge(this.points, new Float64Array(2 * this.points.length));
      this.startsAt = new Int32Array(2 * this.startsAt.length);
    }
    const at = 3 * this.pointCount;
    this.points[at] = x;
    this.points[at + 1] = y;
    this.points[at + 2] = z;
    return this.pointCount++;
  }

  /** The first tetrahedron, once the points are not of one plane. */
  private begin(): void {
    const { early, points: p, tolerance } = this;
    if (early.length < 4) return;
    const o = 3 * early[0];
    const d = 3 * early[early.length - 1];
    let [a, b, most] = [-1, -1, 0];
    // The two that span most with the first; d is the one that leaves their plane.
    let far = 0;
    for (let i = 1; i + 1 < early.length; i++) {
      const at = 3 * early[i];
      const gap = (p[at] - p[o]) ** 2 + (p[at + 1] - p[o + 1]) ** 2 + (p[at + 2] - p[o + 2]) ** 2;
      if (gap > far) {
        far = gap;
        a = at;
      }
    }
    if (a < 0) return;
    let [nx, ny, nz] = [0, 0, 0];
    for (let i = 1; i + 1 < early.length; i++) {
      const at = 3 * early[i];
      const [ux, uy, uz] = [p[a] - p[o], p[a + 1] - p[o + 1], p[a + 2] - p[o + 2]];
      const [vx, vy, vz] = [p[at] - p[o], p[at + 1] - p[o + 1], p[at + 2] - p[o + 2]];
      const [cx, cy, cz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const size = cx * cx + cy * cy + cz * cz;
      if (size > most) {
        most = size;
        b = at;
        [nx, ny, nz] = [cx, cy, cz];
      }
    }
    if (b < 0) return;
    const height = (nx * (p[d] - p[o]) + ny * (p[d + 1] - p[o + 1]) + nz * (p[d + 2] - p[o + 2])) / Math.sqrt(most);
    if (!(Math.abs(height) > tolerance) || !(Math.sqrt(most / far) > tolerance)) return;
    const [A, B, C, D] = height < 0 ? [o / 3, a / 3, b / 3, d / 3] : [o / 3, b / 3, a / 3, d / 3];
    const faces = [this.face(A, B, C), this.face(B, A, D), this.face(C, B, D), this.face(A, C, D)];
    const link = (i: number, e: number, j: number, f: number): void => {
      this.neighbour[3 * faces[i] + e] = faces[j];
      this.neighbour[3 * faces[j] + f] = faces[i];
    };
    link(0, 0, 1, 0);
    link(0, 1, 2, 0);
    link(0, 2, 3, 0);
    link(1, 1, 3, 2);
    link(2, 1, 1, 2);
    link(3, 1, 2, 2);
    this.six = Math.abs(height) * Math.sqrt(most);
    this.last = faces[1];
    for (const point of early) {
      if (point === A || point === B || point === C || point === D) continue;
      const first = this.findFirst(point, true);
      if (first >= 0) this.insert(point, first);
    }
  }

  private heightOf(face: number, point: number): number {
    const at = 4 * face;
    const { plane, points } = this;
    return (
      plane[at] * points[3 * point] +
      plane[at + 1] * points[3 * point + 1] +
      plane[at + 2] * points[3 * point + 2] -
      plane[at + 3]
    );
  }

  /** A face that the point sees: among those at the last point, or among all. */
  private findFirst(point: number, searches: boolean): number {
    const { tolerance, last, neighbour, corner } = this;
    // Around the last point, whose faces have it as their third corner.
    const tip = corner[3 * last + 2];
    let face = last;
    do {
      if (this.heightOf(face, point) > tolerance) return face;
      face = neighbour[3 * face + 1];
      if (corner[3 * face + 2] !== tip) break;
    } while (face !== last);
    if (!searches) return -1;
    for (let f = 0; f < this.used; f++) if (this.stamp[f] !== 0 && this.heightOf(f, point) > tolerance) return f;
    return -1;
  }

  private insert(point: number, first: number): void {
    const { seen, rim, corner, neighbour, stamp, startsAt } = this;
    const round = ++this.round;
    seen.length = 0;
    rim.length = 0;
    seen.push(first);
    stamp[first] = round;
    let gain = 0;
    for (let i = 0; i < seen.length; i++) {
      const face = seen[i];
      gain += this.heightOf(face, point) * this.area[face];
      for (let k = 0; k < 3; k++) {
        const next = neighbour[3 * face + k];
        if (stamp[next] === round) continue;
        if (stamp[next] !== -round && this.heightOf(next, point) > this.tolerance) {
          stamp[next] = round;
          seen.push(next);
        } else {
          stamp[next] = -round;
          rim.push(3 * face + k);
        }
      }
    }
    if (!this.isLoop()) return;
    this.six += gain;
    const created = rim.length;
    for (let i = 0; i < created; i++) {
      const at = rim[i];
      const k = at % 3;
      const from = corner[at];
      const to = corner[k === 2 ? at - 2 : at + 1];
      const beyond = neighbour[at];
      const face = this.face(from, to, point);
      this.neighbour[3 * face] = beyond;
      const edge = 3 * beyond + (this.corner[3 * beyond] === to ? 0 : this.corner[3 * beyond + 1] === to ? 1 : 2);
      this.neighbour[edge] = face;
      startsAt[from] = face;
      rim[i] = face;
    }
    for (let i = 0; i < created; i++) {
      const next = startsAt[this.corner[3 * rim[i] + 1]];
      this.neighbour[3 * rim[i] + 1] = next;
      this.neighbour[3 * next + 2] = rim[i];
    }
    for (const face of seen) {
      this.stamp[face] = 0;
      this.free.push(face);
    }
    this.last = rim[0];
  }

  /** Whether the edges of the rim follow each other in one loop. */
  private isLoop(): boolean {
    const { rim, corner, startsAt } = this;
    if (rim.length < 3) return false;
    for (let i = 0; i < rim.length; i++) startsAt[corner[rim[i]]] = -1;
    for (let i = 0; i < rim.length; i++) {
      const from = corner[rim[i]];
      if (startsAt[from] !== -1) return false;
      startsAt[from] = rim[i];
    }
    let at = rim[0];
    for (let i = 0; i < rim.length; i++) {
      const to = corner[at % 3 === 2 ? at - 2 : at + 1];
      at = startsAt[to];
      if (at === undefined || at < 0 || corner[at] !== to) return false;
      if (at === rim[0]) return i + 1 === rim.length;
    }
    return false;
  }

  private face(a: number, b: number, c: number): number {
    const face = this.free.pop() ?? this.used++;
    if (face === this.area.length) this.grow();
    const { points: p, plane } = this;
    this.corner[3 * face] = a;
    this.corner[3 * face + 1] = b;
    this.corner[3 * face + 2] = c;
    const [i, j, k] = [3 * a, 3 * b, 3 * c];
    const ux = p[j] - p[i];
    const uy = p[j + 1] - p[i + 1];
    const uz = p[j + 2] - p[i + 2];
    const vx = p[k] - p[i];
    const vy = p[k + 1] - p[i + 1];
    const vz = p[k + 2] - p[i + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const scale = size > 0 ? 1 / size : 0;
    const at = 4 * face;
    plane[at] = nx * scale;
    plane[at + 1] = ny * scale;
    plane[at + 2] = nz * scale;
    plane[at + 3] = plane[at] * p[i] + plane[at + 1] * p[i + 1] + plane[at + 2] * p[i + 2];
    this.area[face] = size;
    this.stamp[face] = 1;
    return face;
  }

  private grow(): void {
    this.corner = enlarge(this.corner, new Int32Array(2 * this.corner.length));
    this.neighbour = enlarge(this.neighbour, new Int32Array(2 * this.neighbour.length));
    this.plane = enlarge(this.plane, new Float64Array(2 * this.plane.length));
    this.area = enlarge(this.area, new Float64Array(2 * this.area.length));
    this.stamp = enlarge(this.stamp, new Int32Array(2 * this.stamp.length));
  }
}

function enlarge<T extends Int32Array | Float64Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}
