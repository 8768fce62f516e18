/**
 * Where geometries are, and which pairs of them are near: boxes in a dynamic tree, pairs in the order of their numbers.
 *
 * Method: the tree has boxes with room to move in, and is asked again when one has left its own; of the pairs it named, those whose
 * boxes are near at present are passed on, so that the answer does not depend on what the tree was last asked.
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
  /** The placement of each geometry: views of these. */
  readonly own: readonly Float64Array[];
  readonly boxes: Float64Array;
  readonly tree: DynamicTree;
  /** Boxes with room, as the tree has them. */
  readonly roomy: Float64Array;
  /** Boxes grown by `reaches` of the present step. */
  readonly grown: Float64Array;
  /** Pairs whose boxes with room are near, sorted: numbers, and both geometries. */
  candidates: Float64Array;
  candidateEnds: Int32Array;
  candidateCount: number;
  /** a * geometries + b, sorted; `pairCount` of them hold. */
  pairs: Float64Array;
  pairCount: number;
}

const box = new Float64Array(6);
const extents = new Float64Array(7);

export function createGeometryPlaces({ geometries }: World): GeometryPlaces {
  const count = geometries.length;
  const placements = new Float64Array(12 * count);
  const places: GeometryPlaces = {
    placements,
    own: geometries.map((_, g) => placements.subarray(12 * g, 12 * g + 12)),
    boxes: new Float64Array(6 * count),
    tree: createDynamicTree(),
    roomy: new Float64Array(6 * count),
    grown: new Float64Array(6 * count),
    candidates: new Float64Array(64),
    candidateEnds: new Int32Array(0),
    candidateCount: -1,
    pairs: new Float64Array(64),
    pairCount: 0,
  };
  for (let g = 0; g < count; g++) {
    places.placements.set(geometries[g].placement, 12 * g);
    writePartBox(places.boxes, 6 * g, places.placements, 12 * g, geometries[g].extents, 0);
    places.tree.add(places.boxes.subarray(6 * g, 6 * g + 6));
    places.roomy.set(places.boxes.subarray(6 * g, 6 * g + 6), 6 * g);
    places.grown.set(places.boxes.subarray(6 * g, 6 * g + 6), 6 * g);
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

/** Room on all sides, as part of a box's mean size, and of what it may move in a step. */
const ROOM = 0.05;
const STEPS = 2;
/** Boxes that have so many times more room than they would get are made anew. */
const TOO_MUCH = 6;

/** Finds the pairs whose boxes, grown by `reaches`, are within the margin of each other, and that may touch. */
export function findNearPairs(places: GeometryPlaces, world: World, margin: number, reaches: Float64Array): void {
  const { geometries, carriers } = world;
  const { boxes, grown, tree, roomy } = places;
  let hasLeft = places.candidateCount < 0;
  for (let g = 0; g < geometries.length; g++) {
    if (carriers[geometries[g].carrier].kind === 0) continue;
    const reach = reaches[g];
    const o = 6 * g;
    let isInside = true;
    let size = 0;
    let room = 0;
    for (let k = o; k < o + 3; k++) {
      const low = boxes[k] - reach;
      const high = boxes[k + 3] + reach;
      grown[k] = low;
      grown[k + 3] = high;
      if (low < roomy[k] || high > roomy[k + 3]) isInside = false;
      size += high - low;
      room += roomy[k + 3] - roomy[k];
    }
    const more = (ROOM / 3) * size + STEPS * reach;
    if (isInside && room <= size + 6 * TOO_MUCH * more) continue;
    hasLeft = true;
    for (let k = 0; k < 3; k++) {
      box[k] = grown[o + k] - more;
      box[k + 3] = grown[o + k + 3] + more;
    }
    for (let k = 0; k < 6; k++) roomy[o + k] = box[k];
    tree.update(g, box);
  }
  if (hasLeft) findCandidates(places, world, margin);
  const { candidates, candidateEnds, candidateCount } = places;
  if (places.pairs.length < candidateCount) places.pairs = new Float64Array(candidates.length);
  const { pairs } = places;
  let count = 0;
  for (let i = 0; i < candidateCount; i++) {
    const p = 6 * candidateEnds[2 * i];
    const q = 6 * candidateEnds[2 * i + 1];
    if (
      grown[p] - grown[q + 3] <= margin &&
      grown[q] - grown[p + 3] <= margin &&
      grown[p + 1] - grown[q + 4] <= margin &&
      grown[q + 1] - grown[p + 4] <= margin &&
      grown[p + 2] - grown[q + 5] <= margin &&
      grown[q + 2] - grown[p + 5] <= margin
    )
      pairs[count++] = candidates[i];
  }
  places.pairCount = count;
}

/** Asks the tree. */
function findCandidates(places: GeometryPlaces, world: World, margin: number): void {
  places.candidateCount = 0;
  visited.places = places;
  visited.world = world;
  places.tree.pairs(addCandidate, margin);
  sortCandidates(places);
  const { candidates, candidateCount } = places;
  if (places.candidateEnds.length < 2 * candidateCount) places.candidateEnds = new Int32Array(2 * candidates.length);
  const count = world.geometries.length;
  for (let i = 0; i < candidateCount; i++) {
    const a = Math.floor(candidates[i] / count);
    places.candidateEnds[2 * i] = a;
    places.candidateEnds[2 * i + 1] = candidates[i] - a * count;
  }
}

/** What `addCandidate` adds to: kept, so that a step makes no function of its own. */
const visited = {} as { places: GeometryPlaces; world: World };

function addCandidate(a: number, b: number): void {
  const { places, world } = visited;
  const { geometries, carriers, canTouch } = world;
  if (canTouch[geometries[a].carrier * carriers.length + geometries[b].carrier] === 0) return;
  if (places.candidateCount === places.candidates.length) {
    const larger = new Float64Array(2 * places.candidates.length);
    larger.set(places.candidates);
    places.candidates = larger;
  }
  places.candidates[places.candidateCount++] = a * geometries.length + b;
}

/** Few by insertion: the library's sort copies. */
const FEW = 48;

function sortCandidates({ candidates, candidateCount }: GeometryPlaces): void {
  if (candidateCount > FEW) {
    candidates.subarray(0, candidateCount).sort();
    return;
  }
  for (let i = 1; i < candidateCount; i++) {
    const pair = candidates[i];
    let at = i;
    while (at > 0 && candidates[at - 1] > pair) {
      candidates[at] = candidates[at - 1];
      at--;
    }
    candidates[at] = pair;
  }
}
