/**
 * A start that is beyond a limit or slightly in contact, repaired: the nearest valid state, and the leg that leads to it.
 *
 * The leg is a straight motion that begins in contact, so that it cannot be free; it is looked at in LEG_SAMPLES states, in which nothing may touch
 * that does not touch at the start, and nothing may be deeper than there (by more than LEG_TOLERANCE); what it comes to is reported.
 * Units: radians, metres. Ends: no repair and no fault where the start is valid; a fault where the contact is deeper than allowed, or no valid
 * state was found near. Tested by explain-plan.test.ts.
 */
import type { StateProbe, TouchingDepth } from './state-probe.js';

export interface StartRepair {
  /** Full configurations: the start as it was given, and the valid state that the path begins with. */
  readonly leg: readonly [Float64Array, Float64Array];
  /** Between them, in the metric of the space. */
  readonly distance: number;
  /** What touched at the start; empty where it was beyond a limit only. */
  readonly contacts: readonly TouchingDepth[];
  /** What was beyond a limit, empty where nothing was. */
  readonly limits: string;
  /** The deepest that anything gets on the leg, metres; 0 where nothing touches. */
  readonly deepest: number;
}

const LEG_SAMPLES = 32;
const LEG_TOLERANCE = 2e-4;

/** `start`: full configuration, within the limits or not. `depth`: of the deepest contact that is repaired, metres. */
export function repairStart(
  probe: StateProbe,
  start: Float64Array,
  { depth, seed }: { readonly depth: number; readonly seed: number },
): { readonly repair: StartRepair | null; readonly fault: string } {
  const { space } = probe;
  const from = probe.pick(start);
  const limits = space.explainBounds?.(from) ?? '';
  if (limits === '' && probe.isValid(from)) return { repair: null, fault: '' };
  const contacts = probe.touching(from);
  const deep = contacts.find((contact) => contact.depth > depth);
  if (deep) {
    const fault = `${deep.a} is ${millimetres(deep.depth)} deep in ${deep.b}, more than the ${millimetres(depth)} that are repaired`;
    return { repair: null, fault };
  }
  const found = probe.nearestValid(from, seed);
  if (!found) return { repair: null, fault: 'no valid state was found near it' };
  const before = new Set(contacts.map(nameOf));
  const worst = Math.max(0, ...contacts.map((contact) => contact.depth));
  let deepest = worst;
  for (let i = 1; i < LEG_SAMPLES; i++) {
    const state = space.interpolate(new Float64Array(from.length), from, found.state, i / LEG_SAMPLES);
    for (const contact of probe.touching(state)) {
      deepest = Math.max(deepest, contact.depth);
      const isNew = !before.has(nameOf(contact));
      if (contact.depth > (isNew ? 0 : worst) + LEG_TOLERANCE)
        return {
          repair: null,
          fault: `on the way to the nearest valid state ${contact.a} would press into ${contact.b}`,
        };
    }
  }
  const leg = [Float64Array.from(start), probe.widen(found.state)] as const;
  return { repair: { leg, distance: found.distance, contacts, limits, deepest }, fault: '' };
}

const nameOf = ({ a, b }: TouchingDepth): string => `${a}\n${b}`;
const millimetres = (x: number): string => `${(1e3 * x).toFixed(2)} mm`;
