import { moduleText } from '../generated/energy-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface EnergyFunctions {
  /** Energies by partial sums, see assembly/energy/energy.ts: 1 when the pool is too small. */
  updateEnergy(block: number, leaves: number, joints: number): number;
  undoEnergy(block: number, leaves: number): void;
  /** Energies by a grid, see assembly/energy/energy-grid.ts. */
  addToGrid(block: number, first: number, last: number): void;
  sortGrid(block: number): void;
  askGrid(block: number, first: number, last: number, isInside: number): void;
}

export const energies: KernelPart<EnergyFunctions> = { place: 8, sample: 'updateEnergy', text: moduleText };
