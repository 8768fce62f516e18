/** A box by its full edge lengths. */
import { boundByReach, halfDiagonal } from '../bounds.js';
import type { Box } from '../shapes.js';
import { CORE_BOX, SupportCore } from '../support.js';
import { fromDiagonal } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const box: ShapeOperations<Box> = {
  fields: { size: { kind: 'sizes', letters: 'x,y,z' } },
  validate: () => {},
  bound: boundByReach(
    ({ size }, x, y, z) => 0.5 * (Math.abs(x) * size[0] + Math.abs(y) * size[1] + Math.abs(z) * size[2]),
  ),
  boundingRadius: (_, __, bounds) => halfDiagonal(bounds),
  core: ({ size }) => new SupportCore(CORE_BOX, 0, size[0] / 2, size[1] / 2, size[2] / 2),
  massProperties({ size: [a, b, c] }, density) {
    return fromDiagonal(a * b * c, density, [(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12]);
  },
  isData: () => true,
};
