// Boxes that a ray meets, near ones first: a walk that its caller resumes after every box, with what it has found as the limit.
//
// Method: a binary tree; both children of a node are tested at once in the two lanes of f64x2, without a branch: slabs as
// bound * 1 / u + offset, where the offset holds the origin and the pad. The nearer child is entered, the other waits.
// Source: Kay, Kajiya 1986, "Ray tracing complex scenes", doi:10.1145/15922.15916 (slabs).
// Layout: src/kernel/layout.ts, RAY_BOXES_... Cost: 10 ns a node. Test: src/scene/queries/ray.test.ts.
import {
  RAY_BOXES_BYTES,
  RAY_BOXES_FAR,
  RAY_BOXES_INVERSE,
  RAY_BOXES_NEAR,
  RAY_BOXES_NODES,
  RAY_BOXES_SIDE,
  RAY_BOXES_STACK,
  RAY_BOXES_TOP,
  RAY_ENTRY_BYTES,
  RAY_PAIR_CHILD,
} from '../../src/kernel/layout';
import { closeWork, openWork, readF64, readSplat64, readU32, readV128, writeF64, writeU32 } from '../memory';

/** Relative rounding of the two ends of a stretch. */
const ROUNDING: f64 = 1 + 1e-15;

/** The slab of axis k: what is near of both children. */
@inline
function nearOf(block: usize, node: usize, k: usize): v128 {
  const side: usize = readU32(block, RAY_BOXES_SIDE + 4 * k);
  const bound = readV128(node + 16 * k + side);
  const scaled = f64x2.mul(bound, readSplat64(block, RAY_BOXES_INVERSE + 8 * k));
  return f64x2.add(scaled, readSplat64(block, RAY_BOXES_NEAR + 8 * k));
}

@inline
function farOf(block: usize, node: usize, k: usize): v128 {
  const side: usize = readU32(block, RAY_BOXES_SIDE + 4 * k);
  const bound = readV128(node + 16 * k + 48 - side);
  const scaled = f64x2.mul(bound, readSplat64(block, RAY_BOXES_INVERSE + 8 * k));
  return f64x2.add(scaled, readSplat64(block, RAY_BOXES_FAR + 8 * k));
}

/** The item of the next box that is met before `limit`; -1 when there is none. */
export function nextRayBox(block: usize, limit: f64): i32 {
  if (!ASC_NO_ASSERT) {
    openWork(block, RAY_BOXES_NODES, block, 0);
    openWork(block, readU32(block, RAY_BOXES_BYTES), block, 0);
  }
  const bottom = block + readU32(block, RAY_BOXES_STACK);
  const nodes = block + RAY_BOXES_NODES;
  let top = block + readU32(block, RAY_BOXES_TOP);
  let found = -1;
  while (top > bottom) {
    top -= RAY_ENTRY_BYTES;
    if (readF64(top) > limit) continue;
    let child = readU32(top, 8);
    let isMet = true;
    while (!(child & 1)) {
      const node = nodes + child;
      let near = f64x2.pmax(nearOf(block, node, 0), nearOf(block, node, 1));
      near = f64x2.pmax(near, nearOf(block, node, 2));
      near = f64x2.pmax(near, f64x2.splat(0));
      let far = f64x2.pmin(farOf(block, node, 0), farOf(block, node, 1));
      far = f64x2.pmin(far, farOf(block, node, 2));
      far = f64x2.pmin(far, f64x2.splat(limit));
      const met = i64x2.bitmask(f64x2.le(near, f64x2.mul(far, f64x2.splat(ROUNDING))));
      if (met === 0) {
        isMet = false;
        break;
      }
      const left = f64x2.extract_lane(near, 0);
      const right = f64x2.extract_lane(near, 1);
      const takeRight = met === 2 || (met === 3 && right < left);
      child = readU32(node, RAY_PAIR_CHILD + (takeRight ? 4 : 0));
      if (met === 3) {
        writeF64(top, 0, takeRight ? left : right);
        writeU32(top, 8, readU32(node, RAY_PAIR_CHILD + (takeRight ? 0 : 4)));
        top += RAY_ENTRY_BYTES;
      }
    }
    if (isMet) {
      found = child >> 1;
      break;
    }
  }
  writeU32(block, RAY_BOXES_TOP, <u32>(top - block));
  closeWork();
  return found;
}
