/**
 * A robot of a simulated world in MJCF: a body per moving joint, and one for what stands still; drives as actuators.
 *
 * A position drive is an actuator of gain k and bias -k q - d v, a velocity drive one of gain d and bias -d v, a torque drive one of gain 1,
 * all with the force range of the drive; targets over time are held at that of the present. Damping, dry friction and rotor inertia are
 * those of the simulation. Tested by world-mjcf.test.ts and test/oracle/simulation-mjcf.test.ts.
 */
import { multiplyTransform } from '../math/transform.js';
import type { RobotState } from '../simulation/robot-state.js';
import type { Simulation } from '../simulation/simulation.js';
import { LINK, type WorldRobot } from '../simulation/world.js';
import { escapeXml, list, type MjcfParts, placeMjcf, warn } from './world-mjcf-parts.js';
import { writeGeometries } from './world-mjcf-shapes.js';

export function writeRobot(
  simulation: Simulation,
  robot: WorldRobot,
  state: RobotState,
  sites: readonly string[],
  file: MjcfParts,
): string {
  const { world } = simulation;
  const { name, model, base, options } = robot;
  const children = Array.from({ length: model.jointCount }, () => [] as number[]);
  for (let j = 1; j < model.jointCount; j++) children[model.parents[j]].push(j);
  const contentOf = (joint: number): string =>
    world.carriers
      .map(({ kind, index, joint: own }, c) =>
        kind === LINK && world.robots[index].name === name && own === joint
          ? sites[c] + writeGeometries(world, c, file)
          : '',
      )
      .join('');
  const gravity = options.compensateGravity === true ? ' gravcomp="1"' : '';
  if (gravity !== '')
    warn(file.issues, name, 'compensation-altered', 'MuJoCo compensates gravity, but no velocity terms', 'altered');
  // Depth is that of the robot's tree; an explicit stack keeps it off ours.
  const texts = new Array<string>(model.jointCount).fill('');
  for (let j = model.jointCount - 1; j >= 1; j--) {
    const X = Float64Array.from(model.placements.subarray(12 * j, 12 * j + 12));
    if (model.parents[j] === 0) multiplyTransform(X, base, X);
    const [xx, xy, xz, , yy, yz, , , zz] = model.inertias.subarray(9 * j, 9 * j + 9);
    const inertial =
      model.masses[j] > 0
        ? `<inertial pos="${list(model.centersOfMass.subarray(3 * j, 3 * j + 3))}" mass="${model.masses[j]}" fullinertia="${list([xx, yy, zz, xy, xz, yz])}"/>`
        : '';
    const inner = children[j].map((child) => texts[child]).join('');
    texts[j] =
      `<body name="${nameOf(robot, j)}" ${placeMjcf(X)}${gravity}>` +
      `${writeJoint(robot, state, j, file)}${inertial}${contentOf(j)}${inner}</body>`;
  }
  writeDrives(simulation, robot, state, file);
  return `<body name="${nameOf(robot, 0)}" ${placeMjcf(base)}>${contentOf(0)}</body>${children[0].map((child) => texts[child]).join('')}`;
}

const nameOf = ({ name, model }: WorldRobot, j: number): string => escapeXml(`${name}/${model.jointNames[j]}`);

function writeJoint(robot: WorldRobot, state: RobotState, j: number, file: MjcfParts): string {
  const { model, options } = robot;
  const kind = model.jointKinds[j];
  const name = nameOf(robot, j);
  if (kind?.name === 'floating') return `<freejoint name="${name}"/>`;
  if (kind === null || kind.nv !== 1 || (kind.motion !== 'rotation' && kind.motion !== 'translation')) {
    warn(file.issues, name, 'joint-left-out', `MJCF has no joint for ${kind?.name}; it is held`, 'altered');
    return '';
  }
  const type = kind.motion === 'translation' ? 'slide' : 'hinge';
  const axis = `type="${type}" axis="${list(model.axes.subarray(3 * j, 3 * j + 3))}"`;
  if (model.mimicDrivers[j] > 0) {
    const driver = nameOf(robot, model.mimicDrivers[j]);
    const line = `${model.mimicOffsets[j]} ${model.mimicMultipliers[j]} 0 0 0`;
    file.equalities.push(`<joint joint1="${name}" joint2="${driver}" polycoef="${line}"/>`);
    return `<joint name="${name}" ${axis}/>`;
  }
  const iq = model.idxQ[j];
  const iv = model.idxV[j];
  const hasRange = model.lower[iq] > -Infinity && model.upper[iq] < Infinity && state.hasLimits;
  const range = hasRange ? ` limited="true" range="${model.lower[iq]} ${model.upper[iq]}"` : '';
  const armature = options.armature ? ` armature="${options.armature[iv]}"` : '';
  return `<joint name="${name}" ${axis} damping="${state.damping[iv]}" frictionloss="${state.friction[iv]}"${armature}${range}/>`;
}

function writeDrives({ state: [t] }: Simulation, robot: WorldRobot, state: RobotState, file: MjcfParts): void {
  const { name } = robot;
  for (const { joint, type, gain, damping, limit, control, isTable } of state.servos.list(t)) {
    if (isTable) {
      const message = `the target over time of joint "${joint}" is held at that of the present`;
      warn(file.issues, name, 'drive-held', message, 'altered');
    }
    if (limit === 0) continue;
    const range = limit < Infinity ? ` forcelimited="true" forcerange="${-limit} ${limit}"` : '';
    const bias =
      type === 'torque' ? '' : ` biastype="affine" biasprm="0 ${type === 'position' ? -gain : 0} ${-damping}"`;
    file.drives.push(
      `<general joint="${escapeXml(`${name}/${joint}`)}" gaintype="fixed" gainprm="${gain}"${bias}${range}/>`,
    );
    file.controls.push(control);
  }
}
