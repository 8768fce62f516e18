/**
 * A simulated world as an MJCF model, so that MuJoCo can run the same one: bodies, robots, shapes, inertias, friction, limits, gravity,
 * step, cone. Shapes that MJCF has no primitive for are left out, and said so; drives become damping and springs of the joint.
 *
 * Source: MuJoCo's XML reference (mujoco.readthedocs.io, "XML Reference"). Joints of robots are hinges and slides; a floating base
 * is a free joint. Mimic joints become equality constraints. Tested by world-mjcf.test.ts.
 */
import type { Shape } from '../geometry/shapes.js';
import { multiplyTransform, type Transform, transformToPose } from '../math/transform.js';
import type { Simulation } from '../simulation/simulation.js';
import { requireSimulation } from '../simulation/simulation.js';
import { BODY, type Geometry, STATIC, type World, type WorldRobot } from '../simulation/world.js';
import type { Issue } from './issue.js';
import { listMujocoState } from './world-mjcf-state.js';

const list = (values: ArrayLike<number>): string => Array.from(values).join(' ');
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** `value` is the XML text; its keyframe `now` is the simulation's present state, velocities included. */
export function writeWorldMjcf(simulation: Simulation): { readonly value: string; readonly issues: readonly Issue[] } {
  requireSimulation('writeWorldMjcf', simulation);
  const { world } = simulation;
  const issues: Issue[] = [];
  const { step, cone, impratio } = world.step;
  const parts: string[] = [];
  for (const [c, { kind }] of world.carriers.entries())
    if (kind === STATIC) parts.push(writeGeometries(world, c, issues));
  for (const [i, body] of world.bodies.entries()) {
    const X = simulation.bodyPlacements.subarray(12 * i, 12 * i + 12);
    const moments = [...body.moments, 0, 0, 0];
    parts.push(
      `<body name="${escapeXml(body.name)}" ${place(X)}><freejoint/>` +
        `<inertial pos="0 0 0" mass="${body.mass}" fullinertia="${list(moments)}"/>` +
        `${writeGeometries(world, body.carrier, issues)}</body>`,
    );
  }
  const equalities: string[] = [];
  for (const robot of world.robots) parts.push(writeRobot(world, robot, equalities, issues));
  const excluded = listExcluded(world).map(([a, b]) => `<exclude body1="${a}" body2="${b}"/>`);
  const { qpos, qvel } = listMujocoState(simulation);
  const value =
    `<mujoco><compiler angle="radian" balanceinertia="false" boundmass="1e-9" boundinertia="1e-12"/>` +
    `<option timestep="${step}" gravity="${list(world.gravity)}" cone="${cone}" impratio="${impratio}"/>` +
    `<worldbody>${parts.join('')}</worldbody>` +
    `${excluded.length > 0 ? `<contact>${excluded.join('')}</contact>` : ''}` +
    `${equalities.length > 0 ? `<equality>${equalities.join('')}</equality>` : ''}` +
    `${qpos.length > 0 ? `<keyframe><key name="now" qpos="${list(qpos)}" qvel="${list(qvel)}"/></keyframe>` : ''}</mujoco>`;
  return { value, issues };
}

/** Pairs of MJCF bodies of which nothing can touch. Bodies there are ours, and the joints of robots. */
function listExcluded({ carriers, canTouch, robots }: World): [string, string][] {
  const names = carriers.map(({ kind, index, joint, name }) => {
    if (kind === STATIC || (kind !== BODY && joint === 0)) return null;
    return kind === BODY ? name : `${robots[index].name}/${robots[index].model.jointNames[joint]}`;
  });
  const pairs = new Map<string, { readonly pair: [string, string]; touches: boolean }>();
  for (const [a, p] of names.entries())
    for (const [b, q] of names.entries()) {
      if (p === null || q === null || b <= a || p === q) continue;
      const key = JSON.stringify([p, q]);
      const entry = pairs.get(key) ?? { pair: [escapeXml(p), escapeXml(q)], touches: false };
      entry.touches ||= canTouch[a * carriers.length + b] === 1;
      pairs.set(key, entry);
    }
  return [...pairs.values()].filter(({ touches }) => !touches).map(({ pair }) => pair);
}

const pose = new Float64Array(7);

function place(X: Transform): string {
  const [x, y, z, ...q] = transformToPose(pose, X);
  // MJCF has the scalar first.
  return `pos="${list([x, y, z])}" quat="${list([q[3], ...q.slice(0, 3)])}"`;
}

function writeGeometries(world: World, carrier: number, issues: Issue[]): string {
  return world.geometries
    .filter((geometry) => geometry.carrier === carrier)
    .map((geometry) => writeGeometry(geometry, world.carriers[carrier].name, issues))
    .join('');
}

function writeGeometry({ collider, placement, material }: Geometry, name: string, issues: Issue[]): string {
  const { shape } = collider;
  const primitive = describePrimitive(shape);
  if (primitive === null) {
    issues.push({
      severity: 'warning',
      code: 'shape-left-out',
      element: name,
      message: `MJCF has no primitive for a ${shape.type}; it is left out`,
      assumes: 'dropped',
    });
    return '';
  }
  // Twice the same coefficient: MuJoCo takes the larger of a pair, which differs where materials do.
  const friction = `friction="${material.friction} 0.005 0.0001" condim="3"`;
  if (shape.type !== 'halfspace') return `<geom ${primitive} ${place(placement)} ${friction}/>`;
  const [x, y, z] = shape.normal;
  const R = placement;
  const n = [0, 1, 2].map((k) => R[3 * k] * x + R[3 * k + 1] * y + R[3 * k + 2] * z);
  const at = [0, 1, 2].map((k) => R[9 + k] + shape.offset * n[k]);
  return `<geom ${primitive} pos="${list(at)}" zaxis="${list(n)}" ${friction}/>`;
}

function describePrimitive(shape: Shape): string | null {
  switch (shape.type) {
    case 'sphere':
      return `type="sphere" size="${shape.radius}"`;
    case 'box':
      return `type="box" size="${list(shape.size.map((x) => x / 2))}"`;
    case 'capsule':
      return `type="capsule" size="${shape.radius} ${shape.length / 2}"`;
    case 'cylinder':
      return `type="cylinder" size="${shape.radius} ${shape.length / 2}"`;
    case 'ellipsoid':
      return `type="ellipsoid" size="${list(shape.semiAxes)}"`;
    case 'halfspace':
      return 'type="plane" size="0 0 1"';
    default:
      return null;
  }
}

function writeRobot(
  world: World,
  { name, model, base, options }: WorldRobot,
  equalities: string[],
  issues: Issue[],
): string {
  const children = Array.from({ length: model.jointCount }, () => [] as number[]);
  for (let j = 1; j < model.jointCount; j++) children[model.parents[j]].push(j);
  const geometriesOf = (joint: number): string =>
    world.carriers
      .map(({ kind, index, joint: own }, c) =>
        kind !== STATIC && kind !== BODY && world.robots[index].name === name && own === joint
          ? writeGeometries(world, c, issues)
          : '',
      )
      .join('');
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
      `<body name="${escapeXml(`${name}/${model.jointNames[j]}`)}" ${place(X)}>` +
      `${writeJoint(name, { model, options }, j, equalities, issues)}${inertial}${geometriesOf(j)}${inner}</body>`;
  }
  return geometriesOf(0) + children[0].map((child) => texts[child]).join('');
}

function writeJoint(
  robot: string,
  { model, options }: Pick<WorldRobot, 'model' | 'options'>,
  j: number,
  equalities: string[],
  issues: Issue[],
): string {
  const kind = model.jointKinds[j];
  const name = escapeXml(`${robot}/${model.jointNames[j]}`);
  if (kind?.name === 'floating') return `<freejoint name="${name}"/>`;
  if (kind === null || kind.nv !== 1 || (kind.motion !== 'rotation' && kind.motion !== 'translation')) {
    issues.push({
      severity: 'warning',
      code: 'joint-left-out',
      element: name,
      message: `MJCF has no joint for ${kind?.name}; it is held`,
      assumes: 'altered',
    });
    return '';
  }
  const iq = model.idxQ[j];
  const iv = model.idxV[j];
  const hasRange = model.lower[iq] > -Infinity && model.upper[iq] < Infinity && options.limits !== false;
  const range =
    hasRange && model.mimicDrivers[j] === 0 ? ` limited="true" range="${model.lower[iq]} ${model.upper[iq]}"` : '';
  const { damping = 0, friction = 0 } = model.jointDescriptions[j]?.dynamics ?? {};
  const servo = options.servos?.find(({ joint }) => joint === model.jointNames[j]);
  const stiffness = servo?.type === 'position' ? (servo.stiffness ?? 0) : 0;
  const drag = damping + (options.damping?.[iv] ?? 0) + (servo?.damping ?? 0);
  const target = typeof servo?.target === 'number' ? servo.target : (options.q?.[iq] ?? 0);
  const spring = stiffness > 0 ? ` stiffness="${stiffness}" springref="${target}"` : '';
  if (model.mimicDrivers[j] > 0) {
    const driver = escapeXml(`${robot}/${model.jointNames[model.mimicDrivers[j]]}`);
    const line = `${model.mimicOffsets[j]} ${model.mimicMultipliers[j]} 0 0 0`;
    equalities.push(`<joint joint1="${name}" joint2="${driver}" polycoef="${line}"/>`);
  }
  const type = kind.motion === 'translation' ? 'slide' : 'hinge';
  return `<joint name="${name}" type="${type}" axis="${list(model.axes.subarray(3 * j, 3 * j + 3))}" damping="${drag}" frictionloss="${friction}"${range}${spring}/>`;
}
