/** A capsule: a segment along z and a radius. */
import { boundByReach } from '../bounds.js';
import type { Capsule } from '../shapes.js';
import { CORE_SEGMENT, SupportCore } from '../support.js';
import { fromDiagonal } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const capsule: ShapeOperations<Capsule> = {
  fields: { radius: { kind: 'size', letters: 'r' }, length: { kind: 'length', letters: 'length' } },
  validate: () => {},
  bound: boundByReach(({ radius, length }, _, __, z) => radius + Math.abs(z) * 0.5 * length),
  boundingRadius: ({ radius, length }) => radius + length / 2,
  core: ({ radius, length }) => new SupportCore(CORE_SEGMENT, radius, 0, 0, length / 2),
  massProperties({ radius: r, length: l }, density) {
    const cylinder = Math.PI * r * r * l;
    const ball = (4 / 3) * Math.PI * r * r * r;
    const volume = cylinder + ball;
    // Each half ball: 2/5 r^2 about its flat centre, 3/8 r from it to its centroid.
    const across =
      (cylinder * ((3 * r * r + l * l) / 12) + ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r)) / volume;
    const along = (cylinder * 0.5 * r * r + ball * 0.4 * r * r) / volume;
    return fromDiagonal(volume, density, [across, across, along]);
  },
  isData: () => true,
};
