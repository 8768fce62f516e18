/**
 * The manipulability ellipsoid of a tool's velocity: how fast it can go each way, for joint velocities of unit length.
 * Its axes and half-lengths come from the library; a metre per second is drawn as a quarter of a metre.
 */
import type { Manipulability } from 'clearance/kinematics';
import {
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  SphereGeometry,
  WireframeGeometry,
} from 'three';

const COLOR = 0x7a5bc7;
const METRES_PER_SPEED = 0.25;
/** Keeps a flat ellipsoid visible. */
const THINNEST = 1e-3;

export interface Ellipsoid {
  readonly object: Object3D;
  /** `at`: three numbers in world; the axes are world axes. */
  show(at: ArrayLike<number>, shape: Manipulability): void;
}

export function createEllipsoid(): Ellipsoid {
  const object = new Object3D();
  object.matrixAutoUpdate = false;
  const ball = new SphereGeometry(1, 32, 20);
  const body = new Mesh(
    ball,
    new MeshStandardMaterial({ color: COLOR, transparent: true, opacity: 0.28, depthWrite: false }),
  );
  const lines = new LineSegments(
    new WireframeGeometry(new SphereGeometry(1, 12, 8)),
    new LineBasicMaterial({ color: COLOR, transparent: true, opacity: 0.5 }),
  );
  body.renderOrder = lines.renderOrder = 8;
  object.add(body, lines);
  return {
    object,
    show(at, { axes, lengths }) {
      const [a, b] = [axes.subarray(0, 3), axes.subarray(3, 6)];
      // The third axis completes a right-handed set, also where the ellipsoid is flat.
      const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
      const [i, j, k] = Array.from(lengths, (length) => Math.max(METRES_PER_SPEED * length, THINNEST));
      object.matrix.set(
        i * a[0],
        j * b[0],
        k * c[0],
        at[0],
        i * a[1],
        j * b[1],
        k * c[1],
        at[1],
        i * a[2],
        j * b[2],
        k * c[2],
        at[2],
        0,
        0,
        0,
        1,
      );
      object.matrixWorldNeedsUpdate = true;
    },
  };
}
