/** Which link of a robot is its tool, and which links can be. */
import { findLink } from 'clearance/model';
import type { WorkspaceRobot } from '../workspace.js';

const TOOL_NAME = /(^|_|-)(tool\d*|tcp|tip|ee|eef|flange|end_?effector|gripper|hand|grasp(ing)?)(_|-|\d|$)/i;
const OTHER_LIMB = /foot|toe|ankle|leg|sole|wheel|caster|[lr][fh]_|camera|optical|imu|laser|sensor|antenna/i;

type ToolRobot = Pick<WorkspaceRobot, 'model' | 'scene' | 'tool'>;

/** Links that a joint moves, in the file's order. */
export function listTools({ model, scene }: Pick<ToolRobot, 'model' | 'scene'>): string[] {
  return scene.description.model.links
    .map(({ name }) => name)
    .filter((name) => {
      const link = findLink(model, name);
      return link >= 0 && model.supports[model.frameJoints[model.linkFrames[link]]].length > 0;
    });
}

/**
 * The user's choice; else the one below the SRDF's end effector; else the end of its longest chain; else of the links
 * farthest down the tree one that is named as a tool, or at least not as a foot, a wheel or a camera.
 */
export function toolLink(robot: ToolRobot): string {
  const { scene } = robot;
  if (robot.tool !== null) return robot.tool;
  const { links, joints } = scene.description.model;
  const parents = new Map(joints.map((joint) => [joint.child, joint.parent]));
  const chainOf = (link: string): string[] => {
    const chain = [link];
    for (let up = parents.get(link); up !== undefined && chain.length <= links.length; up = parents.get(up))
      chain.push(up);
    return chain;
  };
  const { semantic } = scene;
  const effector = semantic?.endEffectors.find(({ parentLink }) => !OTHER_LIMB.test(parentLink))?.parentLink;
  const tips = (semantic?.groups ?? [])
    .flatMap(({ chains }) => chains.map(({ tip }) => tip))
    .filter((tip) => links.some(({ name }) => name === tip) && !OTHER_LIMB.test(tip));
  if (effector === undefined && tips.length > 0)
    return tips.reduce((best, tip) => (chainOf(tip).length > chainOf(best).length ? tip : best));
  const movable = new Set(listTools(robot));
  let best = links[0].name;
  let most = -Infinity;
  for (const { name } of links) {
    const chain = chainOf(name);
    if (effector !== undefined && !chain.includes(effector)) continue;
    if (movable.size > 0 && !movable.has(name)) continue;
    // What it is called counts for more than how far down it is, but only without an end effector to go by.
    const rank =
      effector !== undefined ? 0 : TOOL_NAME.test(name) && !OTHER_LIMB.test(name) ? 1 : OTHER_LIMB.test(name) ? -1 : 0;
    const value = 1000 * rank + chain.length;
    if (value >= most) {
      most = value;
      best = name;
    }
  }
  return best;
}
