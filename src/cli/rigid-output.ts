/** What the commands of free bodies print and write. */
import { writeFileSync } from 'node:fs';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { writeStl } from '../io/mesh/stl.js';
import { writeGlb } from '../io/mesh/write-glb.js';
import { atan2 } from '../math/scalar.js';
import type { RigidPathProof } from '../rigid/certify-path.js';
import { boundsOf } from '../rigid/meshes.js';
import { angleBetween, type RigidPose } from '../rigid/pose.js';
import type { RigidGroup } from '../rigid/problem.js';
import type { RigidStatus } from '../rigid/rigid-search.js';
import { type SweptVolume, sweepRigidPath } from '../rigid/swept-volume.js';
import { ExitStatus } from './exit.js';
import { toJson } from './json-lines.js';
import type { SweptArguments } from './rigid-arguments.js';
import { countOf, formatNumber } from './words.js';

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

/** What is proven of all of the path, and per motion the least distance that was measured on it. */
export function listClearances({ clearance, certificate }: RigidPathProof): Record<string, unknown> {
  const clearances = (certificate?.motions ?? []).map(({ balls }) =>
    balls.reduce((least, d, i) => (i % 2 === 1 && d < least ? d : least), Infinity),
  );
  return { clearance, clearances };
}

/** Writes what a body sweeps, where that is asked for. */
export function writeSwept(
  { swept: file, sweptCell }: SweptArguments,
  body: TriangleMesh,
  others: readonly TriangleMesh[],
  path: readonly RigidPose[],
): SweptVolume | null {
  if (file === undefined) return null;
  const swept = sweepRigidPath(body, path, sweptCell === undefined ? {} : { cell: sweptCell });
  writeFileSync(file, /\.glb$/i.test(file) ? toGlb(body, others, path, swept.mesh) : writeStl(swept.mesh));
  return swept;
}

export function describeSwept({ mesh, cell, excess, volume, enclosed }: SweptVolume): Record<string, unknown> {
  return { triangles: mesh.triangles.length / 3, watertight: true, cell, excess, volume, enclosed };
}

export function sweptLine({ mesh, volume, excess }: SweptVolume): string {
  return `swept: ${countOf(mesh.triangles.length / 3, 'triangle')}, volume ${formatNumber(volume)}, sticks out by at most ${formatNumber(excess)}`;
}

/** The body on its way, a second per its own extent or radian and half; what it leaves, and what it sweeps. */
function toGlb(
  body: TriangleMesh,
  others: readonly TriangleMesh[],
  path: readonly RigidPose[],
  swept: TriangleMesh,
): Uint8Array {
  const times = path.map((_, i) => {
    const { length, turn } = measurePath(path.slice(0, i + 1));
    // Poses that are equal are still apart in time.
    return length / extentOf(body) + turn / 1.5 + 1e-3 * i;
  });
  return writeGlb([
    { name: 'body', mesh: body, color: [0.08, 0.39, 0.78, 1], motion: { times, poses: path } },
    ...others.map((mesh, i) => ({ name: `obstacle-${i + 1}`, mesh, color: [0.6, 0.63, 0.67, 0.45] })),
    { name: 'swept', mesh: swept, color: [0.91, 0.77, 0.42, 0.3] },
  ]);
}

function extentOf(mesh: TriangleMesh): number {
  const box = boundsOf(mesh);
  return Math.max(1e-12, ...[0, 1, 2].map((k) => box[3 + k] - box[k]));
}
