/** What the commands of free bodies print and write. */
import { writeFileSync } from 'node:fs';
import { atan2 } from '../math/scalar.js';
import type { RigidPathProof } from '../rigid/certify-path.js';
import { angleBetween, type RigidPose } from '../rigid/pose.js';
import type { RigidGroup } from '../rigid/problem.js';
import type { RigidStatus } from '../rigid/rigid-search.js';
import { ExitStatus } from './exit.js';
import { toJson } from './json-lines.js';
import { formatNumber } from './words.js';

export const RIGID_EXITS: Readonly<Record<RigidStatus, ExitStatus>> = {
  solved: ExitStatus.done,
  'invalid-start': ExitStatus.negative,
  'invalid-goal': ExitStatus.negative,
  limit: ExitStatus.limit,
  timeout: ExitStatus.limit,
};

/** Poses with quaternions that go on from one to the next, and with angles that do where the body is planar. */
export function toStates(path: readonly RigidPose[], group: RigidGroup): Record<string, unknown>[] {
  let sign = 1;
  let before = 0;
  return path.map((pose, i) => {
    if (i > 0) {
      let dot = 0;
      for (let k = 3; k < 7; k++) dot += sign * path[i - 1][k] * pose[k];
      // The goal stays as it was given.
      sign = dot < 0 && i + 1 < path.length ? -1 : 1;
    }
    const quaternion = [...pose.subarray(3)].map((x) => (sign < 0 ? -x : x));
    const state: Record<string, unknown> = { position: [...pose.subarray(0, 3)], quaternion_xyzw: quaternion };
    if (group === 'SE2') {
      let theta = 2 * atan2(pose[5], pose[6]);
      if (i > 0) theta -= 2 * Math.PI * Math.round((theta - before) / (2 * Math.PI));
      before = theta;
      state.theta = theta;
    }
    return state;
  });
}

/** Way of the origin, and turn in radians. */
export function measurePath(path: readonly RigidPose[]): { length: number; turn: number } {
  let length = 0;
  let turn = 0;
  for (let i = 1; i < path.length; i++) {
    let square = 0;
    for (let k = 0; k < 3; k++) square += (path[i][k] - path[i - 1][k]) ** 2;
    length += Math.sqrt(square);
    turn += angleBetween(path[i - 1], path[i]);
  }
  return { length, turn };
}

export function writeCertificate(file: string, path: readonly RigidPose[], proof: RigidPathProof): void {
  const certificate = { format: 'rigid-certificate/1', path, motions: proof.certificate?.motions ?? [] };
  writeFileSync(file, `${toJson(certificate)}\n`);
}

export function describePose(pose: RigidPose): string {
  return `  ${[...pose].map((x) => formatNumber(x)).join(' ')}`;
}
