/**
 * The loops over contacts of bodies, by the kernel where their arrays lie in its memory, else in JavaScript (sweep-body-contacts.ts), to
 * the same bits. `blocks` are those in `order`. Tested by contact-kernel.test.ts.
 */
import type { BodyContacts } from './body-contacts.js';
import type { GaussSeidelOptions, GaussSeidelResult } from './solve-gauss-seidel.js';
import {
  applyBodyImpulses,
  measureBodyResidual,
  prepareBodyContacts,
  sweepBodyContacts,
  sweepShifts,
} from './sweep-body-contacts.js';

/** As `prepareBodyContacts`. */
export function runPreparation(bodies: BodyContacts, from: number, end: number): void {
  const { block } = bodies;
  if (block === null) prepareBodyContacts(bodies, bodies.order, from, end);
  else block.functions.prepareContacts(block.address, from, end);
}

/** As `applyBodyImpulses`. */
export function runImpulses(bodies: BodyContacts, from: number, end: number): void {
  const { block } = bodies;
  if (block === null) applyBodyImpulses(bodies, bodies.order, from, end);
  else block.functions.applyContacts(block.address, from, end);
}

/** As `sweepBodyContacts`. */
export function runSweeps(
  bodies: BodyContacts,
  from: number,
  end: number,
  options: GaussSeidelOptions,
  result: GaussSeidelResult,
): void {
  const { block } = bodies;
  if (block === null) {
    sweepBodyContacts(bodies, bodies.order, from, end, options, result);
    return;
  }
  const { iterations, tolerance, pyramidal } = options;
  const count = block.functions.sweepContacts(block.address, from, end, iterations, tolerance, pyramidal ? 1 : 0);
  result.iterations = Math.abs(count);
  result.status = count > 0 ? 'solved' : 'limit';
}

/** As `measureBodyResidual`. */
export function runResidual(bodies: BodyContacts, from: number, end: number, pyramidal: boolean): number {
  const { block } = bodies;
  return block === null
    ? measureBodyResidual(bodies, bodies.order, from, end, pyramidal)
    : block.functions.measureContacts(block.address, from, end, pyramidal ? 1 : 0);
}

/** As `sweepShifts`. */
export function runShifts(bodies: BodyContacts, from: number, end: number): number {
  const { block } = bodies;
  return block === null
    ? sweepShifts(bodies, bodies.order, from, end)
    : block.functions.shiftContacts(block.address, from, end);
}
