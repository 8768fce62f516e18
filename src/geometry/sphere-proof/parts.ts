/**
 * What a proof walks over: shapes as parts, each with its boundary as patches in a frame of its own, and a rule of what is inside.
 *
 * Method: compounds, octrees and point clouds become one part per child, cube and ball. A capsule, a cylinder, a cone, a rounded
 * cylinder and a sphere are a profile turned about z; a rounded box is six rectangles, twelve quarter cylinders and eight octants
 * of a sphere; a box, a hull, a mesh and a height field are triangles. A shape of the caller's own (`support`) is taken as the box
 * around it, which contains it.
 * Inside: closed forms; of meshes by crossings of a half-line that passes no edge within a margin (the next of a few directions is
 * taken where one does), summed by direction where the mesh is consistently wound, by parity where not, as queries do.
 * Frames: L link, P part; X_LP places a part. Checked by verify-spheres.test.ts.
 */
import { throwMisuse } from '../../math/arguments.js';
import { hypot } from '../../math/scalar.js';
import { createTransform, multiplyTransform, poseToTransform, type Transform } from '../../math/transform.js';
import { meshHeightField } from '../height-field.js';
import { buildConvexHull, type ConvexHull } from '../hull.js';
import { reportMesh } from '../mesh-report.js';
import { operationsOf } from '../shapes/index.js';
import type { RoundedBox, Shape } from '../shapes.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { type InsideRule, insideMesh } from './inside-mesh.js';
import { EllipsoidPatch, type Patch, type Profile, RevolutionPatch, TrianglePatch } from './patch.js';

/** A shape where it sits on a link: X_LS, default the link's own frame. */
export interface PlacedShape {
  readonly shape: Shape;
  readonly placement?: Transform;
}

export interface SurfacePart {
  readonly X_LP: Transform;
  readonly patches: readonly Patch[];
}

export interface ProofPart {
  /** Which of the placed shapes it belongs to. */
  readonly shape: number;
  readonly surfaces: readonly SurfacePart[];
  /** Of a part that is a ball about the origin of its frame. */
  readonly radius: number | null;
  /** Null where only the surface counts. */
  readonly inside: { readonly X_LP: Transform; readonly rule: InsideRule } | null;
}

const HALF_PI = 0.5 * Math.PI;
const IDENTITY = createTransform();

/** Parts of all shapes. Throws a MisuseError for half-spaces, which no spheres contain. */
export function listParts(shapes: readonly PlacedShape[], call: string): ProofPart[] {
  const parts: ProofPart[] = [];
  shapes.forEach(({ shape, placement }, i) => {
    addShape(parts, i, shape, placement ?? IDENTITY, call);
  });
  return parts;
}

function addShape(parts: ProofPart[], index: number, shape: Shape, X: Transform, call: string): void {
  const add = (patches: readonly Patch[], rule: InsideRule | null, X_LP: Transform = X, radius?: number): void => {
    parts.push({ shape: index, surfaces: [{ X_LP, patches }], radius: radius ?? null, inside: rule && { X_LP, rule } });
  };
  switch (shape.type) {
    case 'sphere':
      add(...ball(shape.radius), X, shape.radius);
      return;
    case 'capsule': {
      const { radius: r, length } = shape;
      const h = 0.5 * length;
      add(turn(capsuleProfile(0, h, r)), (x, y, z) => hypot(x, y, Math.max(0, Math.abs(z) - h)) < r);
      return;
    }
    case 'cylinder': {
      const { radius: r, length } = shape;
      const h = 0.5 * length;
      add(turn(cylinderProfile(r, h)), (x, y, z) => hypot(x, y) < r && Math.abs(z) < h);
      return;
    }
    case 'rounded-cylinder': {
      const { radius, length, edge } = shape;
      const [r, h] = [Math.max(0, radius - edge), Math.max(0, 0.5 * length - edge)];
      add(
        turn(edge > 0 ? capsuleProfile(r, h, edge) : cylinderProfile(r, h)),
        (x, y, z) =>
          hypot(Math.max(0, hypot(x, y) - r), Math.max(0, Math.abs(z) - h)) < edge ||
          (hypot(x, y) < r && Math.abs(z) < h),
      );
      return;
    }
    case 'cone': {
      const { radius: r, length } = shape;
      const h = 0.5 * length;
      const profile: Profile[] = [
        { from: [0, -h], to: [r, -h] },
        { from: [r, -h], to: [0, h] },
      ];
      add(turn(profile), (x, y, z) => z > -h && z < h && hypot(x, y) * length < r * (h - z));
      return;
    }
    case 'ellipsoid': {
      const [a, b, c] = shape.semiAxes;
      add(ellipsoidPatches(shape.semiAxes), (x, y, z) => hypot(x / a, y / b, z / c) < 1);
      return;
    }
    case 'box':
      add(...box(shape.size));
      return;
    case 'rounded-box':
      parts.push(roundedBox(index, shape, X));
      return;
    case 'convex':
      add(...hull(buildConvexHull(shape.points)));
      return;
    case 'mesh': {
      const { watertight, consistentlyOriented } = reportMesh(shape.mesh);
      const isSolid = watertight && shape.mode !== 'surface';
      add(trianglesOf(shape.mesh), isSolid ? insideMesh(shape.mesh, consistentlyOriented) : null);
      return;
    }
    case 'heightfield': {
      const mesh = meshHeightField(shape);
      add(trianglesOf(mesh), shape.floor === undefined ? null : insideMesh(mesh, true));
      return;
    }
    case 'octree': {
      const { resolution, cells } = shape;
      for (let i = 0; i < cells.length; i += 4) {
        const edge = resolution * cells[i + 3];
        const center = [0, 1, 2].map((k) => resolution * (cells[i + k] + 0.5 * cells[i + 3]));
        add(...box([edge, edge, edge]), moved(X, center));
      }
      return;
    }
    case 'points':
      for (let i = 0; i < shape.points.length; i += 3)
        add(...ball(shape.radius), moved(X, shape.points.subarray(i, i + 3)), shape.radius);
      return;
    case 'compound':
      for (const child of shape.children) {
        const own = child.pose ? poseToTransform(createTransform(), child.pose) : IDENTITY;
        addShape(parts, index, child.shape, multiplyTransform(createTransform(), X, own), call);
      }
      return;
    case 'support': {
      const bounds = new Float64Array(6);
      operationsOf(shape).bound(bounds, shape, IDENTITY);
      const [size, center] = [
        [0, 1, 2].map((k) => bounds[k + 3] - bounds[k]),
        [0, 1, 2].map((k) => 0.5 * bounds[k] + 0.5 * bounds[k + 3]),
      ];
      add(...box([size[0], size[1], size[2]]), moved(X, center));
      return;
    }
    case 'halfspace':
      throwMisuse(call, `shapes[${index}]`, shape, 'a bounded shape');
  }
}

/** A frame of the same axes at a point of X's own. */
function moved(X: Transform, point: ArrayLike<number>): Transform {
  const own = createTransform();
  own.set(point, 9);
  return multiplyTransform(own, X, own);
}

type Body = readonly [readonly Patch[], InsideRule];

function turn(profiles: readonly Profile[]): Patch[] {
  return profiles.flatMap((profile) =>
    [0, 1, 2, 3].map((k) => new RevolutionPatch(profile, [(k - 2) * HALF_PI, (k - 1) * HALF_PI])),
  );
}

function cylinderProfile(r: number, h: number): Profile[] {
  return [
    { from: [0, -h], to: [r, -h] },
    { from: [r, -h], to: [r, h] },
    { from: [r, h], to: [0, h] },
  ];
}

/** Of a cylinder of radius r and half length h, grown by a ball. */
function capsuleProfile(r: number, h: number, radius: number): Profile[] {
  const out: Profile[] = [
    { center: [r, -h], radius, angles: [-HALF_PI, 0] },
    { center: [r, h], radius, angles: [0, HALF_PI] },
  ];
  if (h > 0) out.push({ from: [r + radius, -h], to: [r + radius, h] });
  if (r > 0) out.push({ from: [0, -h - radius], to: [r, -h - radius] }, { from: [r, h + radius], to: [0, h + radius] });
  return out;
}

function ball(radius: number): Body {
  return [turn(capsuleProfile(0, 0, radius)), (x, y, z) => hypot(x, y, z) < radius];
}

function ellipsoidPatches(semiAxes: readonly [number, number, number]): Patch[] {
  const out: Patch[] = [];
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      for (const z of [-1, 1]) out.push(new EllipsoidPatch(semiAxes, [x, 0, 0, 0, y, 0, 0, 0, z]));
  return out;
}

/** Two triangles. */
function rectangle(a: readonly number[], b: readonly number[], c: readonly number[], d: readonly number[]): Patch[] {
  return [new TrianglePatch([...a, ...b, ...c]), new TrianglePatch([...a, ...c, ...d])];
}

/** Six faces at the distances `out` from the middle, with half sizes `half`. */
function faces(half: readonly number[], out: readonly number[]): Patch[] {
  const patches: Patch[] = [];
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    for (const side of [-1, 1]) {
      const corner = (u: number, v: number): number[] => {
        const p = [0, 0, 0];
        p[k] = side * out[k];
        p[i] = u * half[i];
        p[j] = v * half[j];
        return p;
      };
      patches.push(...rectangle(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)));
    }
  }
  return patches;
}

function box(size: readonly [number, number, number]): Body {
  const half = size.map((s) => 0.5 * s);
  const [a, b, c] = half;
  return [faces(half, half), (x, y, z) => Math.abs(x) < a && Math.abs(y) < b && Math.abs(z) < c];
}

function roundedBox(index: number, { size, radius }: RoundedBox, X: Transform): ProofPart {
  const core = size.map((s) => Math.max(0, 0.5 * s - radius));
  const surfaces: SurfacePart[] = [
    {
      X_LP: X,
      patches: faces(
        core,
        core.map((h) => h + radius),
      ),
    },
  ];
  for (let k = 0; k < 3; k++) {
    // Axes of the edges' frames: z along the edge.
    const axes = createTransform();
    axes.fill(0, 0, 9);
    for (let c = 0; c < 3; c++) axes[3 * ((k + 1 + c) % 3) + c] = 1;
    const [u, v] = [(k + 1) % 3, (k + 2) % 3];
    for (let q = 0; q < 4; q++) {
      const [su, sv] = [q === 0 || q === 3 ? 1 : -1, q < 2 ? 1 : -1];
      const own = axes.slice();
      own[9 + u] = su * core[u];
      own[9 + v] = sv * core[v];
      const patches: Patch[] = [
        new RevolutionPatch({ from: [radius, -core[k]], to: [radius, core[k]] }, [q * HALF_PI, (q + 1) * HALF_PI]),
      ];
      surfaces.push({ X_LP: multiplyTransform(createTransform(), X, own), patches });
    }
  }
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      for (const z of [-1, 1]) {
        const q = y > 0 ? (x > 0 ? 0 : 1) : x > 0 ? 3 : 2;
        const angles = z > 0 ? ([0, HALF_PI] as const) : ([-HALF_PI, 0] as const);
        const patches = [new RevolutionPatch({ center: [0, 0], radius, angles }, [q * HALF_PI, (q + 1) * HALF_PI])];
        surfaces.push({ X_LP: moved(X, [x * core[0], y * core[1], z * core[2]]), patches });
      }
  const rule: InsideRule = (x, y, z) => {
    const beyond = [x, y, z].map((value, k) => Math.max(0, Math.abs(value) - core[k]));
    return hypot(beyond[0], beyond[1], beyond[2]) < radius;
  };
  return { shape: index, surfaces, radius: null, inside: { X_LP: X, rule } };
}

/** A point and a segment are triangles without area; a flat hull has no inside. */
function hull({ dimension, vertices, triangles }: ConvexHull): readonly [readonly Patch[], InsideRule | null] {
  if (dimension >= 2) {
    const mesh = { vertices, triangles };
    return [trianglesOf(mesh), dimension === 3 ? insideMesh(mesh, true) : null];
  }
  const [first, last] = [Array.from(vertices.subarray(0, 3)), Array.from(vertices.subarray(vertices.length - 3))];
  return [[new TrianglePatch([...first, ...last, ...last])], null];
}

function trianglesOf({ vertices, triangles }: TriangleMesh): Patch[] {
  const out: Patch[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners: number[] = [];
    for (let c = 0; c < 3; c++) {
      const v = 3 * triangles[t + c];
      corners.push(vertices[v], vertices[v + 1], vertices[v + 2]);
    }
    out.push(new TrianglePatch(corners));
  }
  return out;
}
