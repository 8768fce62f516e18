/**
 * Where robots may stand and between which places they may move in one step: a graph without directions.
 *
 *   x, y    Float64Array  1 per vertex       metres (cells of a map: its centre, `cellSize` apart)
 *   first   Int32Array    vertexCount + 1    neighbours of v are next[first[v]] .. next[first[v + 1] - 1]
 *   next    Int32Array    2 per edge         ascending per vertex
 *
 * Frames: x to the right, y down the rows of a map's file. Cost: O(cells), O(edges log edges) for roadmaps.
 * Tested by path-graph.test.ts.
 */
import { requireCount, requireNumbers, requirePositiveNumber } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { type GridMap, requireGridMap } from './grid-map.js';

export interface PathGraph {
  readonly vertexCount: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly first: Int32Array;
  readonly next: Int32Array;
  /** Vertex of each cell, -1 where there is none; null for roadmaps. */
  readonly vertexOfCell: Int32Array | null;
  /** Cell of each vertex; null for roadmaps. */
  readonly cellOfVertex: Int32Array | null;
}

/** The four-connected graph of a map's free cells. `cellSize`: metres, default 1. */
export function createGridGraph(map: GridMap, cellSize = 1): PathGraph {
  requireGridMap('createGridGraph', 'map', map);
  requirePositiveNumber('createGridGraph', 'cellSize', cellSize);
  const { width, height, free } = map;
  const vertexOfCell = new Int32Array(width * height).fill(-1);
  let vertexCount = 0;
  for (let c = 0; c < vertexOfCell.length; c++) if (free[c] !== 0) vertexOfCell[c] = vertexCount++;
  const cellOfVertex = new Int32Array(vertexCount);
  const x = new Float64Array(vertexCount);
  const y = new Float64Array(vertexCount);
  const first = new Int32Array(vertexCount + 1);
  const next = new Int32Array(4 * vertexCount);
  let edges = 0;
  for (let c = 0; c < vertexOfCell.length; c++) {
    const v = vertexOfCell[c];
    if (v < 0) continue;
    const column = c % width;
    cellOfVertex[v] = c;
    x[v] = column * cellSize;
    y[v] = ((c - column) / width) * cellSize;
    first[v] = edges;
    if (c >= width && vertexOfCell[c - width] >= 0) next[edges++] = vertexOfCell[c - width];
    if (column > 0 && vertexOfCell[c - 1] >= 0) next[edges++] = vertexOfCell[c - 1];
    if (column + 1 < width && vertexOfCell[c + 1] >= 0) next[edges++] = vertexOfCell[c + 1];
    if (c + width < vertexOfCell.length && vertexOfCell[c + width] >= 0) next[edges++] = vertexOfCell[c + width];
  }
  first[vertexCount] = edges;
  return { vertexCount, x, y, first, next: next.slice(0, edges), vertexOfCell, cellOfVertex };
}

/** A graph of places, two numbers each, and edges, two indices each; edges in both directions, repeated ones count once. */
export function createRoadmapGraph(places: ArrayLike<number>, edges: ArrayLike<number>): PathGraph {
  const call = 'createRoadmapGraph';
  requireNumbers(call, 'places', places);
  requireNumbers(call, 'edges', edges);
  if (places.length % 2 !== 0)
    throw new MisuseError(`${call}: places, got ${places.length} numbers, expected two per place`);
  if (edges.length % 2 !== 0)
    throw new MisuseError(`${call}: edges, got ${edges.length} numbers, expected two per edge`);
  const vertexCount = places.length / 2;
  requireCount(call, 'places', vertexCount);
  const lists: Set<number>[] = Array.from({ length: vertexCount }, () => new Set());
  for (let k = 0; k < edges.length; k += 2) {
    const [a, b] = [edges[k], edges[k + 1]];
    for (const v of [a, b])
      if (!Number.isInteger(v) || v < 0 || v >= vertexCount)
        throw new MisuseError(`${call}: edges[${k}], got ${a}-${b}, expected places from 0 to ${vertexCount - 1}`);
    if (a === b) throw new MisuseError(`${call}: edges[${k}], got ${a}-${b}, expected two places`);
    lists[a].add(b);
    lists[b].add(a);
  }
  const first = new Int32Array(vertexCount + 1);
  for (let v = 0; v < vertexCount; v++) first[v + 1] = first[v] + lists[v].size;
  const next = new Int32Array(first[vertexCount]);
  for (let v = 0; v < vertexCount; v++)
    next.set(
      [...lists[v]].sort((a, b) => a - b),
      first[v],
    );
  const x = new Float64Array(vertexCount);
  const y = new Float64Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    x[v] = places[2 * v];
    y[v] = places[2 * v + 1];
  }
  return { vertexCount, x, y, first, next, vertexOfCell: null, cellOfVertex: null };
}

/** Component of each vertex, numbered in the order of their first vertices. */
export function labelComponents({ vertexCount, first, next }: PathGraph): Int32Array {
  const label = new Int32Array(vertexCount).fill(-1);
  const queue = new Int32Array(vertexCount);
  let components = 0;
  for (let root = 0; root < vertexCount; root++) {
    if (label[root] >= 0) continue;
    let tail = 0;
    label[root] = components;
    queue[tail++] = root;
    for (let head = 0; head < tail; head++)
      for (let e = first[queue[head]]; e < first[queue[head] + 1]; e++) {
        const u = next[e];
        if (label[u] >= 0) continue;
        label[u] = components;
        queue[tail++] = u;
      }
    components++;
  }
  return label;
}
