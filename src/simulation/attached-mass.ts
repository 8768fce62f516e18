/**
 * A link with what hangs on it: one rigid body of both.
 *
 * Method: moments summed about the common centre of mass by the parallel-axis rule. Frames: the link's. Tested by attached-mass.test.ts.
 */
import { addPointInertiaAt, expandSymmetric, rotateInertia } from '../math/inertia.js';
import { createTransform } from '../math/transform.js';
import type { InertialDescription, LinkDescription } from '../model/description.js';
import type { PrincipalInertia } from './body-inertia.js';

/** The load's frame C is given in the link. */
export function addLoad(link: LinkDescription, load: PrincipalInertia): LinkDescription {
  const parts: { readonly mass: number; readonly frame: Float64Array; readonly inertia: Float64Array }[] = [
    {
      mass: load.mass,
      frame: load.frame,
      inertia: Float64Array.of(load.moments[0], 0, 0, 0, load.moments[1], 0, 0, 0, load.moments[2]),
    },
  ];
  if (link.inertial) {
    const { mass, origin, inertia } = link.inertial;
    parts.push({ mass, frame: origin, inertia: expandSymmetric(new Float64Array(9), inertia) });
  }
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  const origin = createTransform();
  for (const part of parts) for (let k = 0; k < 3; k++) origin[9 + k] += (part.mass * part.frame[9 + k]) / mass;
  const total = new Float64Array(9);
  const turned = new Float64Array(9);
  for (const part of parts) {
    rotateInertia(turned, part.frame, part.inertia);
    for (let k = 0; k < 9; k++) total[k] += turned[k];
    const [x, y, z] = [9, 10, 11].map((k) => part.frame[k] - origin[k]);
    addPointInertiaAt(total, 0, part.mass, x, y, z);
  }
  const inertia: InertialDescription['inertia'] = [total[0], total[1], total[2], total[4], total[5], total[8]];
  return { ...link, inertial: { mass, origin, inertia } };
}
