/**
 * Velocities that take penetration back without being kept: no energy comes in by them.
 *
 * Method: a second, frictionless problem over the contacts deeper than the slop: each is to part by `correction` of the rest within the
 * step, at most at MOST_SPEED; Gauss-Seidel from zero over the islands' blocks.
 * Source: Guendelman, Bridson, Fedkiw 2003, "Nonconvex rigid bodies with stacking", doi:10.1145/882262.882358 (separate treatment);
 * the split of impulses is common in games. Tested by physics.test.ts.
 */
import { runShifts } from './body-contact-loops.js';
import { CONTACT, SIDE } from './constraint-set.js';
import type { Islands } from './islands.js';
import type { Simulation } from './simulation.js';
import { firstDiagonal } from './solve-gauss-seidel.js';
import type { IslandSolver } from './solve-islands.js';

const MOST_SPEED = 1;
const ITERATIONS = 8;
/**
 * What sweeps leave is not taken back as if it were penetration: where an island's residual is r, LEFT_STEPS h r of depth is left alone, at
 * most MOST_LEFT (m), and of the rest CALM / r of the usual share is taken back, at least LEAST_SHARE of it. Columns under few sweeps
 * else sway for ever: what opens a corner by the place alone is a fall in the next step.
 */
const LEFT_STEPS = 50;
const MOST_LEFT = 1e-3;
const CALM = 1e-3;
const LEAST_SHARE = 0.1;
/** Depth beyond what is left alone, as part of that, below which nothing is taken back: else it never ends, and bodies at rest never rest. */
const CALM_SHARE = 0.05;
/** m/s, or what Gauss-Seidel may leave: the rest is taken back in the steps that follow. */
const CLOSE = 1e-5;

/** Adds to `shift`, velocities in the order of V. */
export function addShifts(
  { constraints: set, contacts, robots, world }: Simulation,
  shift: Float64Array,
  islands: Islands,
  solver: IslandSolver,
  asleep: Uint8Array,
  h: number,
): void {
  const { slop, correction, tolerance } = world.step;
  const close = Math.max(CLOSE, tolerance.gaussSeidel);
  const { wanted, pushed, shifts } = solver.bodies;
  let hasShifts = false;
  for (let i = 0; i < islands.count; i++) {
    const leave = Math.max(slop, Math.min(MOST_LEFT, LEFT_STEPS * h * solver.residuals[i]));
    const share = correction * Math.max(LEAST_SHARE, Math.min(1, CALM / solver.residuals[i]));
    let any = false;
    for (let k = islands.starts[i]; k < islands.starts[i + 1]; k++) {
      const b = islands.blocks[k];
      pushed[b] = 0;
      wanted[b] = -Infinity;
      if (set.kinds[b] !== CONTACT) continue;
      const gap = contacts.gaps[set.sources[b]];
      const depth = -gap - leave;
      // Contacts that do not penetrate may not be pushed closed either.
      wanted[b] = depth > 0 ? Math.min(MOST_SPEED, (share * depth) / h) : Math.min(0, -gap / h);
      const m = Math.max(set.sides[2 * SIDE * b + 3], set.sides[2 * SIDE * b + SIDE + 3]);
      if (depth > CALM_SHARE * leave && asleep[m] === 0) any = true;
    }
    if (!any) continue;
    const from = islands.starts[i];
    const end = islands.starts[i + 1];
    if (solver.isFlat[i] === 1 && !hasShifts) {
      hasShifts = true;
      shifts.fill(0);
    }
    for (let round = 0; round < ITERATIONS; round++) {
      if (solver.isFlat[i] === 1) {
        if (runShifts(solver.bodies, from, end) < close) break;
        continue;
      }
      let largest = 0;
      for (let k = from; k < end; k++) {
        const b = islands.blocks[k];
        if (set.kinds[b] !== CONTACT) continue;
        const g = firstDiagonal(b);
        if (!(g > 0)) continue;
        const next = Math.max(0, pushed[b] + (wanted[b] - set.measureRow(b, 0, shift)) / g);
        const change = next - pushed[b];
        if (change === 0) continue;
        pushed[b] = next;
        set.pushRow(b, 0, shift, change);
        largest = Math.max(largest, Math.abs(change) * g);
      }
      if (largest < close) break;
    }
  }
  if (hasShifts) for (let k = 0; k < 6 * world.bodies.length; k++) shift[k] += shifts[k];
  for (const { branches, firstV } of robots) if (branches.isInUse) branches.fromScaled(shift, firstV);
}
