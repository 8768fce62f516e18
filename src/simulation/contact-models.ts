/**
 * The three contact models, as biases and softness of a contact's rows (constraint-set.ts), for a step of h.
 *
 * rigid: the normal velocity ends at or above -gap / h, so that a gap closes and no more; an impact with restitution e ends at -e times
 *   the velocity that it began with; penetration is taken back by shift-rows.ts, which add no energy. Coulomb's law in the cone.
 * soft: F = k x^n max(0, 1 - c u), penetration x = max(-gap, 0), u the normal velocity (Hunt, Crossley 1975); friction
 *   mu F u_t / sqrt(u_t^2 + slip^2). Both are linearised about the velocities that the step begins with and taken at those it ends
 *   with, so that stiff surfaces need no small steps; at rest they are the law itself. Nothing where x = 0, never a pull.
 * relaxed: J a + R f = aref with R = (1 - d) / d of the diagonal, aref = -b v - k d gap: the convex form of MuJoCo, with the impedance
 *   d(gap) of solimp and b, k of solref (its time constant at least two steps, as there); only where gap < 0.
 * Source: notes, chapter 5, corrected (x = max(-gap, 0), force 0 where x = 0); Hunt, Crossley 1975, "Coefficient of restitution
 * interpreted as damping in vibroimpact", doi:10.1115/1.3423596; Todorov 2014, "Convex and analytically-invertible dynamics with
 * contacts and constraints", doi:10.1109/ICRA.2014.6907751, and MuJoCo's documentation, "Computation".
 * Tested by physics.test.ts.
 */
import { pow } from '../math/elementary.js';
import type { ConstraintSet } from './constraint-set.js';
import type { PairMaterial } from './material.js';
import type { Simulation } from './simulation.js';
import type { ResolvedStep } from './step-options.js';

/** Softness of rows that do nothing, and a bias that no velocity makes up for: their impulses are exactly 0. */
const OFF = 1e30;
const AWAY = 1e3;

interface ContactRowRequest {
  set: ConstraintSet;
  block: number;
  gap: number;
  material: PairMaterial;
  h: number;
  step: ResolvedStep;
}

/** Of the contact at hand: kept, so that a step does not allocate. */
const request = {} as ContactRowRequest;

/** Of one contact that has rows. `V0`: velocities that the step begins with; `V`: those it would end with without contacts. */
export function applyContactModel(
  { constraints: set, contacts, world }: Simulation,
  block: number,
  V0: Float64Array,
  V: Float64Array,
  h: number,
): void {
  const { step } = world;
  const c = set.sources[block];
  request.set = set;
  request.block = block;
  request.gap = contacts.gaps[c];
  request.material = contacts.materials[c];
  request.h = h;
  request.step = step;
  if (step.contact === 'rigid') setRigid(request, V0, V, world.gravity);
  else if (step.contact === 'soft') setSoft(request, V0);
  else setRelaxed(request, V0);
}

/** A closing speed that gravity alone gives in two steps is no impact. */
export function impactThreshold(h: number, g: Float64Array): number {
  return 2 * h * Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

function setRigid(
  { set, block, gap, material, h }: ContactRowRequest,
  V0: Float64Array,
  V: Float64Array,
  g: Float64Array,
): void {
  const row = set.rows[block];
  set.biases[row] = Math.max(gap, 0) / h;
  if (!(material.restitution > 0)) return;
  const before = set.measureRow(block, 0, V0);
  if (before < -impactThreshold(h, g) && gap + h * set.measureRow(block, 0, V) <= 0)
    set.biases[row] = material.restitution * before;
}

function turnOff(set: ConstraintSet, block: number): void {
  const row = set.rows[block];
  for (let r = row; r < row + 3; r++) {
    set.softness[r] = OFF;
    set.impulses[r] = 0;
    set.biases[r] = r === row ? AWAY : 0;
  }
  set.frictions[block] = 0;
}

function setSoft({ set, block, gap, material, h, step }: ContactRowRequest, V0: Float64Array): void {
  const row = set.rows[block];
  const { stiffness: k, dissipation: c, exponent: n } = material;
  const u = set.measureRow(block, 0, V0);
  const x = -gap;
  const ahead = x - h * u;
  const factor = 1 - c * u;
  if (!(x > 0 && ahead > 0 && factor > 0)) {
    turnOff(set, block);
    return;
  }
  const power = n === 1 ? ahead : pow(ahead, n);
  const force = k * power * factor;
  const slope = k * (h * n * (power / ahead) * factor + c * power);
  set.softness[row] = 1 / (h * slope);
  set.biases[row] = -(u + force / slope);
  const mu = set.frictions[block];
  const ux = set.measureRow(block, 1, V0);
  const uy = set.measureRow(block, 2, V0);
  const drag = (mu * force) / Math.sqrt(ux * ux + uy * uy + step.slipSpeed * step.slipSpeed);
  const softness = drag > 0 ? 1 / (h * drag) : OFF;
  set.softness[row + 1] = softness;
  set.softness[row + 2] = softness;
}

function setRelaxed({ set, block, gap, h, step }: ContactRowRequest, V0: Float64Array): void {
  if (gap >= 0) {
    turnOff(set, block);
    return;
  }
  const row = set.rows[block];
  // Faster than two steps it would gain energy.
  const time = Math.max(step.solref[0], 2 * h);
  const ratio = step.solref[1];
  const d = impedance(gap, step.solimp);
  const largest = step.solimp[1];
  const k = 1 / (largest * largest * time * time * ratio * ratio);
  const b = 2 / (largest * time);
  const own = (1 - d) / d;
  const R = own * set.measureOwn(block, 0, 0);
  for (let r = 0; r < 3; r++) {
    const u = set.measureRow(block, r, V0);
    const reference = -b * u - (r === 0 ? k * d * gap : 0);
    set.softness[row + r] = r === 0 ? R : R / step.impratio;
    set.biases[row + r] = -(u + h * reference);
  }
}

/** d at a gap: from solimp[0] at 0 to solimp[1] at `width`, along two powers that meet at `midpoint`. */
export function impedance(gap: number, [d0, d1, width, midpoint, power]: readonly number[]): number {
  const x = Math.min(1, Math.abs(gap) / Math.max(width, 1e-15));
  let y = x;
  if (power > 1) {
    if (x <= midpoint) y = pow(x, power) / pow(midpoint, power - 1);
    else y = 1 - pow(1 - x, power) / pow(1 - midpoint, power - 1);
  }
  return Math.max(1e-4, Math.min(0.9999, d0 + y * (d1 - d0)));
}
