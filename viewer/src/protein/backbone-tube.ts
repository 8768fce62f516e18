/**
 * A tube along a row of points, redrawn from any point on without being built anew.
 *
 * A uniform Catmull-Rom curve goes through the points; each ring of vertices stands across it, turned no more about the
 * curve than the ring before (parallel transport), so the tube does not twist.
 */
import { BufferAttribute, BufferGeometry, Vector3 } from 'three';

const STEPS = 5;
const SIDES = 8;
/** cos and sin of each side's angle. */
const CIRCLE = Array.from({ length: SIDES }, (_, side) => {
  const angle = (2 * Math.PI * side) / SIDES;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

export class BackboneTube {
  readonly geometry = new BufferGeometry();
  private readonly vertices: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly points: Vector3[];
  private readonly at = new Vector3();
  private readonly tangent = new Vector3();
  private readonly normal = new Vector3();
  private readonly across = new Vector3();

  /** `atoms`: at least two, by whose positions the tube goes. */
  constructor(
    readonly atoms: readonly number[],
    private readonly radius: number,
    positions: Float64Array,
  ) {
    const rings = STEPS * (atoms.length - 1) + 1;
    this.points = atoms.map(() => new Vector3());
    this.vertices = new BufferAttribute(new Float32Array(3 * SIDES * rings), 3);
    this.normals = new BufferAttribute(new Float32Array(3 * SIDES * rings), 3);
    this.geometry.setAttribute('position', this.vertices);
    this.geometry.setAttribute('normal', this.normals);
    const faces: number[] = [];
    for (let ring = 1; ring < rings; ring++) {
      for (let side = 0; side < SIDES; side++) {
        const [a, b] = [SIDES * (ring - 1) + side, SIDES * (ring - 1) + ((side + 1) % SIDES)];
        faces.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
      }
    }
    this.geometry.setIndex(faces);
    this.update(positions, 0);
  }

  /** Follows the positions, of which those before atoms[first] are as they were. */
  update(positions: Float64Array, first: number): void {
    for (let i = first; i < this.points.length; i++) this.points[i].fromArray(positions, 3 * this.atoms[i]);
    // A point bends the curve two points back.
    const from = STEPS * Math.max(0, first - 2);
    const rings = STEPS * (this.points.length - 1) + 1;
    if (from > 0) this.normal.fromBufferAttribute(this.normals, SIDES * (from - 1));
    else this.normal.set(0, 0, 0);
    for (let ring = from; ring < rings; ring++) this.writeRing(ring);
    for (const attribute of [this.vertices, this.normals]) {
      attribute.addUpdateRange(3 * SIDES * from, 3 * SIDES * (rings - from));
      attribute.needsUpdate = true;
    }
    this.geometry.boundingSphere = null;
    this.geometry.boundingBox = null;
  }

  private writeRing(ring: number): void {
    const { points, at, tangent, normal, across, vertices, normals, radius } = this;
    const i = Math.min(Math.floor(ring / STEPS), points.length - 2);
    writeCurve(at, tangent, points, i, ring / STEPS - i);
    normal.addScaledVector(tangent, -normal.dot(tangent));
    if (normal.lengthSq() < 1e-12) {
      // Any direction across the curve.
      const least = Math.abs(tangent.x) < 0.6 ? [1, 0, 0] : [0, 1, 0];
      normal.fromArray(least).addScaledVector(tangent, -tangent.dot(across.fromArray(least)));
    }
    normal.normalize();
    across.crossVectors(tangent, normal);
    CIRCLE.forEach(([cos, sin], side) => {
      const x = cos * normal.x + sin * across.x;
      const y = cos * normal.y + sin * across.y;
      const z = cos * normal.z + sin * across.z;
      vertices.setXYZ(SIDES * ring + side, at.x + radius * x, at.y + radius * y, at.z + radius * z);
      normals.setXYZ(SIDES * ring + side, x, y, z);
    });
  }
}

/** The curve and its unit tangent between points i and i + 1, at t from 0 to 1. Its ends go straight on. */
function writeCurve(at: Vector3, tangent: Vector3, points: readonly Vector3[], i: number, t: number): void {
  const [b, c] = [points[i], points[i + 1]];
  for (const k of ['x', 'y', 'z'] as const) {
    const before = i > 0 ? points[i - 1][k] : 2 * b[k] - c[k];
    const after = i + 2 < points.length ? points[i + 2][k] : 2 * c[k] - b[k];
    const [m0, m1] = [0.5 * (c[k] - before), 0.5 * (after - b[k])];
    const d = c[k] - b[k];
    const [p2, p3] = [3 * d - 2 * m0 - m1, m0 + m1 - 2 * d];
    at[k] = b[k] + t * (m0 + t * (p2 + t * p3));
    tangent[k] = m0 + t * (2 * p2 + 3 * t * p3);
  }
  tangent.normalize();
}
