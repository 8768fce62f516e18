/** A cone along z: its base below, its apex above. */
import { hypot } from '../../math/scalar.js';
import type { Cone } from '../shapes.js';
import { CORE_CONE, SupportCore } from '../support.js';
import { fromDiagonal } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const cone: ShapeOperations<Cone> = {
  fields: { radius: { kind: 'size', letters: 'r' }, length: { kind: 'size', letters: 'length' } },
  validate: () => {},
  bound(out, { radius, length }, X) {
    for (let k = 0; k < 3; k++) {
      const x = X[3 * k];
      const y = X[3 * k + 1];
      const rim = radius * Math.sqrt(x * x + y * y);
      const apex = X[3 * k + 2] * 0.5 * length;
      out[k] = Math.min(apex, -rim - apex) + X[9 + k];
      out[k + 3] = Math.max(apex, rim - apex) + X[9 + k];
    }
  },
  boundingRadius: ({ radius, length }) => hypot(radius, length / 2),
  core: ({ radius, length }) => new SupportCore(CORE_CONE, 0, radius, radius, length / 2),
  massProperties({ radius: r, length: l }, density) {
    const across = 0.15 * r * r + 0.0375 * l * l;
    // Base at -l/2: the centre of mass lies a quarter of the height above it.
    return fromDiagonal((Math.PI * r * r * l) / 3, density, [across, across, 0.3 * r * r], -l / 4);
  },
  isData: () => true,
};
