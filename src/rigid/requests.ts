/** Checks of what the calls for rigid bodies are given. */
import { requireBuildOptions } from '../bvh/mesh-bvh.js';
import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import {
  type Check,
  type Fields,
  requireFields,
  requireFloats,
  requireFunction,
  requireList,
  requireNotNegative,
  requireOptions,
  requirePositive,
  requireSeed,
  throwMisuse,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import type { RigidPose } from './pose.js';

/** A pose to read: seven finite numbers, the last four of length 1. */
export function requirePose(call: string, what: string, pose: unknown): void {
  requireFloats(call, what, pose, 7);
  const numbers = pose as RigidPose;
  let square = 0;
  for (let k = 0; k < 7; k++) {
    if (!Number.isFinite(numbers[k])) throwMisuse(call, what, pose, 'seven finite numbers');
    if (k > 2) square += numbers[k] * numbers[k];
  }
  if (!(Math.abs(square - 1) <= 1e-6)) throwMisuse(call, what, pose, 'a quaternion of length 1');
}

export function requirePath(call: string, path: unknown): void {
  requireList(call, 'path', path);
  (path as unknown[]).forEach((pose, i) => {
    requirePose(call, `path[${i}]`, pose);
  });
}

const mesh: Check = (call, what, value) => {
  requireIndexedMesh(call, what, value as TriangleMesh);
};

const seed = (call: string, _: string, value: unknown): void => requireSeed(call, value);

const SEARCH: Fields = { seed, maxQueries: wholeFrom(1), shorten: requireNotNegative, trees: requireBuildOptions };

export function requireSearchOptions(call: string, options: unknown): void {
  requireOptions(call, options, { ...SEARCH, ...OUTSIDE });
}

/** Limits from outside, which a search leaves to those who run it. */
const OUTSIDE: Fields = {
  timeoutMs: requirePositive,
  clock: requireFunction,
  shouldStop: requireFunction,
  onProgress: requireFunction,
  part: mesh,
  obstacles: mesh,
  start: requirePose,
  goal: requirePose,
};

export function requireTakeOut(call: string, request: unknown): void {
  const { part, obstacles, start, goal, shouldStop } = OUTSIDE;
  requireFields(call, 'request', request, { ...SEARCH, part, obstacles, start, goal, shouldStop });
  for (const name of ['part', 'obstacles', 'start'] as const) {
    const given = (request as Readonly<Record<string, unknown>>)[name];
    if (given === undefined) throwMisuse(call, `request.${name}`, given, name === 'start' ? 'a pose' : 'a mesh');
  }
}

const PART: Fields = { name: unchecked, mesh, pose: requirePose };

export function requireParts(call: string, parts: unknown): void {
  requireList(call, 'parts', parts);
  (parts as unknown[]).forEach((part, i) => {
    requireFields(call, `parts[${i}]`, part, PART);
    const { name, mesh: given, pose } = part as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name === '') throwMisuse(call, `parts[${i}].name`, name, 'a name');
    if (given === undefined) throwMisuse(call, `parts[${i}].mesh`, given, 'a mesh');
    if (pose === undefined) throwMisuse(call, `parts[${i}].pose`, pose, 'a pose');
  });
}

export function requireSequenceOptions(call: string, options: unknown): void {
  requireOptions(call, options, {
    queriesPerPart: wholeFrom(0),
    maxQueries: wholeFrom(1),
    base: unchecked,
    shouldStop: requireFunction,
    onStep: requireFunction,
  });
}
