/**
 * A tube along a row of points, redrawn from any point on without being built anew: round, or flat where it is a ribbon.
 *
 * A uniform Catmull-Rom curve goes through the points; each ring of vertices stands across it, turned no more about the
 * curve than the ring before (parallel transport), so the tube does not twist. A ribbon lies along its guides, the directions from C
 * alpha to the oxygen, which point along a helix's axis and to the neighbours of a strand; turned by half where that twists less
 * (Carson, Bugg 1986, "Algorithm for ribbon models of proteins", doi:10.1016/0263-7855(86)80010-8).
 */
import { BufferAttribute, BufferGeometry, Vector3 } from 'three';
import type { Secondary } from './secondary.js';

/** Of a point: across along the guide, and at right angles to it, as multiples of the tube's radius. */
const SHAPES: Readonly<Record<Secondary, readonly [number, number]>> = {
  helix: [3, 0.55],
  strand: [2.7, 0.55],
  coil: [0.75, 0.75],
};
/** A strand ends in an arrow: its width before its last point. */
const ARROW = 4;

export interface RibbonShape {
  /** By point. */
  readonly secondary: readonly Secondary[];
  /** Atom that the ribbon lies towards, by point; -1 for none. */
  readonly guides: readonly number[];
}

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
  private readonly directions: Vector3[];
  private readonly guide = new Vector3();

  /** `atoms`: at least two, by whose positions the tube goes. */
  constructor(
    readonly atoms: readonly number[],
    private readonly radius: number,
    positions: Float64Array,
    private readonly ribbon: RibbonShape | null = null,
  ) {
    this.directions = ribbon ? atoms.map(() => new Vector3()) : [];
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
    // Half turns of guides hang on those before.
    if (this.ribbon)
      for (let i = first; i < this.points.length; i++) this.writeGuide(positions, i, this.ribbon.guides[i]);
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
    const shape = this.shapeAt(i, ring / STEPS - i);
    if (shape && this.guide.addScaledVector(tangent, -this.guide.dot(tangent)).lengthSq() > 1e-6)
      normal.copy(this.guide);
    normal.normalize();
    across.crossVectors(tangent, normal);
    const [wide, thin] = shape ?? [1, 1];
    CIRCLE.forEach(([cos, sin], side) => {
      const [u, v] = [radius * wide * cos, radius * thin * sin];
      vertices.setXYZ(
        SIDES * ring + side,
        at.x + u * normal.x + v * across.x,
        at.y + u * normal.y + v * across.y,
        at.z + u * normal.z + v * across.z,
      );
      // Of an ellipse.
      const [p, q] = [thin * cos, wide * sin];
      const length = Math.sqrt(p * p + q * q);
      normals.setXYZ(
        SIDES * ring + side,
        (p * normal.x + q * across.x) / length,
        (p * normal.y + q * across.y) / length,
        (p * normal.z + q * across.z) / length,
      );
    });
  }

  private writeGuide(positions: Float64Array, i: number, atom: number): void {
    const { directions, points } = this;
    const before = directions[i - 1];
    const own = directions[i];
    if (atom < 0) {
      if (before) own.copy(before);
      else own.set(0, 0, 0);
      return;
    }
    own
      .fromArray(positions, 3 * atom)
      .sub(points[i])
      .normalize();
    if (before && own.dot(before) < 0) own.negate();
  }

  /** Width and thickness between points i and i + 1, with `guide` written; null for a round tube. */
  private shapeAt(i: number, t: number): readonly [number, number] | null {
    const { ribbon, directions, guide } = this;
    if (!ribbon) return null;
    guide.copy(directions[i]).lerp(directions[i + 1], t);
    const [a, b] = [ribbon.secondary[i], ribbon.secondary[i + 1]];
    const [from, to] = [SHAPES[a], SHAPES[b]];
    const isTip = a === 'strand' && ribbon.secondary[i + 2] !== 'strand' && b === 'strand';
    if (isTip) return [ARROW * (1 - t) + to[0] * 0.3 * t, from[1]];
    if (a === 'strand' && b !== 'strand') return [from[0] * 0.3 * (1 - t) + to[0] * t, from[1] * (1 - t) + to[1] * t];
    return [from[0] * (1 - t) + to[0] * t, from[1] * (1 - t) + to[1] * t];
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
