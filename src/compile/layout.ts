/**
 * Where a compiled program finds its arguments and leaves its results: cells of the module's memory.
 *
 * A cell holds one f64, or two side by side in a module for pairs of configurations; cell i starts at byte 8 lanes i. Arrays
 * of `Data` and `DynamicsData` are stretches of cells with the same order of entries:
 *
 *   status | q v a tau | base placement and joint placements | jacobians | M | ddq | forces | gravity | angles sines cosines
 *
 * angles, sines and cosines hold one entry per turning joint, angles to be reduced first (an even number, so that two fit one
 * register), then joints whose cosine and sine are coordinates. Constants and scratch follow behind `end`.
 */
import type { JointKindName } from '../model/joints/joint-kind.js';
import type { Model } from '../model/model.js';

export interface CellRange {
  readonly start: number;
  readonly count: number;
}

export interface CellLayout {
  /** 0 when the last ABA met no singular joint. */
  readonly status: CellRange;
  readonly q: CellRange;
  readonly v: CellRange;
  readonly a: CellRange;
  readonly tau: CellRange;
  readonly placements: CellRange;
  readonly jacobians: CellRange;
  readonly M: CellRange;
  readonly ddq: CellRange;
  readonly forces: CellRange;
  readonly gravity: CellRange;
  readonly angles: CellRange;
  readonly sines: CellRange;
  readonly cosines: CellRange;
  /** Joint to its place among the sines and cosines; -1 for joints that do not turn. */
  readonly turns: Int32Array;
  readonly end: number;
}

/** Joints with an angle, joints with a cosine and sine, and those with neither. */
const TURNS: Readonly<Record<JointKindName, 'angle' | 'circle' | null>> = {
  revolute: 'angle',
  continuous: 'angle',
  helical: 'angle',
  'continuous-cos-sin': 'circle',
  planar: 'circle',
  prismatic: null,
  floating: null,
  spherical: null,
  composite: null,
};

export function layOutCells(model: Model): CellLayout {
  const { jointCount, nq, nv, jointKinds } = model;
  const turns = new Int32Array(jointCount).fill(-1);
  let angles = 0;
  jointKinds.forEach((kind, j) => {
    if (kind !== null && TURNS[kind.name] === 'angle') turns[j] = angles++;
  });
  angles += angles % 2;
  let circles = 0;
  jointKinds.forEach((kind, j) => {
    if (kind !== null && TURNS[kind.name] === 'circle') turns[j] = angles + circles++;
  });
  let end = 0;
  const take = (count: number): CellRange => {
    const range = { start: end, count };
    // Stretches start at even cells: 16 bytes.
    end += count + (count % 2);
    return range;
  };
  return {
    status: take(1),
    q: take(nq),
    v: take(nv),
    a: take(nv),
    tau: take(nv),
    placements: take(12 * jointCount),
    jacobians: take(6 * nv),
    M: take(nv * nv),
    ddq: take(nv),
    forces: take(6 * jointCount),
    gravity: take(3),
    angles: take(angles),
    sines: take(angles + circles),
    cosines: take(angles + circles),
    turns,
    get end() {
      return end;
    },
  };
}
