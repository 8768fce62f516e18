/**
 * RNEA, CRBA and ABA by the kernel, to the bits of rnea.ts, crba.ts and aba.ts, which stand in for it: in the first calls, with
 * external forces, where WebAssembly is refused, for robots with mimic joints, of ABA with light bodies, and where an angle is too large or too near a
 * multiple of pi / 2 for the short reduction.
 *
 * Method: arguments go to a block of the kernel's memory (recursion-block.ts), results come from there; the loops are
 * assembly/dynamics/rnea.ts, crba.ts, aba.ts. Joints of kinds without a shortcut are placed here.
 * Cost: linear copies beside the loops; the kernel takes about two thirds of JavaScript's time. Tested by recursions.test.ts.
 */
import { getKernel } from '../kernel/kernel.js';
import { writeRelativePlacement } from '../kinematics/relative-placements.js';
import type { Model } from '../model/model.js';
import type { BlockViews, DerivativeBlock } from './derivative-block.js';
import { readViews } from './derivative-kernel.js';
import type { DynamicsData } from './dynamics-data.js';
import { createRecursionBlock, readRecursionViews } from './recursion-block.js';
import type { RecursionBlock, RecursionViews } from './recursion-views.js';
import { placeZeroJoint } from './zero-frames.js';

/** Calls of one data that are done in JavaScript: compiling the kernel's part takes as long as some thousand of them. */
const FEW_CALLS = 256;
/** Numbers from which on `set` takes less time than a loop. */
const MANY_NUMBERS = 48;

/** The block of the data for this model; null where the loops in JavaScript are to do it. */
export function openRecursions(model: Model, data: DynamicsData): RecursionBlock | null {
  const held = data.recursions;
  if (held.calls < FEW_CALLS) {
    held.calls++;
    return null;
  }
  if (held.isRefused || data.hasMimic || model.nv === 0) return null;
  const { block } = held;
  if (block !== null && block.kernel === getKernel() && block.model === model) return block;
  try {
    held.block = createRecursionBlock(model, data);
  } catch {
    // Trees of joints need no WebAssembly.
    held.isRefused = true;
    held.block = null;
  }
  return held.block;
}

function copyNumbers(to: Float64Array, from: Float64Array): void {
  const n = from.length;
  if (n > MANY_NUMBERS) to.set(from);
  else for (let i = 0; i < n; i++) to[i] = from[i];
}

/** Torques from `data.q`, `v`, `a` and the base's acceleration into `out`, and `data.forces`; false when it is left to JavaScript. */
export function runRneaByKernel(block: RecursionBlock, model: Model, data: DynamicsData, out: Float64Array): boolean {
  const views = readRecursionViews(block);
  const { bodyMotions, v: V, a: A, tau } = views;
  const { v, a, armature, damping, friction, accelerations } = data;
  const { relativeJoints } = block;
  copyNumbers(views.q, data.q);
  for (let k = 0; k < out.length; k++) {
    const rate = v[k];
    const gain = a[k];
    V[k] = rate;
    A[k] = gain;
    tau[k] = armature[k] * gain + (damping[k] * rate + friction[k] * Math.sign(rate));
  }
  for (let i = 0; i < 3; i++) bodyMotions[6 + i] = accelerations[i];
  for (let i = 0; i < relativeJoints.length; i++) {
    const j = relativeJoints[i];
    writeRelativePlacement(views.relativePlacements, 12 * j, model, j, data.q);
  }
  if (block.functions.runRnea(block.address) === 0) return false;
  copyNumbers(out, views.tau);
  copyNumbers(data.forces, views.forces);
  return true;
}

/** M from `data.q`; false when it is left to JavaScript. */
export function runCrbaByKernel(block: RecursionBlock, model: Model, data: DynamicsData): boolean {
  const views = readRecursionViews(block);
  const { zeroFrames } = data;
  const { zeroJoints } = block;
  copyNumbers(views.q, data.q);
  copyNumbers(views.armature, data.armature);
  for (let n = 0; n < zeroJoints.length; n++) {
    const j = zeroJoints[n];
    placeZeroJoint(zeroFrames, model, data, j);
    for (let i = 12 * j; i < 12 * j + 12; i++) views.zeroPlacements[i] = zeroFrames.placements[i];
  }
  if (block.functions.runCrba(block.address) === 0) return false;
  copyNumbers(data.M, views.M);
  return true;
}

/**
 * Accelerations from `data.q`, `v`, `tau` into `data.ddq`, and `data.kinematics`; 0 when it is left to JavaScript, 1 when it is done, 2
 * when a column is singular.
 */
export function runAbaByKernel(block: RecursionBlock, model: Model, data: DynamicsData): number {
  const views = readRecursionViews(block);
  const { v, tau, armature, damping, friction } = data;
  const { v: V, tau: T, armature: R } = views;
  for (let k = 0; k < tau.length; k++) {
    const rate = v[k];
    V[k] = rate;
    T[k] = tau[k] - (damping[k] * rate + friction[k] * Math.sign(rate));
    R[k] = armature[k];
  }
  loadBodies(block, views, model, data);
  const result = block.functions.runAba(block.address);
  if (result === 0) return 0;
  copyNumbers(data.ddq, views.ddq);
  copyKinematics(views, data);
  return result;
}

/** What bodies in the common frame are made of, but for v. */
function loadBodies(block: RecursionBlock, views: RecursionViews, model: Model, data: DynamicsData): void {
  const { localJoints } = block;
  const { jointPlacements } = views;
  const placements = data.kinematics.jointPlacements;
  copyNumbers(views.q, data.q);
  copyNumbers(views.gravity, data.gravity);
  for (let i = 0; i < 12; i++) jointPlacements[i] = placements[i];
  for (let i = 0; i < localJoints.length; i++) {
    const j = localJoints[i];
    model.jointKinds[j]!.place(views.locals, 12 * j, model.axes, 3 * j, data.q, model.idxQ[j]);
  }
}

/** As `forwardKinematics` leaves them. */
function copyKinematics(views: RecursionViews, data: DynamicsData): void {
  const { kinematics } = data;
  kinematics.jointPlacements.set(views.jointPlacements);
  copyNumbers(kinematics.lastConfiguration, data.q);
  kinematics.moved.fill(1);
}

/** What is added to: damping in d tau / d v. */
function startMatrices(matrices: BlockViews, data: DynamicsData): void {
  const { damping } = data;
  const { dtauDq, dtauDv } = matrices;
  const n = damping.length;
  dtauDq.fill(0);
  dtauDv.fill(0);
  for (let i = 0; i < n; i++) dtauDv[i * n + i] = damping[i];
}

/** The derivatives of RNEA from the kernel: torques, with armature and friction, and matrices. */
function copyRneaDerivatives(views: RecursionViews, matrices: BlockViews, data: DynamicsData): void {
  const { tau, armature, damping, friction, a, v } = data;
  for (let k = 0; k < tau.length; k++) {
    const rate = v[k];
    tau[k] = armature[k] * a[k] + (damping[k] * rate + friction[k] * Math.sign(rate)) + views.tau[k];
  }
  data.dtauDq.set(matrices.dtauDq);
  data.dtauDv.set(matrices.dtauDv);
}

/** Derivatives of RNEA from `data.q`, `v`, `a`; false when it is left to JavaScript. */
export function runRneaDerivativesByKernel(
  block: RecursionBlock,
  derivatives: DerivativeBlock,
  model: Model,
  data: DynamicsData,
): boolean {
  const views = readRecursionViews(block);
  const matrices = readViews(derivatives, data);
  copyNumbers(views.v, data.v);
  copyNumbers(views.a, data.a);
  loadBodies(block, views, model, data);
  startMatrices(matrices, data);
  if (block.functions.runRneaDerivatives(block.address, derivatives.address) === 0) return false;
  copyKinematics(views, data);
  copyRneaDerivatives(views, matrices, data);
  return true;
}

/** Derivatives of ABA right after `runAbaByKernel`, at its accelerations. */
export function runAbaDerivativesByKernel(
  block: RecursionBlock,
  derivatives: DerivativeBlock,
  data: DynamicsData,
): void {
  const views = readRecursionViews(block);
  const matrices = readViews(derivatives, data);
  startMatrices(matrices, data);
  block.functions.runAbaDerivatives(block.address, derivatives.address);
  copyNumbers(data.a, data.ddq);
  copyRneaDerivatives(views, matrices, data);
  data.ddqDq.set(matrices.ddqDq);
  data.ddqDv.set(matrices.ddqDv);
  data.inverseM.set(matrices.inverseM);
}
