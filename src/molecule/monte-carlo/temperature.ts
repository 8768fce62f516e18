/** Temperatures over the steps of a simulation: constant, or annealed. */
import { type Fields, oneOf, requireFields, throwMisuse, unchecked } from '../../math/arguments.js';
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

/** A number or a schedule. Throws for temperatures that are not positive and finite, and for steps that are no positive integer. */
export function requireTemperature(call: string, what: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    requireKelvin(call, what, value);
    return;
  }
  requireFields(call, what, value, SCHEDULE);
  const { from, to, steps } = value as Partial<TemperatureSchedule>;
  requireKelvin(call, `${what}.from`, from);
  requireKelvin(call, `${what}.to`, to);
  if (!(Number.isSafeInteger(steps) && (steps as number) > 0))
    throwMisuse(call, `${what}.steps`, steps, 'a positive integer');
}

const SCHEDULE: Fields = { kind: oneOf('geometric', 'linear'), from: unchecked, to: unchecked, steps: unchecked };

function requireKelvin(call: string, what: string, value: unknown): void {
  if (typeof value !== 'number' || !(value > 0 && value < Infinity))
    throwMisuse(call, what, value, 'a finite number of kelvin above 0');
}

export function temperatureAt({ kind = 'geometric', from, to, steps }: TemperatureSchedule, step: number): number {
  if (step >= steps || from === to) return to;
  const share = step / steps;
  return kind === 'linear' ? from + (to - from) * share : from * exp(share * log(to / from));
}
