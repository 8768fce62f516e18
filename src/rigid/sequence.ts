/**
 * In which order, and how, the parts of an assembly come apart; the reverse puts them together.
 *
 * Method: for each direction the directional blocking graph says which part is in the way of which (each pair proven by
 * certify-motion.ts, a translation longer than everything). A set of parts that nothing outside of it blocks comes out as one: the
 * strongly connected components without successors are the smallest such sets; single parts are taken before sets. A set of several
 * is then taken apart by itself, where it is. Where no direction lets go of anything, each part is searched for by the planner of
 * rigid-search.ts, then small sets of parts that touch nearest. Every step is certified.
 * Sources: Wilson, Latombe 1994, "Geometric reasoning about mechanical assembly", doi:10.1016/0004-3702(94)90048-5 (directional
 * blocking graphs); Tarjan 1972, "Depth-first search and linear graph algorithms", doi:10.1137/0201010.
 * Units as the meshes'. Paths are poses of the first part of a step; `displacements` move all of them, as poses of world.
 * Fails: `stuck` where nothing was found for any part, with who holds whom; `limit` where the queries ran out. Neither proves that
 * there is no way. Tested by sequence.test.ts.
 */

import { joinMeshes } from '../geometry/join-meshes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, multiplyTransform, poseToTransform, transformToPose } from '../math/transform.js';
import { findClosedSets } from './blocking-graph.js';
import { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import { listDirections } from './directions.js';
import { boundsOf, placeMesh } from './meshes.js';
import type { RigidPose } from './pose.js';
import { requireParts, requireSequenceOptions } from './requests.js';
import { takeOut } from './take-out.js';

export interface AssemblyPart {
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly pose: RigidPose;
}

export interface SequenceOptions {
  /** Queries of the planner per part, where no straight direction is free; default 100,000, 0 leaves it out. */
  readonly queriesPerPart?: number;
  /** Queries in all; default 50 million. */
  readonly maxQueries?: number;
  /** Name of the part that stays; default: the one with the largest box. */
  readonly base?: string;
  readonly shouldStop?: () => boolean;
  readonly onStep?: (step: SequenceStep) => void;
}

export interface SequenceStep {
  readonly parts: readonly string[];
  /** Poses of the first part. */
  readonly path: readonly RigidPose[];
  /** What moves all parts of the step from where they were, in world. */
  readonly displacements: readonly RigidPose[];
  readonly certified: true;
  /** `straight`, or what the planner found it by. */
  readonly method: string;
  /** Proven: nothing comes nearer. */
  readonly clearance: number;
}

export interface AssemblySequence {
  readonly status: 'solved' | 'stuck' | 'limit';
  readonly reason: string;
  /** In the order of taking apart. */
  readonly steps: readonly SequenceStep[];
  /** Pairs: the first has to be out before the second takes the way that it takes. */
  readonly precedence: readonly (readonly [string, string])[];
  readonly queries: number;
}

export function planSequence(parts: readonly AssemblyPart[], options: SequenceOptions = {}): AssemblySequence {
  requireParts('planSequence', parts);
  requireSequenceOptions('planSequence', options);
  const names = new Set(parts.map(({ name }) => name));
  if (names.size !== parts.length || parts.length === 0)
    throw new MisuseError('planSequence: parts, got none or two of one name, expected parts with different names');
  if (options.base !== undefined && !names.has(options.base))
    throwMisuse('planSequence', 'options.base', options.base, `one of ${[...names].join(', ')}`);
  const sequencer = new Sequencer(parts, options);
  try {
    return sequencer.run();
  } finally {
    sequencer.dispose();
  }
}

const DEFAULT_QUERIES_PER_PART = 100_000;
const DEFAULT_QUERIES = 50_000_000;
/** Sets of parts that are searched for, nearest first. */
const SETS = 6;

class Sequencer {
  private readonly meshes: TriangleMesh[];
  private readonly moves: RigidPose[];
  private readonly directions: Float64Array[];
  private readonly length: number;
  private readonly pairs = new Map<string, BodyPair>();
  private readonly blocked = new Map<string, boolean>();
  private readonly steps: SequenceStep[] = [];
  private readonly taken: Taken[] = [];
  private queries = 0;
  private limited = false;

  constructor(
    private readonly parts: readonly AssemblyPart[],
    private readonly options: SequenceOptions,
  ) {
    this.meshes = parts.map(({ mesh, pose }) => placeMesh(mesh, pose));
    this.moves = parts.map(() => Float64Array.of(0, 0, 0, 0, 0, 0, 1));
    this.directions = listDirections(this.meshes);
    const box = boundsOf(joinMeshes(this.meshes));
    this.length = 2.2 * Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (box[3 + k] - box[k]) ** 2, 0));
  }

  dispose(): void {
    for (const pair of this.pairs.values()) pair.dispose();
  }

  run(): AssemblySequence {
    const touching = this.findOverlap();
    if (touching) return this.end('stuck', touching);
    const groups: Group[] = [
      this.createGroup(
        0,
        this.parts.map((_, i) => i),
      ),
    ];
    for (let made = 1; groups.length > 0; ) {
      const group = groups[groups.length - 1];
      // What is alone is out, and in nobody's way any more.
      if (group.parts.length === 1) {
        groups.pop();
        continue;
      }
      if (this.options.shouldStop?.()) return this.end('limit', 'stopped from outside');
      const outside = groups.slice(0, -1).flatMap(({ parts }) => parts);
      const moved = this.takeStraight(group, outside) ?? this.takeByPlanner(group, outside);
      if (!moved) return this.end(this.limited ? 'limit' : 'stuck', this.explain(group.parts, outside));
      group.parts = group.parts.filter((i) => !moved.includes(i));
      if (moved.length > 1) groups.push(this.createGroup(made++, moved));
    }
    return this.end('solved', '');
  }

  /** Of a group the largest part stays where it is. */
  private createGroup(id: number, parts: number[]): Group {
    const given = id === 0 ? this.parts.findIndex(({ name }) => name === this.options.base) : -1;
    let base = given;
    let most = -1;
    for (const i of given < 0 ? parts : []) {
      const box = boundsOf(this.meshes[i]);
      const size = (box[3] - box[0]) * (box[4] - box[1]) * (box[5] - box[2]);
      if (size > most) {
        most = size;
        base = i;
      }
    }
    return { id, parts, base };
  }

  private end(status: AssemblySequence['status'], reason: string): AssemblySequence {
    let { queries } = this;
    for (const pair of this.pairs.values()) queries += pair.queries;
    return { status, reason, steps: this.steps, precedence: this.listPrecedence(), queries };
  }

  private findOverlap(): string | null {
    for (let i = 0; i < this.parts.length; i++)
      for (let j = i + 1; j < this.parts.length; j++) {
        if (areApart(this.meshes[i], this.meshes[j], null)) continue;
        if (!this.pairOf(i, j).collides(AT_HOME)) continue;
        return `"${this.parts[i].name}" and "${this.parts[j].name}" touch or overlap as they are placed: a part needs play to come out`;
      }
    return null;
  }

  /** The pair of i as the body and j as the obstacle, where they are now. */
  private pairOf(i: number, j: number): BodyPair {
    const key = `${i} ${j}`;
    let pair = this.pairs.get(key);
    if (!pair) {
      pair = new BodyPair(this.meshes[i], this.meshes[j], 2 * this.length);
      this.pairs.set(key, pair);
    }
    return pair;
  }

  /** Whether j is in the way of i along direction d. */
  private blocks(j: number, i: number, d: number): boolean {
    const key = `${i} ${j} ${d}`;
    const known = this.blocked.get(key);
    if (known !== undefined) return known;
    const way = Float64Array.from(this.directions[d], (x) => x * this.length);
    let answer = false;
    if (!areApart(this.meshes[i], this.meshes[j], way)) {
      const pair = this.pairOf(i, j);
      const end = Float64Array.of(way[0], way[1], way[2], 0, 0, 0, 1);
      answer = new MotionCertifier(pair).certify(createMotionProof(), AT_HOME, end).verdict !== 'free';
    }
    this.blocked.set(key, answer);
    return answer;
  }

  private takeStraight(from: Group, outside: readonly number[]): number[] | null {
    const group = from.parts;
    let best: { parts: number[]; direction: number } | null = null;
    for (let d = 0; d < this.directions.length; d++) {
      const sets = findClosedSets(
        group.length,
        (a, b) => this.blocks(group[b], group[a], d),
        (a) => outside.some((j) => this.blocks(j, group[a], d)),
      );
      for (const set of sets) {
        if (set.some((k) => group[k] === from.base) || (best && best.parts.length <= set.length)) continue;
        best = { parts: set.map((k) => group[k]).sort((a, b) => a - b), direction: d };
      }
      if (best?.parts.length === 1) break;
    }
    if (!best) return null;
    const way = Float64Array.from(this.directions[best.direction], (x) => x * this.length);
    this.record(best.parts, [AT_HOME, Float64Array.of(way[0], way[1], way[2], 0, 0, 0, 1)], from, outside, 'straight');
    return best.parts;
  }

  private takeByPlanner(from: Group, outside: readonly number[]): number[] | null {
    const group = from.parts;
    const each = this.options.queriesPerPart ?? DEFAULT_QUERIES_PER_PART;
    if (each === 0) return null;
    const candidates = [...group.map((i) => [i]), ...this.listNearSets(group)].filter(
      (set) => !set.includes(from.base),
    );
    for (const moving of candidates) {
      const rest = [...group.filter((i) => !moving.includes(i)), ...outside];
      if (this.options.shouldStop?.() || this.queries > (this.options.maxQueries ?? DEFAULT_QUERIES)) {
        this.limited = true;
        return null;
      }
      const plan = takeOut({
        part: joinMeshes(moving.map((i) => this.meshes[i])),
        obstacles: joinMeshes(rest.map((i) => this.meshes[i])),
        start: AT_HOME,
        maxQueries: each,
        shouldStop: this.options.shouldStop,
      });
      this.queries += plan.queries;
      if (plan.status !== 'solved') continue;
      this.record(moving, [...plan.path], from, outside, plan.method);
      return moving;
    }
    return null;
  }

  /** Pairs of parts whose boxes meet, nearest first. */
  private listNearSets(group: readonly number[]): number[][] {
    const sets: { parts: number[]; gap: number }[] = [];
    if (group.length < 3) return [];
    for (const i of group)
      for (const j of group) {
        if (j <= i) continue;
        const gap = this.pairOf(i, j).distance(AT_HOME);
        sets.push({ parts: [i, j], gap });
      }
    return sets
      .sort((a, b) => a.gap - b.gap)
      .slice(0, SETS)
      .map(({ parts }) => parts);
  }

  /** Enters a step, after one more proof of the whole of it, and puts the parts where it ends. */
  private record(
    moving: readonly number[],
    displacements: RigidPose[],
    from: Group,
    outside: readonly number[],
    method: string,
  ): void {
    const rest = [...from.parts.filter((i) => !moving.includes(i)), ...outside];
    const clearance = this.proveStep(moving, rest, displacements);
    const first = moving[0];
    const path = displacements.map((D) => compose(D, compose(this.moves[first], this.parts[first].pose)));
    const step: SequenceStep = {
      parts: moving.map((i) => this.parts[i].name),
      ...{ path, displacements, certified: true, method, clearance },
    };
    this.taken.push({ group: from.id, moving: [...moving], path: displacements, move: this.moves[first] });
    this.steps.push(step);
    this.options.onStep?.(step);
    const last = displacements[displacements.length - 1];
    for (const i of moving) {
      this.moves[i] = compose(last, this.moves[i]);
      this.meshes[i] = placeMesh(this.parts[i].mesh, compose(this.moves[i], this.parts[i].pose));
      this.forget(i);
    }
  }

  /** Proven gap of a step; throws where it cannot be proven, which would be a fault of this file. */
  private proveStep(moving: readonly number[], rest: readonly number[], displacements: readonly RigidPose[]): number {
    const pair = new BodyPair(
      joinMeshes(moving.map((i) => this.meshes[i])),
      joinMeshes(rest.map((i) => this.meshes[i])),
      2 * this.length,
    );
    try {
      const certifier = new MotionCertifier(pair);
      const proof = createMotionProof();
      let clearance = Infinity;
      for (let k = 0; k + 1 < displacements.length; k++) {
        certifier.certify(proof, displacements[k], displacements[k + 1], 0.5);
        if (proof.verdict !== 'free') throw new Error(`a step was found that is ${proof.verdict} at ${proof.t}`);
        clearance = Math.min(clearance, proof.bound);
      }
      return clearance;
    } finally {
      this.queries += pair.queries;
      pair.dispose();
    }
  }

  private forget(i: number): void {
    for (const [key, pair] of this.pairs) {
      if (!key.split(' ').includes(String(i))) continue;
      this.queries += pair.queries;
      pair.dispose();
      this.pairs.delete(key);
    }
    for (const key of this.blocked.keys()) {
      const [a, b] = key.split(' ');
      if (a === String(i) || b === String(i)) this.blocked.delete(key);
    }
  }

  /** Who holds whom: for each part the fewest others (greedily) of which one is in its way in every direction. */
  private explain(group: readonly number[], outside: readonly number[]): string {
    const sentences = group.map((i) => {
      const left = new Set(this.directions.map((_, d) => d));
      const holders: string[] = [];
      const others = [...group, ...outside].filter((j) => j !== i);
      while (left.size > 0) {
        let most = 0;
        let holder = -1;
        for (const j of others) {
          const count = [...left].filter((d) => this.blocks(j, i, d)).length;
          if (count > most) {
            most = count;
            holder = j;
          }
        }
        if (holder < 0) break;
        for (const d of [...left]) if (this.blocks(holder, i, d)) left.delete(d);
        holders.push(`"${this.parts[holder].name}"`);
      }
      return `"${this.parts[i].name}" is held by ${holders.join(' and ')} in every direction tried`;
    });
    const each = this.options.queriesPerPart ?? DEFAULT_QUERIES_PER_PART;
    const searched = each > 0 ? `; the planner found no other way within ${each} queries each` : '';
    return `${sentences.join('; ')}${searched}`;
  }

  /** [a, b] where a, which was taken before b out of the same whole, would be in the way that b takes. */
  private listPrecedence(): [string, string][] {
    const out: [string, string][] = [];
    this.taken.forEach((step, k) => {
      const before = this.taken.slice(0, k).filter(({ group }) => group === step.group);
      for (const a of before.flatMap(({ moving }) => moving))
        for (const b of step.moving)
          if (this.isInTheWay(a, b, step)) out.push([this.parts[a].name, this.parts[b].name]);
    });
    return out;
  }

  private isInTheWay(a: number, b: number, { path, move }: Taken): boolean {
    const [body, obstacle] = [b, a].map((i) => placeMesh(this.parts[i].mesh, compose(move, this.parts[i].pose)));
    const pair = new BodyPair(body, obstacle, 2 * this.length);
    const certifier = new MotionCertifier(pair);
    const proof = createMotionProof();
    let free = true;
    for (let k = 0; k + 1 < path.length && free; k++)
      free = certifier.certify(proof, path[k], path[k + 1]).verdict === 'free';
    this.queries += pair.queries;
    pair.dispose();
    return !free;
  }
}

/** Parts that hang together: the assembly, then sets that came out as one. */
interface Group {
  readonly id: number;
  /** Does not move. */
  readonly base: number;
  parts: number[];
}

interface Taken {
  readonly group: number;
  readonly moving: readonly number[];
  readonly path: readonly RigidPose[];
  /** What had moved the parts before. */
  readonly move: RigidPose;
}

const AT_HOME: RigidPose = Float64Array.of(0, 0, 0, 0, 0, 0, 1);

/** Whether boxes stay apart while the first goes straight (null: as it stands). */
function areApart(a: TriangleMesh, b: TriangleMesh, way: Float64Array | null): boolean {
  const p = boundsOf(a);
  const q = boundsOf(b);
  for (let k = 0; k < 3; k++) {
    const low = p[k] + Math.min(0, way?.[k] ?? 0);
    const high = p[3 + k] + Math.max(0, way?.[k] ?? 0);
    const margin = 1e-9 * (Math.abs(low) + Math.abs(high) + Math.abs(q[k]) + Math.abs(q[3 + k]));
    if (low > q[3 + k] + margin || high < q[k] - margin) return true;
  }
  return false;
}

function compose(a: RigidPose, b: RigidPose): RigidPose {
  if (a.every((x, k) => x === AT_HOME[k])) return b;
  if (a[3] === 0 && a[4] === 0 && a[5] === 0) return Float64Array.from(b, (x, k) => (k < 3 ? x + a[k] : x));
  const X = poseToTransform(createTransform(), a);
  multiplyTransform(X, X, poseToTransform(createTransform(), b));
  return transformToPose(new Float64Array(7), X);
}
