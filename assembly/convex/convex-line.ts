/**
 * Whether two cores certainly overlap, by the line between their middles: what of it lies in A and what lies in B meet.
 *
 * Method: with the gauge g of a core, the least factor by which it must grow to hold a point, A holds the part 1 / gA of the line
 * from its middle and B the part 1 / gB from its own: they meet where gA gB <= gA + gB.
 * Frames: A's frame; cores are about their origins. Cost: 20 ns. False says nothing: so for cores of points, segments and user's
 * functions, whose gauge is not at hand.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { CORE_BOX, CORE_CONE, CORE_CYLINDER, CORE_ELLIPSOID, CORE_SEGMENT, F64, s, SupportCore } from './convex-state';

const CLEARLY: f64 = 1 - 1e-12;
/** Square of the part of the middles' distance below which the nearest points give no direction. */
const AIM: f64 = 1e-6;
/** Part of that distance and the sizes by which points that count as within the bound must be inside it. */
const NOISE: f64 = 1e-14;

function gauge(core: SupportCore, x: f64, y: f64, z: f64): f64 {
  if (core.kind == CORE_BOX)
    return max<f64>(abs<f64>(x) / core.x, max<f64>(abs<f64>(y) / core.y, abs<f64>(z) / core.z));
  if (core.kind == CORE_CYLINDER) return max<f64>(sqrt(x * x + y * y) / core.x, abs<f64>(z) / core.z);
  // The cone's slant runs from the rim at -z to the apex at z.
  if (core.kind == CORE_CONE) return max<f64>(-z / core.z, (2 * sqrt(x * x + y * y)) / core.x + z / core.z);
  if (core.kind == CORE_ELLIPSOID) {
    const u = x / core.x;
    const v = y / core.y;
    const w = z / core.z;
    return sqrt(u * u + v * v + w * w);
  }
  return f64.POSITIVE_INFINITY;
}

export function overlapOnLine(): bool {
  const X = s.X;
  const x = X[9];
  const y = X[10];
  const z = X[11];
  const a = gauge(s.a, x, y, z);
  if (!(a < f64.POSITIVE_INFINITY)) return false;
  const b = gauge(
    s.b,
    -(X[0] * x + X[3] * y + X[6] * z),
    -(X[1] * x + X[4] * y + X[7] * z),
    -(X[2] * x + X[5] * y + X[8] * z),
  );
  return a * b < CLEARLY * (a + b);
}

const nearA = changetype<F64>(memory.data(24, 16));
const nearB = changetype<F64>(memory.data(24, 16));

/** The core's nearest point to (x, y, z); of cones and ellipsoids, one on the way to it. False where there is none at hand. */
function nearPoint(out: F64, core: SupportCore, x: f64, y: f64, z: f64): bool {
  if (core.kind == CORE_BOX) {
    out[0] = max<f64>(-core.x, min<f64>(core.x, x));
    out[1] = max<f64>(-core.y, min<f64>(core.y, y));
    out[2] = max<f64>(-core.z, min<f64>(core.z, z));
    return true;
  }
  if (core.kind == CORE_SEGMENT) {
    out[0] = 0;
    out[1] = 0;
    out[2] = max<f64>(-core.z, min<f64>(core.z, z));
    return true;
  }
  if (core.kind == CORE_CYLINDER) {
    const squared = x * x + y * y;
    const t = squared > core.x * core.x ? core.x / sqrt(squared) : 1;
    out[0] = t * x;
    out[1] = t * y;
    out[2] = max<f64>(-core.z, min<f64>(core.z, z));
    return true;
  }
  if (core.kind != CORE_CONE && core.kind != CORE_ELLIPSOID) return false;
  const t = 1 / max<f64>(1, gauge(core, x, y, z));
  out[0] = t * x;
  out[1] = t * y;
  out[2] = t * z;
  return true;
}

/**
 * A first direction better than from middle to middle, to v: from B's point nearest to A's point nearest to B's middle, to that
 * point. True when these two are certainly within the bound.
 */
export function aimNear(bound: f64): bool {
  const X = s.X;
  if (!nearPoint(nearA, s.a, X[9], X[10], X[11])) return false;
  const x = nearA[0] - X[9];
  const y = nearA[1] - X[10];
  const z = nearA[2] - X[11];
  if (
    !nearPoint(
      nearB,
      s.b,
      X[0] * x + X[3] * y + X[6] * z,
      X[1] * x + X[4] * y + X[7] * z,
      X[2] * x + X[5] * y + X[8] * z,
    )
  )
    return false;
  const p = nearB[0];
  const q = nearB[1];
  const r = nearB[2];
  const vx = x - (X[0] * p + X[1] * q + X[2] * r);
  const vy = y - (X[3] * p + X[4] * q + X[5] * r);
  const vz = z - (X[6] * p + X[7] * q + X[8] * r);
  const squared = vx * vx + vy * vy + vz * vz;
  const middles = X[9] * X[9] + X[10] * X[10] + X[11] * X[11];
  if (squared < bound * bound) {
    const sizes = s.a.x + s.a.y + s.a.z + s.b.x + s.b.y + s.b.z;
    const inside = bound - NOISE * (sqrt(middles) + sizes);
    if (inside > 0 && squared < inside * inside) return true;
  }
  if (squared > AIM * middles) {
    s.v[0] = vx;
    s.v[1] = vy;
    s.v[2] = vz;
  }
  return false;
}
