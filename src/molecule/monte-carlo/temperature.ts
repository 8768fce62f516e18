/** Temperatures over the steps of a simulation: constant, or annealed. */
import { MisuseError } from '../../math/misuse.js';
import { exp, log } from '../../math/scalar.js';

/** Boltzmann's constant per mole: 8.31446261815324 J / (mol K) in kcal, exact in the SI of 2019 and 4.184 J per cal. */
export const BOLTZMANN = 0.001987204258640832;

/** From the first temperature to the last over the steps, then constant; kelvin. */
export interface TemperatureSchedule {
  /** `geometric` (default): by equal factors. `linear`: by equal differences. */
  readonly kind?: 'geometric' | 'linear';
  readonly from: number;
  readonly to: number;
  readonly steps: number;
}

export function constantTemperature(kelvin: number): TemperatureSchedule {
  return { from: kelvin, to: kelvin, steps: 1 };
}

/** Throws RangeError for temperatures that are not positive and finite, and for steps that are no positive integer. */
export function requireSchedule(name: string, { from, to, steps }: TemperatureSchedule): void {
  for (const value of [from, to]) {
    if (!(value > 0 && value < Infinity)) {
      throw new MisuseError(`${name}: temperature, got ${value}, expected a finite number of kelvin above 0`);
    }
  }
  if (!(Number.isSafeInteger(steps) && steps > 0)) {
    throw new MisuseError(`${name}: steps, got ${steps}, expected a positive integer`);
  }
}

export function temperatureAt({ kind = 'geometric', from, to, steps }: TemperatureSchedule, step: number): number {
  if (step >= steps || from === to) return to;
  const share = step / steps;
  return kind === 'linear' ? from + (to - from) * share : from * exp(share * log(to / from));
}
