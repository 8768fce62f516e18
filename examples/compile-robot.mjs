// A robot compiled to WebAssembly: the same results as the generic functions, in a fraction of the time.
import { requireValue } from 'clearance';
import { compileModel, compileModelBytes, loadCompiledModel } from 'clearance/compile';
import { aba, createDynamicsData, rnea } from 'clearance/dynamics';
import { buildModel, createNeutralConfiguration } from 'clearance/model';
import { loadRobot } from 'clearance/node';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { geometry: 'none' }));
const { model } = buildModel(files.description.model);

const arm = compileModel(model);
const data = arm.createData();
const q = createNeutralConfiguration(model).map((_, i) => 0.1 * i);
const rest = new Float64Array(model.nv);

// Torques that hold the arm, then the accelerations they cause: none.
const tau = Float64Array.from(arm.rnea(data, q, rest, rest));
const status = arm.aba(data, q, rest, tau);
const most = (values) => Math.max(...Array.from(values, Math.abs));
console.log(
  `holding: ${most(tau).toFixed(1)} N m at most; ${status}, accelerations up to ${most(data.ddq).toFixed(6)}`,
);

// Against the generic functions.
const generic = createDynamicsData(model);
const expected = rnea(model, generic, q, rest, rest);
console.log(`torques differ by ${most(tau.map((x, i) => x - expected[i])).toFixed(9)} N m from the generic function's`);
aba(model, generic, q, rest, rest);
arm.aba(data, q, rest, rest);
const apart = most(data.ddq.map((x, i) => x - generic.ddq[i]));
console.log(
  `let go: accelerations up to ${most(data.ddq).toFixed(1)} rad/s^2, ${apart.toFixed(6)} from the generic function's`,
);

// The bytes can be kept in a file or sent to a worker; they know which robot they belong to.
const bytes = compileModelBytes(model, { algorithms: ['forwardKinematics'] });
const kinematics = loadCompiledModel(bytes, model);
console.log(`forward kinematics: ${kinematics.header.operations.forwardKinematics} operations`);
