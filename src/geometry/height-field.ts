/**
 * Height fields as geometry: their samples in space, and the mesh of the surface or, with a floor, of the closed body.
 * Layout and diagonals as in shapes.ts. Triangle 2 s is (i, j) (i, j + 1) (i + 1, j + 1) of square s = i (columns - 1) + j,
 * triangle 2 s + 1 is (i, j) (i + 1, j + 1) (i + 1, j), both counter-clockwise from above.
 * Cost: linear. Checked by part-shapes.test.ts.
 */

import { throwMisuse } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { requireFinite, requirePositive } from './shapes/checks.js';
import type { HeightField } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Row steps and column steps of the corners of the two triangles of a square. */
const CORNER_ROWS = [0, 0, 1, 0, 1, 1] as const;
const CORNER_COLUMNS = [0, 1, 1, 0, 1, 0] as const;

/** Throws a `validateShape: ...` where the grid, the heights and the floor do not fit together. */
export function validateHeightField(shape: HeightField): void {
  const { rows, columns, heights, spacing, floor } = shape;
  for (const [name, value] of [['rows', rows] as const, ['columns', columns] as const])
    if (!(Number.isInteger(value) && value >= 2))
      throw new MisuseError(
        `validateShape: heightfield ${name}, got ${describeValue(value)}, expected an integer of at least 2`,
      );
  if (typeof heights !== 'object' || heights?.length !== rows * columns)
    throw new MisuseError(
      `validateShape: heightfield heights, got ${heights?.length} numbers, expected ${rows} rows of ${columns}`,
    );
  requireFinite('heightfield', 'heights', heights);
  if (typeof spacing !== 'object' || spacing?.length !== 2)
    throw new MisuseError(
      `validateShape: heightfield spacing, got ${describeValue(spacing?.length ?? spacing)} numbers, expected 2`,
    );
  for (let i = 0; i < 2; i++) requirePositive('heightfield', `spacing[${i}]`, spacing[i]);
  if (floor === undefined) return;
  requireFinite('heightfield', 'floor', [floor]);
  for (let i = 0; i < heights.length; i++)
    if (heights[i] < floor)
      throw new MisuseError(
        `validateShape: heightfield floor, got ${floor} above heights[${i}] = ${heights[i]}, expected no height below it`,
      );
}

export function countTriangles({ rows, columns }: HeightField): number {
  return 2 * (rows - 1) * (columns - 1);
}

/** Corners of triangle t to out[0 .. 8]. */
export function loadFieldTriangle(out: Float64Array, field: HeightField, t: number): void {
  const { rows, columns, heights, spacing } = field;
  const square = t >> 1;
  const row = Math.floor(square / (columns - 1));
  const column = square - row * (columns - 1);
  const half = 3 * (t & 1);
  for (let c = 0; c < 3; c++) {
    const i = row + CORNER_ROWS[half + c];
    const j = column + CORNER_COLUMNS[half + c];
    out[3 * c] = (j - 0.5 * (columns - 1)) * spacing[0];
    out[3 * c + 1] = (i - 0.5 * (rows - 1)) * spacing[1];
    out[3 * c + 2] = heights[i * columns + j];
  }
}

/** The surface, or with a floor the closed body (walls and bottom included), wound outward. */
export function meshHeightField(field: HeightField): TriangleMesh {
  if (field?.type !== 'heightfield') throwMisuse('meshHeightField', 'field', field, "a shape of type 'heightfield'");
  validateHeightField(field);
  const { rows, columns, heights, spacing, floor } = field;
  const count = rows * columns;
  const vertices = new Float64Array((floor === undefined ? 3 : 6) * count);
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < columns; j++, at++)
      for (const [base, z] of [[0, heights[at]] as const, [3 * count, floor] as const]) {
        if (z === undefined) continue;
        vertices[base + 3 * at] = (j - 0.5 * (columns - 1)) * spacing[0];
        vertices[base + 3 * at + 1] = (i - 0.5 * (rows - 1)) * spacing[1];
        vertices[base + 3 * at + 2] = z;
      }
  const triangles: number[] = [];
  for (let i = 0; i + 1 < rows; i++)
    for (let j = 0; j + 1 < columns; j++)
      for (let half = 0; half < 6; half += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => (i + CORNER_ROWS[half + k]) * columns + j + CORNER_COLUMNS[half + k]);
        triangles.push(a, b, c);
        if (floor !== undefined) triangles.push(a + count, c + count, b + count);
      }
  if (floor !== undefined) {
    // Walls along the rim, walked counter-clockwise as seen from above.
    const rim: number[] = [];
    for (let j = 0; j + 1 < columns; j++) rim.push(j);
    for (let i = 0; i + 1 < rows; i++) rim.push(i * columns + columns - 1);
    for (let j = columns - 1; j > 0; j--) rim.push((rows - 1) * columns + j);
    for (let i = rows - 1; i > 0; i--) rim.push(i * columns);
    rim.forEach((a, k) => {
      const b = rim[(k + 1) % rim.length];
      triangles.push(a + count, b + count, b, a + count, b, a);
    });
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}
