/** Checks of models and their data at the doors: a few comparisons, since inner loops come through the same doors. */
import { throwLength, throwMisuse } from '../math/arguments.js';
import { type Data, type Model, requireModel } from './model.js';

/** Data of this model, or of one of the same size. */
function requireData(call: string, model: Model, data: unknown, what = 'data'): void {
  const { jointPlacements, framePlacements } = (data ?? {}) as Partial<Data>;
  if (jointPlacements?.length !== 12 * model.jointCount || framePlacements?.length !== 12 * model.frameCount)
    throwMisuse(call, what, data, 'what createData returned for this model');
}

export function requireModelData(call: string, model: Model, data: unknown): void {
  requireModel(call, model);
  requireData(call, model, data);
}

/** An array of a number for each coordinate of q; the numbers are not looked at. */
export function requireCoordinates(call: string, what: string, model: Model, q: unknown): void {
  if (typeof q !== 'object' || (q as ArrayLike<number> | null)?.length !== model.nq)
    throwLength(call, `${what} of robot "${model.name}"`, q, `nq = ${model.nq}`);
}

export function requireVelocities(call: string, what: string, model: Model, v: unknown): void {
  if (typeof v !== 'object' || (v as ArrayLike<number> | null)?.length !== model.nv)
    throwLength(call, `${what} of robot "${model.name}"`, v, `nv = ${model.nv}`);
}
