/** Robots of the reference data that may lie beside the project, as model descriptions; null where they are absent. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const axes = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

/** `jointLimit` keeps only the first joints. */
export function readReferenceRobot(name, jointLimit = Number.POSITIVE_INFINITY) {
  const path = fileURLToPath(new URL(`../../shared/oracles/dynamics/${name}.model.json`, import.meta.url));
  if (!existsSync(path)) return null;
  const { joints: read, root } = JSON.parse(readFileSync(path, 'utf8'));
  const hasRoot = root !== 'fixed';
  const linkOf = (j) => (hasRoot && j <= 1 ? 'base' : read[j].name);
  const links = [];
  const joints = [];
  read.slice(0, jointLimit + 1).forEach((joint, j) => {
    if (hasRoot && j === 0) return;
    const { mass, lever, inertia: I } = joint;
    links.push({
      name: linkOf(j),
      inertial: {
        mass,
        origin: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ...lever),
        inertia: [I[0], I[1], I[2], I[4], I[5], I[8]],
      },
    });
    if (j === 0 || (hasRoot && j === 1)) return;
    const aligned = /^JointModel(R|P)([XYZ])$/.exec(joint.type);
    const kind = aligned ? aligned[1] : /Prismatic/.test(joint.type) ? 'P' : 'R';
    joints.push({
      name: joint.name,
      type: kind === 'P' ? 'prismatic' : 'revolute',
      axis: aligned ? axes[aligned[2]] : joint.axis,
      parent: linkOf(joint.parent),
      child: linkOf(j),
      origin: Float64Array.from(joint.placement),
    });
  });
  return { description: { name, links, joints }, base: root };
}
