/** A cone along z: its base below, its apex above. */
import { hypot } from '../../math/scalar.js';
import { boundByReach } from '../bounds.js';
import type { Cone } from '../shapes.js';
import { CORE_CONE, SupportCore } from '../support.js';
import { fromDiagonal } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const cone: ShapeOperations<Cone> = {
  fields: { radius: { kind: 'size', letters: 'r' }, length: { kind: 'size', letters: 'length' } },
  validate: () => {},
  bound: boundByReach(({ radius, length }, x, y, z) => {
    const rim = radius * Math.sqrt(x * x + y * y);
    const apex = z * 0.5 * length;
    return Math.max(apex, rim - apex);
  }),
  boundingRadius: ({ radius, length }) => hypot(radius, length / 2),
  core: ({ radius, length }) => new SupportCore(CORE_CONE, 0, radius, radius, length / 2),
  massProperties({ radius: r, length: l }, density) {
    const across = 0.15 * r * r + 0.0375 * l * l;
    // Base at -l/2: the centre of mass lies a quarter of the height above it.
    return fromDiagonal((Math.PI * r * r * l) / 3, density, [across, across, 0.3 * r * r], -l / 4);
  },
  isData: () => true,
};
