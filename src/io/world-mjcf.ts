/**
 * A simulated world as an MJCF model, so that MuJoCo can run the same one: bodies, robots, shapes, inertias, friction, limits, drives, joins,
 * springs, gravity, step, cone. What MJCF has no word for is left out or altered, and said so.
 *
 * Source: MuJoCo's XML reference (mujoco.readthedocs.io, "XML Reference"). Statics and the fixed parts of robots are bodies without joints,
 * joints of robots hinges and slides, a floating base a free joint, drives actuators whose controls are in the keyframe. Mimic joints and
 * joins become equality constraints, springs tendons. Tested by world-mjcf.test.ts and test/oracle/simulation-mjcf.test.ts.
 */
import type { Simulation } from '../simulation/simulation.js';
import { requireSimulation } from '../simulation/simulation.js';
import { LINK, STATIC, type World } from '../simulation/world.js';
import type { Issue } from './issue.js';
import { listSites } from './world-mjcf-joins.js';
import { escapeXml, list, type MjcfParts, placeMjcf, warn } from './world-mjcf-parts.js';
import { writeRobot } from './world-mjcf-robot.js';
import { describesNothing, writeGeometries } from './world-mjcf-shapes.js';
import { listMujocoState } from './world-mjcf-state.js';

/** `value` is the XML text; its keyframe `now` is the simulation's present state, velocities included. */
export function writeWorldMjcf(simulation: Simulation): { readonly value: string; readonly issues: readonly Issue[] } {
  requireSimulation('writeWorldMjcf', simulation);
  const { world } = simulation;
  const issues: Issue[] = [];
  const { step, cone, impratio, integrator, solref, solimp, contact } = world.step;
  const file: MjcfParts = { meshes: [], equalities: [], tendons: [], drives: [], controls: [], issues };
  const sites = listSites(simulation, file);
  const parts: string[] = [];
  for (const [c, { kind, name }] of world.carriers.entries())
    if (kind === STATIC)
      parts.push(`<body name="${escapeXml(name)}">${sites[c]}${writeGeometries(world, c, file)}</body>`);
  for (const [i, body] of world.bodies.entries()) {
    const X = simulation.bodyPlacements.subarray(12 * i, 12 * i + 12);
    const moments = [...body.moments, 0, 0, 0];
    parts.push(
      `<body name="${escapeXml(body.name)}" ${placeMjcf(X)}><freejoint/>` +
        `<inertial pos="0 0 0" mass="${body.mass}" fullinertia="${list(moments)}"/>` +
        `${sites[body.carrier]}${writeGeometries(world, body.carrier, file)}</body>`,
    );
  }
  for (const [r, robot] of world.robots.entries())
    parts.push(writeRobot(simulation, robot, simulation.robots[r], sites, file));
  const contacts = [
    ...listExcluded(world).map(([a, b]) => `<exclude body1="${a}" body2="${b}"/>`),
    ...listPairs(world, issues),
  ];
  if (contact !== 'relaxed')
    warn(issues, 'world', 'contact-model', `MuJoCo's contacts are the relaxed ones, not ${contact}`, 'altered');
  if (world.geometries.some(({ material }) => material.restitution > 0))
    warn(issues, 'world', 'restitution-left-out', 'MuJoCo has no coefficient of restitution', 'dropped');
  for (const [b, body] of world.bodies.entries())
    if (simulation.forces.subarray(6 * b, 6 * b + 6).some((f) => f !== 0))
      warn(issues, body.name, 'force-left-out', 'forces that act on bodies are no part of a model', 'dropped');
  if (simulation.controllers.length > 0 || simulation.robots.some(({ torques }) => torques.some((f) => f !== 0)))
    warn(issues, 'world', 'torque-left-out', 'torques of controllers are no part of a model', 'dropped');
  const { qpos, qvel } = listMujocoState(simulation);
  const wrap = (element: string, content: readonly string[]): string =>
    content.length > 0 ? `<${element}>${content.join('')}</${element}>` : '';
  const control = file.controls.length > 0 ? ` ctrl="${list(file.controls)}"` : '';
  const value =
    `<mujoco><compiler angle="radian" balanceinertia="false" boundmass="1e-9" boundinertia="1e-12"/>` +
    `<option timestep="${step}" gravity="${list(world.gravity)}" cone="${cone}" impratio="${impratio}" ` +
    `integrator="${integrator === 'rk4' ? 'RK4' : 'implicitfast'}"/>` +
    `<default><geom solref="${list(solref)}" solimp="${list(solimp)}"/></default>` +
    `${wrap('asset', file.meshes)}<worldbody>${sites[world.carriers.length]}${parts.join('')}</worldbody>` +
    `${wrap('contact', contacts)}${wrap('equality', file.equalities)}${wrap('tendon', file.tendons)}` +
    `${wrap('actuator', file.drives)}` +
    `${qpos.length > 0 ? `<keyframe><key name="now" qpos="${list(qpos)}" qvel="${list(qvel)}"${control}/></keyframe>` : ''}</mujoco>`;
  return { value, issues };
}

/** Pairs of MJCF bodies of which nothing can touch. Bodies there are ours, and the joints of robots. */
function listExcluded({ carriers, canTouch, robots }: World): [string, string][] {
  const names = carriers.map(({ kind, index, joint, name }) => {
    return kind === LINK ? `${robots[index].name}/${robots[index].model.jointNames[joint]}` : name;
  });
  const isFixed = carriers.map(({ kind, joint }) => kind === STATIC || (kind === LINK && joint === 0));
  const pairs = new Map<string, { readonly pair: [string, string]; touches: boolean }>();
  for (const [a, p] of names.entries())
    for (const [b, q] of names.entries()) {
      if (b <= a || p === q || (isFixed[a] && isFixed[b])) continue;
      const key = JSON.stringify([p, q]);
      const entry = pairs.get(key) ?? { pair: [escapeXml(p), escapeXml(q)], touches: false };
      entry.touches ||= canTouch[a * carriers.length + b] === 1;
      pairs.set(key, entry);
    }
  return [...pairs.values()].filter(({ touches }) => !touches).map(({ pair }) => pair);
}

/** Above so many pairs friction is left to MuJoCo's own rule. */
const MOST_PAIRS = 2000;

/** MuJoCo takes the larger friction of two shapes: pairs that meet with another one are listed. */
function listPairs(world: World, issues: Issue[]): string[] {
  const { geometries, carriers, canTouch } = world;
  const pairs: string[] = [];
  for (let a = 0; a < geometries.length; a++)
    for (let b = a + 1; b < geometries.length; b++) {
      const [p, q] = [geometries[a], geometries[b]];
      if (canTouch[p.carrier * carriers.length + q.carrier] === 0) continue;
      const { friction } = world.materialOf(a, b);
      const isOwn = friction === Math.max(p.material.friction, q.material.friction);
      if (isOwn || describesNothing(p) || describesNothing(q)) continue;
      if (pairs.length === MOST_PAIRS) {
        warn(issues, 'world', 'friction-altered', 'more pairs with friction of their own than are listed', 'altered');
        return pairs;
      }
      pairs.push(
        `<pair geom1="g${a}" geom2="g${b}" condim="3" friction="${friction} ${friction} 0.005 0.0001 0.0001" ` +
          `solref="${list(world.step.solref)}" solimp="${list(world.step.solimp)}"/>`,
      );
    }
  return pairs;
}
