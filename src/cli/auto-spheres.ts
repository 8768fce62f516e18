/**
 * Spheres that are fitted to a robot's links (`--spheres auto`, `spheres`), and kept in a folder by the content of what they were fitted to.
 *
 * What comes from the folder is proven anew before it is used (geometry/sphere-proof), as what is in a file may be wrong; where that fails
 * all are fitted anew. A folder that cannot be written to is done without. Tested by auto-spheres.test.ts.
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FitLinksOptions, FittedSpheres } from '../geometry/sphere-cover/fit-spheres.js';
import {
  type FittedSphereModel,
  fitRobotSpheres,
  type SphereRobotOptions,
  toSphereLists,
  verifyRobotSpheres,
} from '../scene/robot-spheres.js';
import { startBlockingProgress, warnOnce } from './messages.js';
import { createFolderMemory } from './sphere-cache.js';

/** Spheres for each link. */
const PER_LINK = 8;

/** Where programs of the user keep what can be made again. */
export function defaultCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME || env.LOCALAPPDATA || join(homedir(), '.cache');
  return join(base, 'clearance', 'spheres');
}

/** `folder`: where they are kept; null for nowhere. */
export function fitAutoSpheres(robot: SphereRobotOptions, folder: string | null): FittedSphereModel {
  return fitKeptSpheres(robot, { count: PER_LINK, coarser: 0 }, folder, '--spheres auto');
}

/** As asked for; `named` begins what is said of the folder. */
export function fitKeptSpheres(
  robot: SphereRobotOptions,
  request: Omit<FitLinksOptions, 'memory' | 'onProgress'>,
  folder: string | null,
  named: string,
): FittedSphereModel {
  const kept = folder === null ? null : openFolder(folder, named);
  const progress = startBlockingProgress('fitting spheres');
  const onProgress = (done: number, link: string): void => progress.update(`${link} (${done + 1})`);
  try {
    const fitWith = (memory: Map<string, FittedSpheres>) => fitRobotSpheres(robot, { ...request, memory, onProgress });
    const model = fitWith(kept ?? new Map());
    if (kept === null || isProven(robot, model)) return model;
    warnOnce('kept spheres', `${named}: what is kept in ${folder} does not contain its links; it is fitted anew`);
    const fresh = new Map<string, FittedSpheres>();
    const anew = fitWith(fresh);
    for (const [key, value] of fresh) kept.set(key, value);
    return anew;
  } finally {
    progress.stop();
  }
}

/** Whether what a model calls proven is, in all its levels. */
function isProven(robot: SphereRobotOptions, model: FittedSphereModel): boolean {
  const claimed = new Set(model.reports.flatMap(({ link, proven }) => (proven ? [link] : [])));
  const levels = Math.max(1, ...model.links.map((link) => link.levels.length));
  for (let level = 0; level < levels; level++) {
    const proofs = verifyRobotSpheres(robot, toSphereLists(model, level));
    if (!proofs.every(({ link, proven }) => proven || !claimed.has(link))) return false;
  }
  return true;
}

function openFolder(folder: string, named: string): Map<string, FittedSpheres> | null {
  try {
    mkdirSync(folder, { recursive: true });
    return createFolderMemory(folder);
  } catch (error) {
    warnOnce('spheres cache', `${named}: nothing is kept: ${(error as Error).message}`);
    return null;
  }
}
