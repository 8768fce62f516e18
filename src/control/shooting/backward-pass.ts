/**
 * The backward pass of shooting methods: from derivatives along a trajectory to feedback, one stage after another.
 *
 * Method: with the value Vx, Vxx of what comes after a stage,
 *   Qx = lx + fx^T Vx, Qu = lu + fu^T Vx, Qxx = lxx + fx^T Vxx fx, Qxu = lxu + fx^T Vxx fu, Quu = luu + fu^T Vxx fu + reg
 *   k = Quu^-1 Qu, K = Quu^-1 Qxu^T, and Vx = Qx - Qxu k, Vxx = Qxx - Qxu K + reg
 * Where the next state of the trajectory is not where the stage leads (a gap f), Vx is that at the end of the gap: Vx + Vxx f.
 * With limits of the control k is the solution of the quadratic program within them, and K is zero for entries that are held.
 * Source: Mayne 1966, doi:10.1080/00207176608921369; Giftthaler, Neunert, Staeuble, Buchli, Diehl 2018, "A family of iterative
 * Gauss-Newton shooting methods for nonlinear optimal control", doi:10.1109/IROS.2018.8593840 (gaps); Tassa, Mansard,
 * Todorov 2014, doi:10.1109/ICRA.2014.6907001 (limits).
 * Shapes: as stage.ts. Cost: some 2 ndx^3 + 3 ndx^2 nu a stage; allocates nothing.
 * Ends: false when Quu is not positive definite at some stage: more regularisation is needed.
 * Tested by solve-shooting.test.ts.
 */

import { factorizeCholesky, solveCholesky } from '../../math/dense/cholesky.js';
import { multiplyMatrices, multiplyTransposedMatrices, symmetrize } from '../../math/dense/products.js';
import { type BoxQp, createBoxQp, solveBoxQp } from './box-qp.js';
import { createStageDerivatives, type ShootingProblem, type StageDerivatives } from './stage.js';

/** A trajectory and all that a solver keeps of it. Lists have one entry a stage, states one more. */
export interface Workspace {
  readonly count: number;
  readonly ndx: number;
  readonly states: Float64Array[];
  readonly controls: Float64Array[];
  /** gaps[k + 1]: from the state k + 1 to where stage k leads; gaps[0]: from the first state to the start. */
  readonly gaps: Float64Array[];
  readonly derivatives: StageDerivatives[];
  readonly terminalSlope: Float64Array;
  readonly terminalHessian: Float64Array;
  readonly Vx: Float64Array[];
  readonly Vxx: Float64Array[];
  readonly Qu: Float64Array[];
  readonly Quu: Float64Array[];
  readonly feedforward: Float64Array[];
  readonly gains: Float64Array[];
  readonly boxes: (BoxQp | null)[];
  readonly triedStates: Float64Array[];
  readonly triedControls: Float64Array[];
  /** Expected change of the cost: first and second order in the step. */
  readonly slopes: Float64Array;
  /** Scratch. */
  readonly product: Float64Array;
  readonly Qxu: Float64Array;
  readonly factors: Float64Array;
  readonly column: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export function createWorkspace({ stages, terminal }: ShootingProblem): Workspace {
  const { nx, ndx } = terminal.space;
  const most = Math.max(1, ...stages.map(({ nu }) => nu));
  const perStage = (size: (nu: number) => number) => stages.map(({ nu }) => new Float64Array(size(nu)));
  const perState = (size: number) => Array.from({ length: stages.length + 1 }, () => new Float64Array(size));
  return {
    count: stages.length,
    ndx,
    states: perState(nx),
    controls: perStage((nu) => nu),
    gaps: perState(ndx),
    derivatives: stages.map(({ nu }) => createStageDerivatives(ndx, nu)),
    terminalSlope: new Float64Array(ndx),
    terminalHessian: new Float64Array(ndx * ndx),
    Vx: perState(ndx),
    Vxx: perState(ndx * ndx),
    Qu: perStage((nu) => nu),
    Quu: perStage((nu) => nu * nu),
    feedforward: perStage((nu) => nu),
    gains: perStage((nu) => nu * ndx),
    boxes: stages.map(({ nu, controlLower }) => (controlLower === undefined ? null : createBoxQp(nu))),
    triedStates: perState(nx),
    triedControls: perStage((nu) => nu),
    slopes: new Float64Array(2),
    product: new Float64Array(ndx * Math.max(ndx, most)),
    Qxu: new Float64Array(ndx * most),
    factors: new Float64Array(most * most),
    column: new Float64Array(Math.max(most, ndx)),
    low: new Float64Array(most),
    high: new Float64Array(most),
  };
}

/** Feedback and values of all stages; `gaps` says whether any gap is open, `curvature` whether stages add theirs. */
export function passBackward(
  work: Workspace,
  problem: ShootingProblem,
  regularisation: number,
  modes: { readonly gaps: boolean; readonly curvature: boolean },
): boolean {
  const { count, ndx, Vx, Vxx, gaps } = work;
  Vx[count].set(work.terminalSlope);
  Vxx[count].set(work.terminalHessian);
  for (let i = 0; i < ndx; i++) Vxx[count][i * ndx + i] += regularisation;
  if (modes.gaps) multiplyMatrices(Vx[count], Vxx[count], gaps[count], [ndx, ndx, 1], 1);
  for (let k = count - 1; k >= 0; k--) {
    if (!passStage(work, problem, k, regularisation, modes)) return false;
    if (modes.gaps) multiplyMatrices(Vx[k], Vxx[k], gaps[k], [ndx, ndx, 1], 1);
  }
  return true;
}

function passStage(
  work: Workspace,
  problem: ShootingProblem,
  k: number,
  regularisation: number,
  modes: { readonly curvature: boolean },
): boolean {
  const { ndx, product, Qxu, factors, column, low, high } = work;
  const stage = problem.stages[k];
  const { nu } = stage;
  const { fx, fu, lx, lu, lxx, lxu, luu } = work.derivatives[k];
  const [Vx, Vxx] = [work.Vx[k], work.Vxx[k]];
  const [nextVx, nextVxx] = [work.Vx[k + 1], work.Vxx[k + 1]];
  const [Qu, Quu, feed, K] = [work.Qu[k], work.Quu[k], work.feedforward[k], work.gains[k]];
  Vx.set(lx);
  multiplyTransposedMatrices(Vx, fx, nextVx, [ndx, ndx, 1], 1);
  multiplyMatrices(product, nextVxx, fx, [ndx, ndx, ndx]);
  Vxx.set(lxx);
  multiplyTransposedMatrices(Vxx, fx, product, [ndx, ndx, ndx], 1);
  if (nu > 0) {
    Qu.set(lu);
    multiplyTransposedMatrices(Qu, fu, nextVx, [nu, ndx, 1], 1);
    multiplyMatrices(product, nextVxx, fu, [ndx, ndx, nu]);
    for (let i = 0; i < ndx * nu; i++) Qxu[i] = lxu[i];
    multiplyTransposedMatrices(Qxu, fx, product, [ndx, ndx, nu], 1);
    Quu.set(luu);
    multiplyTransposedMatrices(Quu, fu, product, [nu, ndx, nu], 1);
    if (modes.curvature && stage.addCurvature !== undefined) {
      stage.addCurvature({ fx, fu, lx, lu, lxx: Vxx, lxu: Qxu, luu: Quu }, work.states[k], work.controls[k], nextVx);
    }
    symmetrize(Quu, nu);
    for (let i = 0; i < nu; i++) Quu[i * nu + i] += regularisation;
    const box = work.boxes[k];
    const { controlLower, controlUpper } = stage;
    if (box === null || controlLower === undefined || controlUpper === undefined) {
      for (let i = 0; i < nu * nu; i++) factors[i] = Quu[i];
      if (!factorizeCholesky(factors, nu)) return false;
      solveCholesky(feed, factors, nu, Qu);
      for (let c = 0; c < ndx; c++) {
        solveCholesky(column, factors, nu, Qxu.subarray(c * nu, c * nu + nu));
        for (let i = 0; i < nu; i++) K[i * ndx + c] = column[i];
      }
    } else {
      const u = work.controls[k];
      for (let i = 0; i < nu; i++) {
        low[i] = controlLower[i] - u[i];
        high[i] = controlUpper[i] - u[i];
        feed[i] = -feed[i];
      }
      const free = solveBoxQp(box, feed, { H: Quu, g: Qu, lower: low, upper: high });
      if (free < 0) return false;
      for (let i = 0; i < nu; i++) feed[i] = -feed[i];
      K.fill(0);
      for (let c = 0; c < ndx; c++) {
        for (let r = 0; r < free; r++) column[r] = Qxu[c * nu + box.freeIndices[r]];
        solveCholesky(column, box.factors, free, column);
        for (let r = 0; r < free; r++) K[box.freeIndices[r] * ndx + c] = column[r];
      }
    }
    // The same with limits: K is zero where the gradient Qu - Quu k is not.
    for (let c = 0; c < ndx; c++) for (let i = 0; i < nu; i++) Vx[c] -= Qxu[c * nu + i] * feed[i];
    for (let r = 0; r < ndx; r++) {
      for (let i = 0; i < nu; i++) {
        const x = Qxu[r * nu + i];
        if (x === 0) continue;
        for (let c = 0; c < ndx; c++) Vxx[r * ndx + c] -= x * K[i * ndx + c];
      }
    }
  }
  symmetrize(Vxx, ndx);
  for (let i = 0; i < ndx; i++) Vxx[i * ndx + i] += regularisation;
  return true;
}
