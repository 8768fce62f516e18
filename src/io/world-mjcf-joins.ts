/**
 * Joins of a simulated world in MJCF: sites where they act, `connect` and `weld` between them, springs as tendons.
 * Tested by world-mjcf.test.ts and test/oracle/simulation-mjcf.test.ts.
 */
import { createTransform, multiplyTransform } from '../math/transform.js';
import type { Simulation } from '../simulation/simulation.js';
import { joinsOf } from '../simulation/step.js';
import { list, type MjcfParts, placeMjcf } from './world-mjcf-parts.js';

/** Sites by carrier, the world's last; constraints and tendons go to the file. */
export function listSites(simulation: Simulation, file: MjcfParts): string[] {
  const { world } = simulation;
  const sites = new Array<string>(world.carriers.length + 1).fill('');
  const X = createTransform();
  for (const [i, { type, a, b, frameA, frameB, stiffness, damping, length }] of joinsOf(simulation).entries()) {
    for (const [carrier, frame, side] of [
      [a, frameA, 'a'],
      [b, frameB, 'b'],
    ] as const) {
      X.set(frame);
      if (carrier >= 0) multiplyTransform(X, world.carriers[carrier].frame, frame);
      sites[carrier < 0 ? world.carriers.length : carrier] += `<site name="join${i}${side}" ${placeMjcf(X)}/>`;
    }
    const ends = `site1="join${i}a" site2="join${i}b"`;
    if (type === 'point') file.equalities.push(`<connect ${ends}/>`);
    else if (type === 'weld') file.equalities.push(`<weld ${ends}/>`);
    else
      file.tendons.push(
        `<spatial stiffness="${stiffness}" damping="${damping}" springlength="${list([length, length])}">` +
          `<site site="join${i}a"/><site site="join${i}b"/></spatial>`,
      );
  }
  return sites;
}
