/** All on one side of a plane: without bounds, without a volume. */
import { hypot } from '../../math/scalar.js';
import type { HalfSpace } from '../shapes.js';
import { refuse } from './checks.js';
import { refuseMass } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const halfspace: ShapeOperations<HalfSpace> = {
  fields: { normal: { kind: 'vector', letters: 'nx,ny,nz' }, offset: { kind: 'number', letters: 'd' } },
  validate({ normal }) {
    const norm = hypot(normal[0], normal[1], normal[2]);
    if (Math.abs(norm - 1) > 1e-6) refuse('halfspace normal', `length ${norm}`, 'a unit vector');
  },
  bound(out) {
    for (let k = 0; k < 3; k++) {
      out[k] = -Infinity;
      out[k + 3] = Infinity;
    }
  },
  boundingRadius: () => Infinity,
  core: null,
  massProperties: refuseMass,
  isData: () => true,
};
