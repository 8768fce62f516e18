// First triangle hit by a ray.
//
// Method: the ray is clipped to the mesh's bounds, which makes it a short segment that f32 can hold; depth-first, nearest
// first; four boxes at once are tested against the segment by six separating axes; triangles are tested in f64 by the
// signs of three triple products.
// Sources: Ericson 2005, "Real-time collision detection", section 5.3.3 (segment against box); Woop, Benthin, Wald 2013,
//   "Watertight ray/triangle intersection", JCGT 2(1) (no ray slips between two triangles). Both faces count. A ray
//   within a triangle's plane, and a zero-area triangle, are never hit.
// Frames: origin and direction in the mesh frame; t in units of the direction's length.
// Test: src/bvh/cast-ray.test.ts.
import {
  BOX_CENTRE,
  BOX_HALF,
  BOX_ROTATION,
  INPUT_TRANSFORM,
  KIND_OBB,
  RESULT_NUMBERS,
  RESULT_TRIANGLES,
  STACK_BASE,
  TREE_BOUNDS,
  TREE_NODE_KIND,
  TREE_ORIGIN,
  TREE_RADIUS,
} from '../src/kernel/layout';
import { AabbNode, isObb, ObbNode } from './boxes';
import { openTrees, readF32, readF64, readU32, readV128, writeF32, writeF64, writeU32 } from './memory';
import { childOf, isLeaf, leafCount, leafFirst, rootBox, triangleAt, triangleId, usedLanes } from './trees';

let rayTree: usize = 0;
let stackTop: usize = STACK_BASE;
let firstT: f64 = 0;
let lastT: f64 = 0;
let bestT: f64 = 0;

/** 1 and the hit's t and triangle when something is hit at 0 <= t <= maxT, else 0. */
export function castRay(tree: usize, maxT: f64): i32 {
  openTrees(tree, tree);
  rayTree = tree;
  bestT = maxT;
  firstT = 0;
  lastT = maxT;
  for (let k: usize = 0; k < 3; k++) {
    if (!clip(tree, k)) return 0;
  }
  return readU32(tree, TREE_NODE_KIND) == KIND_OBB ? search<ObbNode>() : search<AabbNode>();
}

/** Narrows [firstT, lastT] to the bounds along coordinate k, a little widened; false when nothing is left. */
function clip(tree: usize, k: usize): bool {
  const o = readF64(INPUT_TRANSFORM, 8 * k);
  const d = readF64(INPUT_TRANSFORM, 24 + 8 * k);
  const margin = 1e-12 * (readF64(tree, TREE_RADIUS) + abs(readF64(tree, TREE_ORIGIN + 8 * k) - o));
  const low = readF64(tree, TREE_BOUNDS + 8 * k) - margin - o;
  const high = readF64(tree, TREE_BOUNDS + 24 + 8 * k) + margin - o;
  if (d == 0) return low <= 0 && high >= 0;
  const s = low / d;
  const t = high / d;
  firstT = max(firstT, min(s, t));
  lastT = min(lastT, max(s, t));
  return firstT <= lastT;
}

@inline
function push(box: usize, key: f32): void {
  writeU32(stackTop, 0, <u32>box);
  writeF32(stackTop, 4, key);
  stackTop += 8;
}

function search<K>(): i32 {
  const dx = readF64(INPUT_TRANSFORM, 24);
  const dy = readF64(INPUT_TRANSFORM, 32);
  const dz = readF64(INPUT_TRANSFORM, 40);
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const middle = (firstT + lastT) / 2;
  const half = (lastT - firstT) / 2;
  const mx = f32x4.splat(<f32>(readF64(INPUT_TRANSFORM) - readF64(rayTree, TREE_ORIGIN) + middle * dx));
  const my = f32x4.splat(<f32>(readF64(INPUT_TRANSFORM, 8) - readF64(rayTree, TREE_ORIGIN + 8) + middle * dy));
  const mz = f32x4.splat(<f32>(readF64(INPUT_TRANSFORM, 16) - readF64(rayTree, TREE_ORIGIN + 16) + middle * dz));
  const ux = f32x4.splat(<f32>(dx / length));
  const uy = f32x4.splat(<f32>(dy / length));
  const uz = f32x4.splat(<f32>(dz / length));
  const reach = f32x4.splat(<f32>(half * length));
  const slackNumber = <f32>(3e-6 * readF64(rayTree, TREE_RADIUS));
  const slack = f32x4.splat(slackNumber);
  const main: usize =
    abs(dx) >= abs(dy) && abs(dx) >= abs(dz) ? 0 : abs(dy) >= abs(dz) ? 8 : 16;
  let found = 0;
  // Keys are distances along the ray from its middle, so they stay small however far the ray starts.
  let limit = <f32>((bestT - middle) * length) + slackNumber;
  stackTop = STACK_BASE;
  push(rootBox(rayTree), -Infinity);
  while (stackTop > <usize>STACK_BASE) {
    stackTop -= 8;
    if (readF32(stackTop, 4) > limit) continue;
    const child = childOf<K>(readU32(stackTop, 0));
    if (isLeaf(child)) {
      const first = leafFirst(child);
      const end = first + leafCount(child);
      for (let i = first; i < end; i++) {
        const t = hitTriangle(triangleAt(rayTree, i), main);
        if (t >= 0 && (t < bestT || (found == 0 && t == bestT))) {
          bestT = t;
          found = 1;
          writeF64(RESULT_NUMBERS, 0, t);
          writeU32(RESULT_TRIANGLES, 0, triangleId(rayTree, i));
          limit = <f32>((bestT - middle) * length) + slackNumber;
        }
      }
      continue;
    }
    const node = rayTree + child;
    const cx = f32x4.sub(mx, readV128(node, BOX_CENTRE));
    const cy = f32x4.sub(my, readV128(node, BOX_CENTRE + 16));
    const cz = f32x4.sub(mz, readV128(node, BOX_CENTRE + 32));
    const h0 = readV128(node, BOX_HALF);
    const h1 = readV128(node, BOX_HALF + 16);
    const h2 = readV128(node, BOX_HALF + 32);
    // Middle and direction of the segment in the frames of the boxes.
    const m0 = along<K>(node, 0, cx, cy, cz);
    const m1 = along<K>(node, 16, cx, cy, cz);
    const m2 = along<K>(node, 32, cx, cy, cz);
    const u0 = along<K>(node, 0, ux, uy, uz);
    const u1 = along<K>(node, 16, ux, uy, uz);
    const u2 = along<K>(node, 32, ux, uy, uz);
    const q0 = f32x4.abs(u0);
    const q1 = f32x4.abs(u1);
    const q2 = f32x4.abs(u2);
    let apart = f32x4.gt(f32x4.sub(f32x4.abs(m0), f32x4.add(h0, f32x4.mul(reach, q0))), slack);
    apart = v128.or(apart, f32x4.gt(f32x4.sub(f32x4.abs(m1), f32x4.add(h1, f32x4.mul(reach, q1))), slack));
    apart = v128.or(apart, f32x4.gt(f32x4.sub(f32x4.abs(m2), f32x4.add(h2, f32x4.mul(reach, q2))), slack));
    apart = v128.or(apart, crossApart(m1, u2, m2, u1, h1, q2, h2, q1, slack));
    apart = v128.or(apart, crossApart(m2, u0, m0, u2, h2, q0, h0, q2, slack));
    apart = v128.or(apart, crossApart(m0, u1, m1, u0, h0, q1, h1, q0, slack));
    // Where the box begins along the ray: minus the middle's offset, less the box's half width.
    const offset = f32x4.add(f32x4.add(f32x4.mul(cx, ux), f32x4.mul(cy, uy)), f32x4.mul(cz, uz));
    const width = f32x4.add(f32x4.add(f32x4.mul(h0, q0), f32x4.mul(h1, q1)), f32x4.mul(h2, q2));
    pushSorted(f32x4.sub(f32x4.neg(offset), width), usedLanes<K>(node) & i32x4.bitmask(v128.not(apart)), node);
  }
  return found;
}

/** Component of (x, y, z) along one axis of each of the four boxes. */
@inline
function along<K>(node: usize, axis: usize, x: v128, y: v128, z: v128): v128 {
  if (!isObb<K>()) return axis == 0 ? x : axis == 16 ? y : z;
  return f32x4.add(
    f32x4.add(
      f32x4.mul(readV128(node, BOX_ROTATION + axis), x),
      f32x4.mul(readV128(node, BOX_ROTATION + 48 + axis), y),
    ),
    f32x4.mul(readV128(node, BOX_ROTATION + 96 + axis), z),
  );
}

/** Separation along direction x box axis: here the segment is a point. */
@inline
function crossApart(
  ma: v128,
  ub: v128,
  mb: v128,
  ua: v128,
  ha: v128,
  qb: v128,
  hb: v128,
  qa: v128,
  slack: v128,
): v128 {
  const gap = f32x4.sub(
    f32x4.abs(f32x4.sub(f32x4.mul(ma, ub), f32x4.mul(mb, ua))),
    f32x4.add(f32x4.mul(ha, qb), f32x4.mul(hb, qa)),
  );
  return f32x4.gt(gap, slack);
}

@inline
function pushSorted(keys: v128, lanes: i32, node: usize): void {
  let near = lanes;
  const base = stackTop;
  while (near) {
    const lane = ctz(near);
    near &= near - 1;
    const key =
      lane == 0
        ? f32x4.extract_lane(keys, 0)
        : lane == 1
          ? f32x4.extract_lane(keys, 1)
          : lane == 2
            ? f32x4.extract_lane(keys, 2)
            : f32x4.extract_lane(keys, 3);
    let at = stackTop;
    while (at > base && readF32(at - 8, 4) < key) {
      writeU32(at, 0, readU32(at - 8, 0));
      writeF32(at, 4, readF32(at - 8, 4));
      at -= 8;
    }
    writeU32(at, 0, <u32>(node + (<usize>lane << 2)));
    writeF32(at, 4, key);
    stackTop += 8;
  }
}

/**
 * t of the hit, -1 without one. The corners are sheared so that the ray becomes an axis; the signs of the three areas
 * then decide. A product of two rounded numbers minus another never gets the wrong sign, only 0, and 0 counts as inside,
 * so a ray through an edge or a corner hits one of the triangles there.
 */
function hitTriangle(triangle: usize, main: usize): f64 {
  // Main axis and the two others, as byte offsets.
  const first: usize = main == 16 ? 0 : main + 8;
  const second: usize = first == 16 ? 0 : first + 8;
  const ox = readF64(INPUT_TRANSFORM, first);
  const oy = readF64(INPUT_TRANSFORM, second);
  const oz = readF64(INPUT_TRANSFORM, main);
  const dz = readF64(INPUT_TRANSFORM, 24 + main);
  const sx = readF64(INPUT_TRANSFORM, 24 + first) / dz;
  const sy = readF64(INPUT_TRANSFORM, 24 + second) / dz;
  const az = readF64(triangle, main) - oz;
  const bz = readF64(triangle, 24 + main) - oz;
  const cz = readF64(triangle, 48 + main) - oz;
  const ax = readF64(triangle, first) - ox - sx * az;
  const ay = readF64(triangle, second) - oy - sy * az;
  const bx = readF64(triangle, 24 + first) - ox - sx * bz;
  const by = readF64(triangle, 24 + second) - oy - sy * bz;
  const cx = readF64(triangle, 48 + first) - ox - sx * cz;
  const cy = readF64(triangle, 48 + second) - oy - sy * cz;
  const u = cx * by - cy * bx;
  const v = ax * cy - ay * cx;
  const w = bx * ay - by * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return -1;
  const area = u + v + w;
  if (area == 0) return -1;
  return (u * az + v * bz + w * cz) / area / dz;
}
