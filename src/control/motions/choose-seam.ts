/**
 * How the tool turns along a seam about its free axis, and in which posture the arm begins: a graph search over samples of both.
 *
 * Method:
 * 1. stations along the seam; at each the turns of the range are sampled, and for each turn the postures of the arm found, at the first
 *    station from many starts, at the others from those before, so that branches are followed;
 * 2. a posture costs by how near it is to joint limits and to a singularity, a step by the squares of the joints' changes and of the
 *    turn; steps that no continuous motion explains are none;
 * 3. the cheapest way from the first station to the last (dynamic programming, layer by layer);
 * 4. the turn along the seam is the smooth curve through the turns of that way, laid over the seam's own path.
 * Source: De Maeyer, Moyaers, Demeester 2017, "Cartesian path planning for arc welding robots: evaluation of the Descartes algorithm",
 * doi:10.1109/ETFA.2017.8247616; Bellman 1957, "Dynamic programming", chapter III.
 * Units: metres, radians. Cost: stations x samples x postures descents. Ends: a reason, and how far along the seam postures were found.
 * Tested by choose-seam.test.ts.
 */

import { createIkSolver, type IkSolver } from '../../ik/solve-ik.js';
import { computeSvd, createSvd } from '../../math/dense/svd.js';
import { multiplyQuat } from '../../math/quat.js';
import { expQuat } from '../../math/so3.js';
import { createTransform, poseToTransform } from '../../math/transform.js';
import { isWithinLimits } from '../../model/configuration.js';
import type { CurvePiece, JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { cutPiece, cutPieces } from './cut-pieces.js';
import type { SeamMove } from './program.js';
import { listPostures, REACHED } from './reach-target.js';
import type { Tool } from './tool.js';
import { LEVER, toolCurve } from './tool-path.js';

/** Metres between stations, and how many there are. */
const STATION = 0.04;
const FEWEST = 8;
const MOST = 60;
/** Radians that a joint may change between stations. */
const LARGEST_CHANGE = 0.6;
/** Postures kept per station and turn. */
const POSTURES = 4;
const TURN_COST = 0.3;
/** Of the way to the start. */
const APPROACH_COST = 0.05;
const LIMIT_COST = 0.05;
/** Metres per radian: singular values below cost as much as a large step. */
const SINGULAR = 0.02;

export interface ChosenSeam {
  /** Configuration at the seam's first pose. */
  readonly start: Float64Array;
  /** The tool's path, turns included. */
  readonly curve: JointCurve;
}

export interface SeamFault {
  readonly reason: string;
  readonly s: number;
}

interface Node {
  readonly q: Float64Array;
  /** Number of its turn. */
  readonly turn: number;
  readonly cost: number;
  readonly from: Node | null;
}

/** `curve`: the seam with the tool as programmed; `q`: where the arm is. */
export function chooseSeam(
  tool: Tool,
  move: SeamMove,
  curve: JointCurve,
  q: Float64Array,
  isFree?: (q: Float64Array) => boolean,
): ChosenSeam | SeamFault {
  return new SeamSearch(tool, move, curve, isFree).run(q);
}

class SeamSearch {
  private readonly stations: number;
  private readonly turns: Float64Array;
  private readonly axis: Float64Array;
  private readonly isWhole: boolean;
  private readonly solver: IkSolver;
  private readonly svd;
  private readonly jacobian: Float64Array;
  private readonly X = createTransform();

  constructor(
    private readonly tool: Tool,
    { free, range, samples = 24 }: SeamMove,
    private readonly curve: JointCurve,
    private readonly isFree?: (q: Float64Array) => boolean,
  ) {
    this.stations = Math.min(Math.max(Math.ceil(curve.duration / STATION), FEWEST), MOST);
    const [low, high] = range ?? [-Math.PI, Math.PI];
    this.isWhole = range === undefined;
    // Of a whole turn, both ends are one.
    const parts = this.isWhole ? samples : samples - 1;
    this.turns = Float64Array.from({ length: samples }, (_, k) => low + ((high - low) * k) / parts);
    this.axis = Float64Array.from([free === 'x' ? 1 : 0, free === 'y' ? 1 : 0, free === 'z' ? 1 : 0]);
    this.solver = createIkSolver(tool.model, tool.frame, { velocities: tool.moving });
    this.svd = createSvd(6, tool.moving.length);
    this.jacobian = new Float64Array(6 * tool.model.nv);
  }

  run(q: Float64Array): ChosenSeam | SeamFault {
    let layer = this.beginLayer(q);
    for (let station = 1; station <= this.stations && layer.length > 0; station++) {
      const next = this.nextLayer(layer, station);
      if (next.length === 0)
        return { reason: 'no turn of the tool brings the arm on along the seam', s: this.parameter(station - 1) };
      layer = next;
    }
    if (layer.length === 0) return { reason: 'no turn of the tool brings the arm to the start of the seam', s: 0 };
    let best = layer[0];
    for (const node of layer) if (node.cost < best.cost) best = node;
    const way: Node[] = [];
    for (let node: Node | null = best; node; node = node.from) way.unshift(node);
    return this.finish(way);
  }

  private parameter(station: number): number {
    return (this.curve.duration * station) / this.stations;
  }

  /** The seam's pose there, turned about the free axis. */
  private poseAt(station: number, turn: number): Float64Array {
    const point = this.curve.evaluate(createTrajectoryPoint(this.curve.model), this.parameter(station));
    const pose = Float64Array.from(point.q);
    const turned = expQuat(
      new Float64Array(4),
      this.axis.map((x) => x * turn),
    );
    multiplyQuat(pose.subarray(3), point.q.subarray(3), turned);
    return pose;
  }

  private beginLayer(q: Float64Array): Node[] {
    const { tool, isFree } = this;
    return Array.from(this.turns).flatMap((angle, turn) =>
      listPostures(tool, this.poseAt(0, angle), q, { isFree, starts: 32 })
        .slice(0, POSTURES)
        .map((own) => ({
          q: own,
          turn,
          cost: this.stateCost(own) + APPROACH_COST * squaredDistance(q, own),
          from: null,
        })),
    );
  }

  private nextLayer(layer: readonly Node[], station: number): Node[] {
    const { turns, isWhole } = this;
    const next: Node[] = [];
    for (let turn = 0; turn < turns.length; turn++) {
      const found: Node[] = [];
      const target = this.tool.solverTarget(poseToTransform(createTransform(), this.poseAt(station, turns[turn])));
      for (const node of layer) {
        const apart = Math.abs(node.turn - turn);
        // A turn that goes on beyond a whole one would have to be unwound: the ends are not neighbours.
        if (apart > 1 || (isWhole && apart === turns.length - 1)) continue;
        const made = this.step(node, target, turn);
        if (!made) continue;
        const same = found.findIndex(({ q }) => squaredDistance(q, made.q) < 1e-4);
        if (same < 0) found.push(made);
        else if (made.cost < found[same].cost) found[same] = made;
      }
      found.sort((a, b) => a.cost - b.cost);
      next.push(...found.slice(0, POSTURES));
    }
    return next;
  }

  private step(from: Node, target: Float64Array, turn: number): Node | null {
    const { solver, isFree, turns } = this;
    const request = { target, start: from.q, restarts: 0, positionTolerance: REACHED, rotationTolerance: REACHED };
    const { status, q } = solver.solve(request);
    if (status !== 'solved' || q.some((x, i) => Math.abs(x - from.q[i]) > LARGEST_CHANGE)) return null;
    if (isFree && !isFree(q)) return null;
    const turned = turns[turn] - turns[from.turn];
    const cost = from.cost + this.stateCost(q) + squaredDistance(from.q, q) + TURN_COST * turned * turned;
    return { q, turn, cost, from };
  }

  private stateCost(q: Float64Array): number {
    const { tool, svd, jacobian } = this;
    const { model, moving } = tool;
    tool.place(this.X, q);
    tool.jacobian(jacobian);
    const reduced = Float64Array.from({ length: 6 * moving.length }, (_, at) => {
      const row = Math.floor(at / moving.length);
      return jacobian[row * model.nv + moving[at % moving.length]] * (row < 3 ? 1 : LEVER);
    });
    const least = computeSvd(svd, reduced).s[svd.s.length - 1];
    let cost = (SINGULAR / Math.max(least, 1e-6)) ** 2;
    for (let i = 0; i < q.length; i++) {
      const half = 0.5 * (model.upper[i] - model.lower[i]);
      if (!(half > 0 && half < Infinity)) continue;
      const share = (q[i] - 0.5 * (model.upper[i] + model.lower[i])) / half;
      // The eighth power: next to nothing but near a limit.
      const fourth = share * share * share * share;
      cost += LIMIT_COST * fourth * fourth;
    }
    return cost;
  }

  /** The seam with the turns of a way: a uniform cubic B-spline, which stays between the turns it is drawn from. */
  private finish(way: readonly Node[]): ChosenSeam | SeamFault {
    const { curve, turns, stations, tool } = this;
    const turnAt = (k: number): number => turns[way[Math.min(Math.max(k, 0), stations)].turn];
    const pieces: CurvePiece[] = [];
    const increment = Float64Array.from([0, 0, 0, ...this.axis]);
    for (let k = 0; k < stations; k++) {
      const [a, b, c, d] = [turnAt(k - 1), turnAt(k), turnAt(k + 1), turnAt(k + 2)];
      const polynomial = [(a + 4 * b + c) / 6, (c - a) / 2, (a - 2 * b + c) / 2, (d - 3 * c + 3 * b - a) / 6];
      const [from, to] = [this.parameter(k), this.parameter(k + 1)];
      const whole: CurvePiece = { length: to - from, base: increment, terms: [{ increment, polynomial }] };
      let at = 0;
      for (const { piece } of cutPieces(curve, from, to)) {
        const end = Math.min(at + piece.length, whole.length);
        const turn = cutPiece(whole, at, end).terms[0];
        pieces.push({ ...piece, terms: [...piece.terms, turn] });
        at = end;
      }
    }
    const turned = toolCurve(pieces, curve.end);
    const first = turned.evaluate(createTrajectoryPoint(turned.model), 0);
    const target = tool.solverTarget(poseToTransform(createTransform(), first.q));
    const request = { target, start: way[0].q, restarts: 0, positionTolerance: REACHED, rotationTolerance: REACHED };
    const { status, q } = this.solver.solve(request);
    if (status !== 'solved' || !isWithinLimits(tool.model, q))
      return { reason: 'the start of the seam is out of reach', s: 0 };
    return { start: q, curve: turned };
  }
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum;
}
