/**
 * Pieces of surfaces of which the point that is farthest from a given point is known in closed form, so that "this piece lies in
 * that ball" is one comparison; and which split into smaller ones of their kind.
 *
 * Method:
 *   triangle    the distance from a point is convex: the farthest point is a corner.
 *   revolution  a piece of a profile (a line or an arc in the half-plane rho >= 0, z) turned through angles of at most a quarter
 *               turn about z. With m the least of x cos t + y sin t over these angles, |p - c|^2 = (rho - m)^2 + (z - c_z)^2
 *               + |c_xy|^2 - m^2, and m depends on no profile: what is left is the farthest point of a line or an arc in a plane.
 *   ellipsoid   the image of a spherical triangle a, b, c, which lies in the hull of a, b, c and of k a, k b, k c, 1/k being the
 *               distance of the plane abc from the origin: a point s (convex combination) of unit length has 1 <= s <= k. Linear maps keep hulls.
 *               The only piece with an excess, k - 1, which falls with the square of its size.
 * Frames: all numbers in one frame, that of the surface. Cost: 10 to 40 flops. Checked by verify-spheres.test.ts.
 */
import { cos, hypot, sin } from '../../math/scalar.js';

export interface Patch {
  /** Largest distance of its points from (x, y, z): exact, or an upper bound. */
  farthest(x: number, y: number, z: number): number;
  /** Some of its points, 3 numbers each. */
  readonly points: readonly number[];
  /** Largest distance of two of its points, at most a few times it. */
  readonly extent: number;
  split(): readonly Patch[];
}

export class TrianglePatch implements Patch {
  readonly points: readonly number[];
  readonly extent: number;
  private readonly longest: number;

  constructor(private readonly corners: readonly number[]) {
    const p = corners;
    const ab = hypot(p[3] - p[0], p[4] - p[1], p[5] - p[2]);
    const bc = hypot(p[6] - p[3], p[7] - p[4], p[8] - p[5]);
    const ca = hypot(p[0] - p[6], p[1] - p[7], p[2] - p[8]);
    this.longest = ab >= bc && ab >= ca ? 0 : bc >= ca ? 1 : 2;
    this.extent = Math.max(ab, bc, ca);
    this.points = p;
  }

  farthest(x: number, y: number, z: number): number {
    const p = this.corners;
    let most = 0;
    for (let i = 0; i < 9; i += 3) {
      const dx = p[i] - x;
      const dy = p[i + 1] - y;
      const dz = p[i + 2] - z;
      const square = dx * dx + dy * dy + dz * dz;
      if (square > most) most = square;
    }
    return Math.sqrt(most);
  }

  /** At the middle of the longest side. */
  split(): readonly Patch[] {
    const p = this.corners;
    const i = 3 * this.longest;
    const j = (i + 3) % 9;
    const k = (i + 6) % 9;
    const [x, y, z] = [0.5 * p[i] + 0.5 * p[j], 0.5 * p[i + 1] + 0.5 * p[j + 1], 0.5 * p[i + 2] + 0.5 * p[j + 2]];
    return [
      new TrianglePatch([p[i], p[i + 1], p[i + 2], x, y, z, p[k], p[k + 1], p[k + 2]]),
      new TrianglePatch([x, y, z, p[j], p[j + 1], p[j + 2], p[k], p[k + 1], p[k + 2]]),
    ];
  }
}

/** A line from (rho, z) to (rho, z), or an arc about (rho, z) with a radius between two angles at most a quarter turn apart. */
export type Profile =
  | { readonly from: readonly [number, number]; readonly to: readonly [number, number] }
  | { readonly center: readonly [number, number]; readonly radius: number; readonly angles: readonly [number, number] };

function profileEnds(profile: Profile): readonly [number, number, number, number] {
  if ('from' in profile) return [...profile.from, ...profile.to];
  const { center, radius, angles } = profile;
  return [
    Math.max(0, center[0] + radius * cos(angles[0])),
    center[1] + radius * sin(angles[0]),
    Math.max(0, center[0] + radius * cos(angles[1])),
    center[1] + radius * sin(angles[1]),
  ];
}

export class RevolutionPatch implements Patch {
  readonly points: readonly number[];
  readonly extent: number;
  private readonly ends: readonly [number, number, number, number];
  /** Cosine and sine of the first angle and of the last. */
  private readonly sides: readonly [number, number, number, number];
  /** The same of an arc's angles. */
  private readonly turns: readonly [number, number, number, number];
  private readonly around: number;
  private readonly along: number;

  /** `angles` about z, at most a quarter turn apart. */
  constructor(
    private readonly profile: Profile,
    private readonly angles: readonly [number, number],
  ) {
    const ends = profileEnds(profile);
    this.ends = ends;
    const [a, b] = angles;
    this.sides = [cos(a), sin(a), cos(b), sin(b)];
    const [c0, c1] = 'from' in profile ? [0, 0] : profile.angles;
    this.turns = [cos(c0), sin(c0), cos(c1), sin(c1)];
    const widest = 'from' in profile ? Math.max(ends[0], ends[2]) : profile.center[0] + profile.radius;
    this.around = widest * (b - a);
    this.along =
      'from' in profile
        ? hypot(ends[2] - ends[0], ends[3] - ends[1])
        : profile.radius * (profile.angles[1] - profile.angles[0]);
    this.extent = this.around + this.along;
    const [c, s] = [cos(0.5 * (a + b)), sin(0.5 * (a + b))];
    const [u0, v0, u1, v1] = this.sides;
    const points = [];
    for (let i = 0; i < 4; i += 2) {
      const [rho, z] = [ends[i], ends[i + 1]];
      points.push(rho * u0, rho * v0, z, rho * c, rho * s, z, rho * u1, rho * v1, z);
    }
    this.points = points;
  }

  farthest(x: number, y: number, z: number): number {
    const [u0, v0, u1, v1] = this.sides;
    const square = x * x + y * y;
    // Whether the direction away from (x, y) lies between the sides.
    const m =
      u0 * -y + v0 * x >= 0 && u1 * y - v1 * x >= 0 ? -Math.sqrt(square) : Math.min(x * u0 + y * v0, x * u1 + y * v1);
    const rest = Math.max(0, square - m * m);
    const [r0, z0, r1, z1] = this.ends;
    const first = (r0 - m) * (r0 - m) + (z0 - z) * (z0 - z);
    const last = (r1 - m) * (r1 - m) + (z1 - z) * (z1 - z);
    let most = Math.max(first, last);
    if (!('from' in this.profile)) {
      const { center, radius } = this.profile;
      const [du, dv] = [center[0] - m, center[1] - z];
      const [ua, va, ub, vb] = this.turns;
      // The farthest point of the whole circle, where the arc has it.
      if (ua * dv - va * du >= 0 && vb * du - ub * dv >= 0) {
        const reach = radius + Math.sqrt(du * du + dv * dv);
        most = Math.max(most, reach * reach);
      }
    }
    return Math.sqrt(rest + most);
  }

  split(): readonly Patch[] {
    const { profile, angles } = this;
    if (this.around > this.along) {
      const middle = 0.5 * (angles[0] + angles[1]);
      return [new RevolutionPatch(profile, [angles[0], middle]), new RevolutionPatch(profile, [middle, angles[1]])];
    }
    if ('from' in profile) {
      const { from, to } = profile;
      const middle = [0.5 * from[0] + 0.5 * to[0], 0.5 * from[1] + 0.5 * to[1]] as const;
      return [new RevolutionPatch({ from, to: middle }, angles), new RevolutionPatch({ from: middle, to }, angles)];
    }
    const [a, b] = profile.angles;
    const middle = 0.5 * (a + b);
    return [
      new RevolutionPatch({ ...profile, angles: [a, middle] }, angles),
      new RevolutionPatch({ ...profile, angles: [middle, b] }, angles),
    ];
  }
}

export class EllipsoidPatch implements Patch {
  readonly points: readonly number[];
  readonly extent: number;
  private readonly outer: readonly number[];

  /** `corners`: three unit vectors within an octant. */
  constructor(
    private readonly semiAxes: readonly [number, number, number],
    private readonly corners: readonly number[],
  ) {
    const p = corners;
    const [ux, uy, uz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
    const [vx, vy, vz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const k = hypot(nx, ny, nz) / Math.abs(nx * p[0] + ny * p[1] + nz * p[2]);
    const points = p.map((value, i) => value * semiAxes[i % 3]);
    this.outer = points.map((value) => k * value);
    const q = points;
    this.extent = Math.max(
      hypot(q[3] - q[0], q[4] - q[1], q[5] - q[2]),
      hypot(q[6] - q[3], q[7] - q[4], q[8] - q[5]),
      hypot(q[0] - q[6], q[1] - q[7], q[2] - q[8]),
    );
    this.points = points;
  }

  farthest(x: number, y: number, z: number): number {
    return Math.max(farthestOf(this.points, x, y, z), farthestOf(this.outer, x, y, z));
  }

  split(): readonly Patch[] {
    const p = this.corners;
    const middle = (i: number, j: number): readonly number[] => {
      const [x, y, z] = [p[i] + p[j], p[i + 1] + p[j + 1], p[i + 2] + p[j + 2]];
      const length = hypot(x, y, z);
      return [x / length, y / length, z / length];
    };
    const [a, b, c] = [p.slice(0, 3), p.slice(3, 6), p.slice(6, 9)];
    const [ab, bc, ca] = [middle(0, 3), middle(3, 6), middle(6, 0)];
    const { semiAxes } = this;
    return [
      new EllipsoidPatch(semiAxes, [...a, ...ab, ...ca]),
      new EllipsoidPatch(semiAxes, [...ab, ...b, ...bc]),
      new EllipsoidPatch(semiAxes, [...ca, ...bc, ...c]),
      new EllipsoidPatch(semiAxes, [...ab, ...bc, ...ca]),
    ];
  }
}

function farthestOf(points: readonly number[], x: number, y: number, z: number): number {
  let most = 0;
  for (let i = 0; i < points.length; i += 3) {
    const [dx, dy, dz] = [points[i] - x, points[i + 1] - y, points[i + 2] - z];
    most = Math.max(most, dx * dx + dy * dy + dz * dz);
  }
  return Math.sqrt(most);
}
