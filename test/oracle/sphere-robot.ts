/**
 * A robot covered with spheres among boxes, cylinders, capsules and spheres, as motion planning benchmarks use it:
 * a plain, fairly fast validity checker, and an independent brute-force one that shares nothing with it but the input.
 */
import type { ValidityChecker } from '../../src/planning/types.js';

export interface SphereRobot {
  readonly name: string;
  readonly joints: readonly {
    readonly name: string;
    readonly type: 'revolute' | 'continuous' | 'prismatic';
    readonly parent: number;
    readonly T: readonly (readonly number[])[];
    readonly axis: readonly number[];
    readonly lower: number;
    readonly upper: number;
  }[];
  readonly links: readonly {
    readonly name: string;
    readonly joint: number;
    readonly spheres: readonly (readonly number[])[];
    readonly bound: readonly number[];
  }[];
  readonly pairs: readonly (readonly [number, number])[];
}

export interface Obstacle {
  readonly name: string;
  readonly type: 'box' | 'cylinder' | 'capsule' | 'sphere';
  readonly position: readonly number[];
  readonly quaternion_xyzw: readonly number[];
  readonly half_extents?: readonly number[];
  readonly length?: number;
  readonly radius?: number;
}

export interface SphereProblem {
  readonly index: number;
  readonly start: readonly number[];
  readonly goals: readonly (readonly number[])[];
  readonly obstacles: readonly Obstacle[];
}

export interface ProblemFile {
  readonly robot: string;
  readonly joints: readonly string[];
  readonly problems: Record<string, readonly SphereProblem[]>;
}

/**
 * How the benchmark's native reference treats cylinders: capsules of the same segment and radius, but in family `box`
 * boxes around them.
 */
export function asReferenceObstacles(obstacles: readonly Obstacle[], family: string): Obstacle[] {
  return obstacles.map((o) => {
    if (o.type !== 'cylinder') return o;
    if (family === 'box') return { ...o, type: 'box', half_extents: [o.radius!, o.radius!, o.length! / 2] };
    return { ...o, type: 'capsule' };
  });
}

/** Numbers per obstacle: rotation columns (9), position (3), half sizes (3), bounding radius, kind. */
const OBSTACLE_STRIDE = 17;
const KIND = { box: 0, cylinder: 1, capsule: 2, sphere: 3 } as const;

/**
 * Fast checker: forward kinematics link by link, base first; each link's bounding sphere is tested against every
 * obstacle and, for the listed pairs, against the links already placed; its spheres only where that touches.
 */
export class SphereChecker implements ValidityChecker {
  private readonly dof: number;
  /** Fixed placements of joints in their parents: 12 each, rotation rows then position. */
  private readonly fixed: Float64Array;
  private readonly parent: Int32Array;
  private readonly prismatic: Uint8Array;
  private readonly axis: Float64Array;
  private readonly placed: Float64Array;
  private readonly linkJoint: Int32Array;
  private readonly local: Float64Array;
  private readonly world: Float64Array;
  private readonly localBound: Float64Array;
  private readonly worldBound: Float64Array;
  private readonly first: Int32Array;
  private readonly spheresPlaced: Uint8Array;
  /** For each link, the earlier links it is tested against. */
  private readonly earlier: Int32Array[];
  private readonly obstacles: Float64Array;

  constructor(
    private readonly robot: SphereRobot,
    private readonly obstacleList: readonly Obstacle[],
  ) {
    const { joints, links, pairs } = robot;
    this.dof = joints.length;
    this.fixed = new Float64Array(12 * joints.length);
    this.axis = new Float64Array(3 * joints.length);
    joints.forEach((joint, j) => {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) this.fixed[12 * j + 3 * r + c] = joint.T[r][c];
        this.fixed[12 * j + 9 + r] = joint.T[r][3];
        this.axis[3 * j + r] = joint.axis[r];
      }
    });
    this.parent = Int32Array.from(joints, (joint) => joint.parent);
    this.prismatic = Uint8Array.from(joints, (joint) => (joint.type === 'prismatic' ? 1 : 0));
    this.placed = new Float64Array(12 * joints.length);
    this.linkJoint = Int32Array.from(links, (link) => link.joint);
    this.local = Float64Array.from(links.flatMap((link) => link.spheres.flat()));
    this.world = this.local.slice();
    this.localBound = Float64Array.from(links.flatMap((link) => link.bound));
    this.worldBound = this.localBound.slice();
    this.first = new Int32Array(links.length + 1);
    links.forEach((link, i) => {
      this.first[i + 1] = this.first[i] + link.spheres.length;
    });
    this.spheresPlaced = new Uint8Array(links.length);
    this.earlier = links.map((_, i) =>
      Int32Array.from(
        pairs.filter(([a, b]) => Math.max(a, b) === i),
        ([a, b]) => Math.min(a, b),
      ),
    );
    this.obstacles = packObstacles(obstacleList);
  }

  isValid(q: Float64Array): boolean {
    this.placeJoints(q);
    const { links } = this.robot;
    for (let i = 0; i < links.length; i++) {
      this.spheresPlaced[i] = 0;
      transformSphere(this.worldBound, this.localBound, i, this.placed, this.linkJoint[i]);
      if (this.linkHitsObstacle(i)) return false;
      const earlier = this.earlier[i];
      for (let k = 0; k < earlier.length; k++) if (this.linksTouch(earlier[k], i)) return false;
    }
    return true;
  }

  explain(q: Float64Array): string {
    if (this.isValid(q)) return '';
    const { links } = this.robot;
    const names: string[] = [];
    for (let i = 0; i < links.length; i++) {
      transformSphere(this.worldBound, this.localBound, i, this.placed, this.linkJoint[i]);
      this.spheresPlaced[i] = 0;
    }
    for (let i = 0; i < links.length; i++) {
      for (let o = 0; o < this.obstacleList.length; o++)
        if (this.linkHits(i, o)) names.push(`${links[i].name} touches ${this.obstacleList[o].name}`);
      for (const other of this.earlier[i])
        if (this.linksTouch(other, i)) names.push(`${links[other].name} touches ${links[i].name}`);
    }
    return names.join(', ');
  }

  private placeJoints(q: Float64Array): void {
    const { fixed, placed, axis } = this;
    for (let j = 0; j < this.dof; j++) {
      const o = 12 * j;
      if (this.parent[j] < 0) for (let k = 0; k < 12; k++) placed[o + k] = fixed[o + k];
      else multiply(placed, o, placed, 12 * this.parent[j], fixed, o);
      const x = axis[3 * j];
      const y = axis[3 * j + 1];
      const z = axis[3 * j + 2];
      if (this.prismatic[j] === 1) {
        for (let r = 0; r < 3; r++)
          placed[o + 9 + r] += q[j] * (placed[o + 3 * r] * x + placed[o + 3 * r + 1] * y + placed[o + 3 * r + 2] * z);
        continue;
      }
      const s = Math.sin(q[j]);
      const c = Math.cos(q[j]);
      const v = 1 - c;
      for (let r = 0; r < 3; r++) {
        const a = placed[o + 3 * r];
        const b = placed[o + 3 * r + 1];
        const d = placed[o + 3 * r + 2];
        if (z === 1) {
          placed[o + 3 * r] = a * c + b * s;
          placed[o + 3 * r + 1] = b * c - a * s;
        } else {
          const along = (a * x + b * y + d * z) * v;
          placed[o + 3 * r] = a * c + along * x + (b * z - d * y) * s;
          placed[o + 3 * r + 1] = b * c + along * y + (d * x - a * z) * s;
          placed[o + 3 * r + 2] = d * c + along * z + (a * y - b * x) * s;
        }
      }
    }
  }

  private placeSpheres(link: number): void {
    if (this.spheresPlaced[link] === 1) return;
    this.spheresPlaced[link] = 1;
    for (let s = this.first[link]; s < this.first[link + 1]; s++)
      transformSphere(this.world, this.local, s, this.placed, this.linkJoint[link]);
  }

  private linkHitsObstacle(link: number): boolean {
    for (let o = 0; o < this.obstacleList.length; o++) if (this.linkHits(link, o)) return true;
    return false;
  }

  private linkHits(link: number, obstacle: number): boolean {
    const { obstacles, worldBound, world } = this;
    const o = obstacle * OBSTACLE_STRIDE;
    const b = 4 * link;
    const dx = worldBound[b] - obstacles[o + 9];
    const dy = worldBound[b + 1] - obstacles[o + 10];
    const dz = worldBound[b + 2] - obstacles[o + 11];
    const reach = worldBound[b + 3] + obstacles[o + 15];
    if (dx * dx + dy * dy + dz * dz > reach * reach) return false;
    if (!sphereHits(worldBound, b, obstacles, o)) return false;
    this.placeSpheres(link);
    for (let s = this.first[link]; s < this.first[link + 1]; s++)
      if (sphereHits(world, 4 * s, obstacles, o)) return true;
    return false;
  }

  private linksTouch(a: number, b: number): boolean {
    const { world, worldBound, first } = this;
    if (!spheresTouch(worldBound, 4 * a, worldBound, 4 * b)) return false;
    this.placeSpheres(a);
    this.placeSpheres(b);
    for (let i = first[a]; i < first[a + 1]; i++) {
      if (!spheresTouch(world, 4 * i, worldBound, 4 * b)) continue;
      for (let j = first[b]; j < first[b + 1]; j++) if (spheresTouch(world, 4 * i, world, 4 * j)) return true;
    }
    return false;
  }
}

function packObstacles(list: readonly Obstacle[]): Float64Array {
  const out = new Float64Array(list.length * OBSTACLE_STRIDE);
  list.forEach((obstacle, i) => {
    const o = i * OBSTACLE_STRIDE;
    const R = rotationOf(obstacle.quaternion_xyzw ?? [0, 0, 0, 1]);
    // Columns one after another: the obstacle's own axes in world.
    for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) out[o + 3 * c + r] = R[r][c];
    out.set(obstacle.position, o + 9);
    const radius = obstacle.radius ?? 0;
    const half = (obstacle.length ?? 0) / 2;
    out.set(obstacle.half_extents ?? [radius, radius, half], o + 12);
    out[o + 15] =
      obstacle.type === 'box'
        ? Math.hypot(...obstacle.half_extents!)
        : obstacle.type === 'cylinder'
          ? Math.hypot(radius, half)
          : radius + half;
    out[o + 16] = KIND[obstacle.type];
  });
  return out;
}

function rotationOf(q: readonly number[]): number[][] {
  const [x, y, z, w] = q;
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** out = a b; out may not be b. */
function multiply(out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number): void {
  for (let r = 0; r < 3; r++) {
    const x = a[i + 3 * r];
    const y = a[i + 3 * r + 1];
    const z = a[i + 3 * r + 2];
    out[o + 3 * r] = x * b[j] + y * b[j + 3] + z * b[j + 6];
    out[o + 3 * r + 1] = x * b[j + 1] + y * b[j + 4] + z * b[j + 7];
    out[o + 3 * r + 2] = x * b[j + 2] + y * b[j + 5] + z * b[j + 8];
    out[o + 9 + r] = x * b[j + 9] + y * b[j + 10] + z * b[j + 11] + a[i + 9 + r];
  }
}

function transformSphere(out: Float64Array, local: Float64Array, s: number, placed: Float64Array, joint: number): void {
  if (joint < 0) return;
  const o = 12 * joint;
  const i = 4 * s;
  const x = local[i];
  const y = local[i + 1];
  const z = local[i + 2];
  out[i] = placed[o] * x + placed[o + 1] * y + placed[o + 2] * z + placed[o + 9];
  out[i + 1] = placed[o + 3] * x + placed[o + 4] * y + placed[o + 5] * z + placed[o + 10];
  out[i + 2] = placed[o + 6] * x + placed[o + 7] * y + placed[o + 8] * z + placed[o + 11];
}

function spheresTouch(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  const reach = a[i + 3] + b[j + 3];
  return x * x + y * y + z * z <= reach * reach;
}

function sphereHits(s: Float64Array, i: number, obstacles: Float64Array, o: number): boolean {
  const dx = s[i] - obstacles[o + 9];
  const dy = s[i + 1] - obstacles[o + 10];
  const dz = s[i + 2] - obstacles[o + 11];
  const radius = s[i + 3];
  const z = Math.abs(obstacles[o + 6] * dx + obstacles[o + 7] * dy + obstacles[o + 8] * dz);
  const kind = obstacles[o + 16];
  const outZ = Math.max(0, z - obstacles[o + 14]);
  if (kind === KIND.box) {
    if (outZ > radius) return false;
    const x = Math.abs(obstacles[o] * dx + obstacles[o + 1] * dy + obstacles[o + 2] * dz);
    const y = Math.abs(obstacles[o + 3] * dx + obstacles[o + 4] * dy + obstacles[o + 5] * dz);
    const outX = Math.max(0, x - obstacles[o + 12]);
    const outY = Math.max(0, y - obstacles[o + 13]);
    return outX * outX + outY * outY + outZ * outZ <= radius * radius;
  }
  const across = Math.max(0, dx * dx + dy * dy + dz * dz - z * z);
  if (kind === KIND.cylinder) {
    const out = Math.max(0, Math.sqrt(across) - obstacles[o + 12]);
    return out * out + outZ * outZ <= radius * radius;
  }
  const reach = radius + obstacles[o + 12];
  return across + outZ * outZ <= reach * reach;
}

/**
 * Brute force, written from the definitions: 4x4 matrices for the chain, every sphere against every obstacle and every
 * sphere of every listed pair of links, no bounds, no order, no early geometry. Shares no code with `SphereChecker`.
 */
export function createBruteForceChecker(
  robot: SphereRobot,
  obstacles: readonly Obstacle[],
): (q: ArrayLike<number>) => boolean {
  const frames = robot.joints.map(() => new Float64Array(16));
  const fixed = robot.joints.map((joint) => Float64Array.from(joint.T.flat()));
  const motion = new Float64Array(16);
  const scratch = new Float64Array(16);
  const placed = robot.links.map((link) => link.spheres.map((sphere) => Float64Array.from(sphere)));
  const distances = obstacles.map(distanceFunction);
  return (q) => {
    robot.joints.forEach((joint, j) => {
      if (joint.type === 'prismatic') slide(motion, joint.axis, q[j]);
      else turn(motion, joint.axis, q[j]);
      if (joint.parent < 0) product(frames[j], fixed[j], motion);
      else product(frames[j], product(scratch, frames[joint.parent], fixed[j]), motion);
    });
    for (let l = 0; l < robot.links.length; l++) {
      const { joint, spheres } = robot.links[l];
      if (joint < 0) continue;
      const m = frames[joint];
      for (let s = 0; s < spheres.length; s++) {
        const [x, y, z] = spheres[s];
        for (let r = 0; r < 3; r++) placed[l][s][r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3];
      }
    }
    for (const spheres of placed)
      for (const sphere of spheres)
        for (const distance of distances) if (distance(sphere[0], sphere[1], sphere[2]) <= sphere[3]) return false;
    for (const [a, b] of robot.pairs)
      for (const s of placed[a])
        for (const t of placed[b])
          if (Math.sqrt((s[0] - t[0]) ** 2 + (s[1] - t[1]) ** 2 + (s[2] - t[2]) ** 2) <= s[3] + t[3]) return false;
    return true;
  };
}

function product(out: Float64Array, a: Float64Array, b: Float64Array): Float64Array {
  for (let r = 0; r < 4; r++)
    for (let c = 0; c < 4; c++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * r + k] * b[4 * k + c];
      out[4 * r + c] = sum;
    }
  return out;
}

/** Rodrigues' formula, I + sin K + (1 - cos) K^2 with K^2 = a a^T - I. */
function turn(out: Float64Array, axis: readonly number[], angle: number): void {
  const [x, y, z] = axis;
  const K = [0, -z, y, z, 0, -x, -y, x, 0];
  out.fill(0);
  out[15] = 1;
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      const delta = r === c ? 1 : 0;
      out[4 * r + c] = delta + Math.sin(angle) * K[3 * r + c] + (1 - Math.cos(angle)) * (axis[r] * axis[c] - delta);
    }
}

function slide(out: Float64Array, axis: readonly number[], by: number): void {
  out.fill(0);
  for (let r = 0; r < 3; r++) {
    out[5 * r] = 1;
    out[4 * r + 3] = axis[r] * by;
  }
  out[15] = 1;
}

/** Distance from a point to the solid, 0 inside. */
function distanceFunction(obstacle: Obstacle): (x: number, y: number, z: number) => number {
  const [px, py, pz] = obstacle.position;
  const radius = obstacle.radius ?? 0;
  if (obstacle.type === 'sphere')
    return (x, y, z) => Math.max(0, Math.sqrt((x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2) - radius);
  // The obstacle's axes: its unit vectors turned by v + 2 w (u x v) + 2 u x (u x v).
  const [qx, qy, qz, w] = obstacle.quaternion_xyzw;
  const u = [qx, qy, qz];
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map((v) => {
    const t = cross(u, v);
    const tt = cross(u, t);
    return v.map((value, k) => value + 2 * w * t[k] + 2 * tt[k]);
  });
  const along = (k: number, x: number, y: number, z: number): number =>
    axes[k][0] * (x - px) + axes[k][1] * (y - py) + axes[k][2] * (z - pz);
  if (obstacle.type === 'box') {
    const [hx, hy, hz] = obstacle.half_extents!;
    return (x, y, z) => {
      const a = Math.max(0, Math.abs(along(0, x, y, z)) - hx);
      const b = Math.max(0, Math.abs(along(1, x, y, z)) - hy);
      const c = Math.max(0, Math.abs(along(2, x, y, z)) - hz);
      return Math.sqrt(a * a + b * b + c * c);
    };
  }
  const half = obstacle.length! / 2;
  const capsule = obstacle.type === 'capsule';
  return (x, y, z) => {
    const a = along(0, x, y, z);
    const b = along(1, x, y, z);
    const c = along(2, x, y, z);
    const across = Math.sqrt(a * a + b * b);
    const beyond = Math.max(0, Math.abs(c) - half);
    if (capsule) return Math.max(0, Math.sqrt(across * across + beyond * beyond) - radius);
    const out = Math.max(0, across - radius);
    return Math.sqrt(out * out + beyond * beyond);
  };
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
