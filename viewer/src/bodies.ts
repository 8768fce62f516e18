/** What the names of bodies mean that the library's answers give. */
import type { SceneObject } from 'clearance/scene';
import type { Workspace, WorkspaceRobot } from './workspace.js';

export type NamedBody =
  | { readonly kind: 'link'; readonly robot: WorkspaceRobot; readonly index: number; readonly link: string }
  | { readonly kind: 'object'; readonly object: SceneObject };

/** `name`: as `bodyName` gives it, or `robot/link`. */
export function findBody({ scene, robots }: Workspace, name: string): NamedBody | null {
  const object = scene.objects.get(name);
  if (object) return { kind: 'object', object };
  for (const [index, robot] of robots.entries()) {
    const own = robot.scene.name;
    const link = name.startsWith(`${own}/`) ? name.slice(own.length + 1) : robots.length === 1 ? name : null;
    if (link !== null && robot.scene.links.some((entry) => entry.name === link))
      return { kind: 'link', robot, index, link };
  }
  return null;
}

/** The joint that a link hangs on and that moves, or the one that this follows; -1: nothing moves it. */
export function findMover({ model, scene }: WorkspaceRobot, link: string): number {
  const frame = scene.links.find(({ name }) => name === link)?.frame ?? -1;
  if (frame < 0) return -1;
  for (let joint = model.frameJoints[frame]; joint > 0; joint = model.parents[joint]) {
    const driver = model.mimicDrivers[joint] || joint;
    if (model.nqs[driver] > 0) return driver;
  }
  return -1;
}
