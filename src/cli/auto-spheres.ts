/**
 * The spheres of `--spheres auto`: fitted to the links, and kept in a folder by the content of what they were fitted to.
 *
 * What comes from the folder is proven anew before it is used (geometry/sphere-proof), as what is in a file may be wrong; a link whose spheres
 * fail is fitted anew. A folder that cannot be written to is done without. Tested by auto-spheres.test.ts.
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FittedSpheres } from '../geometry/sphere-cover/fit-spheres.js';
import type { SphereModel } from '../geometry/sphere-model.js';
import { fitRobotSpheres, type SphereRobotOptions, toSphereLists, verifyRobotSpheres } from '../scene/robot-spheres.js';
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
export function fitAutoSpheres(robot: SphereRobotOptions, folder: string | null): SphereModel {
  const kept = folder === null ? null : openFolder(folder);
  const progress = startBlockingProgress('fitting spheres');
  const onProgress = (done: number, link: string): void => progress.update(`${link} (${done + 1})`);
  try {
    const fitWith = (memory: Map<string, FittedSpheres>) =>
      fitRobotSpheres(robot, { count: PER_LINK, coarser: 0, memory, onProgress });
    const model = fitWith(kept ?? new Map());
    if (kept === null || verifyRobotSpheres(robot, toSphereLists(model)).every(({ proven }) => proven)) return model;
    warnOnce(
      'spheres auto',
      `--spheres auto: spheres kept in ${folder} do not contain their links; they are fitted anew`,
    );
    const fresh = new Map<string, FittedSpheres>();
    const anew = fitWith(fresh);
    for (const [key, value] of fresh) kept.set(key, value);
    return anew;
  } finally {
    progress.stop();
  }
}

function openFolder(folder: string): Map<string, FittedSpheres> | null {
  try {
    mkdirSync(folder, { recursive: true });
    return createFolderMemory(folder);
  } catch (error) {
    warnOnce('spheres cache', `--spheres auto: nothing is kept: ${(error as Error).message}`);
    return null;
  }
}
