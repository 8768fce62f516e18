/**
 * Where a camera of a given direction stands so that points fill its view and none is cropped.
 *
 * Method: in the camera's axes a point (x, y, z towards the camera) lies within the side planes of a camera at (cx, cy, d)
 * when |x - cx| <= s (d - z) and |y - cy| <= t (d - z), s and t being the tangents of the half angles. The largest of
 * x + s z and of s z - x (and likewise in y) over all points say where the planes must be: the two sides that meet first give
 * the distance, and the middle between them the place. What lies over the view above and below leaves less of the half angle t.
 */
import { type PerspectiveCamera, Vector3 } from 'three';

/** Share of the view that stays free on each side. */
const MARGIN = 0.06;

export interface FittedView {
  readonly target: Vector3;
  /** From the target to the camera, along `toCamera`. */
  readonly distance: number;
}

/** Shares of the view's height. */
export interface Covered {
  readonly top: number;
  readonly bottom: number;
}

export function fitView(
  points: readonly Vector3[],
  toCamera: Vector3,
  { fov, aspect, up }: Pick<PerspectiveCamera, 'fov' | 'aspect' | 'up'>,
  covered: Covered = { top: 0, bottom: 0 },
): FittedView {
  const z = toCamera.clone().normalize();
  const x = new Vector3().crossVectors(up, z);
  if (x.lengthSq() < 1e-12) x.set(1, 0, 0).cross(z);
  x.normalize();
  const y = new Vector3().crossVectors(z, x);
  const t = Math.tan((fov * Math.PI) / 360) * (1 - MARGIN);
  const s = t * aspect;
  const [above, below] = [t * (1 - 2 * covered.top), t * (1 - 2 * covered.bottom)];
  let [right, left, top, bottom, near, far] = [-Infinity, -Infinity, -Infinity, -Infinity, -Infinity, Infinity];
  for (const point of points) {
    const [px, py, pz] = [point.dot(x), point.dot(y), point.dot(z)];
    right = Math.max(right, px + s * pz);
    left = Math.max(left, s * pz - px);
    top = Math.max(top, py + above * pz);
    bottom = Math.max(bottom, below * pz - py);
    near = Math.max(near, pz);
    far = Math.min(far, pz);
  }
  const depth = Math.max((right + left) / (2 * s), (top + bottom) / (above + below));
  const middle = (near + far) / 2;
  const target = new Vector3()
    .addScaledVector(x, (right - left) / 2)
    .addScaledVector(y, (top - bottom + (below - above) * depth) / 2)
    .addScaledVector(z, middle);
  return { target, distance: depth - middle };
}
