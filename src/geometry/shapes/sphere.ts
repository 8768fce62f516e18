/** A ball: a point and a radius. */
import { boundByReach } from '../bounds.js';
import type { Sphere } from '../shapes.js';
import { CORE_POINT, SupportCore } from '../support.js';
import { fromDiagonal } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const sphere: ShapeOperations<Sphere> = {
  fields: { radius: { kind: 'size', letters: 'r' } },
  validate: () => {},
  bound: boundByReach(({ radius }) => radius),
  boundingRadius: ({ radius }) => radius,
  core: ({ radius }) => new SupportCore(CORE_POINT, radius, 0, 0, 0),
  massProperties({ radius: r }, density) {
    return fromDiagonal((4 / 3) * Math.PI * r * r * r, density, [0.4 * r * r, 0.4 * r * r, 0.4 * r * r]);
  },
  isData: () => true,
};
