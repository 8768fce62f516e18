/**
 * Where along a path of the joints the arm is near a singularity: the minima of the least singular value of J.
 *
 * J's rows of turning are scaled by LEVER (tool-field.ts), so that the value is metres of tool per radian, the least that any motion
 * of the joints of length 1 moves the tool. It is looked at PLACES times a piece, and minima below NEAR are narrowed by golden sections.
 * Source: Siciliano, Sciavicco, Villani, Oriolo 2009, "Robotics", section 3.3, doi:10.1007/978-1-84628-642-1.
 * Cost: a decomposition per place. Tested by find-singularities.test.ts.
 */
import { computeSvd, createSvd, type Svd } from '../../math/dense/svd.js';
import { createTransform } from '../../math/transform.js';
import type { JointCurve } from '../../trajectory/joint-curve.js';
import { coordinateName } from '../../trajectory/limits.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import type { Tool } from './tool.js';
import { LEVER } from './tool-path.js';

/** Least singular values below it are told of. */
export const NEAR = 0.02;
const PLACES = 6;
const SECTIONS = 40;
const GOLDEN = 0.618033988749895;

export interface SingularPlace {
  /** Parameter of the path. */
  readonly at: number;
  readonly q: Float64Array;
  /** Largest first; metres per radian. */
  readonly singularValues: Float64Array;
  /** The joint that turns most where the tool stands still. */
  readonly joint: string;
}

/** `wanted`: pieces to look at. */
export function findSingularities(tool: Tool, curve: JointCurve, wanted: (piece: number) => boolean): SingularPlace[] {
  const svd = createSvd(6, tool.moving.length);
  const jacobian = new Float64Array(6 * tool.model.nv);
  const reduced = new Float64Array(6 * tool.moving.length);
  const X = createTransform();
  const point = createTrajectoryPoint(tool.model);
  const decompose = (at: number): Svd => {
    tool.place(X, curve.evaluate(point, at).q);
    tool.jacobian(jacobian);
    const { moving, model } = tool;
    for (let r = 0; r < 6; r++)
      for (let c = 0; c < moving.length; c++)
        reduced[r * moving.length + c] = jacobian[r * model.nv + moving[c]] * (r < 3 ? 1 : LEVER);
    return computeSvd(svd, reduced);
  };
  const least = (at: number): number => decompose(at).s[svd.s.length - 1];
  const found: SingularPlace[] = [];
  let places: { at: number; value: number }[] = [];
  const finish = (): void => {
    for (let i = 0; i < places.length; i++) {
      const [before, here, after] = [places[i - 1], places[i], places[i + 1]];
      if (here.value > 3 * NEAR || before?.value < here.value || after?.value <= here.value) continue;
      const at = narrow(least, (before ?? here).at, (after ?? here).at);
      if (least(at) < NEAR) found.push({ at, q: Float64Array.from(point.q), ...describeSingular(tool, decompose(at)) });
    }
    places = [];
  };
  curve.pieces.forEach((piece, p) => {
    if (!wanted(p)) {
      finish();
      return;
    }
    for (let k = places.length === 0 ? 0 : 1; k <= PLACES; k++) {
      const at = curve.breaks[p] + (piece.length * k) / PLACES;
      places.push({ at, value: least(at) });
    }
  });
  finish();
  return found;
}

function narrow(least: (at: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let i = 0; i < SECTIONS; i++) {
    const a = high - GOLDEN * (high - low);
    const b = low + GOLDEN * (high - low);
    if (least(a) < least(b)) high = b;
    else low = a;
  }
  return 0.5 * (low + high);
}

/** The singular values, and the joint that moves most along the least one. */
export function describeSingular(tool: Tool, svd: Svd): { singularValues: Float64Array; joint: string } {
  const last = svd.s.length - 1;
  let most = 0;
  for (let c = 1; c < svd.n; c++)
    if (Math.abs(svd.v[svd.n * last + c]) > Math.abs(svd.v[svd.n * last + most])) most = c;
  const { model, moving } = tool;
  return {
    singularValues: Float64Array.from(svd.s),
    joint: coordinateName(model, moving[most]),
  };
}
