/** An ellipsoid by its semi-axes. */
import { boundByReach } from '../bounds.js';
import type { Ellipsoid } from '../shapes.js';
import { CORE_ELLIPSOID, SupportCore } from '../support.js';
import { fromDiagonal } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const ellipsoid: ShapeOperations<Ellipsoid> = {
  fields: { semiAxes: { kind: 'sizes', letters: 'a,b,c' } },
  validate: () => {},
  bound: boundByReach(({ semiAxes }, x, y, z) =>
    Math.sqrt((x * semiAxes[0]) ** 2 + (y * semiAxes[1]) ** 2 + (z * semiAxes[2]) ** 2),
  ),
  boundingRadius: ({ semiAxes }) => Math.max(...semiAxes),
  core: ({ semiAxes: [a, b, c] }) => new SupportCore(CORE_ELLIPSOID, 0, a, b, c),
  massProperties({ semiAxes: [a, b, c] }, density) {
    const moments = [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5];
    return fromDiagonal((4 / 3) * Math.PI * a * b * c, density, moments);
  },
  isData: () => true,
};
