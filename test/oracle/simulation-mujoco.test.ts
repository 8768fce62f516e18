/** The relaxed model against MuJoCo's own contact list and parameters: the same convex problem, the same forces. */
import { expect, it } from 'vitest';
import { solveContacts } from '../../src/simulation.js';

const states = process.env.ORACLE_FULL ? 1000 : 100;
const mujoco = await import('@mujoco/mujoco').then(
  (module) => module,
  () => null,
);

it.skipIf(mujoco === null)(`forces of ${states} states within 1e-6 of MuJoCo's`, { timeout: 600_000 }, async () => {
  const m = await mujoco!.default();
  const bodies = Array.from({ length: 5 }, (_, i) => {
    const shape = i % 2 === 0 ? 'type="sphere" size="0.2"' : 'type="box" size="0.2 0.15 0.2"';
    return `<body pos="${0.05 * i} ${-0.03 * i} ${0.3 + 0.42 * i}" euler="${10 * i} ${5 * i} 0"><freejoint/><geom ${shape} friction="${0.3 + 0.1 * i}"/></body>`;
  });
  const xml =
    '<mujoco><option timestep="0.002" cone="elliptic" solver="Newton" iterations="200" tolerance="1e-14"/>' +
    `<worldbody><geom type="plane" size="5 5 .1"/>${bodies.join('')}</worldbody></mujoco>`;
  const model = m.MjModel.from_xml_string(xml);
  const data = new m.MjData(model);
  let compared = 0;
  let worst = 0;
  for (let step = 0; compared < states && step < 5000; step++) {
    m.mj_step(model, data);
    // Knocks now and then, so that contacts slide and lift.
    if (step % 150 === 149) for (let k = 0; k < 30; k++) data.qvel[k] += ((k * 37 + step) % 11) / 11 - 0.45;
    m.mj_forward(model, data);
    const n = data.nefc;
    if (n === 0) continue;
    compared++;
    const J: Float64Array = data.efc_J;
    const nv = model.nv;
    const A = new Float64Array(n * n);
    // M^-1 J^T, column by column.
    const column = new m.DoubleBuffer(nv);
    const solved: Float64Array[] = [];
    for (let r = 0; r < n; r++) {
      m.mj_solveM(model, data, column, Array.from(J.subarray(r * nv, (r + 1) * nv)));
      solved.push(Float64Array.from(column.GetView() as Float64Array));
    }
    for (let r = 0; r < n; r++)
      for (let c = 0; c < n; c++) for (let v = 0; v < nv; v++) A[r * n + c] += J[r * nv + v] * solved[c][v];
    for (let r = 0; r < n; r++) A[r * n + r] += data.efc_R[r];
    const b = new Float64Array(n);
    for (let r = 0; r < n; r++) {
      b[r] = -data.efc_aref[r];
      for (let v = 0; v < nv; v++) b[r] += J[r * nv + v] * data.qacc_smooth[v];
    }
    const blockCount = n / 3;
    const frictions = Float64Array.from({ length: blockCount }, (_, i) => data.contact.get(i)!.friction[0]);
    const f = new Float64Array(n);
    const { residual } = solveContacts(
      f,
      {
        G: A,
        b,
        n,
        rows: Int32Array.from({ length: blockCount }, (_, i) => 3 * i),
        kinds: new Uint8Array(blockCount).fill(1),
        blockCount,
        frictions,
        lower: new Float64Array(n),
        upper: new Float64Array(n),
        law: 'convex',
        pyramidal: false,
      },
      { iterations: 2000, tolerance: 1e-10 },
    );
    expect(residual).toBeLessThan(1e-8);
    let largest = 1;
    for (const force of data.efc_force) largest = Math.max(largest, Math.abs(force));
    for (let r = 0; r < n; r++) worst = Math.max(worst, Math.abs(f[r] - data.efc_force[r]) / largest);
    column.delete();
  }
  expect(compared).toBe(states);
  expect(worst).toBeLessThan(1e-6);
});
