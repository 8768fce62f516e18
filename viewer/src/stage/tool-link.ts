/** Which link of a robot is its tool. */
import type { WorkspaceRobot } from '../workspace.js';

/** Below the SRDF's end effector if there is one: the link that is farthest down the tree, the last of them in the file. */
export function toolLink({ scene }: WorkspaceRobot): string {
  const { links, joints } = scene.description.model;
  const parents = new Map(joints.map((joint) => [joint.child, joint.parent]));
  const chainOf = (link: string): string[] => {
    const chain = [link];
    for (let up = parents.get(link); up !== undefined && chain.length <= links.length; up = parents.get(up))
      chain.push(up);
    return chain;
  };
  const root = scene.semantic?.endEffectors[0]?.parentLink;
  let best = links[0].name;
  let depth = -1;
  for (const { name } of links) {
    const chain = chainOf(name);
    if (root !== undefined && !chain.includes(root)) continue;
    if (chain.length >= depth) {
      depth = chain.length;
      best = name;
    }
  }
  return best;
}
