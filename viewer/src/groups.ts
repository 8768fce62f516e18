/** Which coordinates of a robot a group of its SRDF holds: by joints, chains, links and subgroups. */
import type { Model } from 'clearance/model';
import type { RobotDescription, SemanticDescription } from 'clearance/scene';

/** Names of the group's joints; empty for a group that is not there. */
export function listGroupJoints(
  semantic: SemanticDescription | null,
  { model }: RobotDescription,
  name: string,
): Set<string> {
  const groups = new Map((semantic?.groups ?? []).map((group) => [group.name, group]));
  const above = new Map(model.joints.map((joint) => [joint.child, joint]));
  const joints = new Set<string>();
  const seen = new Set<string>();
  const pending = [name];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = groups.get(next);
    if (!group || seen.has(next)) continue;
    seen.add(next);
    for (const joint of group.joints) joints.add(joint);
    for (const link of group.links) if (above.has(link)) joints.add(above.get(link)!.name);
    for (const { base, tip } of group.chains) {
      for (let link = tip, joint = above.get(link); joint && link !== base; joint = above.get(link)) {
        joints.add(joint.name);
        link = joint.parent;
      }
    }
    pending.push(...group.groups);
  }
  return joints;
}

/** Indices into q. */
export function listGroupCoordinates(
  model: Model,
  semantic: SemanticDescription | null,
  description: RobotDescription,
  name: string,
): number[] {
  const joints = listGroupJoints(semantic, description, name);
  const indices: number[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    if (!joints.has(model.jointNames[j])) continue;
    for (let k = 0; k < model.nqs[j]; k++) indices.push(model.idxQ[j] + k);
  }
  return indices;
}
