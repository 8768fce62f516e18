/**
 * What a compiled check and the generic kernel share: where everything is in a robot's memory, the traced programs, the pairs with the sizes
 * that they are compared by, and the numbers that lie there from the start.
 *
 * Tested by compile-sphere-checks.test.ts and test/contract/sphere-tiers.test.ts.
 */
import type { SphereModel } from '../../geometry/sphere-model.js';
import type { Model } from '../../model/model.js';
import type { Expression } from '../expression-graph.js';
import type { CellLayout } from '../layout.js';
import type { Output, TracedProgram } from '../program.js';
import type { Mechanism } from '../trace-mechanism.js';
import type { Vector } from '../vector-expressions.js';
import { CERTIFICATE_INTERVALS } from './certificate-format.js';
import { type ClusterBall, clusterLinks, clusterPairs, type LinkCluster, type PairCluster } from './clusters.js';
import { type CertifyAddresses, STACK_ENTRIES } from './emit-certify.js';
import { CENTER_BYTES } from './emit-obstacles.js';
import type { PlacedBall, PlacedLink } from './emit-self.js';
import type { EnvironmentAddresses } from './environment.js';
import { AddressSpace, CELL, layOutTrace } from './layout.js';
import { tabulateLevers } from './levers.js';
import { ROW_BYTES } from './obstacle-records.js';
import type { SphereCheckOptions } from './options.js';
import { isLongPlan, type PairPlan, planPairs, requireProofFor } from './pair-plan.js';
import { boundPointError, UNIT } from './rounding.js';
import { type CheckedLink, createSphereRobot, FrozenGraph, type SphereRobot } from './sphere-robot.js';

const DEFAULT_ENVIRONMENT = 2 ** 20;
/** States that callers from JavaScript have room for. */
const ARGUMENTS = 8;

export interface ModuleRequest extends SphereCheckOptions {
  readonly spheres: SphereModel;
  readonly indices: readonly number[];
  readonly rest: Float64Array;
}

/** Where a link's data are. */
export interface LinkAddresses {
  readonly ball: number;
  readonly ballRadius: number;
  readonly spheres: number;
  readonly radii: number;
  /** Number of spheres beside the ball: 0 for a link that is one. */
  readonly count: number;
}

/** A cluster of links: where its ball, the ball's radius and the row of its obstacles are. */
export interface PlacedCluster extends LinkCluster {
  readonly address: number;
  readonly radius: number;
  readonly row: number;
}

/** The centre of a ball: in the traced frame of a joint, and the address of where it is put. */
interface CentrePlace {
  readonly joint: number;
  readonly centre: Float64Array;
  readonly address: number;
}

export class CheckLayout {
  protected readonly count: number;
  protected readonly at: { start: number; delta: number; weights: number; pairs: number };
  private readonly argumentsAt: number;
  protected readonly stamp: number;
  protected readonly stamps: number;
  protected readonly rows: number;
  protected readonly radii: number;
  protected readonly addresses: LinkAddresses[] = [];
  protected readonly radiusValues: number[] = [];
  protected readonly certify: CertifyAddresses;
  /** Address of a growth of nothing. */
  protected readonly nothing: number;
  /** Room for a centre at four configurations. */
  protected readonly scratch: number;
  protected readonly plans: readonly PairPlan[];
  protected readonly clusters: readonly PlacedCluster[];
  protected readonly pairClusters: readonly PairCluster[];
  /** Room for a growth of a cluster, and for one of it against an obstacle. */
  protected readonly clusterGrowth: number;
  /** Balls around some spheres of a link: what pairs are compared by first. */
  private readonly balls: { readonly link: number; readonly ball: Float64Array; readonly address: number }[] = [];
  private readonly clusterBalls = new Map<ClusterBall, number>();
  /** Centres that every check needs; those that are needed beside: by each cluster of links, pairs, each cluster of pairs. */
  private readonly centres: CentrePlace[];
  private readonly laterCentres: CentrePlace[][];

  /** `clustered`: links that move as one are looked at together first. */
  constructor(
    readonly robot: SphereRobot,
    protected readonly layout: CellLayout,
    protected readonly space: AddressSpace,
    protected readonly request: ModuleRequest,
    clustered = false,
  ) {
    this.count = robot.coordinates.length;
    this.at = {
      start: space.take(8 * this.count),
      delta: space.take(8 * this.count),
      weights: space.take(8 * this.count),
      pairs: space.take(32 * this.count),
    };
    this.argumentsAt = space.take(8 * this.count * ARGUMENTS);
    this.stamp = space.take(4);
    this.stamps = space.take(4 * robot.links.length);
    const clusters = clustered ? clusterLinks(robot) : [];
    this.rows = space.take(ROW_BYTES * (robot.links.length + clusters.length));
    const spheres = robot.links.reduce((sum, link) => sum + link.errors.length, 0);
    this.radii = space.take(4 * (spheres + robot.links.length + clusters.length));
    for (const link of robot.links) this.addresses.push(this.placeLink(link));
    this.clusters = clusters.map((cluster, c) => ({
      ...cluster,
      address: this.keepClusterBall(cluster.ball),
      radius: this.storeRadius(cluster.ball.size),
      row: this.rows + ROW_BYTES * (robot.links.length + c),
    }));
    this.clusterGrowth = space.take(2 * CELL);
    this.plans = planPairs(robot, request.never);
    this.pairClusters = clustered ? clusterPairs(robot, this.plans) : [];
    for (const { balls } of this.pairClusters) for (const ball of balls ?? []) this.keepClusterBall(ball);
    for (const { first, second, balls } of this.plans) {
      this.keepBall(first, balls[0]);
      this.keepBall(second, balls[1]);
    }
    const together = new Set(this.clusters.flatMap(({ links }) => links));
    const grouped = new Set(this.pairClusters.flatMap(({ plans, balls }) => (balls ? plans : [])));
    const ofSweeps = [
      ...this.clusters.map(({ ball }) => this.centreOfCluster(ball)),
      ...robot.links.flatMap((_, k) => (together.has(k) ? [] : [this.centreOf(k)])),
    ];
    const ofPairs = [
      ...this.pairClusters.flatMap(({ balls }) => (balls ?? []).map((ball) => this.centreOfCluster(ball))),
      ...this.plans.flatMap((plan, p) => (grouped.has(p) ? [] : this.centresOfPlan(plan))),
    ];
    this.centres = withoutDoubles(clustered ? ofSweeps : [...ofSweeps, ...ofPairs], []);
    const later = clustered ? withoutDoubles(ofPairs, this.centres) : [];
    const known = [...this.centres, ...later];
    this.laterCentres = [
      ...this.clusters
        .map(({ links }) => links.map((k) => this.centreOf(k)))
        .map((list) => withoutDoubles(list, this.centres)),
      ...(clustered ? [later] : []),
      ...this.pairClusters.map(({ plans }) =>
        withoutDoubles(
          plans.flatMap((p) => this.centresOfPlan(this.plans[p])),
          known,
        ),
      ),
    ];
    // Rows of links, then of pairs; at least one, and a multiple of four.
    const rows = 4 * Math.max(1, Math.ceil((robot.links.length + this.plans.length) / 4));
    this.certify = {
      delta: this.at.delta,
      levers: space.take(8 * rows * Math.max(this.count, 1)),
      rows,
      speeds: space.take(4 * rows),
      growth: space.take(4 * rows),
      stack: space.take(16 * STACK_ENTRIES),
      failed: space.take(16),
      count: space.take(8),
      intervals: space.take(16 * CERTIFICATE_INTERVALS),
    };
    this.nothing = space.take(4);
    this.scratch = space.take(48);
  }

  /** Radii grow by the errors and by the rounding of their own sums and squares. */
  private storeRadius(radius: number): number {
    return this.radii + 4 * (this.radiusValues.push(radius * (1 + 16 * UNIT)) - 1);
  }

  private placeLink(link: CheckedLink): LinkAddresses {
    const ball = this.space.take(CENTER_BYTES);
    const ballRadius = this.storeRadius(link.bound[3] + link.boundError);
    const n = link.errors.length;
    if (n === 1) return { ball, ballRadius, spheres: ball, radii: ballRadius, count: 0 };
    const spheres = this.space.take(CENTER_BYTES * n);
    const radii = link.errors.map((_, i) => this.storeRadius(link.spheres[4 * i + 3] + link.errors[i]))[0];
    return { ball, ballRadius, spheres, radii, count: n };
  }

  /** The trace's world frames of all joints. */
  private traceFrames(mechanism: Mechanism): { rotation: readonly Expression[]; position: Vector }[] {
    const { vectors, joints } = mechanism;
    const world: { rotation: readonly Expression[]; position: Vector }[] = [mechanism.traceBase()];
    for (let j = 1; j < joints.length; j++) {
      const P = world[joints[j].parent];
      world.push({
        rotation: vectors.rotateRows(P.rotation, joints[j].rotation),
        position: vectors.add(vectors.multiplyMatrix(P.rotation, joints[j].position), P.position),
      });
    }
    return world;
  }

  private readonly frameCells = new Map<number, number>();
  private constantsOfFrames = new Map<number, number>();

  private centreOf(k: number): CentrePlace {
    const { joint, bound } = this.robot.links[k];
    return { joint, centre: bound, address: this.addresses[k].ball };
  }

  private centreOfCluster(ball: ClusterBall): CentrePlace {
    return { joint: ball.anchor, centre: ball.centre, address: this.clusterBalls.get(ball) as number };
  }

  /** Of the balls that a pair of links is compared by. */
  private centresOfPlan(plan: PairPlan): CentrePlace[] {
    return [plan.first, plan.second].flatMap((k, i) => {
      const ball = plan.balls[i];
      const known = ball && this.findBall(k, ball);
      const needsOwn = ball === null || this.addresses[k].count === 0 || isLongPlan(plan);
      return [
        ...(known ? [{ joint: this.robot.links[k].joint, centre: known.ball, address: known.address }] : []),
        ...(needsOwn ? [this.centreOf(k)] : []),
      ];
    });
  }

  /** Centres that every check needs, and the frames of joints on which others are. */
  protected traceKinematics(): TracedProgram {
    const { mechanism, links } = this.robot;
    const { vectors, graph } = mechanism;
    const world = this.traceFrames(mechanism);
    const outputs: Output[] = [];
    for (const { joint, centre, address } of this.centres) {
      const turned = vectors.multiplyMatrix(world[joint].rotation, vectors.vector(centre));
      vectors.add(turned, world[joint].position).forEach((value, i) => {
        outputs.push({ cell: address / CELL + i, value });
      });
    }
    const joints = [
      ...links.filter((_, k) => this.addresses[k].count > 0).map(({ joint }) => joint),
      ...this.laterCentres.flatMap((list) => list.map(({ joint }) => joint)),
    ];
    for (const joint of new Set(joints)) {
      const { start } = this.space.cells(12);
      this.frameCells.set(joint, start);
      [...world[joint].rotation, ...world[joint].position].forEach((value, i) => {
        const known = graph.valueOf(value);
        if (!Number.isNaN(known)) this.constantsOfFrames.set(start + i, known);
        else outputs.push({ cell: start + i, value });
      });
    }
    return { name: 'kinematics', graph, outputs };
  }

  protected traceSpheres(k: number): TracedProgram {
    const { joint, spheres: inJoint } = this.robot.links[k];
    const { count, spheres } = this.addresses[k];
    return this.traceCentres(
      Array.from({ length: count }, (_, n) => ({
        ...{ joint, centre: inJoint.subarray(4 * n, 4 * n + 3), address: spheres + CENTER_BYTES * n },
      })),
    );
  }

  /** From the frames of their joints. */
  private traceCentres(list: readonly CentrePlace[]): TracedProgram {
    const graph = new FrozenGraph(this.constantsOfFrames);
    const outputs: Output[] = [];
    for (const { joint, centre, address } of list) {
      const cell = this.frameCells.get(joint) as number;
      const entry = (i: number): Expression => graph.input(cell + i);
      const p = [0, 1, 2].map((i) => graph.constant(centre[i]));
      for (let r = 0; r < 3; r++) {
        let sum = graph.constant(0);
        for (let i = 0; i < 3; i++) sum = graph.add(sum, graph.multiply(entry(3 * r + i), p[i]));
        outputs.push({ cell: address / CELL + r, value: graph.add(sum, entry(9 + r)) });
      }
    }
    return { name: 'spheres', graph, outputs };
  }

  /** The address of a ball's centre; the same for the same ball of a link. */
  private keepBall(link: number, ball: Float64Array | null): void {
    if (ball === null || this.findBall(link, ball)) return;
    this.balls.push({ link, ball, address: this.space.take(CENTER_BYTES) });
  }

  /** The address of its centre, the same for the same ball. */
  private keepClusterBall(ball: ClusterBall): number {
    const same = [...this.clusterBalls.keys()].find(
      (known) => known.anchor === ball.anchor && known.centre.every((x, i) => x === ball.centre[i]),
    );
    const address = same ? (this.clusterBalls.get(same) as number) : this.space.take(CENTER_BYTES);
    this.clusterBalls.set(ball, address);
    return address;
  }

  protected placedCluster(ball: ClusterBall): PlacedBall {
    const margin = 0.5 * Math.max(this.request.margin ?? 0, 0);
    return { address: this.clusterBalls.get(ball) as number, size: ball.size + margin };
  }

  private findBall(
    link: number,
    ball: Float64Array,
  ): { readonly ball: Float64Array; readonly address: number } | undefined {
    return this.balls.find((known) => known.link === link && known.ball.every((x, i) => x === ball[i]));
  }

  protected placed(k: number, ball: Float64Array | null): PlacedLink {
    const link = this.robot.links[k];
    const { ball: own, spheres, count } = this.addresses[k];
    const margin = 0.5 * Math.max(this.request.margin ?? 0, 0);
    const ofLink: PlacedBall = { address: own, size: link.bound[3] + link.boundError + margin };
    const [x, y, z, r] = ball ?? link.bound;
    const error = boundPointError(this.robot.errors[link.joint], Math.sqrt(x * x + y * y + z * z));
    return {
      ball: ball
        ? { address: (this.findBall(k, ball) as { address: number }).address, size: r + error + margin }
        : ofLink,
      spheres:
        count === 0
          ? [ofLink]
          : Array.from(link.errors, (error, i) => ({
              address: spheres + CENTER_BYTES * i,
              size: link.spheres[4 * i + 3] + error + margin,
            })),
    };
  }

  protected tipFirst(): number[] {
    const { links, model } = this.robot;
    const depth = (k: number): number => (links[k].isStill ? -1 : model.supports[links[k].joint].length);
    return links.map((_, k) => k).sort((a, b) => depth(b) - depth(a) || a - b);
  }

  /** Sum of the largest growths of two spheres, and rounding of their sum. */
  protected boundLoss(): number {
    let error = 0;
    let radius = 0;
    for (const link of this.robot.links) {
      for (const value of link.errors) error = Math.max(error, value);
      for (let i = 3; i < link.spheres.length; i += 4) radius = Math.max(radius, link.spheres[i]);
    }
    return 4 * error + 64 * UNIT * radius;
  }

  /** The kinematics, the spheres of each link, then the centres that are needed beside: see `laterCentres`. */
  protected tracePrograms(): TracedProgram[] {
    return [
      this.traceKinematics(),
      ...this.robot.links.map((_, k) => this.traceSpheres(k)),
      ...this.laterCentres.map((list) => this.traceCentres(list)),
    ];
  }

  protected get margin(): number {
    return Math.max(this.request.margin ?? 0, 0);
  }

  /** Room for obstacles, the last of all. */
  protected takeEnvironment(): EnvironmentAddresses {
    const start = this.space.take(this.request.environmentBytes ?? DEFAULT_ENVIRONMENT);
    return { rows: this.rows, clusters: this.clusters.map(({ links }) => links), start, end: this.space.end };
  }

  /** Numbers that lie there from the start. */
  protected listData(): { address: number; bytes: Uint8Array }[] {
    const { robot } = this;
    const linksOf = this.plans.map(({ first, second }) => [first, second] as const);
    return [
      { address: this.at.weights, bytes: new Uint8Array(new Float64Array(this.count).fill(1).buffer) },
      { address: this.radii, bytes: new Uint8Array(Float32Array.from(this.radiusValues).buffer) },
      { address: this.certify.levers, bytes: new Uint8Array(tabulateLevers(robot, linksOf).buffer) },
    ];
  }

  /** What others are told of: names and addresses. */
  protected listAddresses(): [string, number][] {
    return [
      ['weights', this.at.weights],
      ['arguments', this.argumentsAt],
      ['failed', this.certify.failed],
      ['certificate', this.certify.count],
      ['intervals', this.certify.intervals],
      ['heapBase', this.space.end],
    ];
  }

  protected countPairs(): { linkPairs: number; spherePairs: number } {
    let spherePairs = 0;
    for (const { rows } of this.plans) for (const { others } of rows) spherePairs += others.length;
    return { linkPairs: this.plans.length, spherePairs };
  }
}

function withoutDoubles(list: readonly CentrePlace[], known: readonly CentrePlace[]): CentrePlace[] {
  const addresses = new Set(known.map(({ address }) => address));
  return [...new Map(list.map((each) => [each.address, each])).values()].filter(
    ({ address }) => !addresses.has(address),
  );
}

/** The robot of a request, and where its trace reads. */
export function openLayout(
  call: string,
  model: Model,
  request: ModuleRequest,
): readonly [SphereRobot, CellLayout, AddressSpace, ModuleRequest] {
  const space = new AddressSpace();
  const layout = layOutTrace(space, model);
  const robot = createSphereRobot(call, model, layout, { ...request, carried: request.carried ?? [] });
  const { never, indices, rest, margin = 0 } = request;
  if (never) requireProofFor(call, never, indices, rest, margin);
  return [robot, layout, space, request];
}
