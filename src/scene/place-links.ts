/**
 * A robot's bodies from its frames, in one pass over three arrays: the frames, what the links are made of, and the block where their
 * placements and boxes stand in the order of `placeParts` (bodies.ts). Only what moved; nothing is allocated.
 *
 * Frames: W world, B body, G part. Writes what `updateBody` would, with its bits. Cost: 40 ns a body of one part.
 * Tested by scene.test.ts and test/contract/contexts.test.ts.
 */
import { multiplyTransformAt } from '../math/transform.js';
import { BOX, isAtBody, PART_EXTENTS, PLACEMENT, writePartBox } from './bodies.js';
import type { SceneRobot } from './types.js';
import type { LinkDefinition } from './world.js';

/** What all robots with these links share. */
interface LinkPlan {
  readonly frames: Int32Array;
  readonly partCounts: Int32Array;
  /** By part: 0 when it stands where its body does. */
  readonly isOffset: Uint8Array;
  /** By part: X_BG. */
  readonly placements: Float64Array;
  /** By part: see `PartShape.extents`. */
  readonly extents: Float64Array;
}

const plans = new WeakMap<readonly LinkDefinition[], LinkPlan>();

function createPlan(links: readonly LinkDefinition[]): LinkPlan {
  const parts = links.flatMap(({ body }) => body.parts);
  const placements = new Float64Array(PLACEMENT * parts.length);
  const extents = new Float64Array(PART_EXTENTS * parts.length);
  for (const [i, part] of parts.entries()) {
    placements.set(part.placement, PLACEMENT * i);
    extents.set(part.extents, PART_EXTENTS * i);
  }
  return {
    frames: Int32Array.from(links, ({ frame }) => frame),
    partCounts: Int32Array.from(links, ({ body }) => body.parts.length),
    isOffset: Uint8Array.from(parts, (part) => (isAtBody(part) ? 0 : 1)),
    placements,
    extents,
  };
}

function planOf(links: readonly LinkDefinition[]): LinkPlan {
  let plan = plans.get(links);
  if (!plan) {
    plan = createPlan(links);
    plans.set(links, plan);
  }
  return plan;
}

/** Copies X_WB from the frames where it differs; false when it stands there already. */
function takePlacement(block: Float64Array, at: number, frames: Float64Array, from: number): boolean {
  let i = 0;
  while (i < PLACEMENT && block[at + i] === frames[from + i]) i++;
  if (i === PLACEMENT) return false;
  for (; i < PLACEMENT; i++) block[at + i] = frames[from + i];
  return true;
}

/** The box that holds `count` parts' boxes, which lie in the block from `part` on. */
function joinBoxes(block: Float64Array, box: number, plan: LinkPlan, first: number, count: number): void {
  for (let k = 0; k < 3; k++) {
    block[box + k] = Infinity;
    block[box + 3 + k] = -Infinity;
  }
  let at = box + BOX;
  for (let i = first; i < first + count; i++) {
    at += plan.isOffset[i] * PLACEMENT;
    for (let k = 0; k < 3; k++) {
      if (block[at + k] < block[box + k]) block[box + k] = block[at + k];
      if (block[at + 3 + k] > block[box + 3 + k]) block[box + 3 + k] = block[at + 3 + k];
    }
    at += BOX;
  }
}

/** Placements and boxes of the links whose joints moved in the last `updateKinematics`, from the frames. */
export function placeLinks(robot: SceneRobot): void {
  const { block, data, model, links } = robot;
  const { framePlacements, moved } = data;
  const { frameJoints } = model;
  const plan = planOf(robot.definition.links);
  const { frames, partCounts, isOffset, placements, extents } = plan;
  let at = robot.firstPlace;
  let part = 0;
  for (let l = 0; l < frames.length; l++) {
    const frame = frames[l];
    const count = partCounts[l];
    const body = at;
    const first = part;
    const changes = moved[frameJoints[frame]] !== 0 && takePlacement(block, body, framePlacements, PLACEMENT * frame);
    at += PLACEMENT;
    if (count !== 1) at += BOX;
    for (; part < first + count; part++) {
      const own = isOffset[part] === 0 ? body : at;
      if (isOffset[part] !== 0) at += PLACEMENT;
      if (changes) {
        if (own !== body) multiplyTransformAt(block, own, block, body, placements, PLACEMENT * part);
        writePartBox(block, at, block, own, extents, PART_EXTENTS * part);
      }
      at += BOX;
    }
    if (!changes) continue;
    links[l].body.version++;
    if (count !== 1) joinBoxes(block, body + PLACEMENT, plan, first, count);
  }
}
