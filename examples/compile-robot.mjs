// A robot compiled to WebAssembly: the same results as the generic functions, in a fraction of the time.
import { compileModel, compileModelBytes, loadCompiledModel } from 'clearance/compile';
import { aba, createDynamicsData, rnea } from 'clearance/dynamics';
import { buildModel, createNeutralConfiguration } from 'clearance/model';
import { loadRobot } from 'clearance/node';

const { value: files } = await loadRobot('examples/arm/arm.urdf', { geometry: 'none' });
const { model } = buildModel(files.description.model);

const arm = compileModel(model);
const data = arm.createData();
const q = createNeutralConfiguration(model).map((_, i) => 0.1 * i);
const rest = new Float64Array(model.nv);

// Torques that hold the arm, then the accelerations they cause: none.
const tau = Float64Array.from(arm.rnea(data, q, rest, rest));
const status = arm.aba(data, q, rest, tau);
const fastest = Math.max(...data.ddq.map(Math.abs));
console.log(`${status}, accelerations below 1e-9: ${fastest < 1e-9}`);

// Against the generic functions.
const generic = createDynamicsData(model);
const expected = rnea(model, generic, q, rest, rest);
console.log(`same torques: ${tau.every((x, i) => Math.abs(x - expected[i]) < 1e-12)}`);
aba(model, generic, q, rest, rest);
arm.aba(data, q, rest, rest);
console.log(`same fall: ${data.ddq.every((x, i) => Math.abs(x - generic.ddq[i]) < 1e-9 * Math.abs(x) + 1e-9)}`);

// The bytes can be kept in a file or sent to a worker; they know which robot they belong to.
const bytes = compileModelBytes(model, { algorithms: ['forwardKinematics'] });
const kinematics = loadCompiledModel(bytes, model);
console.log(`forward kinematics: ${kinematics.header.operations.forwardKinematics} operations`);
