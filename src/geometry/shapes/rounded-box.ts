/** A box whose edges and corners are round: a smaller box and a radius. */
import { hypot } from '../../math/scalar.js';
import { boundByReach } from '../bounds.js';
import type { RoundedBox } from '../shapes.js';
import { CORE_BOX, CORE_POINT, SupportCore } from '../support.js';
import { coreHalf, refuse } from './checks.js';
import { fromMoments } from './moments.js';
import type { ShapeOperations } from './operations.js';

/** Integral of x^2 over the box a, b, c of edges, grown by a ball of radius r; x along a. */
function momentAlong(a: number, b: number, c: number, r: number): number {
  const h = a / 2;
  const disc = Math.PI * r * r;
  // Core, sides across y and z, edges along x: all of length a.
  const along = ((b * c + 2 * r * (b + c) + disc) * a * a * a) / 12;
  // (h + r)^3 - h^3 without the difference.
  const sides = (2 * b * c * r * (3 * h * (h + r) + r * r)) / 3;
  // Quarter discs and eighths of balls beyond x = h.
  const edges = (b + c) * (h * h * disc + (4 * a * r * r * r) / 3 + (disc * r * r) / 4);
  const corners = (4 / 3) * h * h * disc * r + (a * disc * r * r) / 2 + (4 / 15) * disc * r * r * r;
  return along + sides + edges + corners;
}

const halves = ({ size, radius }: RoundedBox): [number, number, number] => [
  coreHalf(size[0], radius),
  coreHalf(size[1], radius),
  coreHalf(size[2], radius),
];

export const roundedBox: ShapeOperations<RoundedBox> = {
  fields: { size: { kind: 'sizes', letters: 'x,y,z' }, radius: { kind: 'size', letters: 'r' } },
  validate({ size, radius }) {
    const most = 0.5 * Math.min(size[0], size[1], size[2]);
    if (radius > most) refuse('rounded-box radius', radius, `at most half of the smallest size, ${most}`);
  },
  bound: boundByReach(
    ({ size, radius }, x, y, z) =>
      radius +
      Math.abs(x) * coreHalf(size[0], radius) +
      Math.abs(y) * coreHalf(size[1], radius) +
      Math.abs(z) * coreHalf(size[2], radius),
  ),
  boundingRadius: (shape) => shape.radius + hypot(...halves(shape)),
  core(shape) {
    const [a, b, c] = halves(shape);
    return new SupportCore(a + b + c > 0 ? CORE_BOX : CORE_POINT, shape.radius, a, b, c);
  },
  massProperties(shape, density) {
    const r = shape.radius;
    const [a, b, c] = halves(shape).map((half) => 2 * half);
    const volume =
      a * b * c + 2 * r * (a * b + b * c + c * a) + Math.PI * r * r * (a + b + c) + (4 / 3) * Math.PI * r * r * r;
    const [x, y, z] = [momentAlong(a, b, c, r), momentAlong(b, c, a, r), momentAlong(c, a, b, r)];
    return fromMoments(volume, density, [x, y, z]);
  },
  isData: () => true,
};
