/** A grid of heights: a surface, or a body where it has a floor. */
import { MisuseError } from '../../math/misuse.js';
import type { MutableNumericArray, NumericArray } from '../../math/vec3.js';
import { halfDiagonal } from '../bounds.js';
import { meshHeightField, validateHeightField } from '../height-field.js';
import type { HeightField } from '../shapes.js';
import { integrateTetrahedra } from './moments.js';
import type { ShapeOperations } from './operations.js';

function boundHeightField(out: MutableNumericArray, shape: HeightField, X: NumericArray): void {
  const { rows, columns, heights, spacing, floor } = shape;
  for (let k = 0; k < 3; k++) {
    const x = X[3 * k] * spacing[0];
    const y = X[3 * k + 1] * spacing[1];
    const z = X[3 * k + 2];
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = 0, at = 0; i < rows; i++)
      for (let j = 0; j < columns; j++, at++) {
        const h = x * (j - 0.5 * (columns - 1)) + y * (i - 0.5 * (rows - 1)) + z * heights[at];
        if (h < lower) lower = h;
        if (h > upper) upper = h;
      }
    if (floor !== undefined) {
      const reach = 0.5 * (Math.abs(x) * (columns - 1) + Math.abs(y) * (rows - 1));
      lower = Math.min(lower, z * floor - reach);
      upper = Math.max(upper, z * floor + reach);
    }
    out[k] = lower + X[9 + k];
    out[k + 3] = upper + X[9 + k];
  }
}

export const heightfield: ShapeOperations<HeightField> = {
  fields: null,
  validate: validateHeightField,
  bound: boundHeightField,
  boundingRadius: (_, __, bounds) => halfDiagonal(bounds),
  core: null,
  massProperties(shape, density) {
    if (shape.floor !== undefined) return integrateTetrahedra(meshHeightField(shape), density);
    throw new MisuseError('computeMassProperties: heightfield, got no floor, expected one: a surface has no volume');
  },
  isData: () => true,
};
