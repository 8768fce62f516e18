/**
 * A watertight mesh that contains a body at every time of a path, and how far it may stick out.
 *
 * Method: the path is cut into motions of which no point of the body moves farther than `step` from the middle one's pose; cells of a cubic
 * grid within half a cell's diagonal and `step` of the body's surface there are marked, so that every point of the surface at any time
 * lies in a marked cell. What the outside cannot reach is marked as well, which holds the inside of closed bodies and the pockets that are
 * enclosed. Where two cells meet in an edge alone, one beside them is added, so that every edge of the boundary has two faces.
 * Source: voxelisation by distance, Jones, Baerentzen, Sramek 2006, "3D distance fields", doi:10.1109/TVCG.2006.56.
 * Writes: triangles outward, vertices shared. `excess`: no point of a marked cell is farther than this from a point of the body's surface at
 * some time (enclosed pockets aside, whose volume is in `enclosed`).
 * Cost: poses times triangles times the cells about each. Fails: throws where the grid would be larger than 2^26 cells.
 * Tested by swept-volume.test.ts.
 */
import { closestPointTriangle } from '../geometry/closest-points.js';
import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireOptions, requirePositiveNumber } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import { BodyPair } from './body-pair.js';
import { MotionBound } from './motion-bound.js';
import { interpolatePose, type RigidPose } from './pose.js';
import { requirePath } from './requests.js';

export interface SweptVolumeOptions {
  /** Edge of a cell. Default: a hundredth of the largest extent of what is swept. */
  readonly cell?: number;
}

export interface SweptVolume {
  readonly mesh: TriangleMesh;
  readonly cell: number;
  readonly excess: number;
  /** Volume within the mesh, and of that what was marked only because the outside cannot reach it. */
  readonly volume: number;
  readonly enclosed: number;
}

const DEFAULT_CELLS = 100;
const MOST_CELLS = 2 ** 26;

export function sweepRigidPath(
  body: TriangleMesh,
  path: readonly RigidPose[],
  options: SweptVolumeOptions = {},
): SweptVolume {
  requireIndexedMesh('sweepRigidPath', 'body', body);
  requirePath('sweepRigidPath', path);
  requireOptions('sweepRigidPath', options, { cell: requirePositiveNumber });
  if (path.length === 0 || body.triangles.length === 0)
    throw new MisuseError('sweepRigidPath: path and body, got an empty one, expected a pose and a triangle');
  const pair = new BodyPair(body, { vertices: new Float64Array(0), triangles: new Uint32Array(0) }, 0);
  try {
    const box = boundPath(pair, path);
    const extent = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    const cell = options.cell ?? extent / DEFAULT_CELLS;
    const step = cell / 2;
    const grid = new CellGrid(box, cell, step);
    for (const pose of listPoses(pair, path, step)) grid.mark(body, pose);
    const enclosed = grid.fill();
    const added = grid.separateEdges();
    const mesh = grid.toMesh();
    const diagonal = Math.sqrt(3) * cell;
    return {
      mesh,
      cell,
      excess: diagonal * (1 + added) + step,
      volume: grid.count * cell * cell * cell,
      enclosed: enclosed * cell * cell * cell,
    };
  } finally {
    pair.dispose();
  }
}

/** Box of the ball about the body along the path: generous, and the grid is cut to it. */
function boundPath(pair: BodyPair, path: readonly RigidPose[]): Float64Array {
  const X = createTransform();
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  const c = pair.center;
  const middle = new Float64Array(7);
  const add = (pose: RigidPose, more: number): void => {
    poseToTransform(X, pose);
    for (let k = 0; k < 3; k++) {
      const at = X[3 * k] * c[0] + X[3 * k + 1] * c[1] + X[3 * k + 2] * c[2] + X[9 + k];
      box[k] = Math.min(box[k], at - pair.radius - more);
      box[3 + k] = Math.max(box[3 + k], at + pair.radius + more);
    }
  };
  const bound = new MotionBound(pair);
  for (const pose of path) add(pose, 0);
  for (let i = 0; i + 1 < path.length; i++) {
    // A turning body's centre leaves the straight way: by less than half of what any point moves in a quarter of the motion.
    bound.setMotion(path[i], path[i + 1]);
    const parts = bound.angle > 0 ? 16 : 1;
    for (let j = 1; j < parts; j++) {
      interpolatePose(middle, path[i], path[i + 1], j / parts);
      bound.setMiddle(middle);
      add(middle, bound.within(0.5 / parts));
    }
  }
  return box;
}

/** Poses such that at every time of the path no point is farther than `step` from where it is at one of them. */
function listPoses(pair: BodyPair, path: readonly RigidPose[], step: number): RigidPose[] {
  const out: RigidPose[] = [path[0]];
  const bound = new MotionBound(pair);
  for (let i = 0; i + 1 < path.length; i++) {
    bound.setMotion(path[i], path[i + 1]);
    for (let t = 0; t < 1; ) {
      // The bound of a middle holds on both sides of it: half a reach on, a reach back.
      const middle = interpolatePose(new Float64Array(7), path[i], path[i + 1], t);
      bound.setMiddle(middle);
      let s = Math.min(bound.reach(step), 1);
      for (;;) {
        const next = Math.min(1, t + s);
        interpolatePose(middle, path[i], path[i + 1], next);
        bound.setMiddle(middle);
        if (next - t <= bound.reach(step) || s < 1e-9) break;
        s /= 2;
      }
      const at = Math.min(1, t + s);
      out.push(interpolatePose(new Float64Array(7), path[i], path[i + 1], at));
      t = Math.min(1, at + bound.reach(step) * (1 - 1e-9));
    }
    out.push(path[i + 1]);
  }
  return out;
}

class CellGrid {
  count = 0;
  private readonly size: [number, number, number];
  private readonly origin: [number, number, number];
  private readonly cells: Uint8Array;
  private readonly corners = new Float64Array(9);
  private readonly point = new Float64Array(3);
  private readonly nearest = new Float64Array(3);

  constructor(
    box: Float64Array,
    private readonly cell: number,
    private readonly step: number,
  ) {
    // Two empty cells all around.
    const pad = 2.5 * cell + step;
    this.origin = [box[0] - pad, box[1] - pad, box[2] - pad];
    this.size = [0, 1, 2].map((k) => Math.ceil((box[3 + k] - box[k] + 2 * pad) / cell)) as [number, number, number];
    const [nx, ny, nz] = this.size;
    if (!(nx * ny * nz <= MOST_CELLS))
      throw new MisuseError(
        `sweepRigidPath: options.cell, got ${cell}, which makes ${nx} x ${ny} x ${nz} cells, expected one that makes at most ${MOST_CELLS}`,
      );
    this.cells = new Uint8Array(nx * ny * nz);
  }

  mark(body: TriangleMesh, pose: RigidPose): void {
    const X = poseToTransform(createTransform(), pose);
    const { corners, cell, origin, size } = this;
    const reach = (Math.sqrt(3) / 2) * cell * (1 + 1e-9) + this.step;
    const low = [0, 0, 0];
    const high = [0, 0, 0];
    for (let t = 0; t < body.triangles.length; t += 3) {
      for (let i = 0; i < 3; i++) {
        const v = 3 * body.triangles[t + i];
        const [x, y, z] = [body.vertices[v], body.vertices[v + 1], body.vertices[v + 2]];
        for (let k = 0; k < 3; k++) corners[3 * i + k] = X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z + X[9 + k];
      }
      for (let k = 0; k < 3; k++) {
        const least = Math.min(corners[k], corners[3 + k], corners[6 + k]) - reach;
        const most = Math.max(corners[k], corners[3 + k], corners[6 + k]) + reach;
        low[k] = Math.max(0, Math.floor((least - origin[k]) / cell - 0.5));
        high[k] = Math.min(size[k] - 1, Math.ceil((most - origin[k]) / cell - 0.5));
      }
      this.markNear(low, high, reach * reach);
    }
  }

  private markNear(low: number[], high: number[], square: number): void {
    const { cells, cell, origin, point, nearest, corners } = this;
    const [nx, ny] = this.size;
    for (let z = low[2]; z <= high[2]; z++)
      for (let y = low[1]; y <= high[1]; y++)
        for (let x = low[0]; x <= high[0]; x++) {
          const at = x + nx * (y + ny * z);
          if (cells[at] !== 0) continue;
          point[0] = origin[0] + (x + 0.5) * cell;
          point[1] = origin[1] + (y + 0.5) * cell;
          point[2] = origin[2] + (z + 0.5) * cell;
          if (closestPointTriangle(nearest, 0, point, 0, corners) <= square) cells[at] = 1;
        }
  }

  /** Marks what the outside cannot reach through faces; how many cells that were. */
  fill(): number {
    const { cells, size } = this;
    const [nx, ny, nz] = size;
    const outside = new Uint8Array(cells.length);
    const stack = [0];
    outside[0] = 1;
    const steps = [1, -1, nx, -nx, nx * ny, -nx * ny];
    while (stack.length > 0) {
      const at = stack.pop() as number;
      const x = at % nx;
      const y = Math.floor(at / nx) % ny;
      const z = Math.floor(at / (nx * ny));
      const open = [x + 1 < nx, x > 0, y + 1 < ny, y > 0, z + 1 < nz, z > 0];
      for (let k = 0; k < 6; k++) {
        const next = at + steps[k];
        if (!open[k] || outside[next] !== 0 || cells[next] !== 0) continue;
        outside[next] = 1;
        stack.push(next);
      }
    }
    let enclosed = 0;
    this.count = 0;
    for (let at = 0; at < cells.length; at++) {
      if (outside[at] !== 0) continue;
      if (cells[at] === 0) enclosed++;
      cells[at] = 1;
      this.count++;
    }
    return enclosed;
  }

  /** Adds cells until no two marked ones share an edge alone; how many rounds that took. */
  separateEdges(): number {
    const { cells, size } = this;
    const [nx, ny, nz] = size;
    const strides = [1, nx, nx * ny];
    for (let round = 0; ; round++) {
      const add: number[] = [];
      for (let z = 0; z + 1 < nz; z++)
        for (let y = 0; y + 1 < ny; y++)
          for (let x = 0; x + 1 < nx; x++) {
            const at = x + nx * (y + ny * z);
            for (let k = 0; k < 3; k++) {
              const u = strides[(k + 1) % 3];
              const v = strides[(k + 2) % 3];
              const one = cells[at] & cells[at + u + v];
              const two = cells[at + u] & cells[at + v];
              if (one === two) continue;
              if (one === 1 && cells[at + u] + cells[at + v] === 0) add.push(at + u);
              if (two === 1 && cells[at] + cells[at + u + v] === 0) add.push(at);
            }
          }
      if (add.length === 0) return round;
      for (const at of add) {
        if (cells[at] === 0) this.count++;
        cells[at] = 1;
      }
    }
  }

  toMesh(): TriangleMesh {
    const { cells, size, cell, origin } = this;
    const [nx, ny] = size;
    const strides = [1, nx, nx * ny];
    const vertices: number[] = [];
    const triangles: number[] = [];
    const index = new Map<number, number>();
    const corner = (i: number, j: number, k: number): number => {
      const key = i + (nx + 1) * (j + (ny + 1) * k);
      let at = index.get(key);
      if (at === undefined) {
        at = vertices.length / 3;
        index.set(key, at);
        vertices.push(origin[0] + i * cell, origin[1] + j * cell, origin[2] + k * cell);
      }
      return at;
    };
    for (let at = 0; at < cells.length; at++) {
      if (cells[at] === 0) continue;
      const place = [at % nx, Math.floor(at / nx) % ny, Math.floor(at / (nx * ny))];
      for (let k = 0; k < 3; k++)
        for (const side of [0, 1]) {
          if (cells[at + (side === 1 ? strides[k] : -strides[k])] !== 0) continue;
          const u = (k + 1) % 3;
          const v = (k + 2) % 3;
          const face = [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ].map(([a, b]) => {
            const c = [...place];
            c[k] += side;
            c[u] += a;
            c[v] += b;
            return corner(c[0], c[1], c[2]);
          });
          if (side === 0) face.reverse();
          triangles.push(face[0], face[1], face[2], face[0], face[2], face[3]);
        }
    }
    return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
  }
}
