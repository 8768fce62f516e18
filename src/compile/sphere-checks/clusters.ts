/**
 * Links that move as one, and one ball around them that compiled checks look at before the links.
 *
 * Method: the joints between links of a cluster do not vary, so that the links hang rigidly on one joint, the anchor: a gripper of ten links
 * is one body among obstacles. Where the ball around all their spheres is apart from an obstacle, so is every link; and where balls
 * around the spheres of two clusters that are compared with each other are apart, so are all their pairs. A ball only saves time: it is larger
 * by more than rounding can move any of what it holds, so that no verdict depends on it.
 * Cost: one ball per cluster, and two per pair of clusters. Tested by clusters.test.ts and test/contract/sphere-tiers.test.ts.
 */
import { encloseSpheres } from './enclose-spheres.js';
import type { PairPlan } from './pair-plan.js';
import { boundPointError } from './rounding.js';
import type { SphereRobot } from './sphere-robot.js';

/** Fewer links, or pairs of links, are looked at one by one. */
const LEAST = 3;
/** Errors of places, in the largest one's: of the ball, of what it holds, and of what they are compared by. */
const ERRORS = 8;

export interface ClusterBall {
  readonly anchor: number;
  /** x, y, z in the traced frame of the anchor. */
  readonly centre: Float64Array;
  /** Radius and all that rounding can lose. */
  readonly size: number;
}

export interface LinkCluster {
  /** Indices of links. */
  readonly links: readonly number[];
  readonly ball: ClusterBall;
}

export interface PairCluster {
  /** Indices of plans. */
  readonly plans: readonly number[];
  /** Null: the pairs are compared without. */
  readonly balls: readonly [ClusterBall, ClusterBall] | null;
}

/** Links that move together, three or more. */
export function clusterLinks(robot: SphereRobot): LinkCluster[] {
  const byAnchor = new Map<number, number[]>();
  robot.links.forEach(({ anchor, isStill }, k) => {
    if (!isStill) byAnchor.set(anchor, [...(byAnchor.get(anchor) ?? []), k]);
  });
  return [...byAnchor.values()]
    .filter((links) => links.length >= LEAST)
    .map((links) => ({
      links,
      ball: encloseSome(
        robot,
        links.flatMap((k) => listSpheres(robot, k)),
      ),
    }));
}

/** All plans, those between the same two anchors together. */
export function clusterPairs(robot: SphereRobot, plans: readonly PairPlan[]): PairCluster[] {
  const { links } = robot;
  const byAnchors = new Map<string, number[]>();
  plans.forEach(({ first, second }, p) => {
    const anchors = [links[first].anchor, links[second].anchor].sort((a, b) => a - b).join(' ');
    byAnchors.set(anchors, [...(byAnchors.get(anchors) ?? []), p]);
  });
  return [...byAnchors.values()].map((own) => {
    const anchor = links[plans[own[0]].first].anchor;
    const other = links[plans[own[0]].second].anchor;
    if (own.length < LEAST || anchor === other) return { plans: own, balls: null };
    const sides = [anchor, other].map((side) =>
      encloseSome(
        robot,
        own.flatMap((p) => listCompared(plans[p], (k) => links[k].anchor === side)),
      ),
    );
    return { plans: own, balls: [sides[0], sides[1]] };
  });
}

/** A sphere: link and number. */
type SphereOf = readonly [number, number];

function listSpheres({ links }: SphereRobot, k: number): SphereOf[] {
  return Array.from(links[k].errors, (_, n) => [k, n] as const);
}

function listCompared({ first, second, rows }: PairPlan, isOfSide: (link: number) => boolean): SphereOf[] {
  return rows.flatMap(({ sphere, others }) => [
    ...(isOfSide(first) ? [[first, sphere] as const] : []),
    ...(isOfSide(second) ? others.map((n) => [second, n] as const) : []),
  ]);
}

/** Of one anchor. */
function encloseSome({ links, errors }: SphereRobot, spheres: readonly SphereOf[]): ClusterBall {
  const { anchor } = links[spheres[0][0]];
  const ball = encloseSpheres(
    Float64Array.from(spheres.flatMap(([k, n]) => [...links[k].inAnchor.subarray(4 * n, 4 * n + 4)])),
  );
  const [x, y, z, radius] = ball;
  const own = boundPointError(errors[anchor], Math.sqrt(x * x + y * y + z * z));
  const most = spheres.reduce((sum, [k, n]) => Math.max(sum, links[k].errors[n], links[k].boundError), own);
  return { anchor, centre: ball.subarray(0, 3), size: radius + ERRORS * most };
}
