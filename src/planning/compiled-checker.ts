/**
 * Compiled checks of a robot's spheres (compileSphereChecks) as a validity checker, with which the planners' kernel is linked.
 *
 * States are the coordinates that the checks were compiled for, in their order. "Free" says that the spheres are apart, which is as
 * much as the spheres contain of the robot. One search at a time runs in the memory of the checks; replacing the obstacles
 * between searches is what they are made for, during a search it changes what the search has found before.
 * Tested by test/oracle/planning-spheres.test.ts.
 */
import type { SphereChecks } from '../compile/sphere-checks/sphere-checks.js';
import { type Fields, requireFields, requireFlag, requireTexts, throwMisuse } from '../math/arguments.js';
import type { KernelChecks, ValidityChecker } from './types.js';

export interface CompiledCheckerOptions {
  /** What the answers rest on, for example that the spheres are proven to contain the links; see `Assuming`. */
  readonly complete?: boolean;
  readonly assumed?: readonly string[];
}

const OPTIONS: Fields = { complete: requireFlag, assumed: requireTexts };

/** Throws on what compileSphereChecks did not return. */
export function createCompiledChecker(
  checks: SphereChecks,
  options: CompiledCheckerOptions = {},
): ValidityChecker & { readonly kernel: KernelChecks } {
  if (typeof checks?.isFree !== 'function' || !(checks.exports?.memory instanceof WebAssembly.Memory))
    throwMisuse('createCompiledChecker', 'checks', checks, 'what compileSphereChecks or createSphereChecks returned');
  if (!checks.isStraight)
    throwMisuse('createCompiledChecker', 'checks', 'joints that turn by several coordinates', 'straight motions');
  requireFields('createCompiledChecker', 'options', options, OPTIONS);
  const { complete = true, assumed = [] } = options;
  const { memory, heapBase, weights, arguments: room, motion, certify } = checks.exports;
  return {
    complete,
    assumed,
    isValid: (q) => checks.isFree(q),
    kernel: {
      ...{ memory, motion, certify, heapBase: heapBase.value as number },
      ...{ weights: weights.value as number, room: room.value as number },
    },
  };
}
