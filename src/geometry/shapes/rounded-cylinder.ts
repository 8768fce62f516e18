/** A cylinder along z whose rims are round: a smaller cylinder and a radius. */
import { hypot } from '../../math/scalar.js';
import { boundByReach } from '../bounds.js';
import type { RoundedCylinder } from '../shapes.js';
import { CORE_CYLINDER, CORE_POINT, CORE_SEGMENT, SupportCore } from '../support.js';
import { coreHalf, refuse } from './checks.js';
import { fromMoments } from './moments.js';
import type { ShapeOperations } from './operations.js';

/** Radius and half length of the core. */
const coreSizes = ({ radius, length, edge }: RoundedCylinder): [number, number] => [
  coreHalf(2 * radius, edge),
  coreHalf(length, edge),
];

export const roundedCylinder: ShapeOperations<RoundedCylinder> = {
  fields: {
    radius: { kind: 'size', letters: 'r' },
    length: { kind: 'size', letters: 'length' },
    edge: { kind: 'size', letters: 'edge' },
  },
  validate({ radius, length, edge }) {
    const most = Math.min(radius, 0.5 * length);
    if (edge > most) refuse('rounded-cylinder edge', edge, `at most the radius and half of the length, ${most}`);
  },
  bound: boundByReach(
    ({ radius, length, edge }, x, y, z) =>
      edge + coreHalf(2 * radius, edge) * Math.sqrt(x * x + y * y) + Math.abs(z) * coreHalf(length, edge),
  ),
  boundingRadius: (shape) => shape.edge + hypot(...coreSizes(shape)),
  core(shape) {
    const [r, h] = coreSizes(shape);
    const kind = r > 0 ? CORE_CYLINDER : h > 0 ? CORE_SEGMENT : CORE_POINT;
    return new SupportCore(kind, shape.edge, r, r, h);
  },
  massProperties(shape, density) {
    const e = shape.edge;
    const [r, h] = coreSizes(shape);
    const outer = r + e;
    const cap = h + e;
    // Integrals over the quarter disc u, v >= 0 of radius e: of 1, u, u^2, u^3, u v, u v^2.
    const area = (Math.PI * e * e) / 4;
    const u1 = (e * e * e) / 3;
    const u2 = (area * e * e) / 4;
    const u3 = 0.4 * u1 * e * e;
    const uv = 0.375 * u1 * e;
    const uv2 = 0.2 * u1 * e * e;
    // The core with its caps, the tube around, and the rims: a quarter disc turned about z, above and below.
    const volume =
      Math.PI * r * r * 2 * cap + Math.PI * (outer * outer - r * r) * 2 * h + 4 * Math.PI * (r * area + u1);
    const alongZ =
      (2 / 3) * Math.PI * (r * r * cap * cap * cap + (outer * outer - r * r) * h * h * h) +
      4 * Math.PI * (r * (h * h * area + 2 * h * u1 + u2) + h * h * u1 + 2 * h * uv + uv2);
    const fromAxis =
      Math.PI * (r * r * r * r * cap + (outer * outer * outer * outer - r * r * r * r) * h) +
      4 * Math.PI * (r * r * r * area + 3 * r * r * u1 + 3 * r * u2 + u3);
    return fromMoments(volume, density, [fromAxis / 2, fromAxis / 2, alongZ]);
  },
  isData: () => true,
};
