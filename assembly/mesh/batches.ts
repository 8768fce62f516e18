// Queries of one pair of meshes in many poses, without a call from outside for each.
// Input, from POSE_INPUTS: 13 f64 per pose, X_AB and a number that the query takes. Output, from POSE_RESULTS: 9 f64 per
// pose, the 7 numbers of a distance, then 4 u32: triangles, 1 when found. Work counts are those of all poses together.
// Test: src/bvh/mesh-poses.test.ts.
import {
  INPUT_TRANSFORM,
  POSE_INPUT_BYTES,
  POSE_INPUTS,
  POSE_RESULT_BYTES,
  POSE_RESULTS,
  RESULT_COUNTS,
  RESULT_NUMBERS,
  RESULT_TRIANGLES,
} from '../../src/kernel/layout';
import { collide } from './collide';
import { distance } from './distance';
import { readF64, readU32, writeF64, writeU32 } from '../memory';

let nodeTests: u32 = 0;
let primitiveTests: u32 = 0;

/** Copies the pose to where the query reads it; returns its number. */
function openPose(k: i32): f64 {
  const input = POSE_INPUTS + k * POSE_INPUT_BYTES;
  for (let i: usize = 0; i < 96; i += 8) writeF64(INPUT_TRANSFORM, i, readF64(input + i));
  return readF64(input + 96);
}

function closePose(k: i32, found: i32): void {
  const output = POSE_RESULTS + k * POSE_RESULT_BYTES;
  for (let i: usize = 0; i < 56; i += 8) writeF64(output, i, readF64(RESULT_NUMBERS + i));
  writeU32(output, 56, readU32(RESULT_TRIANGLES));
  writeU32(output, 60, readU32(RESULT_TRIANGLES, 4));
  writeU32(output, 64, found);
  nodeTests += readU32(RESULT_COUNTS);
  primitiveTests += readU32(RESULT_COUNTS, 4);
}

function writeCounts(): void {
  writeU32(RESULT_COUNTS, 0, nodeTests);
  writeU32(RESULT_COUNTS, 4, primitiveTests);
}

/** The number of a pose is its tolerance. */
export function collidePoses(a: usize, b: usize, count: i32): void {
  nodeTests = primitiveTests = 0;
  for (let k = 0; k < count; k++) {
    const tolerance = openPose(k);
    closePose(k, collide(a, b, tolerance, 1));
  }
  writeCounts();
}

/** The number of a pose is the squared limit; `enough2` as for `distance`. */
export function distancePoses(a: usize, b: usize, count: i32, enough2: f64): void {
  nodeTests = primitiveTests = 0;
  for (let k = 0; k < count; k++) {
    const limit2 = openPose(k);
    closePose(k, distance(a, b, limit2, enough2, 1, 0));
  }
  writeCounts();
}
