import { moduleText } from '../generated/contacts-part.js';
import type { KernelPart } from '../kernel-part.js';

/** See assembly/contacts/body-contacts.ts; of the blocks order[from .. end - 1]. */
export interface ContactFunctions {
  prepareContacts(block: number, from: number, end: number): void;
  applyContacts(block: number, from: number, end: number): void;
  /** The number of sweeps, with its sign changed where the last one still changed more than the tolerance. */
  sweepContacts(
    block: number,
    from: number,
    end: number,
    iterations: number,
    tolerance: number,
    pyramidal: number,
  ): number;
  measureContacts(block: number, from: number, end: number, pyramidal: number): number;
  shiftContacts(block: number, from: number, end: number): number;
}

export const contacts: KernelPart<ContactFunctions> = { place: 10, sample: 'prepareContacts', text: moduleText };
