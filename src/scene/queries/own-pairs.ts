/**
 * All pairs that one robot's motion can bring together, wherever things stand: among the bodies that it moves, and of those with
 * others. For what bounds motions pair by pair; queries of one moment ask sources by boxes (pair-source.ts). Cost: O(own x all).
 */
import type { Scene, SceneBody } from '../types.js';
import { marginOfPair, mayTouch } from './pair-rules.js';

export interface OwnPair {
  /** Among the robot's bodies. */
  readonly first: number;
  /** Among the robot's bodies too, or -1: `other` is not moved by it. */
  readonly second: number;
  readonly other: SceneBody;
  /** Of the pair, without a query's own. */
  readonly margin: number;
}

/** Pairs that no matrix allows, each body's with the robot's own first. */
export function listOwnPairs(scene: Scene, own: readonly SceneBody[], others: readonly SceneBody[]): OwnPair[] {
  const pairs: OwnPair[] = [];
  const list = (first: number, second: number, other: SceneBody): void => {
    const body = own[first];
    if (!mayTouch(scene, body, other)) pairs.push({ first, second, other, margin: marginOfPair(scene, body, other) });
  };
  for (let i = 0; i < own.length; i++) {
    for (let j = i + 1; j < own.length; j++) list(i, j, own[j]);
    for (const other of others) list(i, -1, other);
  }
  return pairs;
}
