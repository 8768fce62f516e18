/** A pose and the position of another link on the bundled arm, nine rows: solved, where the size of the rows once was that of six. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createIkSolver } from '../../src/ik/solve-ik.js';
import { drawStack } from '../../src/ik/stacks.test-support.js';
import { computeFramePlacement, updateKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createRandom } from '../../src/math/random.js';
import { createTransform, type Pose, poseToTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { createData, findFrame } from '../../src/model/model.js';
import { loadRobot } from '../../src/node/load-robot.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = join(root, 'examples/arm/arm.urdf');
const pose: Pose = [-0.5946, -0.0079, 0.4052, -0.3458, -0.8382, 0.0516, 0.4186];
const position = [-0.3288, -0.1629, 0.1808] as const;

async function loadArm() {
  const { value } = await loadRobot(file, { geometry: 'none' });
  return buildModel(value!.description.model).model;
}

it('pose of "tool" and position of "link_4": numbers, and as near as the four digits of both allow', async () => {
  const model = await loadArm();
  const [tool, link] = ['tool', 'link_4'].map((name) => findFrame(model, name));
  const target = poseToTransform(createTransform(), pose);
  const tasks = [
    { kind: 'pose', frame: tool, target },
    { kind: 'position', frame: link, target: position },
  ] as const;
  const alone = createIkSolver(model, [tasks[0]]).solve({ seed: 1 });
  expect(alone.status).toBe('solved');
  const { q, status, positionError, rotationError } = createIkSolver(model, tasks).solve({
    seed: 1,
    positionTolerance: 1e-3,
    rotationTolerance: 1e-3,
  });
  expect([...q, positionError, rotationError].every(Number.isFinite)).toBe(true);
  expect(status).toBe('solved');
  const data = createData(model);
  updateKinematics(model, data, q);
  const X = computeFramePlacement(createTransform(), model, data, link);
  for (let k = 0; k < 3; k++) expect(Math.abs(X[9 + k] - position[k])).toBeLessThan(2e-3);
});

it('random stacks of 7 to 24 rows on the bundled arm: never NaN, what one configuration meets is solved (seed 24)', async () => {
  const model = await loadArm();
  const random = createRandom(24);
  for (let n = 0; n < 60; n++) {
    const { tasks, isReachable, rows } = drawStack(model, random, 7, 24);
    const result = createIkSolver(model, tasks).solve({ seed: n + 1, restarts: isReachable ? 50 : 3 });
    const text = `stack ${n}, ${rows} rows`;
    expect([...result.q, result.positionError, result.rotationError].every(Number.isFinite), text).toBe(true);
    if (isReachable) expect(result.status, text).toBe('solved');
  }
});

it('the command line', () => {
  const tasks = [
    { kind: 'pose', frame: 'tool', target: pose },
    { kind: 'position', frame: 'link_4', target: position },
  ];
  const cli = join(root, 'dist/esm/cli.js');
  const args = ['ik', file, '--targets', '-', '--json', '--position-tolerance', '1e-3', '--rotation-tolerance', '1e-3'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    input: JSON.stringify({ tasks }),
  });
  const answer = JSON.parse(stdout) as { readonly status: string; readonly q: readonly number[] };
  expect([status, answer.status], stderr).toEqual([0, 'solved']);
  expect(answer.q.every((x) => typeof x === 'number')).toBe(true);
});
