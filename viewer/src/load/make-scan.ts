/**
 * A surface of the size of a scan, made where it is read: half a million triangles of a weathered stone, closed and turned outward.
 *
 * Method: a sphere's grid of latitudes and longitudes, its radius a sum of seeded waves of falling length. Metres; deterministic.
 */
import type { TriangleMesh } from 'clearance/geometry';
import { cos, createRandom, sin } from 'clearance/math';

/** Rows between the poles, columns around: 2 * ROWS * COLUMNS triangles. */
const ROWS = 500;
const COLUMNS = 500;
const RADIUS = 0.3;
const WAVES = 36;
const ROUGHNESS = 0.035;

export function makeScan(seed = 1): TriangleMesh {
  const random = createRandom(seed);
  const waves = Array.from({ length: WAVES }, (_, k) => {
    const frequency = 2 + 0.9 * k;
    const [x, y, z] = [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5];
    return {
      x: frequency * x,
      y: frequency * y,
      z: frequency * z,
      phase: 7 * random.next(),
      height: 1 / (1 + 0.45 * k),
    };
  });
  const vertices = new Float64Array(3 * (ROWS * COLUMNS + 2));
  const put = (at: number, x: number, y: number, z: number): void => {
    let height = 0;
    for (const wave of waves) height += wave.height * sin(2 * (wave.x * x + wave.y * y + wave.z * z) + wave.phase);
    const r = RADIUS * (1 + ROUGHNESS * height);
    vertices.set([1.3 * r * x, r * y, r * z + RADIUS], 3 * at);
  };
  for (let row = 0; row < ROWS; row++) {
    const latitude = (Math.PI * (row + 1)) / (ROWS + 1);
    for (let column = 0; column < COLUMNS; column++) {
      const longitude = (2 * Math.PI * column) / COLUMNS;
      const ring = sin(latitude);
      put(row * COLUMNS + column, ring * cos(longitude), ring * sin(longitude), cos(latitude));
    }
  }
  const [north, south] = [ROWS * COLUMNS, ROWS * COLUMNS + 1];
  put(north, 0, 0, 1);
  put(south, 0, 0, -1);
  const triangles = new Uint32Array(6 * ROWS * COLUMNS);
  let at = 0;
  const face = (a: number, b: number, c: number): void => {
    triangles.set([a, b, c], at);
    at += 3;
  };
  for (let column = 0; column < COLUMNS; column++) {
    const next = (column + 1) % COLUMNS;
    face(north, column, next);
    for (let row = 1; row < ROWS; row++) {
      const [above, below] = [(row - 1) * COLUMNS, row * COLUMNS];
      face(above + column, below + column, below + next);
      face(above + column, below + next, above + next);
    }
    face(south, (ROWS - 1) * COLUMNS + next, (ROWS - 1) * COLUMNS + column);
  }
  return { vertices, triangles };
}
