/**
 * Spheres around the shapes of one link, closed until the verifier proves that they contain them.
 *
 * Method: 1. samples of the surface and the inside, candidates on the medial axis; 2. a cover of samples by few balls (greedy-cover.ts);
 * 3. balls are moved to take less space outside (refine-cover.ts), those that do little are moved to where most is lost;
 * 4. the verifier's bounds say where the surface is bare between the samples: these points are added at finer and finer resolution, and
 * the balls move again; 5. what remains, some hundredths of a percent of the size, is added to every radius, and the verifier has
 * the last word. The fit decides nothing about the proof: it only proposes.
 * Frames: L link. Cost: 20 to 300 ms a level. Status: `isProven` false where no proof was found (meshes whose inside cannot be told).
 * No random numbers: same shapes, same bits. Checked by fit-spheres.test.ts.
 */
import { hypot } from '../../math/scalar.js';
import { listParts, type PlacedShape, type ProofPart } from '../sphere-proof/parts.js';
import { climbHole, holesOf, listStretches } from '../sphere-proof/prove-interior.js';
import { gapAt, isInOneBall, listGaps } from '../sphere-proof/prove-surface.js';
import { proveParts, SOLID_SLACK, type SphereProof, sizeOfProof } from '../sphere-proof/verify-spheres.js';
import { CoverState } from './cover-state.js';
import { encloseBall } from './enclosing-ball.js';
import {
  type Candidates,
  coverGreedily,
  coverWithCount,
  createCandidates,
  diagonalOf,
  findMedialPoints,
  type GreedyCover,
  thin,
  toBalls,
} from './greedy-cover.js';
import { OutsideVolume } from './outside-volume.js';
import { rebalanceCover, refineCover, relocateBalls, useIdleBalls } from './refine-cover.js';
import { sampleCorners, sampleLattice, sampleSurface } from './sample-shapes.js';
import { ShapeField } from './shape-field.js';

/** A point at the origin has none. */
const LEAST_SIZE = 1e-15;
const SURFACE_SAMPLES = 900;
const LATTICE = 2000;
const OUTSIDE_LATTICE = 3000;
/** Where there are many balls. */
const CELLS_PER_BALL = 300;
const SAMPLES_PER_BALL = 50;
const MOST_GAPS = 300;
const MOST_LISTED = 5000;
/** Of the worst gap: smaller ones close with it, or come up again. */
const WORTH = 0.2;
/** Of the size: where the search for bare points begins and ends, and gaps that every radius may make up for. */
const COARSE = 0.02;
const FINE = 6e-4;
const LITTLE = 1e-4;
const MOST_ROUNDS = 16;
/** Rounds after which balls move again. */
const SETTLING_ROUNDS = 5;
/** A link needs no more. */
export const MOST_SPHERES = 2000;

export interface FittedLevel {
  /** x, y, z, radius each. */
  readonly spheres: Float64Array;
  readonly proof: SphereProof;
}

export class LinkFitter {
  readonly field: ShapeField;
  readonly parts: ProofPart[];
  readonly size: number;
  private readonly samples: number[];
  private readonly enclosing: readonly [number, number, number, number];
  private candidates: Candidates | null = null;
  private readonly surface: number[];
  private readonly normals: number[] = [];
  private readonly inside: number[] = [];
  private readonly around: number[] = [];

  constructor(shapes: readonly PlacedShape[], call: string) {
    this.parts = listParts(shapes, call);
    this.field = new ShapeField(shapes);
    this.size = Math.max(LEAST_SIZE, sizeOfProof(this.parts, new Float64Array(0)));
    const { field } = this;
    this.surface = sampleSurface(field.meshes, SURFACE_SAMPLES, this.normals);
    const diagonal = diagonalOf(field.bounds);
    const box = field.bounds.map((value, k) => value + (k < 3 ? -0.03 : 0.03) * diagonal);
    const { points } = sampleLattice(field, box, LATTICE, 0.08 * diagonal);
    this.samples = [...sampleCorners(field.meshes), ...this.surface];
    for (let i = 0; i < points.length; i += 4) {
      (points[i + 3] < 0 ? this.inside : this.around).push(...points.subarray(i, i + 4));
      if (points[i + 3] < 0) this.samples.push(points[i], points[i + 1], points[i + 2]);
    }
    this.enclosing = encloseBall(this.samples, offsetsOf(this.samples));
  }

  /** Centres to choose from, made when first asked for. */
  private chooseFrom(): Candidates {
    if (this.candidates) return this.candidates;
    const { field, enclosing } = this;
    const [x, y, z] = enclosing;
    const medial = findMedialPoints(
      field,
      thin(this.surface, 3, 250),
      thin(this.normals, 3, 250),
      0.5 * diagonalOf(field.bounds),
    );
    const centers = [
      x,
      y,
      z,
      field.distance(x, y, z),
      ...medial,
      ...thin(this.inside, 4, 250),
      ...thin(this.around, 4, 120),
    ];
    this.candidates = createCandidates(centers, thin(this.samples, 3, 700));
    return this.candidates;
  }

  /** The excess that one ball has, at most. */
  get largestExcess(): number {
    const [x, y, z, r] = this.enclosing;
    return r * 1.0001 + this.field.distance(x, y, z);
  }

  /** How many balls of at most that excess cover the samples. */
  countFor(excess: number): number {
    if (excess >= this.largestExcess) return 1;
    return coverGreedily(this.chooseFrom(), excess, MOST_SPHERES)?.length ?? MOST_SPHERES;
  }

  /** The smallest ball around everything. */
  fitBound(): FittedLevel {
    const [cx, cy, cz, radius] = this.enclosing;
    const state = new CoverState(this.samples, [cx, cy, cz, Math.max(radius, SOLID_SLACK * this.size)]);
    this.reach(state, COARSE, () => {
      const items = Array.from({ length: state.pointCount }, (_, i) => 3 * i);
      const [x, y, z, r] = encloseBall(state.points, items);
      state.setBall(0, x, y, z, Math.max(r, SOLID_SLACK * this.size));
      return true;
    });
    return this.close(state);
  }

  /** At most `count` balls, with as little volume outside as was found. */
  fitCount(count: number): FittedLevel {
    const exact = this.takeBalls(count);
    if (exact) return exact;
    if (count === 1 || !(diagonalOf(this.field.bounds) > 0)) return this.fitBound();
    const greedy = coverWithCount(this.chooseFrom(), count, this.largestExcess);
    return this.improve(greedy ?? { balls: [...this.enclosing], excess: this.largestExcess }, count, Infinity);
  }

  /** As few balls as were found whose centres' distance and radius say that they stick out by at most `excess`. */
  fitExcess(excess: number): FittedLevel {
    const exact = this.takeBalls(MOST_SPHERES);
    if (exact) return exact;
    if (excess >= this.largestExcess) return this.fitBound();
    // Closing the gaps between samples takes some of the excess.
    for (let share = 0.85; ; share *= 0.8) {
      const candidates = this.chooseFrom();
      const chosen = coverGreedily(candidates, share * excess, MOST_SPHERES);
      if (!chosen || chosen.length === 1) {
        if (chosen) return this.fitBound();
        return this.fitCount(MOST_SPHERES / 10);
      }
      const level = this.improve(toBalls(candidates, chosen, share * excess), chosen.length, 0.97 * excess);
      if (share < 0.4 || this.boundExcess(level.spheres) <= excess) return level;
    }
  }

  /** Upper bound of how far the balls stick out: radius plus signed distance of the centre. */
  boundExcess(spheres: ArrayLike<number>): number {
    let most = 0;
    for (let i = 0; i < spheres.length; i += 4)
      most = Math.max(most, spheres[i + 3] + this.field.distance(spheres[i], spheres[i + 1], spheres[i + 2]));
    return most;
  }

  /** Where all shapes are balls and no more than `count`, they are the answer. */
  private takeBalls(count: number): FittedLevel | null {
    const { balls } = this.field;
    if (!balls || balls.length > count) return null;
    const spheres = Float64Array.from(balls.flat());
    return { spheres, proof: proveParts(this.parts, spheres, {}) };
  }

  private improve({ balls: start, excess }: GreedyCover, count: number, limit: number): FittedLevel {
    const { field } = this;
    const reach = Math.min(2 * excess, 0.6 * diagonalOf(field.bounds));
    const box = field.bounds.map((value, k) => value + (k < 3 ? -reach : reach));
    const { points, spacing } = sampleLattice(field, box, Math.max(OUTSIDE_LATTICE, CELLS_PER_BALL * count), reach);
    const outside: number[] = [];
    for (let i = 0; i < points.length; i += 4) if (points[i + 3] > 0) outside.push(...points.subarray(i, i + 4));
    const goal = {
      volume: new OutsideVolume(Float64Array.from(outside), spacing, excess),
      spacing,
      // Beyond the lattice volume would cost nothing.
      limit: Math.min(limit, 0.75 * reach),
      distance: (x: number, y: number, z: number) => field.distance(x, y, z),
    };
    const balls = new Float64Array(4 * count);
    balls.set(start);
    const state = new CoverState(this.samples, balls);
    if (SAMPLES_PER_BALL * count > SURFACE_SAMPLES)
      state.addPoints(sampleSurface(field.meshes, SAMPLES_PER_BALL * count - SURFACE_SAMPLES));
    state.adoptBare();
    refineCover(state, goal, 3, 0.04);
    // Denser points where balls meet, before it is decided where balls belong.
    this.reach(state, COARSE, (round) => {
      state.adoptBare();
      refineCover(state, goal, 1, 0.04);
      return round < 1;
    });
    for (let round = 0; round < 3; round++) {
      useIdleBalls(state, goal);
      const isBetter = rebalanceCover(state, goal);
      refineCover(state, goal, 2, 0.02);
      if (!isBetter) break;
    }
    relocateBalls(state, goal, Math.min(5, 1 + (count >> 1)));
    useIdleBalls(state, goal);
    rebalanceCover(state, goal);
    refineCover(state, goal, 2, 0.02);
    this.reach(state, COARSE, (round) => {
      state.adoptBare();
      if (round < SETTLING_ROUNDS) refineCover(state, goal, 2, 0.01);
      return true;
    });
    // Balls of no radius around single points: there was nothing to share.
    if (usedBalls(state.balls).length === 0) return this.fitBound();
    return this.close(state);
  }

  /**
   * Adds bare points of the surface, the worst first, at finer and finer resolution, until `serve` has left only little gaps or
   * returns false.
   */
  private reach(state: CoverState, coarse: number, serve: (round: number) => boolean | undefined): void {
    let resolution = coarse;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const gaps = this.findGaps(state.balls, resolution);
      const worst = gaps.length > 0 ? gaps[0].gap : 0;
      const added: number[] = [];
      if (worst < LITTLE * this.size && resolution <= FINE) {
        added.push(...this.findHoles(state.balls));
        if (added.length === 0) return;
      }
      const apart = resolution * this.size;
      for (const { point } of gaps) {
        if (added.length >= 3 * MOST_GAPS) break;
        let isNear = false;
        for (let p = 0; p < added.length && !isNear; p += 3)
          isNear = hypot(added[p] - point[0], added[p + 1] - point[1], added[p + 2] - point[2]) < apart;
        if (!isNear) added.push(...point);
      }
      state.addPoints(added);
      if (added.length > 0 && serve(round) === false) return;
      resolution = Math.max(0.5 * FINE, Math.min(0.5 * resolution, (2 * worst) / this.size));
    }
  }

  /** The deepest points of holes inside solids. */
  private findHoles(balls: ArrayLike<number>): number[] {
    const used = usedBalls(balls);
    const out: number[] = [];
    // The boundary is covered but for little, by which stretches may be deeper.
    const stretches = listStretches(used, this.size, SOLID_SLACK * this.size);
    for (const hole of holesOf(this.parts, stretches)) {
      const deepest = climbHole(hole, used, this.size);
      if (gapAt(used, ...deepest) > SOLID_SLACK * this.size) out.push(...deepest);
    }
    return out;
  }

  /** Bare points that are worth a look, the worst first. */
  private findGaps(balls: ArrayLike<number>, resolution: number): { gap: number; point: number[] }[] {
    const used = usedBalls(balls);
    const { size } = this;
    const slack = 2 * SOLID_SLACK * size;
    const out: number[] = [];
    for (const part of this.parts) {
      if (isInOneBall(part, used, slack)) continue;
      for (const surface of part.surfaces)
        listGaps(out, surface, used, resolution * size, { most: MOST_LISTED, finest: 0.1 * resolution * size, slack });
    }
    const gaps = new Float64Array(out.length / 3);
    let worst = 0;
    for (let i = 0; i < out.length; i += 3) {
      gaps[i / 3] = gapAt(used, out[i], out[i + 1], out[i + 2]);
      worst = Math.max(worst, gaps[i / 3]);
    }
    const found: { gap: number; point: number[] }[] = [];
    for (let n = 0; n < gaps.length; n++)
      if (gaps[n] >= WORTH * worst) found.push({ gap: gaps[n], point: out.slice(3 * n, 3 * n + 3) });
    return found.sort((p, q) => q.gap - p.gap);
  }

  /** Adds what is missing to every radius. */
  private close(state: CoverState): FittedLevel {
    const little = 2.5 * SOLID_SLACK * this.size;
    let spheres = usedBalls(state.balls);
    const grow = (by: number): void => {
      for (let i = 3; i < spheres.length; i += 4) spheres[i] += by;
    };
    grow(little);
    let proof = proveParts(this.parts, spheres, {});
    let share = little;
    for (let round = 1; !proof.proven && round < 12; round++) {
      const { interior, point } = proof.uncovered!;
      if (interior) {
        const holes = this.findHoles(spheres);
        const grown = new CoverState(holes.length > 0 ? holes : point, spheres);
        grown.adoptBare();
        spheres = usedBalls(grown.balls);
      }
      grow((interior ? 0 : 1.0001 * proof.gap) + share);
      share = Math.min(4 * share, LITTLE * this.size);
      proof = proveParts(this.parts, spheres, {});
    }
    return { spheres, proof };
  }
}

function usedBalls(balls: ArrayLike<number>): Float64Array {
  const out: number[] = [];
  for (let i = 0; i < balls.length; i += 4)
    if (balls[i + 3] > 0) out.push(balls[i], balls[i + 1], balls[i + 2], balls[i + 3]);
  return Float64Array.from(out);
}

function offsetsOf(points: readonly number[]): number[] {
  return Array.from({ length: points.length / 3 }, (_, i) => 3 * i);
}
