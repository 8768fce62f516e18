/**
 * The roadmap through a trapezoid map: which of its nodes are connected, and the shortest way along it.
 *
 * Nodes are the trapezoids (their centres), the openings between them (their middles) and the free vertices; see
 * trapezoid-map.ts for why it is connected exactly as the free space is. Connection is decided by the map alone; the places of the
 * nodes are rounded to doubles. Tested by trapezoid-map.test.ts.
 */
import { hypot } from '../math/scalar.js';
import type { PlanePoint } from './polygon.js';
import type { TrapezoidMap } from './trapezoid-map.js';

export interface Roadmap {
  readonly nodeCount: number;
  /** x, y of each node: trapezoids, then openings, then vertices. */
  readonly places: Float64Array;
  /** Neighbours of node n: `neighbours[starts[n]]` and on. */
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
  /** Number of the first vertex among the nodes. */
  readonly firstVertex: number;
}

/** The height of an edge over x. */
function heightAt(map: TrapezoidMap, edge: number, x: number): number {
  const { points, edgeEnds } = map.arrangement;
  const a = points[edgeEnds[2 * edge]];
  const b = points[edgeEnds[2 * edge + 1]];
  // Ends whose x differ in less than a double shows are one above the other here.
  const t = b.x > a.x ? Math.min(Math.max((x - a.x) / (b.x - a.x), 0), 1) : 0.5;
  const y = t < 0.5 ? a.y + t * (b.y - a.y) : b.y - (1 - t) * (b.y - a.y);
  return Math.min(Math.max(y, Math.min(a.y, b.y)), Math.max(a.y, b.y));
}

/** Corners of a trapezoid, rounded: lower left, lower right, upper right, upper left. No upper one is below its lower one. */
export function trapezoidCorners(map: TrapezoidMap, trapezoid: number): PlanePoint[] {
  const [lower, upper, left, right] = map.trapezoids.subarray(4 * trapezoid, 4 * trapezoid + 4);
  const { points } = map.arrangement;
  const x0 = points[left].x;
  const x1 = points[right].x;
  const [y0, y1] = [heightAt(map, lower, x0), heightAt(map, lower, x1)];
  return [
    [x0, y0],
    [x1, y1],
    [x1, Math.max(y1, heightAt(map, upper, x1))],
    [x0, Math.max(y0, heightAt(map, upper, x0))],
  ];
}

/** Lower and upper end of an opening, rounded; the upper one is not below the lower one. */
export function openingEnds(map: TrapezoidMap, opening: number): [PlanePoint, PlanePoint] {
  const [bottom, top, vertex] = map.openings.subarray(5 * opening + 2, 5 * opening + 5);
  const { points } = map.arrangement;
  const x = points[vertex].x;
  const height = (bound: number) => (bound >= 0 ? points[bound].y : heightAt(map, -1 - bound, x));
  const low = height(bottom);
  return [
    [x, low],
    [x, Math.max(low, height(top))],
  ];
}

export function createRoadmap(map: TrapezoidMap): Roadmap {
  const { trapezoidCount, openingCount, contacts, isEdgeFree, isVertexFree, arrangement } = map;
  const { points, edgeCount, edgeEnds, depthAbove, depthBelow } = arrangement;
  const firstVertex = trapezoidCount + openingCount;
  const nodeCount = firstVertex + points.length;
  const pairs: number[] = [];
  for (let o = 0; o < openingCount; o++) {
    pairs.push(trapezoidCount + o, map.openings[5 * o]);
    pairs.push(trapezoidCount + o, map.openings[5 * o + 1]);
  }
  for (let k = 0; k < contacts.length; k += 2) pairs.push(firstVertex + contacts[k], contacts[k + 1]);
  // Edges between two forbidden sides are ways of no width; along others a trapezoid leads.
  for (let e = 0; e < edgeCount; e++)
    if (
      isEdgeFree[e] &&
      depthAbove[e] > 0 &&
      depthBelow[e] > 0 &&
      isVertexFree[edgeEnds[2 * e]] &&
      isVertexFree[edgeEnds[2 * e + 1]]
    )
      pairs.push(firstVertex + edgeEnds[2 * e], firstVertex + edgeEnds[2 * e + 1]);
  const starts = new Int32Array(nodeCount + 1);
  for (const node of pairs) starts[node + 1]++;
  for (let n = 0; n < nodeCount; n++) starts[n + 1] += starts[n];
  const filled = starts.slice(0, -1);
  const neighbours = new Int32Array(pairs.length);
  for (let k = 0; k < pairs.length; k += 2) {
    neighbours[filled[pairs[k]]++] = pairs[k + 1];
    neighbours[filled[pairs[k + 1]]++] = pairs[k];
  }
  return { nodeCount, places: placeNodes(map, nodeCount), starts, neighbours, firstVertex };
}

function placeNodes(map: TrapezoidMap, nodeCount: number): Float64Array {
  const { trapezoidCount, openingCount } = map;
  const { points } = map.arrangement;
  const places = new Float64Array(2 * nodeCount);
  for (let t = 0; t < trapezoidCount; t++) {
    const [lower, upper] = [map.trapezoids[4 * t], map.trapezoids[4 * t + 1]];
    const x0 = points[map.trapezoids[4 * t + 2]].x;
    const x1 = points[map.trapezoids[4 * t + 3]].x;
    const low = heightAt(map, lower, x0) + heightAt(map, lower, x1);
    places[2 * t] = (x0 + x1) / 2;
    places[2 * t + 1] = (low + heightAt(map, upper, x0) + heightAt(map, upper, x1)) / 4;
  }
  for (let o = 0; o < openingCount; o++) {
    const [a, b] = openingEnds(map, o);
    places.set([a[0], (a[1] + b[1]) / 2], 2 * (trapezoidCount + o));
  }
  for (const [v, { x, y }] of points.entries()) places.set([x, y], 2 * (trapezoidCount + openingCount + v));
  return places;
}

/** Nodes of the shortest way along the roadmap that touches obstacles as rarely as can be, null where there is none. */
export function findWay(roadmap: Roadmap, from: number, to: number): number[] | null {
  const { nodeCount, places, starts, neighbours, firstVertex } = roadmap;
  // Other vertices are corners of obstacles: more than any detour.
  const touch = 1e3 * spanOf(places);
  const cost = new Float64Array(nodeCount).fill(Infinity);
  const came = new Int32Array(nodeCount).fill(-1);
  const queue = new NodeQueue(cost);
  cost[from] = 0;
  queue.push(from);
  while (!queue.isEmpty) {
    const n = queue.pop();
    if (n === to) break;
    for (let k = starts[n]; k < starts[n + 1]; k++) {
      const m = neighbours[k];
      const step = hypot(places[2 * m] - places[2 * n], places[2 * m + 1] - places[2 * n + 1]);
      const c = cost[n] + step + (m >= firstVertex && m !== to ? touch : 0);
      if (c >= cost[m]) continue;
      cost[m] = c;
      came[m] = n;
      queue.push(m);
    }
  }
  if (cost[to] === Infinity) return null;
  const way = [to];
  for (let n = to; n !== from; n = came[n]) way.push(came[n]);
  return way.reverse();
}

function spanOf(places: Float64Array): number {
  let low = Infinity;
  let high = -Infinity;
  for (const value of places) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low;
}

/** A binary heap of nodes by cost; nodes whose cost fell are in it again, and what comes out late is passed over by its cost. */
export class NodeQueue {
  private readonly nodes: number[] = [];
  private readonly keys: number[] = [];

  constructor(private readonly cost: Float64Array) {}

  get isEmpty(): boolean {
    return this.nodes.length === 0;
  }

  push(node: number): void {
    const { nodes, keys } = this;
    let i = nodes.length;
    const key = this.cost[node];
    nodes.push(node);
    keys.push(key);
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (keys[up] <= key) break;
      nodes[i] = nodes[up];
      keys[i] = keys[up];
      i = up;
    }
    nodes[i] = node;
    keys[i] = key;
  }

  pop(): number {
    const { nodes, keys } = this;
    const first = nodes[0];
    const node = nodes.pop()!;
    const key = keys.pop()!;
    const n = nodes.length;
    if (n === 0) return first;
    let i = 0;
    for (let child = 1; child < n; child = 2 * i + 1) {
      if (child + 1 < n && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      nodes[i] = nodes[child];
      keys[i] = keys[child];
      i = child;
    }
    nodes[i] = node;
    keys[i] = key;
    return first;
  }
}
