// Arithmetic on four lanes, and rows of the transform between a node's four volumes and a single one, for boxes.ts and
// rectangles.ts.
import { BOX_ROTATION } from '../src/kernel/layout';
import { readF32, readSplat, readV128 } from './memory';

@inline
export function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}

@inline
export function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}

@inline
export function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}

@inline
export function laneOf(values: v128, lane: i32): f32 {
  return lane == 0
    ? f32x4.extract_lane(values, 0)
    : lane == 1
      ? f32x4.extract_lane(values, 1)
      : lane == 2
        ? f32x4.extract_lane(values, 2)
        : f32x4.extract_lane(values, 3);
}

@inline
export function dot3(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 {
  return add(add(mul(a, x), mul(b, y)), mul(c, z));
}

@inline
export function splat(a: v128, lane: u8): v128 {
  return lane == 0
    ? v128.shuffle<f32>(a, a, 0, 0, 0, 0)
    : lane == 1
      ? v128.shuffle<f32>(a, a, 1, 1, 1, 1)
      : lane == 2
        ? v128.shuffle<f32>(a, a, 2, 2, 2, 2)
        : v128.shuffle<f32>(a, a, 3, 3, 3, 3);
}

/** Row `i` of the transform from the node's mesh frame into the single box's frame. */
@inline
export function row(single: usize, i: i32, x0: v128, x1: v128, x2: v128): v128 {
  return dot3(
    readSplat(single, BOX_ROTATION + 16 * i),
    x0,
    readSplat(single, BOX_ROTATION + 48 + 16 * i),
    x1,
    readSplat(single, BOX_ROTATION + 96 + 16 * i),
    x2,
  );
}

/** Row `i` of a transform, less the centre that lies `centre` bytes into the single volume. */
@inline
export function shifted(transform: usize, i: i32, single: usize, centre: usize): v128 {
  const r = readV128(transform, 16 * i);
  return f32x4.replace_lane(r, 3, f32x4.extract_lane(r, 3) - readF32(single, centre + 16 * i));
}
