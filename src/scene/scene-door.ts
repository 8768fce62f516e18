/** What calls over a scene look at first. */
import { requireFinite } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { rotationError } from '../math/mat3.js';
import { MisuseError } from '../math/misuse.js';
import { RIGID_TOLERANCE } from '../math/require-transform.js';
import { copyTransform, type Pose, poseToTransform, type Transform } from '../math/transform.js';
import { describeQuaternion, describeScaling } from '../math/unit-quaternion.js';
import type { Model } from '../model/model.js';
import { findFrame } from '../model/model.js';
import type { Scene, SceneObject, SceneRobot } from './types.js';

export function requireScene(scene: Scene, name: string): void {
  if (!(scene?.objects instanceof Map))
    throw new MisuseError(`${name}: scene, got ${describeValue(scene)}, expected what createScene returned`);
}

export function requireOpen(scene: Scene, name: string): void {
  requireScene(scene, name);
  if (scene.disposed) throw new MisuseError(`${name}: scene, got one that is disposed, expected a live one`);
}

/** Throws on what is no scene, on a disposed scene, and on an object that it does not hold. */
export function requireOwnObject(scene: Scene, name: string, object: SceneObject): void {
  requireOpen(scene, name);
  if (object === null || typeof object !== 'object')
    throw new MisuseError(`${name}: object, got ${describeValue(object)}, expected what addObject returned`);
  if (scene.objects.get(object.name) !== object)
    throw new MisuseError(
      `${name}: object, got ${describeValue(object.name)}, which is not in this scene, expected one that it holds`,
    );
}

export function requireRobot(call: string, robot: SceneRobot): void {
  if (!(robot?.q instanceof Float64Array))
    throw new MisuseError(`${call}: robot, got ${describeValue(robot)}, expected what addRobot returned`);
}

export function requireFrame(call: string, model: Model, name: string): number {
  const frame = findFrame(model, name);
  if (frame < 0)
    throw new MisuseError(
      `${call}: link, got ${describeValue(name)}, expected a link or joint of robot "${model.name}"`,
    );
  return frame;
}

/**
 * Checks and writes a placement given as a pose or a transform. A quaternion within 1e-3 of length 1 is normalised; true
 * where that altered it by more than a rounding.
 */
export function readPlacement(out: Transform, name: string, given: Transform | Pose): boolean {
  if (typeof given !== 'object' || given === null)
    throw new MisuseError(`${name}: placement, got ${describeValue(given)}, expected 12 numbers, or 7 of a pose`);
  if (given.length === 7) {
    requireNumbers(name, 'pose', given, 7);
    const problem = describeQuaternion(given, 3);
    if (problem !== null) throw new MisuseError(`${name}: pose, ${problem}`);
    poseToTransform(out, given);
    return describeScaling(given, 3) !== null;
  }
  copyTransform(out, requireRigid(name, requireNumbers(name, 'placement', given, 12)));
  return false;
}

function requireRigid<T extends ArrayLike<number>>(name: string, X: T): T {
  if (!(rotationError(X) <= RIGID_TOLERANCE))
    throw new MisuseError(
      `${name}: placement, got rotation [${Array.from(X).slice(0, 9)}], expected a rotation matrix (scale the shape instead)`,
    );
  return X;
}

export function requireNumbers<T extends ArrayLike<number>>(name: string, what: string, values: T, count: number): T {
  if (values?.length !== count)
    throw new MisuseError(
      `${name}: ${what}, got ${typeof values === 'object' && values !== null ? `${values.length} numbers` : describeValue(values)}, expected ${count}`,
    );
  for (let i = 0; i < count; i++) requireFinite(name, `${what}[${i}]`, values[i]);
  return values;
}
