/** The centre of mass: a ball, drawn over everything, with a plumb line to a ring on the floor. */
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  SphereGeometry,
} from 'three';

const COLOR = 0xb8860b;

export interface MassPoint {
  readonly object: Group;
  /** `at`: three numbers in world; `size`: of the robot, which the marks go by. */
  show(at: ArrayLike<number>, size: number): void;
}

export function createMassPoint(): MassPoint {
  const object = new Group();
  const overlay = { color: COLOR, depthTest: false, transparent: true };
  const ball = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial(overlay));
  const ring = new Mesh(new RingGeometry(0.8, 1, 40), new MeshBasicMaterial({ ...overlay, opacity: 0.8 }));
  const positions = new BufferAttribute(new Float32Array(6), 3);
  const geometry = new BufferGeometry().setAttribute('position', positions);
  const plumb = new Line(geometry, new LineBasicMaterial({ ...overlay, opacity: 0.8 }));
  plumb.frustumCulled = false;
  ball.renderOrder = ring.renderOrder = plumb.renderOrder = 9;
  object.add(ball, ring, plumb);
  return {
    object,
    show(at, size) {
      const [x, y, z] = [at[0], at[1], at[2]];
      ball.position.set(x, y, z);
      ball.scale.setScalar(0.022 * size);
      ring.position.set(x, y, 0);
      ring.scale.setScalar(0.05 * size);
      positions.set([x, y, z, x, y, 0]);
      positions.needsUpdate = true;
    },
  };
}
