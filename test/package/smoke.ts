/** One small program, written for each module system: it touches the kernel, a closed form and a reader. */

const imports: Readonly<Record<string, readonly string[]>> = {
  'clearance/math': ['createTransform'],
  'clearance/narrowphase': ['createCollider', 'createDistanceResult', 'distance', 'collide'],
  'clearance/io': ['parseUrdf'],
};

const body = `
function createCube() {
  const vertices = new Float64Array(24);
  for (let i = 0; i < 8; i++) vertices.set([i & 1, (i >> 1) & 1, (i >> 2) & 1], 3 * i);
  const triangles = new Uint32Array([
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  ]);
  return { vertices, triangles };
}

function computeAnswers() {
  const X_WA = createTransform();
  const X_WB = createTransform();
  X_WB[9] = 3;
  const result = createDistanceResult();
  const box = createCollider({ type: 'box', size: [2, 2, 2] });
  const ball = createCollider({ type: 'sphere', radius: 0.5 });
  const ballDistance = distance(result, box, X_WA, ball, X_WB).distance;
  const cube = createCollider({ type: 'mesh', mesh: createCube() });
  const cubeDistance = distance(result, cube, X_WA, cube, X_WB).distance;
  X_WB[9] = 0.5;
  const overlaps = collide(cube, X_WA, cube, X_WB);
  const parsed = parseUrdf('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">' +
    '<parent link="a"/><child link="b"/></joint></robot>');
  cube.dispose();
  return { ballDistance, cubeDistance, overlaps, joint: parsed.value.model.joints[0].name };
}
`;

export const expectedAnswers = { ballDistance: 1.5, cubeDistance: 2, overlaps: true, joint: 'j' };

export function writeEsmProgram(ending = 'console.log(JSON.stringify(computeAnswers()));'): string {
  const lines = Object.entries(imports).map(([door, names]) => `import { ${names.join(', ')} } from '${door}';`);
  return `${lines.join('\n')}\n${body}\n${ending}\n`;
}

export function writeCjsProgram(): string {
  const lines = Object.entries(imports).map(([door, names]) => `const { ${names.join(', ')} } = require('${door}');`);
  return `${lines.join('\n')}\n${body}\nconsole.log(JSON.stringify(computeAnswers()));\n`;
}

const poolImports: Readonly<Record<string, readonly string[]>> = {
  'clearance/io': ['parseUrdf'],
  'clearance/model': ['buildModel'],
  'clearance/scene': ['createScene', 'addRobot', 'addObject', 'isSceneFree', 'setConfiguration'],
  'clearance/parallel': ['createParallelScene'],
};

/** A scene with a mesh, checked by two workers and by one thread; and a script that is not there. */
const poolBody = `
async function checkOnWorkers() {
  const box = (x) => '<collision><origin xyz="' + x + ' 0 0"/><geometry><box size="0.5 0.05 0.05"/></geometry></collision>';
  const description = parseUrdf('<robot name="r"><link name="a">' + box(0) + '</link><link name="b">' + box(0.5) +
    '</link><joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>').value;
  const { model } = buildModel(description.model);
  const scene = createScene();
  const robot = addRobot(scene, { model, description });
  const mesh = {
    vertices: Float64Array.of(0, 0, -1, 0.2, 0, -1, 0, 0.2, -1, 0, 0, 1),
    triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
  };
  addObject(scene, { name: 'wedge', shape: { type: 'mesh', mesh }, pose: [0.1, 0.4, 0, 0, 0, 0, 1] });
  const states = Array.from({ length: 250 }, (_, i) => [0.025 * i]);
  const parallel = await createParallelScene(scene, robot, { workers: 2 });
  const free = await parallel.isFreeMany(states);
  parallel.dispose();
  const same = states.every((q, i) => {
    setConfiguration(robot, q);
    return isSceneFree(scene) === (free[i] === 1);
  });
  let refused = '';
  try {
    await createParallelScene(scene, robot, { workers: 1, script: 'no-such-script.js' });
  } catch (error) {
    refused = error.name + (/no-such-script.js.* failed/.test(error.message) ? ' with its URL' : error.message);
  }
  return { count: free.length, some: free.includes(0) && free.includes(1), same, refused };
}
`;

export const expectedPoolAnswers = { count: 250, some: true, same: true, refused: 'ParallelError with its URL' };

export function writePoolProgram(ending: string, form: 'import' | 'require' = 'import'): string {
  const lines = Object.entries(poolImports).map(([door, names]) =>
    form === 'import'
      ? `import { ${names.join(', ')} } from '${door}';`
      : `const { ${names.join(', ')} } = require('${door}');`,
  );
  return `${lines.join('\n')}\n${poolBody}\n${ending}\n`;
}
