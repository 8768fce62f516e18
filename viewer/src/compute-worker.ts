/**
 * The page's worker with the kernel, for what takes long: trees of meshes, sphere models, plans, clashes of proteins, Monte Carlo runs. One
 * file for all of them. What a page asks of one worker is of one kind.
 */

import { type MeshReport, reportMesh, type TriangleMesh } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import type { SphereRobotOptions } from 'clearance/scene';
import { loadKernel } from './kernel.js';
import { fitForPage } from './load/fit-spheres.js';
import { type HullAnswer, measureHull } from './load/hull-depth.js';
import { listTreeBuffers, type PreparedTree, prepareMesh } from './load/prepare.js';
import type { ToPlanning } from './planning/plan-answer.js';
import { hearPlanning } from './planning/plan-worker.js';
import { type GivenProtein, type ReadProtein, readProtein } from './protein/load-protein.js';
import { hearSimulation, type ToSimulation } from './protein/simulation-slices.js';

export type ToPreparation =
  | { readonly type: 'mesh'; readonly mesh: TriangleMesh }
  | { readonly type: 'report'; readonly mesh: TriangleMesh }
  | { readonly type: 'hull'; readonly mesh: TriangleMesh }
  | { readonly type: 'protein'; readonly given: GivenProtein };

export interface ToSpheres {
  readonly type: 'spheres';
  readonly robot: SphereRobotOptions;
}

export type FromPreparation =
  | { readonly type: 'mesh'; readonly tree: PreparedTree | null }
  | { readonly type: 'report'; readonly report: MeshReport }
  | { readonly type: 'hull'; readonly hull: HullAnswer }
  | { readonly type: 'protein'; readonly read: ReadProtein | null; readonly issues: readonly Issue[] }
  | { readonly type: 'failed'; readonly message: string };

const post = (message: FromPreparation, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

const ready = loadKernel();

self.onmessage = async ({ data }: MessageEvent<ToPreparation | ToPlanning | ToSimulation | ToSpheres>) => {
  try {
    await ready;
    if (data.type === 'mesh') {
      const tree = prepareMesh(data.mesh);
      post({ type: 'mesh', tree }, tree ? listTreeBuffers(tree) : []);
    } else if (data.type === 'report') {
      post({ type: 'report', report: reportMesh(data.mesh) });
    } else if (data.type === 'hull') {
      const hull = measureHull(data.mesh);
      post({ type: 'hull', hull }, [hull.positions.buffer as ArrayBuffer]);
    } else if (data.type === 'protein') {
      const issues: Issue[] = [];
      const read = readProtein(data.given, issues);
      post({ type: 'protein', read, issues });
    } else if (data.type === 'spheres') {
      self.postMessage(fitForPage(data.robot));
    } else if (isForPlanning(data)) {
      hearPlanning(data);
    } else {
      hearSimulation(data);
    }
  } catch (error) {
    post({ type: 'failed', message: (error as Error).message });
  }
};

function isForPlanning(data: { readonly type: string }): data is ToPlanning {
  return data.type.startsWith('plan');
}
