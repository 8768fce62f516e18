/** A cylinder along z. */
import { hypot } from '../../math/scalar.js';
import { boundByReach } from '../bounds.js';
import type { Cylinder } from '../shapes.js';
import { CORE_CYLINDER, SupportCore } from '../support.js';
import { fromDiagonal } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const cylinder: ShapeOperations<Cylinder> = {
  fields: { radius: { kind: 'size', letters: 'r' }, length: { kind: 'size', letters: 'length' } },
  validate: () => {},
  bound: boundByReach(({ radius, length }, x, y, z) => radius * Math.sqrt(x * x + y * y) + Math.abs(z) * 0.5 * length),
  boundingRadius: ({ radius, length }) => hypot(radius, length / 2),
  core: ({ radius, length }) => new SupportCore(CORE_CYLINDER, 0, radius, radius, length / 2),
  massProperties({ radius: r, length: l }, density) {
    const across = (3 * r * r + l * l) / 12;
    return fromDiagonal(Math.PI * r * r * l, density, [across, across, 0.5 * r * r]);
  },
  isData: () => true,
};
