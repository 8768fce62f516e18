/**
 * Shapes of every kind with a rule that says whether a point is inside, written without the code under test; and what a ray
 * must answer by that rule.
 */
import { meshHeightField } from '../../src/geometry/height-field.js';
import { buildConvexHull } from '../../src/geometry/hull.js';
import type { Compound, Shape, ShapeType } from '../../src/geometry/shapes.js';
import type { Random } from '../../src/math/random.js';
import { createTransform, inverseTransformPoint, type Pose, poseToTransform } from '../../src/math/transform.js';
import { ruleOf, sampleShape, scaleShape, shapeTypes } from '../sample-shapes.js';
import { createSphereMesh } from './brute-force-meshes.js';

export type Point = [number, number, number];

/** Negative inside, zero on the surface, about a distance near it. Null: the shape has no inside. */
export type Rule = (p: Point) => number;

export interface RayCase {
  readonly shape: Shape;
  readonly rule: Rule;
  /** Of a ball about the origin that holds the shape, or as far as is looked at. */
  readonly radius: number;
}

export type RayKind = ShapeType;
const FIRST_KINDS = [
  'sphere',
  'box',
  'capsule',
  'cylinder',
  'cone',
  'ellipsoid',
  'halfspace',
  'convex',
  'mesh',
  'octree',
  'points',
  'heightfield',
  'compound',
] as const satisfies readonly RayKind[];
/** All; those that came later, whose rule `ruleOf` knows, are last. */
export const rayKinds: readonly RayKind[] = [
  ...FIRST_KINDS,
  ...shapeTypes.filter((type) => !(FIRST_KINDS as readonly RayKind[]).includes(type)),
];

const length = (...v: number[]): number => Math.hypot(...v);

export function randomPose(random: Random, spread: number): Pose {
  const q = [random.normal(), random.normal(), random.normal(), random.normal()];
  const n = length(...q);
  return [
    random.uniform(-spread, spread),
    random.uniform(-spread, spread),
    random.uniform(-spread, spread),
    ...(q.map((x) => x / n) as [number, number, number, number]),
  ];
}

/** Largest over the faces of a closed convex surface. */
function faceRule(vertices: ArrayLike<number>, triangles: ArrayLike<number>): Rule {
  const planes: number[][] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => Array.from({ length: 3 }, (_, m) => vertices[3 * triangles[i + k] + m]));
    const e = b.map((x, k) => x - a[k]);
    const f = c.map((x, k) => x - a[k]);
    const n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    const l = length(...n);
    if (l > 0) planes.push([...n.map((x) => x / l), (n[0] * a[0] + n[1] * a[1] + n[2] * a[2]) / l]);
  }
  return (p) => {
    let most = -Infinity;
    for (const [x, y, z, d] of planes) most = Math.max(most, x * p[0] + y * p[1] + z * p[2] - d);
    return most;
  };
}

const boxRule =
  (low: number[], high: number[]): Rule =>
  (p) =>
    Math.max(...p.map((x, k) => Math.max(low[k] - x, x - high[k])));

export function createRayCase(random: Random, kind: RayKind, size = 1): RayCase {
  const u = (): number => size * random.uniform(0.1, 1);
  switch (kind) {
    case 'sphere': {
      const radius = u();
      return { shape: { type: kind, radius }, rule: (p) => length(...p) - radius, radius };
    }
    case 'box': {
      const half = [u(), u(), u()];
      return {
        shape: { type: kind, size: half.map((x) => 2 * x) as Point },
        rule: boxRule(
          half.map((x) => -x),
          half,
        ),
        radius: length(...half),
      };
    }
    case 'capsule': {
      const [radius, l] = [u(), u()];
      const rule: Rule = ([x, y, z]) => length(x, y, z - Math.max(-l / 2, Math.min(l / 2, z))) - radius;
      return { shape: { type: kind, radius, length: l }, rule, radius: radius + l / 2 };
    }
    case 'cylinder': {
      const [radius, l] = [u(), u()];
      return {
        shape: { type: kind, radius, length: l },
        rule: ([x, y, z]) => Math.max(length(x, y) - radius, Math.abs(z) - l / 2),
        radius: radius + l,
      };
    }
    case 'cone': {
      const [radius, l] = [u(), u()];
      const slant = length(radius, l);
      return {
        shape: { type: kind, radius, length: l },
        rule: ([x, y, z]) => Math.max(-l / 2 - z, (l * length(x, y) - radius * (l / 2 - z)) / slant),
        radius: radius + l,
      };
    }
    case 'ellipsoid': {
      const semiAxes: Point = [u(), u(), u()];
      return {
        shape: { type: kind, semiAxes },
        rule: (p) => (length(...p.map((x, k) => x / semiAxes[k])) - 1) * Math.min(...semiAxes),
        radius: Math.max(...semiAxes),
      };
    }
    case 'halfspace': {
      const n = [random.normal(), random.normal(), random.normal()];
      const l = length(...n);
      const normal = n.map((x) => x / l) as Point;
      const offset = size * random.uniform(-1, 1);
      return {
        shape: { type: kind, normal, offset },
        rule: (p) => normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - offset,
        radius: 2 * size,
      };
    }
    case 'convex': {
      const points = Float64Array.from({ length: 3 * (4 + random.integer(30)) }, () => size * random.uniform(-1, 1));
      const hull = buildConvexHull(points);
      return { shape: { type: kind, points }, rule: faceRule(hull.vertices, hull.triangles), radius: 2 * size };
    }
    case 'mesh': {
      const mesh = createSphereMesh(6 + random.integer(6));
      const scale = [u(), u(), u()];
      const vertices = mesh.vertices.map((x, i) => x * scale[i % 3]);
      const rule = faceRule(vertices, mesh.triangles);
      return { shape: { type: kind, mesh: { vertices, triangles: mesh.triangles } }, rule, radius: 2 * size };
    }
    case 'octree': {
      const cells: number[] = [];
      for (let i = 0; i < 40; i++) {
        const edge = 1 << random.integer(3);
        for (let k = 0; k < 3; k++) cells.push(edge * (random.integer(8 / edge) - 4 / edge));
        cells.push(edge);
      }
      const resolution = 0.1 * size;
      const rules: Rule[] = [];
      for (let i = 0; i < cells.length; i += 4) {
        const low = cells.slice(i, i + 3).map((x) => x * resolution);
        rules.push(
          boxRule(
            low,
            low.map((x) => x + cells[i + 3] * resolution),
          ),
        );
      }
      return {
        shape: { type: kind, resolution, cells: Int32Array.from(cells) },
        rule: (p) => Math.min(...rules.map((r) => r(p))),
        radius: size,
      };
    }
    case 'points': {
      const radius = size * random.uniform(0.05, 0.4);
      const points = Float64Array.from({ length: 3 * (1 + random.integer(40)) }, () => size * random.uniform(-1, 1));
      const rule: Rule = (p) => {
        let least = Infinity;
        for (let i = 0; i < points.length; i += 3)
          least = Math.min(least, length(p[0] - points[i], p[1] - points[i + 1], p[2] - points[i + 2]) - radius);
        return least;
      };
      return { shape: { type: kind, points, radius }, rule, radius: 2.2 * size };
    }
    case 'heightfield': {
      const [rows, columns] = [2 + random.integer(6), 2 + random.integer(6)];
      const heights = Float64Array.from({ length: rows * columns }, () => size * random.uniform(0, 0.5));
      const spacing: [number, number] = [u() / 3, u() / 3];
      const floor = -size * random.uniform(0.01, 0.5);
      const field = { type: kind, rows, columns, heights, spacing, floor } as const;
      // Heights from the surface's own triangles: the one whose shadow holds the point.
      const { vertices, triangles } = meshHeightField({ type: kind, rows, columns, heights, spacing });
      const rule: Rule = ([x, y, z]) => {
        for (let i = 0; i < triangles.length; i += 3) {
          const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[i + k]);
          const det =
            (vertices[b] - vertices[a]) * (vertices[c + 1] - vertices[a + 1]) -
            (vertices[c] - vertices[a]) * (vertices[b + 1] - vertices[a + 1]);
          const v =
            ((x - vertices[a]) * (vertices[c + 1] - vertices[a + 1]) -
              (vertices[c] - vertices[a]) * (y - vertices[a + 1])) /
            det;
          const w =
            ((vertices[b] - vertices[a]) * (y - vertices[a + 1]) -
              (x - vertices[a]) * (vertices[b + 1] - vertices[a + 1])) /
            det;
          if (v < -1e-13 || w < -1e-13 || v + w > 1 + 1e-13) continue;
          const top =
            vertices[a + 2] + v * (vertices[b + 2] - vertices[a + 2]) + w * (vertices[c + 2] - vertices[a + 2]);
          const side = Math.max(
            Math.abs(x) - ((columns - 1) * spacing[0]) / 2,
            Math.abs(y) - ((rows - 1) * spacing[1]) / 2,
          );
          return Math.max(z - top, floor - z, side);
        }
        return Math.max(
          1e-300,
          Math.abs(x) - ((columns - 1) * spacing[0]) / 2,
          Math.abs(y) - ((rows - 1) * spacing[1]) / 2,
        );
      };
      return { shape: field, rule, radius: 4 * size };
    }
    case 'compound': {
      const kinds = rayKinds.filter((k) => k !== 'halfspace' && k !== 'compound' && k !== 'mesh');
      const parts = Array.from({ length: 1 + random.integer(4) }, () => {
        const part = createRayCase(random, kinds[random.integer(kinds.length)], 0.5 * size);
        return { ...part, pose: randomPose(random, 0.7 * size) };
      });
      const placed = parts.map(({ pose, rule }) => ({ X: poseToTransform(createTransform(), pose), rule }));
      const shape: Compound = { type: kind, children: parts.map(({ shape, pose }) => ({ shape, pose })) };
      const local: Point = [0, 0, 0];
      return {
        shape,
        rule: (p) => Math.min(...placed.map(({ X, rule }) => rule(inverseTransformPoint(local, X, p)))),
        radius: 4 * size,
      };
    }
    default: {
      const shape = scaleShape(sampleShape(random, kind), size);
      return { shape, rule: ruleOf(shape), radius: 2 * size };
    }
  }
}

export const along = (o: Point, d: Point, t: number): Point => [o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]];

/**
 * What is wrong with a first hit by the rule, null when nothing is: the hit must lie on the surface, and no sample before it (or, for a
 * miss, along the whole way) may be on another side than the origin.
 */
export function judgeFirstHit(
  { rule, radius }: RayCase,
  o: Point,
  d: Point,
  t: number,
  samples: number,
  random: Random,
): string | null {
  const speed = length(...d);
  const far = length(...o);
  const tolerance = 1e-11 * (radius + far);
  const start = rule(o);
  if (t !== Infinity && !(t >= 0)) return `t ${t}`;
  if (t !== Infinity && Math.abs(rule(along(o, d, t))) > tolerance) return `off the surface by ${rule(along(o, d, t))}`;
  const middle = -(o[0] * d[0] + o[1] * d[1] + o[2] * d[2]) / (speed * speed);
  const [low, high] = [Math.max(0, middle - radius / speed), Math.min(t, middle + radius / speed)];
  for (let i = 0; i < samples && low < high; i++) {
    const value = rule(along(o, d, low + ((i + random.uniform(0, 1)) / samples) * (high - low)));
    if (Math.abs(value) <= tolerance || Math.abs(start) <= tolerance) continue;
    if (value < 0 !== start < 0) return `another side at sample ${i} of ${samples} before t ${t}`;
  }
  return null;
}
