/**
 * Where geometries are, and which pairs of them are near: boxes in a dynamic tree, pairs in the order of their numbers.
 *
 *   array       stride  index     content
 *   placements  12      geometry  X_WG
 *   boxes       6       geometry  lowest and highest corner, world axes
 *   reaches     1       geometry  how far it may get in the step, added to its box on all sides
 * A geometry that does not move keeps its box. Pairs are sorted: what is found does not depend on the tree's history.
 * Tested by contacts.test.ts.
 */
import { createDynamicTree, type DynamicTree } from '../broadphase/dynamic-tree.js';
import { multiplyTransformAt } from '../math/transform.js';
import { writePartBox } from '../scene/bodies.js';
import type { RobotState } from './robot-state.js';
import { BODY, LINK, type World } from './world.js';

export interface GeometryPlaces {
  readonly placements: Float64Array;
  readonly boxes: Float64Array;
  readonly tree: DynamicTree;
  /** a * geometries + b, sorted; `pairCount` of them hold. */
  pairs: Float64Array;
  pairCount: number;
}

const box = new Float64Array(6);
const extents = new Float64Array(7);

export function createGeometryPlaces({ geometries }: World): GeometryPlaces {
  const count = geometries.length;
  const places: GeometryPlaces = {
    placements: new Float64Array(12 * count),
    boxes: new Float64Array(6 * count),
    tree: createDynamicTree(),
    pairs: new Float64Array(64),
    pairCount: 0,
  };
  for (let g = 0; g < count; g++) {
    places.placements.set(geometries[g].placement, 12 * g);
    writePartBox(places.boxes, 6 * g, places.placements, 12 * g, geometries[g].extents, 0);
    places.tree.add(places.boxes.subarray(6 * g, 6 * g + 6));
  }
  return places;
}

export function placeGeometries(
  places: GeometryPlaces,
  { geometries, carriers }: World,
  bodies: Float64Array,
  robots: readonly RobotState[],
): void {
  const { placements, boxes } = places;
  for (let g = 0; g < geometries.length; g++) {
    const { carrier, placement, extents: e } = geometries[g];
    const { kind, index, joint } = carriers[carrier];
    if (kind === BODY) multiplyTransformAt(placements, 12 * g, bodies, 12 * index, placement, 0);
    else if (kind === LINK)
      multiplyTransformAt(placements, 12 * g, robots[index].data.kinematics.jointPlacements, 12 * joint, placement, 0);
    else continue;
    for (let k = 0; k < 7; k++) extents[k] = e[k];
    writePartBox(boxes, 6 * g, placements, 12 * g, extents, 0);
  }
}

/** Finds the pairs whose boxes, grown by margin / 2 and `reaches`, overlap and that may touch. */
export function findNearPairs(places: GeometryPlaces, world: World, margin: number, reaches: Float64Array): void {
  const { geometries, carriers } = world;
  const { tree, boxes } = places;
  const count = geometries.length;
  for (let g = 0; g < count; g++) {
    if (carriers[geometries[g].carrier].kind === 0) continue;
    for (let k = 0; k < 3; k++) {
      box[k] = boxes[6 * g + k] - reaches[g];
      box[k + 3] = boxes[6 * g + k + 3] + reaches[g];
    }
    tree.update(g, box);
  }
  places.pairCount = 0;
  visited.places = places;
  visited.world = world;
  tree.pairs(addPair, margin);
  sortPairs(places);
}

/** What `addPair` adds to: kept, so that a step makes no function of its own. */
const visited = {} as { places: GeometryPlaces; world: World };

function addPair(a: number, b: number): void {
  const { places, world } = visited;
  const { geometries, carriers, canTouch } = world;
  if (canTouch[geometries[a].carrier * carriers.length + geometries[b].carrier] === 0) return;
  if (places.pairCount === places.pairs.length) {
    const larger = new Float64Array(2 * places.pairs.length);
    larger.set(places.pairs);
    places.pairs = larger;
  }
  places.pairs[places.pairCount++] = a * geometries.length + b;
}

/** Few pairs by insertion: the library's sort copies. */
const FEW = 48;

function sortPairs({ pairs, pairCount }: GeometryPlaces): void {
  if (pairCount > FEW) {
    pairs.subarray(0, pairCount).sort();
    return;
  }
  for (let i = 1; i < pairCount; i++) {
    const pair = pairs[i];
    let at = i;
    while (at > 0 && pairs[at - 1] > pair) {
      pairs[at] = pairs[at - 1];
      at--;
    }
    pairs[at] = pair;
  }
}
