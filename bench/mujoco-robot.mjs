/**
 * A robot of turning and shifting joints on a fixed base as a MuJoCo model (its npm build, WebAssembly), for suites that
 * compare with it. MuJoCo's joints are numbered depth first in the order of the file, as ours are.
 */
import loadMujoco from '@mujoco/mujoco';
import { transformToPose } from '../dist/esm/math.js';

const numbers = (values) => Array.from(values).join(' ');

/** MJCF text; contacts, limits and constraints are off, so that only kinematics and dynamics remain. */
function writeMjcf(model) {
  const children = Array.from({ length: model.jointCount }, () => []);
  for (let j = 1; j < model.jointCount; j++) children[model.parents[j]].push(j);
  const writeBody = (j) => {
    const [x, y, z, qx, qy, qz, qw] = transformToPose(new Float64Array(7), model.placements.slice(12 * j, 12 * j + 12));
    const [xx, xy, xz, , yy, yz, , , zz] = model.inertias.subarray(9 * j, 9 * j + 9);
    const center = numbers(model.centersOfMass.subarray(3 * j, 3 * j + 3));
    const type = model.jointKinds[j].motion === 'translation' ? 'slide' : 'hinge';
    return (
      `<body pos="${numbers([x, y, z])}" quat="${numbers([qw, qx, qy, qz])}">` +
      `<inertial pos="${center}" mass="${model.masses[j]}" fullinertia="${numbers([xx, yy, zz, xy, xz, yz])}"/>` +
      `<joint type="${type}" axis="${numbers(model.axes.subarray(3 * j, 3 * j + 3))}"/>` +
      `${children[j].map(writeBody).join('')}</body>`
    );
  };
  return (
    '<mujoco><compiler angle="radian" boundmass="1e-9"/><option gravity="0 0 -9.81">' +
    '<flag contact="disable" constraint="disable" limit="disable"/></option>' +
    `<worldbody>${children[0].map(writeBody).join('')}</worldbody></mujoco>`
  );
}

/** The parts of MuJoCo's pipeline that each algorithm needs, as f(state): FK, CRBA, RNEA, inverse, forward. */
export async function createMujocoRobot(model) {
  const mujoco = await loadMujoco();
  const peer = mujoco.MjModel.from_xml_string(writeMjcf(model));
  const data = new mujoco.MjData(peer);
  mujoco.mj_forward(peer, data);
  const torques = new mujoco.DoubleBuffer(model.nv);
  const [DfDq, DfDv, DfDa] = [0, 1, 2].map(() => new mujoco.DoubleBuffer(model.nv ** 2));
  const { qpos, qvel, qacc, qfrc_applied: applied, qfrc_inverse: inverse } = data;
  return {
    FK({ q }) {
      qpos.set(q);
      mujoco.mj_kinematics(peer, data);
    },
    CRBA({ q }) {
      qpos.set(q);
      mujoco.mj_kinematics(peer, data);
      mujoco.mj_comPos(peer, data);
      mujoco.mj_crb(peer, data);
    },
    RNEA({ q, v, a }) {
      qpos.set(q);
      qvel.set(v);
      qacc.set(a);
      mujoco.mj_kinematics(peer, data);
      mujoco.mj_comPos(peer, data);
      mujoco.mj_comVel(peer, data);
      mujoco.mj_rne(peer, data, 1, torques);
    },
    inverse({ q, v, a }) {
      qpos.set(q);
      qvel.set(v);
      qacc.set(a);
      mujoco.mj_inverse(peer, data);
      return inverse;
    },
    forward({ q, v, a: tau }) {
      qpos.set(q);
      qvel.set(v);
      applied.set(tau);
      mujoco.mj_forward(peer, data);
      return qacc;
    },
    /** Derivatives of inverse dynamics by finite differences: rows belong to variables, columns to torques. */
    inverseDerivatives({ q, v, a }) {
      qpos.set(q);
      qvel.set(v);
      qacc.set(a);
      mujoco.mjd_inverseFD(peer, data, 1e-6, false, DfDq, DfDv, DfDa, null, null, null, null);
      return [DfDq.GetView(), DfDv.GetView()];
    },
    free() {
      for (const buffer of [DfDq, DfDv, DfDa]) buffer.delete();
      torques.delete();
      data.delete();
      peer.delete();
    },
  };
}
