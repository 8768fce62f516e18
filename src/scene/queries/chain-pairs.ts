/**
 * Pairs of the links of one robot of many links in a row, from its ChainTree (self-contacts.ts).
 *
 * Comes before placements are brought up to date and does so only where something may touch: a robot alone that is free needs none.
 * Cost and sources: self-contacts.ts.
 */
import { LinkPairs } from '../../chain/link-pairs.js';
import { boxDistance, boxesOverlap } from '../bodies.js';
import type { Scene, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';
import { marginOfPair, orderById } from './pair-rules.js';
import type { NearVisitor, PairSource, PairVisitor } from './pair-source.js';
import { describeSelfCheck } from './self-check.js';
import { SelfContacts } from './self-contacts.js';

/** Of robots whose own links are searched by a ChainTree; null for the others. */
const known = new WeakMap<SceneRobot, SelfContacts | null>();

function selfContactsOf(robot: SceneRobot): SelfContacts | null {
  let contacts = known.get(robot);
  if (contacts === undefined) {
    contacts = describeSelfCheck(robot).method === 'chain tree' ? new SelfContacts(robot) : null;
    known.set(robot, contacts);
    if (contacts) robot.owned.push(contacts);
  }
  return contacts;
}

const touching = new LinkPairs();

export class ChainPairs implements PairSource {
  readonly isEmpty = false;
  readonly showsAllowed = false;
  readonly robot: SceneRobot;

  constructor(
    private readonly scene: Scene,
    private readonly contacts: SelfContacts,
    private readonly largest: number,
  ) {
    this.robot = contacts.robot;
  }

  /** Number of the links. */
  get size(): number {
    return this.contacts.bodies.length;
  }

  /** Where nearly all pairs are near, or moved, a hierarchy has nothing to skip. To be asked once a query. */
  isWorthFollowing(margin: number): boolean {
    return this.contacts.isWorthFollowing() && this.largest + margin <= this.contacts.widest;
  }

  /** The first pair that is found comes first. */
  visit(margin: number, _reach: number, visit: PairVisitor): boolean {
    const { scene, contacts, largest } = this;
    contacts.prepare(scene, margin, largest);
    if (!contacts.hasContact()) return true;
    updateScene(scene);
    const { contactA, contactB } = contacts;
    if (!this.offer(contactA, contactB, margin, visit)) return false;
    contacts.collectContacts(touching);
    for (let k = 0; k < touching.count; k++) {
      const i = touching.linkA(k);
      const j = touching.linkB(k);
      if ((i !== contactA || j !== contactB) && !this.offer(i, j, margin, visit)) return false;
    }
    return true;
  }

  visitNear(reach: number, radius: number, visit: NearVisitor): number {
    let limit = radius;
    this.visit(reach, reach, (a, b) => {
      const gap = boxDistance(a.box, b.box);
      if (gap <= limit) limit = visit(a, b, gap);
      return true;
    });
    return limit;
  }

  private offer(i: number, j: number, margin: number, visit: PairVisitor): boolean {
    const { bodies } = this.contacts;
    const [a, b] = orderById(bodies[i], bodies[j]);
    const bound = marginOfPair(this.scene, a, b) + margin;
    return !boxesOverlap(a.box, b.box, bound) || visit(a, b, bound);
  }
}

/** Of the scene's robots that have many links in a row. */
export function listChains(scene: Scene, largest: number): ChainPairs[] {
  const chains: ChainPairs[] = [];
  for (const robot of scene.robots) {
    const contacts = selfContactsOf(robot);
    if (contacts) chains.push(new ChainPairs(scene, contacts, largest));
  }
  return chains;
}
