/**
 * One hash over every bit of what each area answers, for the areas whose answers are promised equal on every engine.
 * Written on the package's doors alone, so that the same file runs in Node, in Bun and in a page. Numbers are hashed by
 * their bits: one different last digit anywhere changes the area's hash.
 */
import {
  chainRepresentations,
  createChain,
  createChainObstacles,
  createChainTree,
  createLinkPairs,
  createPairTracker,
  disposeChain,
} from 'clearance/chain';
import { compileModel, compileSphereChecks } from 'clearance/compile';
import {
  aba,
  computeCentroidal,
  computeGravity,
  computeRneaDerivatives,
  createDynamicsData,
  crba,
  rnea,
} from 'clearance/dynamics';
import {
  createFleetRun,
  createFleetSetup,
  createFleetWorld,
  createFloorRun,
  createFloorSetup,
  createGridGraph,
  createRandomProblem,
  createRobotFleet,
  planPaths,
} from 'clearance/fleet';
import { computeMassProperties, decomposeMesh, joinMeshes } from 'clearance/geometry';
import { createIkSolver, solveAllIk } from 'clearance/ik';
import { expandXacro, parsePdb, parseSrdf, parseStl, parseUrdf, readUrdf, writePdb } from 'clearance/io';
import { computeFramePlacement, computeJointJacobians, forwardKinematics } from 'clearance/kinematics';
import { createRandom, createTransform, poseToTransform, sinCos } from 'clearance/math';
import { buildModel, createData, findFrame, randomConfiguration } from 'clearance/model';
import {
  addHydrogens,
  buildMolecule,
  buildPeptide,
  createBackboneChain,
  createObserver,
  createSimulation,
  findClashes,
  removeHydrogens,
  toStructure,
} from 'clearance/molecule';
import {
  castPair,
  computeContacts,
  createCastResult,
  createCollider,
  createContacts,
  createDistanceResult,
  distance,
} from 'clearance/narrowphase';
import {
  createCompiledChecker,
  createConfigurationSpace,
  createConstrainedSpace,
  createNumericConstraint,
  createRealVectorSpace,
  createRoadmap,
  planPath,
  planRrtConnect,
  shortcutPath,
} from 'clearance/planning';
import { certifyScrewMotion, planRigid, planSequence, sweepRigidPath } from 'clearance/rigid';
import {
  addObject,
  addRobot,
  castRobot,
  certifyPath,
  checkScene,
  createScene,
  createSceneChecker,
  disposeScene,
  isSceneFree,
  nearestPair,
  sampleAllowedPairs,
  setConfiguration,
} from 'clearance/scene';
import { createArmSolver, planConstrained, planGroup, planRobots } from 'clearance/tasks';
import {
  computeEnergy,
  createWorld,
  createSimulation as createWorldSimulation,
  forkSimulation,
  restoreSnapshot,
  stepSimulation,
  takeSnapshot,
} from 'clearance/simulation';
import {
  createBlendedPath,
  createLimits,
  createPoseMotion,
  createSplinePath,
  parameterizeTimeOptimal,
  planPointToPoint,
  sampleTrajectory,
} from 'clearance/trajectory';

/** FNV-1a in two halves that see the bytes in different orders of mixing; enough to tell answers apart. */
class Hash {
  #view = new DataView(new ArrayBuffer(8));
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;
  numbers = 0;

  #word(word) {
    for (let k = 0; k < 32; k += 8) {
      const byte = (word >>> k) & 255;
      this.#low = Math.imul(this.#low ^ byte, 0x01000193);
      this.#high = Math.imul(this.#high, 0x85ebca6b) ^ byte ^ (this.#high >>> 13);
    }
  }

  add(value) {
    if (typeof value === 'number') {
      if (Number.isNaN(value)) throw new Error('an answer is not a number');
      this.#view.setFloat64(0, value);
      this.#word(this.#view.getInt32(0));
      this.#word(this.#view.getInt32(4));
      this.numbers++;
    } else if (typeof value === 'string') for (let i = 0; i < value.length; i++) this.#word(value.charCodeAt(i));
    else if (value === null || value === undefined || typeof value === 'boolean') this.add(String(value));
    else if (ArrayBuffer.isView(value) || Array.isArray(value)) for (const item of value) this.add(item);
    else
      for (const key of Object.keys(value)) {
        this.add(key);
        this.add(value[key]);
      }
  }

  toString() {
    return [this.#low, this.#high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** Unit quaternion along x, y, z, w. */
function unit(...q) {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return q.map((x) => x / length);
}

function unitVector(random) {
  for (;;) {
    const v = [0, 1, 2].map(() => random.uniform(-1, 1));
    const size = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (size > 0.1 && size <= 1) return v.map((x) => x / size);
  }
}

function randomPose(random, reach) {
  const [x, y, z] = unitVector(random);
  const half = new Float64Array(2);
  sinCos(half, random.uniform(0, 3));
  const place = [0, 1, 2].map(() => random.uniform(-reach, reach));
  return poseToTransform(createTransform(), [...place, x * half[0], y * half[0], z * half[0], half[1]]);
}

/** A ball with bumps: nothing about it is exact. */
function bumpyMesh(rows, columns, seed) {
  const random = createRandom(seed);
  const vertices = [0, 0, 1];
  const turn = new Float64Array(2);
  const fall = new Float64Array(2);
  for (let r = 1; r < rows; r++) {
    sinCos(fall, (Math.PI * r) / rows);
    for (let c = 0; c < columns; c++) {
      sinCos(turn, (2 * Math.PI * c) / columns);
      const size = 1 + random.uniform(-0.15, 0.15);
      vertices.push(size * fall[0] * turn[1], size * fall[0] * turn[0], size * fall[1]);
    }
  }
  vertices.push(0, 0, -1);
  const last = vertices.length / 3 - 1;
  const at = (r, c) => 1 + (r - 1) * columns + (c % columns);
  const triangles = [];
  for (let c = 0; c < columns; c++) {
    triangles.push(0, at(1, c), at(1, c + 1), last, at(rows - 1, c + 1), at(rows - 1, c));
    for (let r = 1; r + 1 < rows; r++) {
      triangles.push(at(r, c), at(r + 1, c), at(r + 1, c + 1), at(r, c), at(r + 1, c + 1), at(r, c + 1));
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

const shapes = [
  { type: 'box', size: [0.7, 1.1, 0.4] },
  { type: 'sphere', radius: 0.6 },
  { type: 'capsule', radius: 0.3, length: 0.9 },
  { type: 'cylinder', radius: 0.45, length: 1.3 },
  { type: 'cone', radius: 0.5, length: 1.2 },
  { type: 'ellipsoid', semiAxes: [0.8, 0.5, 0.3] },
  { type: 'mesh', mesh: bumpyMesh(9, 14, 3) },
];

function hashPairs(hash) {
  const random = createRandom(11);
  const result = createDistanceResult();
  const contacts = createContacts(8);
  const colliders = shapes.map((shape) => createCollider(shape));
  for (const a of colliders) {
    for (const b of colliders) {
      // The depth of a solid mesh takes many milliseconds.
      const count = shapes[6] === a.shape || shapes[6] === b.shape ? 2 : 12;
      for (let n = 0; n < count; n++) {
        const X_WA = randomPose(random, 0.8);
        const X_WB = randomPose(random, 0.8);
        hash.add(distance(result, a, X_WA, b, X_WB));
        const touching = computeContacts(contacts, a, X_WA, b, X_WB);
        for (let i = 0; i < touching; i++) hash.add(contacts[i]);
      }
    }
  }
  for (const shape of shapes) hash.add(computeMassProperties(shape, 7));
  const { parts, concavity } = decomposeMesh(bumpyMesh(4, 6, 4), { concavity: 0.3 });
  hash.add([parts.length, concavity]);
  for (const collider of colliders) collider.dispose();
}

function hashCasts(hash) {
  const random = createRandom(12);
  const result = createCastResult();
  const colliders = shapes.map((shape) => createCollider(shape));
  for (const a of colliders) {
    for (const b of colliders) {
      for (let n = 0; n < 8; n++) {
        const [a0, a1, b0] = [0, 1, 2].map(() => randomPose(random, 1));
        const b1 = randomPose(random, 1);
        for (let k = 0; k < 3; k++) b0[9 + k] += 2.5 * unitVector(random)[k];
        hash.add(castPair(result, a, b, { a0, a1, b0, b1, path: n % 2 ? 'screw' : 'slerp' }));
      }
    }
  }
  for (const collider of colliders) collider.dispose();
}

function hashChains(hash) {
  // The two links, and the turn, that showed the engines' different lengths of an axis.
  const pair = createChainTree(
    createChain({
      links: [{ shape: { type: 'sphere', radius: 1 } }, { shape: { type: 'sphere', radius: 1 } }],
      joints: [{ type: 'revolute', origin: [4, 0, 0, 0, 0, 0, 1], axis: [1, 0.3, 0.2] }],
    }),
  );
  pair.stageTurn(0, 1);
  pair.apply();
  hash.add(pair.writeLinkPoses(new Float64Array(24)));
  disposeChain(pair.chain);

  const random = createRandom(13);
  const count = 240;
  const linkShapes = [shapes[2], shapes[3], shapes[4], shapes[1]];
  const chain = createChain({
    links: Array.from({ length: count }, (_, i) => ({
      shape: linkShapes[i % 4],
      pose: [random.uniform(-0.2, 0.2), 0.1, 0, ...unit(0.1, -0.2, 0.3, 0.9)],
    })),
    joints: Array.from({ length: count - 1 }, () => ({
      type: 'revolute',
      origin: [2, random.uniform(-0.4, 0.4), 0.3, ...unit(0.03, 0.1, 0.12, 0.9)],
      axis: unitVector(random),
    })),
  });
  const tree = createChainTree(chain);
  const tracker = createPairTracker(tree, 1.5);
  const obstacles = createChainObstacles(tree, [
    { collider: createCollider(shapes[4]), pose: poseToTransform(createTransform(), [30, 4, 2, ...unit(0.1, 0.2, 0.3, 0.9)]) },
  ]);
  const pairs = createLinkPairs();
  for (let step = 0; step < 150; step++) {
    tree.stageTurn(random.integer(count - 1), random.uniform(-0.7, 0.7));
    tree.apply();
    const touches = tree.hasContact();
    hash.add([touches, obstacles.hasContact()]);
    if (touches && step % 3) tree.undo();
    if (step % 10 === 0) {
      tree.collectPairs(pairs, 1);
      tracker.compare();
      hash.add([tree.nearestDistance(), pairs.count, tracker.appeared.count, tracker.vanished.count]);
    }
  }
  hash.add(tree.writeLinkPoses(new Float64Array(12 * count)));
  hash.add(tree.stats);
  const boxes = chainRepresentations['1-OBBTree'](chain);
  hash.add([boxes.hasContact(), boxes.stats]);
  disposeChain(chain);
}

function hashFold(hash) {
  const torsions = Array.from('GEWTYDDATKTF', (_, i) => ({ phi: -1.1 - 0.03 * i, psi: 2.2 + 0.05 * i }));
  const built = buildMolecule(buildPeptide('GEWTYDDATKTF', torsions));
  const { molecule } = addHydrogens(
    removeHydrogens(buildMolecule(parsePdb(new TextEncoder().encode(writePdb(toStructure(built)))).value)),
  );
  hash.add(molecule.positions);
  hash.add(findClashes(molecule).clashes);
  const backbone = createChainTree(createBackboneChain(molecule).chain);
  hash.add(backbone.writeLinkPoses(new Float64Array(12 * backbone.chain.linkCount)));
  backbone.dispose();
  for (const temperature of [300, { from: 900, to: 250, steps: 500 }]) {
    const simulation = createSimulation({ molecule: built, chain: { overlap: 1.2 }, field: {}, temperature, seed: 5 });
    const observer = createObserver(simulation.conformation);
    for (let round = 0; round < 8; round++) {
      simulation.run(100);
      hash.add(simulation.energy.total);
      hash.add(observer.measure());
      hash.add(observer.positions);
    }
    hash.add(simulation.listMoves());
  }
}

function readArm({ urdf, srdf, meshes }) {
  const description = parseUrdf(urdf).value;
  const { model } = buildModel(description.model);
  const semantic = parseSrdf(srdf).value;
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const loaded = new Map(Object.entries(meshes).map(([name, base64]) => [name, parseStl(bytesOf(base64)).value.mesh]));
  return { model, description, semantic, meshes: loaded };
}

function randomStates(model, count, seed) {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => randomConfiguration(new Float64Array(model.nq), model, random));
}

function hashDynamics(hash, { model }) {
  const random = createRandom(14);
  const data = createDynamicsData(model);
  const motion = createData(model);
  const compiled = compileModel(model);
  const compiledData = compiled.createData();
  const numbers = () => Float64Array.from({ length: model.nv }, () => random.uniform(-1, 1));
  const tool = findFrame(model, 'tool');
  for (const q of randomStates(model, 40, 15)) {
    const [v, a, tau] = [numbers(), numbers(), numbers()];
    forwardKinematics(model, motion, q);
    hash.add(computeFramePlacement(createTransform(), model, motion, tool));
    hash.add(computeJointJacobians(new Float64Array(6 * model.nv), model, motion));
    hash.add(rnea(model, data, q, v, a));
    hash.add(crba(model, data, q));
    hash.add(computeGravity(model, data, q));
    computeRneaDerivatives(model, data, q, v, a);
    hash.add([data.dtauDq, data.dtauDv]);
    computeCentroidal(model, data, q, v, a);
    hash.add([data.centroidalMatrix, data.momentum, data.momentumRate]);
    hash.add([aba(model, data, q, v, tau), data.ddq]);
    hash.add(compiled.rnea(compiledData, q, v, a));
    hash.add(compiled.crba(compiledData, q));
    hash.add([compiled.aba(compiledData, q, v, tau), compiledData.ddq]);
    hash.add(compiled.jointJacobians(compiledData, q));
  }
}

function hashIk(hash, { model }) {
  const tool = findFrame(model, 'tool');
  const data = createData(model);
  const solver = createIkSolver(model, tool);
  for (const q of randomStates(model, 25, 16)) {
    forwardKinematics(model, data, q);
    const target = computeFramePlacement(createTransform(), model, data, tool);
    hash.add(solver.solve({ target, seed: 3 }));
    hash.add(solver.solve({ target, seed: 3, goal: { kind: 'limits' } }));
  }
  forwardKinematics(model, data, randomStates(model, 1, 17)[0]);
  const target = computeFramePlacement(createTransform(), model, data, tool);
  hash.add(solveAllIk(solver, { target, starts: 30, distinct: 0.3 }).solutions);
  const tasks = createIkSolver(model, [
    { kind: 'position', frame: tool, target: [0.5, 0.1, 0.3] },
    { kind: 'axis', frame: tool, axis: [0, 0.1, 1], target: [0.2, 0, -1] },
  ]);
  hash.add(tasks.solve({ seed: 4 }));
}

function createArmScene(arm) {
  const scene = createScene();
  const robot = addRobot(scene, arm);
  addObject(scene, { name: 'table', shape: { type: 'box', size: [2, 2, 0.05] }, pose: [0, 0, -0.03, 0, 0, 0, 1] });
  addObject(scene, { name: 'post', shape: shapes[3], pose: [0.6, 0.5, 0.4, ...unit(0.1, 0.2, 0.05, 0.9)] });
  addObject(scene, { name: 'bump', shape: shapes[6], pose: [-1.3, 0.3, 0.6, ...unit(0.3, 0.2, 0.05, 0.9)] });
  addObject(scene, { name: 'cone', shape: shapes[4], pose: [0.3, -0.8, 0.5, ...unit(0, 0.3, 0.1, 0.9)] });
  return { scene, robot };
}

function hashScene(hash, arm) {
  const { scene, robot } = createArmScene(arm);
  const states = randomStates(arm.model, 60, 18);
  states.forEach((q, i) => {
    setConfiguration(robot, q);
    hash.add(checkScene(scene, { all: true }));
    hash.add(nearestPair(scene));
    if (i > 0 && i < 20) hash.add(castRobot(scene, robot, states[i - 1], q));
  });
  disposeScene(scene);
}

function hashAcm(hash, arm) {
  const scene = createScene();
  const robot = addRobot(scene, arm);
  hash.add(sampleAllowedPairs(robot, { samples: 500, seed: 6 }));
  disposeScene(scene);
}

function hashPlan(hash, arm) {
  const { scene, robot } = createArmScene(arm);
  const space = createConfigurationSpace(arm.model);
  const checker = createSceneChecker(scene, robot);
  const free = randomStates(arm.model, 200, 19).filter((q) => checker.isValid(q));
  for (let i = 0; i < 8; i++) {
    const request = { space, checker, resolution: 0.05, seed: 7 + i };
    const found = planRrtConnect({ ...request, start: free[2 * i], goals: [free[2 * i + 1]], maxIterations: 3000 });
    hash.add(found);
    if (found.path.length > 1) hash.add(shortcutPath({ ...request, path: found.path }));
  }
  disposeScene(scene);
  hashSpherePlans(hash, arm, space);
  hashCertifiedPlans(hash, arm);
}

/** RRT-Connect by spheres first, shortened, judged with exact shapes, and the certificates of what comes of it. */
function hashCertifiedPlans(hash, arm) {
  const { scene, robot } = createArmScene(arm);
  const free = randomStates(arm.model, 60, 29).filter((q) => {
    setConfiguration(robot, q);
    return isSceneFree(scene);
  });
  for (let i = 0; i < 6; i++) {
    const [start, goal] = [free[2 * i], free[2 * i + 1]];
    const plan = planGroup(scene, robot, { start, goal, seed: 11 + i, maxIterations: 2000 });
    hash.add(plan);
    if (plan.path.length > 1) hash.add(certifyPath(scene, robot, plan.path));
  }
  disposeScene(scene);
}

/** Every planner linked with compiled checks, on spheres along the links (they need not contain them here), simplified. */
function hashSpherePlans(hash, { model }, space) {
  const names = ['link_2', 'link_3', 'link_4', 'link_5', 'hand'];
  const links = names.map((link) => ({
    ...{ link, bound: Float64Array.of(0, 0, 0.09, 0.14) },
    levels: [Float64Array.of(0, 0, 0, 0.06, 0, 0, 0.09, 0.06, 0, 0, 0.18, 0.06)],
  }));
  const pairs = names.flatMap((a, i) => names.slice(i + 2).map((b) => [a, b]));
  const checks = compileSphereChecks(model, { links, proven: false, assumed: [] }, { pairs });
  const placement = createTransform();
  checks.setEnvironment(
    [0, 1, 2, 3, 4, 5].map((i) => {
      const pose = [0.45 * (i % 2 ? 1 : -1), 0.35 * ((i % 3) - 1), 0.5 + 0.12 * i, 0, 0, 0, 1];
      return { shape: { type: 'sphere', radius: 0.09 }, placement: poseToTransform(placement.slice(), pose) };
    }),
  );
  const checker = createCompiledChecker(checks);
  const free = randomStates(model, 200, 23).filter((q) => checker.isValid(q));
  const planners = [{}, { sampler: 'halton' }, { planner: 'prm', lazy: true }, { planner: 'informed-prm', batches: 2 }];
  for (let i = 0; i < 12; i++) {
    const [start, goal] = [free[2 * i], free[2 * i + 1]];
    const request = { space, checker, start, goals: [goal], seed: 3 + i, maxIterations: 3000, simplify: true };
    hash.add(planPath({ ...request, ...planners[i % planners.length] }));
  }
}

/** Walls with gaps in a cube, and what is asked in it: start and goal in opposite corners. */
function createMaze(seed) {
  const space = createRealVectorSpace({ lower: [0, 0, 0], upper: [1, 1, 1] });
  const random = createRandom(seed);
  const gaps = [0.3, 0.6].map((x) => [x, random.uniform(0.2, 0.8), random.uniform(0.2, 0.8)]);
  const isValid = ([x, y, z]) => gaps.every(([at, u, v]) => x < at || x > at + 0.04 || (y - u) ** 2 + (z - v) ** 2 < 0.01);
  return { space, checker: { isValid }, start: Float64Array.of(0.05, 0.1, 0.1), goal: Float64Array.of(0.95, 0.9, 0.9) };
}

function hashOptimal(hash) {
  const settings = [
    { planner: 'anytime-rrt-connect', rounds: 6 },
    { planner: 'fcit-star', rounds: 3 },
    { planner: 'informed-prm', batches: 3 },
    { planner: 'rrt-star', maxIterations: 1500 },
  ];
  for (const [i, setting] of settings.entries()) {
    const { space, checker, start, goal } = createMaze(30 + i);
    hash.add(planPath({ space, checker, start, goals: [goal], seed: 5, resolution: 0.02, ...setting }));
  }
}

function hashRoadmap(hash) {
  const { space, checker, start, goal } = createMaze(40);
  const random = createRandom(41);
  for (const planner of ['prm', 'lazy-prm', 'bridge-prm', 'experience']) {
    const roadmap = createRoadmap(space);
    for (let i = 0; i < 4; i++) {
      const draw = () => space.sample(new Float64Array(3), random);
      const ends = i % 2 === 0 ? [start, goal] : [draw(), draw()];
      if (!ends.every(checker.isValid)) continue;
      const ask = { space, checker, start: ends[0], goals: [ends[1]], planner, roadmap, seed: 6 + i, resolution: 0.02 };
      hash.add(planPath({ ...ask, maxIterations: 3000 }));
    }
    hash.add(roadmap.save());
  }
}

function hashConstraints(hash, arm) {
  const ambient = createRealVectorSpace({ lower: [-2, -2, -2], upper: [2, 2, 2] });
  const sphere = createNumericConstraint(3, 1, (f, [x, y, z]) => {
    f[0] = x * x + y * y + z * z - 1;
  });
  const checker = { isValid: (q) => Math.abs(q[2]) > 0.1 || q[0] > 0.8 };
  const ends = { start: Float64Array.of(0, 0, -1), goals: [Float64Array.of(0, 0, 1)] };
  hash.add(planPath({ space: createConstrainedSpace(ambient, sphere), checker, ...ends, seed: 2, resolution: 0.05 }));
  const { scene, robot } = createArmScene(arm);
  const down = [{ type: 'axis', frame: 'tool', direction: [0, 0, -1] }];
  const goal = { joint_1: 1.2, joint_4: -1.5 };
  const asked = { group: 'arm', start: 'ready', constraints: down };
  hash.add(planConstrained(scene, robot, { ...asked, goal, projectEnds: true }));
  hash.add(planGroup(scene, robot, { ...asked, goal: { pose: [0.3, -0.4, 0.5, 1, 0, 0, 0], rotation: 'any' } }));
  disposeScene(scene);
}

function hashCoordination(hash, arm) {
  const scene = createScene();
  const robots = [0, 1].map((i) =>
    addRobot(scene, { ...arm, name: `arm${i}`, placement: [0, 0.9 * i, 0, 0, 0, 0, 1] }),
  );
  const goals = robots.map((robot, i) => ({ robot, start: 'ready', goal: { joint_1: i === 0 ? 1 : -1 } }));
  for (const method of ['coordinated', 'prioritised', 'together'])
    hash.add(planRobots(scene, goals, { method, seed: 3, attempts: 2 }));
  disposeScene(scene);
}

function hashTrajectory(hash, { model }) {
  const waypoints = randomStates(model, 5, 20);
  const limits = createLimits(model, { acceleration: 8, jerk: 60, torque: 'model' });
  const add = (trajectory) => {
    if (trajectory) hash.add([trajectory.duration, sampleTrajectory(trajectory, 0.02)]);
  };
  for (const deviation of [0.02, 0.2]) {
    const path = createBlendedPath(model, waypoints, { deviation });
    add(parameterizeTimeOptimal(path, { limits }).trajectory);
  }
  for (const spacing of ['chord', 'centripetal', 'uniform']) {
    add(parameterizeTimeOptimal(createSplinePath(model, waypoints, { spacing }), { limits }).trajectory);
  }
  add(planPointToPoint(model, waypoints[0], waypoints[1], { limits }).trajectory);
  const random = createRandom(21);
  const out = createTransform();
  for (let i = 0; i < 20; i++) {
    for (const mode of ['screw', 'decoupled']) {
      const motion = createPoseMotion(randomPose(random, 1), randomPose(random, 1), mode);
      hash.add([motion.translation, motion.rotation, motion.place(out, 0.3)]);
    }
  }
}

/** Expressions in files: a xacro that computes its lengths, through the robot it describes. */
function hashFiles(hash) {
  const functions = ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'exp', 'log', 'log10', 'log2', 'sqrt'];
  const links = functions.map(
    (name) =>
      `<link name="${name}"/><joint name="to_${name}" type="revolute"><parent link="base"/><child link="${name}"/>
       <origin xyz="\${${name}(0.37)} \${0.37**2.7} \${pow(1.1, 0.3)}" rpy="\${0.37**3} \${hypot(0.1,0.7)} \${atan2(0.3,-0.4)}"/>
       <axis xyz="0.1 0.2 \${${name}(0.9)}"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>`,
  );
  const text = `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="base"/>${links.join('')}</robot>`;
  const { model } = buildModel(readUrdf(expandXacro(text).value).value.model);
  hash.add([model.placements, model.axes]);
}

/** Plans of many robots, deliveries with stops, and bases of all kinds among each other. */
function hashFleet(hash) {
  const free = Uint8Array.from({ length: 256 }, (_, k) => (k % 7 === 3 && k % 5 !== 0 ? 0 : 1));
  const map = { width: 16, height: 16, free };
  const graph = createGridGraph(map);
  for (const rotations of [true, false]) {
    const problem = { ...createRandomProblem(graph, 60, 2), rotations };
    const plan = planPaths(problem, { seed: 4, rounds: 150 });
    hash.add([plan.sumOfCosts, plan.expansions]);
    for (const path of plan.paths) hash.add(path);
  }
  const tasks = { pickups: [[0, 0], [5, 9], [15, 2]], deliveries: [[15, 15], [0, 15], [9, 1]] };
  const fleet = { map: [], robots: 20, tasks, turnRate: 2, stops: { share: 0.02, seconds: 4 }, seed: 8 };
  const { run } = createFleetRun(createFleetSetup({ version: 1, objects: [], fleet }, map));
  for (let k = 0; k < 600; k++) run.step(0.1);
  hash.add([run.execution.x, run.execution.y, run.execution.heading, run.execution.speed, run.metrics().delivered]);
  const world = createFleetWorld();
  const robots = createRobotFleet(world);
  for (const [k, base] of ['omni', 'differential', 'car', 'car'].entries()) {
    const shape = k === 0 ? { type: 'box', size: [0.8, 0.5, 0.4] } : { type: 'disc', radius: 0.4 };
    robots.addRobot({ name: base + k, base, shape, pose: [k, 2 * k, 0, k] });
    robots.enqueue(k, { type: 'move', to: [3 - k, k, 1 - k] }, { type: 'path', points: [[k, 3], [0, 0]] });
  }
  for (let k = 0; k < 8; k++) {
    const base = k % 2 === 0 ? 'omni' : 'differential';
    const pose = [20 + 3 * (k % 4), 4 * Math.floor(k / 4), 0, k];
    robots.addRobot({ name: `avoids${k}`, base, shape: { type: 'disc', radius: 0.4 }, pose, avoids: true });
    robots.enqueue(4 + k, { type: 'move', to: [29 - 3 * (k % 4), 4 - 4 * Math.floor(k / 4), k] });
  }
  let contacts = 0;
  world.onContact((phase, a, b) => {
    contacts = (contacts * 31 + a * 7 + b + phase.length) % 1e9;
  });
  for (let k = 0; k < 300; k++) {
    world.step(0.1);
    if (k % 10 === 0) hash.add([world.poses.slice(0, 72), contacts]);
  }
  hashFloor(hash);
}

/** An arm on a base fetches a crate, kept and gone on with in the middle, among robots that avoid. */
function hashFloor(hash) {
  const at = (x, y, z) => [1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z];
  const joint = (name, type, parent, child, origin, axis, lower, upper) => ({
    ...{ name, type, parent, child, origin: Float64Array.from(origin), axis },
    limits: { lower, upper, velocity: 1 },
  });
  const model = {
    name: 'arm',
    links: ['foot', 'upper', 'fore', 'tip'].map((name) => ({ name })),
    joints: [
      joint('turn', 'revolute', 'foot', 'upper', at(0, 0, 0.6), [0, 0, 1], -3, 3),
      joint('bend', 'revolute', 'upper', 'fore', at(0.4, 0, 0), [0, 1, 0], -2, 2),
      joint('reach', 'prismatic', 'fore', 'tip', at(0.3, 0, 0), [1, 0, 0], 0, 0.3),
    ],
  };
  const upper = { link: 'upper', origin: Float64Array.from(at(0.2, 0, 0)), shape: { type: 'box', size: [0.4, 0.06, 0.06] } };
  const description = { name: 'arm', model, collisions: [upper], visuals: [] };
  const parts = { meshes: new Map(), arms: new Map([['arm', { description, meshes: new Map() }]]) };
  const kind = { base: 'omni', shape: { type: 'disc', radius: 0.2, height: 0.3 } };
  const fetch = [
    { type: 'move', to: [2, 0] },
    { type: 'pose', target: [2.8, 0.05, 0.62] },
    { type: 'pick', object: 'crate' },
    { type: 'joints', values: [0.5, -0.6, 0.1] },
    { type: 'move', to: [0, 2] },
    { type: 'drop' },
  ];
  const random = { random: { bounds: [-9, -9, -3, -3], apart: 1 } };
  const floor = {
    ...{ arms: { arm: { file: 'arm.urdf' } }, loads: ['crate'], step: 0.05, seed: 3 },
    robots: [
      { ...kind, name: 'carrier', pose: [0, 0, 0.3], base: 'differential', arm: 'arm', jointRate: 0.7, actions: fetch },
      { ...kind, name: 'porter', avoids: true, count: 8, at: random, goals: random },
    ],
  };
  const crate = { name: 'crate', shape: { type: 'box', size: [0.1, 0.1, 0.1] }, pose: [2.8, 0, 0.5, 0, 0, 0, 1] };
  const start = () => createFloorRun(createFloorSetup({ version: 1, objects: [crate], floor }, parts, createArmSolver));
  let run = start();
  for (let k = 0; k < 300; k++) {
    if (k === 120) {
      const text = run.save();
      run = start();
      run.restore(text);
    }
    run.step(0.05);
    if (k % 20 === 0) hash.add([run.fleet.jointsOf(0), run.world.poses.slice(0, 60), run.done, run.collisions]);
  }
  hash.add(run.world.solids.find(run.world.find('crate')).transform);
}

/** Paths of a free body with their proofs: straight, by screws, through a slot, out of others; what it sweeps; a sequence. */
function hashRigid(hash) {
  const box = (low, high) => {
    const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [0, 1, 2].map((k) => (((i >> k) & 1) === 1 ? high : low)[k]));
    const triangles = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
    return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
  };
  const obstacles = joinMeshes([
    box([-3, -3, -0.1], [-0.5, 3, 0.1]),
    box([0.5, -3, -0.1], [3, 3, 0.1]),
    box([-0.5, 1.5, -0.1], [0.5, 3, 0.1]),
    box([-0.5, -3, -0.1], [0.5, -1.5, 0.1]),
  ]);
  const problem = {
    group: 'SE3',
    body: box([-1.2, -0.2, -0.2], [1.2, 0.2, 0.2]),
    obstacles,
    start: Float64Array.of(0, 0, -1, 0, 0, 0, 1),
    goal: Float64Array.of(0.2, 0.3, 1.1, 0, 0, 0, 1),
    lower: Float64Array.of(-1.5, -1.5, -1.5),
    upper: Float64Array.of(1.5, 1.5, 1.5),
  };
  for (const seed of [0, 1, 2]) {
    const { path, proof, queries } = planRigid(problem, { seed, maxQueries: 100_000 });
    hash.add([path.length, queries, proof.clearance, proof.narrowest.t]);
    for (const pose of path) hash.add(pose);
    for (const { balls } of proof.certificate.motions) hash.add(balls);
    if (seed === 0) hash.add(sweepRigidPath(problem.body, path, { cell: 0.2 }).mesh.vertices);
  }
  const limited = planRigid({ ...problem, goal: Float64Array.of(0.2, 0.3, 1.1, 0.6, 0, 0, 0.8) }, { maxQueries: 3000 });
  hash.add([limited.queries, limited.path.length]);
  const screw = certifyScrewMotion(problem, problem.start, Float64Array.of(0.4, 0.1, -1.1, 0, 0, 0.6, 0.8));
  hash.add([screw.clearance, ...screw.path.flatMap((pose) => [...pose])]);
  const parts = [
    { name: 'plate', mesh: obstacles, pose: Float64Array.of(0, 0, 0, 0, 0, 0, 1) },
    { name: 'bar', mesh: box([-0.4, -1.4, -2], [0.4, 1.4, 2]), pose: Float64Array.of(0, 0, 0, 0, 0, 0, 1) },
  ];
  for (const step of planSequence(parts).steps) hash.add([step.clearance, ...step.path.flatMap((pose) => [...pose])]);
}

/** A pile under each contact model, an arm that pushes a box, and a pile put together the other way round and gone on from a snapshot. */
function hashSimulation(hash, arm) {
  const random = createRandom(5);
  const ground = { name: 'ground', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }] };
  const bodies = Array.from({ length: 10 }, (_, i) => ({
    name: `b${i}`,
    shapes: [{ shape: i % 2 === 0 ? { type: 'sphere', radius: 0.2 } : { type: 'box', size: [0.4, 0.3, 0.5] } }],
    pose: [random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.4 + 0.4 * i, 0, 0, 0, 1],
  }));
  for (const contact of ['rigid', 'soft', 'relaxed']) {
    const options = { statics: [ground], step: 0.004, contact };
    const world = createWorld({ ...options, bodies });
    const simulation = createWorldSimulation(world);
    stepSimulation(simulation, 150);
    const fork = forkSimulation(simulation);
    const other = createWorldSimulation(createWorld({ ...options, bodies: [...bodies].reverse() }));
    restoreSnapshot(other, takeSnapshot(simulation));
    for (const one of [simulation, fork, other]) {
      stepSimulation(one, 100);
      hash.add([one.state, computeEnergy(one).total, one.report.residual]);
    }
  }
  const { model } = arm;
  const servos = model.jointNames
    .slice(1)
    .filter((_, j) => model.nvs[j + 1] === 1)
    .map((joint) => ({ joint, type: 'position', stiffness: 200, damping: 20, target: [[0, 0], [1, 0.4]] }));
  const robot = { name: 'arm', model, shapes: [{ link: model.linkNames.at(-1), shape: { type: 'sphere', radius: 0.1 } }], servos };
  const simulation = createWorldSimulation(createWorld({ statics: [ground], bodies: bodies.slice(0, 3), robots: [robot], step: 0.004 }));
  stepSimulation(simulation, 200);
  hash.add([simulation.state, simulation.robots[0].applied]);
}

const areas = {
  plan: hashPlan,
  optimal: hashOptimal,
  roadmap: hashRoadmap,
  constraints: hashConstraints,
  coordination: hashCoordination,
  acm: hashAcm,
  ik: hashIk,
  dynamics: hashDynamics,
  pairs: hashPairs,
  casts: hashCasts,
  chains: hashChains,
  fold: hashFold,
  trajectory: hashTrajectory,
  scene: hashScene,
  files: hashFiles,
  fleet: hashFleet,
  rigid: hashRigid,
  simulation: hashSimulation,
};

/** Area to hash. `files` are texts of the example arm and its meshes in base64 by the names that the texts give them. */
export function computeGoldens(files) {
  const arm = readArm(files);
  const counts = {};
  const hashes = {};
  for (const [name, run] of Object.entries(areas)) {
    const hash = new Hash();
    run(hash, arm);
    hashes[name] = String(hash);
    counts[name] = hash.numbers;
  }
  return { hashes, counts };
}
