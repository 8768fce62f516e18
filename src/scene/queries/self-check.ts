/** Whether a robot's own links are checked by a ChainTree (self-contacts.ts) or pair by pair. Checked by self-contacts.test.ts. */
import { throwMisuse } from '../../math/arguments.js';
import type { SceneRobot } from '../types.js';
import { sequenceBodies } from './body-sequence.js';

/** How pairs of a robot's own links are found; `auto` goes by their number and says why. */
export type SelfCheckMethod = 'chain tree' | 'pairs';

export interface SelfCheck {
  readonly method: SelfCheckMethod;
  readonly reason: string;
}

/**
 * Measured on snakes of capsules, time of `isSceneFree` over that of the ordinary path, same run:
 *
 *   links             30    48    64   100   200   300  1,000
 *   one joint       0.47  0.53  0.27  0.16  0.09  0.11   0.07
 *   four joints     0.76  0.73  0.50  0.31  0.11  0.16   0.10
 *   a tenth         1.13  0.83  0.70  0.53  0.28  0.45   0.41
 *   all of them      4.3   3.6   3.2   2.5   1.4   2.5    1.5
 *
 * so from 48 links on, and not (self-contacts.ts) for configurations that differ from the last one in more than a quarter of the gaps.
 */
const MANY_LINKS = 48;
const LONG_GAP = 32;
/**
 * How pairs of the robot's own links are found in scene queries, and why. Where `auto` has chosen the chain tree, a
 * configuration that differs from the last one in more than a quarter of the row is still checked by pairs, which is faster.
 */
export function describeSelfCheck(robot: SceneRobot): SelfCheck {
  if (typeof robot?.links?.length !== 'number')
    throwMisuse('describeSelfCheck', 'robot', robot, 'what addRobot returned');
  const { links, selfCheck } = robot;
  const count = links.length;
  const pairs = (reason: string): SelfCheck => ({ method: 'pairs', reason });
  if (selfCheck === 'pairs') return pairs('asked for');
  if (count < 2) return pairs(`${count} links with geometry: nothing to find`);
  const boundless = links.find(({ body }) => body.parts.some(({ extents }) => extents.includes(Infinity)));
  if (boundless) return pairs(`link "${boundless.name}" holds a half-space, which no volume bounds`);
  if (selfCheck === 'chain') return { method: 'chain tree', reason: 'asked for' };
  if (count < MANY_LINKS) return pairs(`${count} links: testing their boxes costs less than keeping a hierarchy`);
  const { longestGap } = sequenceBodies(robot.model, framesOf(robot));
  if (longestGap > LONG_GAP) return pairs(`${count} links, but no row: ${longestGap} joints between neighbours`);
  return { method: 'chain tree', reason: `${count} links in a row: only what changed joints separate is looked at` };
}

/** The model's frame of each link. */
export function framesOf(robot: SceneRobot): number[] {
  return robot.links.map(({ frame }) => frame);
}
