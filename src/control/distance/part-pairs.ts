/**
 * All pairs of parts (one geometry each) that a robot's motion can bring together, with bodies to measure them by.
 *
 * A body of several geometries is near many things at once, while the distance of two bodies names one pair of them only: optimisers see
 * every geometry. Pairs come body by body, so that boxes of bodies leave most of them out. Frames: W. Cost: O(pairs of parts) once.
 */
import type { Body, BodyPart } from '../../scene/bodies.js';
import type { Variation } from '../../scene/context.js';
import { listOwnPairs } from '../../scene/queries/own-pairs.js';
import { listOtherBodies } from '../../scene/queries/pair-rules.js';
import type { SceneBody, SceneRobot } from '../../scene/types.js';

/** Where a body hangs: a frame of a robot, or nowhere. */
export interface Carrier {
  readonly robot: SceneRobot;
  readonly frame: number;
}

export interface PartPair {
  readonly a: SceneBody;
  readonly b: SceneBody;
  /** Bodies of one part each, at the same places. */
  readonly partA: Body;
  readonly partB: Body;
  /** Of the pair of bodies. */
  readonly margin: number;
  /** Among `carriers`; -1: what stands still. */
  readonly carrierA: number;
  readonly carrierB: number;
}

export interface BodyPairParts {
  readonly a: SceneBody;
  readonly b: SceneBody;
  /** First of its pairs of parts, and behind the last. */
  readonly from: number;
  readonly to: number;
}

export interface PartPairs {
  readonly carriers: readonly Carrier[];
  readonly bodies: readonly BodyPairParts[];
  readonly parts: readonly PartPair[];
}

/** A body that is one part of another, by the same numbers. */
function toBody(body: SceneBody, part: BodyPart): Body {
  const { id, name, margin } = body;
  return { id, name, margin, parts: [part], worldPlacement: part.worldPlacement, box: part.box, version: 0 };
}

export function listPartPairs(scene: Variation): PartPairs {
  const { robot } = scene;
  const carriers: Carrier[] = [];
  const places = new Map<SceneBody, number>();
  const carry = (body: SceneBody, carrier: Carrier): void => {
    let place = carriers.findIndex((other) => other.robot === carrier.robot && other.frame === carrier.frame);
    if (place < 0) place = carriers.push(carrier) - 1;
    places.set(body, place);
  };
  for (const other of scene.robots) {
    for (const { body, frame } of other.links) carry(body, { robot: other, frame });
    for (const { body, attachment } of other.attached) carry(body, { robot: other, frame: attachment!.frame });
  }
  const own: SceneBody[] = robot.links.map(({ body }) => body);
  for (const { body } of robot.attached) own.push(body);
  const single = new Map<SceneBody, readonly Body[]>();
  const partsOf = (body: SceneBody): readonly Body[] => {
    let list = single.get(body);
    if (!list) {
      list = body.parts.map((part) => toBody(body, part));
      single.set(body, list);
    }
    return list;
  };
  const bodies: BodyPairParts[] = [];
  const parts: PartPair[] = [];
  for (const { first, other: b, margin } of listOwnPairs(scene, own, listOtherBodies(scene, new Set(own)))) {
    const a = own[first];
    const carrierA = places.get(a)!;
    const carrierB = places.get(b) ?? -1;
    // What hangs on one frame never comes nearer.
    if (carrierA === carrierB) continue;
    const from = parts.length;
    for (const partA of partsOf(a))
      for (const partB of partsOf(b)) parts.push({ a, b, partA, partB, margin, carrierA, carrierB });
    bodies.push({ a, b, from, to: parts.length });
  }
  return { carriers, bodies, parts };
}
