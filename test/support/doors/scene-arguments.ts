/** Examples of arguments (see doors.ts) for models, queries, scenes, planning and trajectories. */
import { createArmModel } from '../../../src/fleet/arm-model.test-support.js';
import { createFleetArm } from '../../../src/fleet/fleet-arm.js';
import { createManipulability } from '../../../src/kinematics.js';
import { createHierarchy, createQp, createQr, createRandom, createSvd } from '../../../src/math.js';
import { Collider } from '../../../src/narrowphase/collider.js';
import {
  createCastResult,
  createContacts,
  createDistanceResult,
  createPairCache,
  createQueryStats,
  createShapeRayHit,
} from '../../../src/narrowphase.js';
import { createSceneRayBatch, saveContext, saveScene } from '../../../src/scene.js';
import { createGroupRoadmap } from '../../../src/tasks.js';
import { createLimits } from '../../../src/trajectory.js';
import type { Door, Example } from './door.js';
import type { Fixture } from './fixture.js';
import { planning } from './planning-arguments.js';
import {
  anything,
  either,
  exactly,
  hotOptions,
  isNumber,
  isNumbers,
  isText,
  loose,
  maybe,
  oneOf,
  orNull,
  output,
  sized,
} from './slot.js';

const none: Example = () => ({});
const heights = () => ({ low: maybe(0), high: maybe(1), sides: maybe(8), thickness: maybe(0.01) });
const isIterable = (x: unknown): boolean =>
  typeof x === 'object' && typeof (x as Iterable<unknown> | null)?.[Symbol.iterator] === 'function';
const numberOrNumbers = (value: number) => either(value, isNumbers);

const kernel: Door = {
  useKernel: (x) => ({ module: x.kernelModule }),
};

const reference = () => oneOf('world', 'local', 'local-world-aligned');
const md = (x: Fixture) => ({ model: x.model, data: x.data });
const frameMotion: Example = (x) => ({
  out: output(x.out6),
  ...md(x),
  motion: x.motion,
  frame: 2,
  reference: reference(),
});

const kinematics: Door = {
  computeCenterOfMass: (x) => ({ out: output(x.out3), ...md(x) }),
  computeCenterOfMassJacobian: (x) => ({ out: output(new Float64Array(12)), ...md(x), motion: x.motion }),
  computeFramePlacement: (x) => ({ out: output(x.X), ...md(x), frame: 2 }),
  forwardKinematics: (x) => ({ ...md(x), q: exactly(x.q) }),
  updateFramePlacements: md,
  updateKinematics: (x) => ({ ...md(x), q: exactly(x.q) }),
  updateMovedFramePlacements: md,
  computeFrameJacobian: (x) => ({ out: output(new Float64Array(24)), ...md(x), frame: 2, reference: reference() }),
  computeFrameJacobianRate: (x) => ({
    out: output(new Float64Array(24)),
    ...md(x),
    motion: x.motion,
    frame: 2,
    reference: reference(),
  }),
  computeFrameAcceleration: frameMotion,
  computeFrameClassicalAcceleration: frameMotion,
  computeFrameVelocity: frameMotion,
  computeJointJacobians: (x) => ({ out: output(new Float64Array(24)), ...md(x) }),
  computeManipulability: () => ({ out: loose(createManipulability(4)), jacobian: exactly(new Float64Array(24)) }),
  createManipulability: () => ({ nv: 4, rows: maybe(oneOf('all', 'linear', 'angular')) }),
  computeMotion: (x) => ({ model: x.model, motion: x.motion, q: exactly(x.q), v: exactly(x.v), a: exactly(x.v) }),
  computeVelocities: (x) => ({ model: x.model, motion: x.motion, q: exactly(x.q), v: exactly(x.v) }),
  createMotionData: (x) => ({ model: x.model }),
};

/** What allocates, plans or reads requests; the rest of this door are kernels (see doors.ts). */
const math: Door = {
  toPose: () => ({ components: loose({ position: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } }) }),
  toQuat: () => ({ components: loose({ x: 0, y: 0, z: 0, w: 1 }) }),
  createQr: () => ({ m: 3, n: 2 }),
  factorizeQr: () => ({ qr: createQr(3, 2), a: sized(Float64Array.of(1, 2, 3, 4, 5, 7)) }),
  solveQr: () => ({
    out: either(new Float64Array(2), ArrayBuffer.isView),
    qr: createQr(3, 2),
    b: sized(new Float64Array(3)),
  }),
  multiplyQ: () => ({
    out: either(new Float64Array(3), ArrayBuffer.isView),
    qr: createQr(3, 2),
    x: sized(new Float64Array(3)),
    transposed: maybe(true),
  }),
  createSvd: () => ({ m: 3, n: 2 }),
  computeSvd: () => ({ svd: createSvd(3, 2), a: sized(Float64Array.of(1, 2, 3, 4, 5, 7)) }),
  solveSvd: () => ({
    out: either(new Float64Array(2), ArrayBuffer.isView),
    svd: createSvd(3, 2),
    b: sized(new Float64Array(3)),
    damping: maybe(0.1),
    cutoff: maybe(1e-9),
  }),
  createHierarchy: () => ({ n: 2, levelCount: 1, rows: 2, constraintRows: maybe(1) }),
  solveHierarchy: () => ({
    workspace: createHierarchy(2, 1, 2, 1),
    levels: [{ A: Float64Array.of(1, 0, 0, 1), b: Float64Array.of(1, 1), rows: 2 }],
    bounds: loose({ lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) }),
    options: hotOptions({ damping: maybe(0.05), singularRegion: maybe(0.02) }),
    reference: maybe(sized(new Float64Array(2))),
  }),
  createQp: () => ({ n: 2, m: 1 }),
  solveQp: () => ({
    workspace: createQp(2, 1),
    problem: loose({ H: Float64Array.of(1, 0, 0, 1), g: Float64Array.of(1, 1) }),
    options: hotOptions({ warm: maybe(false), iterations: maybe(10) }),
  }),
  createRandom: () => ({ seed: 1 }),
};

const outAnd = (x: Fixture) => ({ out: output(x.outQ), model: x.model });
const tolerance = maybe(0.1);

const model: Door = {
  buildModel: (x) => ({
    description: loose(x.description.model),
    options: maybe({
      base: maybe(oneOf('fixed', 'floating', 'planar')),
      mimic: maybe(oneOf('honour', 'ignore')),
      continuous: maybe(oneOf('angle', 'cos-sin')),
      basePlacement: maybe(exactly(x.X)),
    }),
  }),
  clampConfiguration: (x) => ({ ...outAnd(x), q: sized(x.q) }),
  createNeutralConfiguration: (x) => ({ model: x.model }),
  differenceConfiguration: (x) => ({ ...outAnd(x), a: sized(x.q), b: sized(x.q2) }),
  distanceConfiguration: (x) => ({ model: x.model, a: sized(x.q), b: sized(x.q2) }),
  integrateConfiguration: (x) => ({ ...outAnd(x), q: sized(x.q), v: sized(x.v) }),
  interpolateConfiguration: (x) => ({ ...outAnd(x), a: sized(x.q), b: sized(x.q2), t: 0.5 }),
  isWithinLimits: (x) => ({ model: x.model, q: sized(x.q), tolerance }),
  neutralConfiguration: outAnd,
  normalizeConfiguration: (x) => ({ ...outAnd(x), q: sized(x.q) }),
  randomConfiguration: (x) => ({ ...outAnd(x), random: createRandom(1) }),
  computeDifferenceJacobian: (x) => ({
    out: output(new Float64Array(16)),
    model: x.model,
    a: sized(x.q),
    b: sized(x.q2),
    by: oneOf('a', 'b'),
  }),
  computeIntegrateJacobian: (x) => ({
    out: output(new Float64Array(16)),
    model: x.model,
    v: sized(x.v),
    by: oneOf('q', 'v'),
  }),
  createWholeJoint: (x) => ({ model: x.model, j: 1 }),
  clampToLimits: (x) => ({ ...outAnd(x), q: exactly(x.q), tolerance }),
  describeLimitViolations: (x) => ({ model: x.model, q: exactly(x.q), tolerance }),
  createData: (x) => ({ model: x.model }),
  findFrame: (x) => ({ model: x.model, name: 'link1', kind: maybe(oneOf('link', 'joint')) }),
  findJoint: (x) => ({ model: x.model, name: 'joint1' }),
  findLink: (x) => ({ model: x.model, name: 'link1' }),
  setBasePlacement: (x) => ({ data: x.data, X_WB: exactly(x.X) }),
  configurationFromNamed: (x) => ({ model: x.model, named: loose({ joint1: 0.1 }), base: maybe(exactly(x.q)) }),
  configurationToNamed: (x) => ({ model: x.model, q: exactly(x.q) }),
  describeProblem: (x) => ({ model: x.model, q: anything(x.q) }),
  mimicValue: (x) => ({ model: x.model, q: sized(x.q), joint: 1 }),
};

const isCollider = (c: unknown): boolean => c instanceof Collider;
const pair = (x: Fixture) => ({
  a: either(x.collider, isCollider),
  X_WA: exactly(x.X),
  b: either(x.collider2, isCollider),
  X_WB: exactly(x.X2),
});
const shapeRay = (x: Fixture) => ({
  collider: either(x.collider, isCollider),
  X_WS: exactly(x.X),
  origin: exactly([0.1, 0.2, -3]),
  direction: exactly([0, 0, 1]),
  maxT: maybe(10),
});
const pairOptions = () =>
  hotOptions({
    margin: maybe(0.1),
    upperBound: maybe(10),
    tolerance: maybe(1e-6),
    cache: maybe(createPairCache()),
    stats: maybe(loose(createQueryStats())),
  });

const narrowphase: Door = {
  castPair: (x) => ({
    result: loose(createCastResult()),
    a: either(x.collider, isCollider),
    b: either(x.collider2, isCollider),
    motion: hotOptions({
      a0: exactly(x.X),
      a1: exactly(x.X2),
      b0: exactly(x.X2),
      b1: exactly(x.X2),
      path: maybe(oneOf('slerp', 'screw')),
    }),
    options: hotOptions({
      tolerance: maybe(1e-6),
      maxIterations: maybe(50),
      ignoreInitialOverlap: maybe(true),
      stats: maybe(loose(createQueryStats())),
    }),
  }),
  createCastResult: none,
  castRayShape: (x) => ({ out: loose(createShapeRayHit()), ...shapeRay(x) }),
  collectShapeRayHits: (x) => ({ out: [createShapeRayHit()], ...shapeRay(x) }),
  createShapeRayHit: none,
  collide: (x) => ({ ...pair(x), options: pairOptions() }),
  distancePairs: (x) => ({
    out: sized(new Float64Array(1)),
    ...pair(x),
    outputs: hotOptions({ outNormals: new Float64Array(3) }),
  }),
  collidePairs: (x) => ({ out: sized(new Uint8Array(1)), ...pair(x) }),
  findEnclosure: (x) => pair(x),
  describeEnclosure: () => ({ boundaryEdges: 3, inner: 'ball' }),
  createCollider: (x) => ({ shape: loose(x.box), options: maybe({ node: maybe(oneOf('obb', 'aabb', 'auto')) }) }),
  computeContacts: (x) => ({ out: createContacts(2), ...pair(x), options: pairOptions() }),
  createContacts: () => ({ count: 2 }),
  distance: (x) => ({ result: loose(createDistanceResult()), ...pair(x), options: pairOptions() }),
  createPairCache: none,
  createDistanceResult: none,
  createQueryStats: none,
  isWithin: (x) => ({ ...pair(x), tolerance: 0.1, options: pairOptions() }),
};

/** Another scene, or another scene's robot, is as good where nothing else is asked of it. */
const isScene = (s: unknown): boolean => typeof s === 'object' && s !== null && 'objects' in s;
const isRobot = (r: unknown): boolean => typeof r === 'object' && r !== null && 'attached' in r;
const sr = (x: Fixture) => ({ scene: either(x.scene, isScene), robot: either(x.robot, isRobot) });
const theScene: Example = (x) => {
  x.robot;
  return { scene: either(x.scene, isScene) };
};
const margin = maybe(0.01);
const depth = () => maybe(oneOf('exact', 'hull'));
const objectPairs = maybe(true);
const castOptions = () => maybe({ margin, tolerance: maybe(1e-6), maxIterations: maybe(50) });
const selection = () => ({ indices: maybe([0, 1]), rest: maybe(new Float64Array(4)) });
const curveOptions = {
  margin,
  tolerance: maybe(1e-5),
  from: maybe(0),
  to: maybe(1),
  maxConfigurations: maybe(50),
  shouldStop: maybe(() => false),
};
const place = () => exactly([0.1, 0.2, 0.3]);
const regionOptions = () => maybe({ leaveOut: maybe([]), boxesOnly: maybe(true) });
const sceneRay = () => ({
  ray: { origin: place(), direction: exactly([0, 0, 1]), max: maybe(10) },
  options: maybe({ leaveOut: maybe([]) }),
});
const placed = (x: Fixture) => either(exactly(x.X), (p) => isNumbers(p) && p.length === 7);

const semantics: Door = {
  findGroupCoordinates: (x) => ({
    model: x.model,
    semantic: orNull(loose(x.semantic)),
    description: loose(x.description),
    name: maybe('all'),
  }),
  listGroupJoints: (x) => ({ semantic: orNull(loose(x.semantic)), description: loose(x.description), name: 'all' }),
  findGroupTip: (x) => ({
    semantic: orNull(loose(x.semantic)),
    description: loose(x.description),
    group: maybe('all'),
  }),
  findNamedState: (x) => ({ model: x.model, semantic: loose(x.semantic), name: 'home', rest: maybe(exactly(x.q)) }),
  listNamedStates: (x) => ({ model: x.model, semantic: orNull(loose(x.semantic)) }),
};

/** Values by joint: none of them, too. */
const isState = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0 && value.every(isState);
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
};
const cellRobot = (x: Fixture) => ({
  description: loose(x.description),
  semantic: orNull(loose(x.semantic)),
  base: maybe(oneOf('fixed', 'floating', 'planar')),
});
const around = () => ({
  description: loose({ version: 1, objects: [], robots: [], attached: [] }),
  meshes: new Map(),
  clouds: maybe(new Map()),
});
const groupRequest = () => ({
  group: maybe('all'),
  start: maybe(either('home', isState)),
  goal: either('home', isState),
  seed: maybe(1),
  maxIterations: maybe(10),
  clock: maybe(() => 0),
  simplify: maybe(true),
  planner: maybe(oneOf('auto', 'rrt-connect')),
  spheres: maybe(loose({ links: [], proven: true, assumed: [] })),
  edges: maybe(oneOf('certified', 'sampled')),
  resolution: maybe(0.1),
  optimise: maybe({ ms: maybe(1), rounds: maybe(2), objective: maybe({ kind: maybe(oneOf('length', 'tool')) }) }),
  repairStart: maybe(either(true, (v) => typeof v === 'number' && v >= 0)),
  explain: maybe(true),
  moving: maybe([]),
  timed: maybe({ acceleration: maybe(3), corners: maybe(oneOf('stop', 'blend', 'smooth', 'spline')) }),
});

const tasks: Door = {
  createArmSolver: () => ({
    arm: loose(createFleetArm(createArmModel())),
    target: either([0.5, 0, 0.5], Array.isArray),
    seed: maybe(1),
  }),
  addCellRobot: (x) => ({ scene: either(x.scene, isScene), robot: { ...cellRobot(x), name: maybe('other') } }),
  createCell: (x) => ({
    options: {
      margin,
      robot: maybe(cellRobot(x)),
      around: maybe(around()),
      robots: maybe(new Map()),
      meshMode: maybe(oneOf('surface', 'solid')),
    },
  }),
  placeDescription: (x) => ({
    scene: either(x.scene, isScene),
    content: around(),
    options: maybe({ robots: maybe(new Map()), meshMode: maybe(oneOf('surface', 'solid')) }),
  }),
  createGroupRoadmap: (x) => ({ ...sr(x), options: maybe(loose({ group: 'all' })) }),
  buildGroupRoadmap: (x) => ({ ...sr(x), options: maybe(loose({ group: 'all', paths: 1, maxIterations: 1 })) }),
  loadGroupRoadmap: (x) => ({
    ...sr(x),
    data: loose(createGroupRoadmap(x.scene, x.robot).save()),
    options: maybe(loose({ group: 'all' })),
  }),
  planConstrained: (x) => ({
    ...sr(x),
    request: {
      group: maybe(either('all', (v) => Array.isArray(v))),
      start: maybe(either('home', isState)),
      goal: either('home', isState),
      constraints: loose([{ type: 'axis', frame: 'link2', tolerance: 3 }]),
      projectEnds: maybe(true),
      deviation: maybe(0.1),
      step: maybe(0.1),
      seed: maybe(1),
      maxIterations: maybe(10),
      timeoutMs: maybe(1000),
      clock: maybe(() => 0),
      simplify: maybe(true),
      onProgress: maybe(() => {}),
    },
  }),
  pickAndPlace: (x) => ({
    ...sr(x),
    request: {
      group: maybe('all'),
      object: x.object.name,
      grasps: loose([{ pose: [0, 0, 0, 0, 0, 0, 1] }]),
      place: loose([1, 0, 0, 0, 0, 0, 1]),
      tool: maybe(loose('link3')),
      start: maybe(loose('home')),
      approach: maybe(loose([0, 0, 0.1])),
      lift: maybe(loose([0, 0, 0.1])),
      open: maybe(loose({})),
      closed: maybe(loose({})),
      touchLinks: maybe(either([], isIterable)),
      supports: maybe(either([], isIterable)),
      deviation: maybe(0.01),
      limits: loose({ acceleration: 3 }),
      seed: maybe(1),
    },
  }),
  coordinatePaths: (x) => ({
    scene: either(x.scene, isScene),
    paths: loose([{ robot: x.robot, path: [x.q, x.q2] }]),
    options: maybe({
      orders: maybe(anything(2)),
      seed: maybe(1),
      expansions: maybe(anything(10)),
      tick: maybe(0.5),
    }),
  }),
  planRobots: (x) => ({
    scene: either(x.scene, isScene),
    goals: loose([{ robot: x.robot, goal: x.q2 }]),
    options: maybe({ seed: maybe(1), attempts: maybe(2), tick: maybe(0.5), maxIterations: maybe(50) }),
  }),
  createGroupSearch: (x) => ({ ...sr(x), request: groupRequest() }),
  planGroup: (x) => ({
    ...sr(x),
    request: { ...groupRequest(), timeoutMs: maybe(1000), onProgress: maybe(() => {}) },
  }),
  timePath: (x) => ({
    model: x.model,
    waypoints: [x.q, x.q2],
    timing: {
      limits: loose(createLimits(x.model, { acceleration: 3 })),
      method: maybe(oneOf('time-optimal', 'stops')),
      corners: maybe(oneOf('stop', 'blend', 'smooth', 'spline')),
      deviation: maybe(0.1),
    },
  }),
};

const scene: Door = {
  allowPairs: (x) => ({
    ...theScene(x),
    pairs: either([], isIterable),
    options: maybe({ robot: maybe(x.robot), replace: maybe(true) }),
  }),
  adjacentPairs: (x) => ({ model: loose(x.description.model), hasGeometry: () => true }),
  createAllowedCollisions: () => ({
    pairs: maybe(either([], isIterable)),
    options: maybe({ onChange: maybe(() => {}), resolve: maybe((s: string) => s) }),
  }),
  semanticPairs: (x) => ({ semantic: loose(x.semantic) }),
  formatAssumption: () => ({ assumption: loose({ kind: 'dropped', element: 'x', message: 'y' }) }),
  listAssumptions: theScene,
  sceneAssumptions: theScene,
  attachObject: (x) => ({
    scene: either(x.scene, isScene),
    object: x.object,
    options: {
      robot: either(x.robot, isRobot),
      link: 'link4',
      placement: maybe(placed(x)),
      touchLinks: maybe(either([], isIterable)),
      mass: maybe(1),
    },
  }),
  detachObject: (x) => ({ scene: either(x.scene, isScene), object: x.attached }),
  isAllowedPair: (x) => ({ scene: either(x.scene, isScene), a: x.robot.links[0].body, b: x.robot.links[1].body }),
  pairMargin: (x) => ({ scene: either(x.scene, isScene), a: x.robot.links[0].body, b: x.robot.links[1].body }),
  castRobot: (x) => ({ ...sr(x), from: exactly(x.q), to: exactly(x.q2), options: castOptions() }),
  createRobotCaster: (x) => ({ ...sr(x), options: castOptions() }),
  certifyCurve: (x) => ({ ...sr(x), curve: loose(x.curve), options: maybe(curveOptions) }),
  createCurveCertifier: sr,
  certifyPath: (x) => ({
    ...sr(x),
    path: [x.q, x.q2],
    options: maybe({ margin, tolerance: maybe(1e-6), maxConfigurations: maybe(1000), shouldStop: maybe(() => false) }),
  }),
  verifyPathCertificate: (x) => ({
    ...sr(x),
    path: [x.q, x.q2],
    certificate: loose({ version: 1, margin: 0, segments: [] }),
  }),
  checkScene: (x) => ({
    ...theScene(x),
    options: maybe({ all: maybe(true), margin, objectPairs, depth: maybe(oneOf('exact', 'hull', 'none')) }),
  }),
  countCheckedPairs: theScene,
  findEnclosedBodies: (x) => ({ ...theScene(x), objectPairs }),
  stateAssumptions: (x) => ({ ...theScene(x), objectPairs }),
  isSceneFree: (x) => ({ ...theScene(x), margin, objectPairs }),
  castSceneRay: (x) => ({ ...theScene(x), ...sceneRay() }),
  isSceneRayBlocked: (x) => ({ ...theScene(x), ...sceneRay() }),
  listSceneRayHits: (x) => ({ ...theScene(x), ...sceneRay() }),
  castSceneRays: (x) => ({
    out: loose(createSceneRayBatch(1)),
    ...theScene(x),
    rays: Float64Array.of(0.2, 0.2, -1, 0, 0, 1),
    options: maybe({ maxT: maybe(numberOrNumbers(10)), find: maybe(oneOf('first', 'any')), leaveOut: maybe([]) }),
  }),
  createSceneRayBatch: () => ({ count: 2 }),
  findBodiesAt: (x) => ({ ...theScene(x), point: place(), options: maybe({ leaveOut: maybe([]) }) }),
  findBodiesInBox: (x) => ({ ...theScene(x), box: { min: place(), max: place() }, options: regionOptions() }),
  findBodiesInSphere: (x) => ({ ...theScene(x), sphere: { center: place(), radius: 0.5 }, options: regionOptions() }),
  nearestBody: (x) => ({
    ...theScene(x),
    point: place(),
    options: maybe({ leaveOut: maybe([]), maxDistance: maybe(5) }),
  }),
  nearestPair: (x) => ({ ...theScene(x), options: maybe({ maxDistance: maybe(5), objectPairs, depth: depth() }) }),
  pairsWithin: (x) => ({ ...theScene(x), options: { margin: 0.1, objectPairs, depth: depth() } }),
  touchingPairs: (x) => ({ ...theScene(x), options: maybe({ margin: maybe(0.1), objectPairs }) }),
  createMonitor: (x) => ({
    ...theScene(x),
    options: { distance: 0.1, objectPairs, period: maybe(0.01), depth: depth() },
  }),
  findMotionBounds: (x) => ({ ...sr(x), states: [x.q, x.q2] }),
  createSceneMotionChecker: (x) => ({
    ...sr(x),
    options: maybe({ margin, tolerance: maybe(1e-4), maxDistances: maybe(50), ...selection() }),
  }),
  createShapeResolver: () => ({ meshes: new Map(), mode: maybe(oneOf('surface', 'solid')), clouds: maybe(new Map()) }),
  listFileShapes: (x) => ({ shape: loose(x.box) }),
  addRobot: (x) => ({
    scene: either(x.scene, isScene),
    options: {
      name: maybe('arm'),
      model: x.model,
      description: loose(x.description),
      semantic: orNull(loose(x.semantic)),
      meshes: maybe(new Map()),
      geometry: maybe(oneOf('collision', 'visual', 'spheres')),
      meshMode: maybe(oneOf('surface', 'solid')),
      placement: maybe(placed(x)),
      margin,
      allowed: maybe(either([], isIterable)),
      checkAdjacent: maybe(true),
      selfCheck: maybe(oneOf('auto', 'chain', 'pairs')),
      issues: maybe(either([], Array.isArray)),
      urdf: maybe('text'),
      files: maybe(new Map()),
    },
  }),
  fitRobotSpheres: (x) => ({
    robot: loose({ description: x.description }),
    options: maybe({ count: maybe(1), coarser: maybe(0), memory: maybe(new Map()), onProgress: maybe(() => {}) }),
  }),
  verifyRobotSpheres: (x) => ({
    robot: loose({ description: x.description }),
    spheres: new Map(),
    options: maybe({ tolerance: maybe(0), accuracy: maybe(0.1) }),
  }),
  toSphereLists: () => ({
    model: loose({ links: [], proven: true, assumed: [] }),
    level: maybe(0),
  }),
  placeRobot: (x) => ({ robot: either(x.robot, isRobot), placement: placed(x) }),
  projectRobot: (x) => ({ robot: either(x.robot, isRobot), options: maybe(heights()) }),
  projectShape: (x) => ({ shape: loose(x.box), placement: placed(x), options: maybe(heights()) }),
  removeRobot: sr,
  robotFramePlacement: (x) => ({ out: output(x.X), robot: either(x.robot, isRobot), frame: 'link1' }),
  setConfiguration: (x) => ({ robot: either(x.robot, isRobot), q: exactly(x.q) }),
  sampleAllowedPairs: (x) => ({
    robot: either(x.robot, isRobot),
    options: maybe({
      samples: maybe(10),
      seed: maybe(1),
      alwaysFraction: maybe(0.9),
      search: maybe(false),
      onProgress: maybe(() => {}),
    }),
  }),
  addObject: (x) => ({
    scene: either(x.scene, isScene),
    options: {
      name: 'new',
      shape: loose(x.box),
      placement: maybe(exactly(x.X)),
      margin,
      issues: maybe(either([], Array.isArray)),
    },
  }),
  bodyName: (x) => ({ scene: either(x.scene, isScene), body: loose(x.robot.links[0].body) }),
  assumeOf: (x) => ({ ...theScene(x), assumed: [] }),
  createContext: theScene,
  createScene: () => ({ options: maybe({ margin }) }),
  disposeScene: theScene,
  moveObject: (x) => ({ scene: either(x.scene, isScene), object: x.object, placement: placed(x) }),
  objectIn: (x) => ({ scene: either(x.scene, isScene), object: x.object }),
  removeObject: (x) => ({ scene: either(x.scene, isScene), object: x.object }),
  robotIn: (x) => ({ scene: either(x.scene, isScene), robot: either(x.robot, isRobot) }),
  setPairMargin: (x) => ({ ...theScene(x), a: 'link0', b: 'link3', margin: 0.1 }),
  setSceneMargin: (x) => ({ ...theScene(x), margin: 0.1 }),
  updateScene: theScene,
  describeSelfCheck: (x) => ({ robot: either(x.robot, isRobot) }),
  findSizeSuspicions: theScene,
  objectPlacement: (x) => ({ object: x.object }),
  restoreScene: (x) => {
    x.robot;
    return { scene: either(x.scene, isScene), snapshot: loose(saveScene(x.scene)) };
  },
  saveScene: theScene,
  restoreContext: (x) => {
    x.robot;
    return { scene: either(x.scene, isScene), state: loose(saveContext(x.scene)) };
  },
  saveContext: theScene,
  createSceneChecker: (x) => ({ ...sr(x), options: maybe({ margin, ...selection() }) }),
  createSphereChecker: (x) => ({
    ...sr(x),
    options: maybe({
      margin,
      ...selection(),
      spheres: maybe(loose({ links: [], proven: true, assumed: [] })),
      prove: maybe(false),
      tier: maybe(oneOf('compiled', 'generic')),
    }),
  }),
  proveNeverPairs: (x) => ({
    robot: either(x.robot, isRobot),
    pairs: [],
    options: maybe({
      cells: maybe([2]),
      boxes: maybe(10),
      mostSpheres: maybe(10),
      shouldStop: maybe(() => false),
      onProgress: maybe(() => {}),
    }),
  }),
};

const ends = () => ({
  distance: 1,
  startVelocity: 0,
  endVelocity: 0,
  startAcceleration: maybe(0),
  endAcceleration: maybe(0),
});
const profileLimits = () => ({ velocity: 1, acceleration: 2, jerk: 10 });
const mw = (x: Fixture) => ({ model: x.model, waypoints: x.waypoints });
const velocities = (x: Fixture) => ({
  velocities: maybe([x.v, x.v, x.v]),
});
const dynamicsOptions = (x: Fixture) =>
  maybe({
    gravity: maybe(exactly([0, 0, -9.81])),
    armature: maybe(exactly(x.v)),
    damping: maybe(exactly(x.v)),
    friction: maybe(exactly(x.v)),
  });

const trajectory: Door = {
  createBlendedPath: (x) => ({
    ...mw(x),
    options: maybe({ deviation: maybe(0.1), blend: maybe(oneOf('parabolic', 'smooth')) }),
  }),
  joinTrajectories: (x) => ({ parts: [x.curve] }),
  createBSplineTrajectory: (x) => ({
    model: x.model,
    controlPoints: x.waypoints,
    options: { degree: maybe(2), duration: 2 },
  }),
  createCubicTrajectory: (x) => ({ ...mw(x), times: exactly(x.times), options: maybe(velocities(x)) }),
  createQuinticTrajectory: (x) => ({
    ...mw(x),
    times: exactly(x.times),
    options: maybe({ ...velocities(x), accelerations: maybe([x.v, x.v, x.v]) }),
  }),
  createLimits: (x) => ({
    model: x.model,
    options: maybe({
      velocity: maybe(either(1, (v) => isNumbers(v) || v === 'model')),
      acceleration: maybe(numberOrNumbers(1)),
      jerk: maybe(numberOrNumbers(1)),
      torque: maybe(either(1, (v) => isNumbers(v) || v === 'model')),
      followers: maybe(true),
    }),
  }),
  isMotionCurve: (x) => ({ trajectory: loose(x.curve) }),
  findDuration: () => ({ ends: ends(), limits: profileLimits(), least: 0.1 }),
  planProfile: () => ({ ends: ends(), limits: profileLimits() }),
  planTimedProfile: () => ({ ends: ends(), limits: profileLimits(), duration: 5 }),
  checkTrajectory: (x) => ({
    ...sr(x),
    trajectory: loose(x.curve),
    options: maybe({ dt: maybe(0.1), ...curveOptions }),
  }),
  createPathInScene: (x) => ({
    ...sr(x),
    waypoints: x.waypoints,
    options: maybe({
      corners: maybe(oneOf('smooth', 'stop', 'blend', 'spline')),
      deviation: maybe(0.1),
      margin,
      tolerance: maybe(1e-4),
      maxConfigurations: maybe(50),
      shouldStop: maybe(() => false),
    }),
  }),
  planPointToPoint: (x) => ({
    model: x.model,
    start: exactly(x.q),
    end: exactly(x.q2),
    options: {
      limits: loose(x.limits),
      startVelocity: maybe(exactly(x.v)),
      endVelocity: maybe(exactly(x.v)),
      synchronize: maybe(oneOf('time', 'none')),
    },
  }),
  createPoseMotion: (x) => ({ X_WA: exactly(x.X), X_WB: exactly(x.X2), mode: maybe(oneOf('screw', 'decoupled')) }),
  createSampledTrajectory: (x) => ({
    model: x.model,
    samples: { times: exactly(x.times), positions: x.waypoints, ...velocities(x) },
  }),
  createSplinePath: (x) => ({
    ...mw(x),
    options: maybe({
      spacing: maybe(oneOf('centripetal', 'chord', 'uniform')),
      startDirection: maybe(exactly(x.v)),
      endDirection: maybe(exactly(x.v)),
    }),
  }),
  parameterizeTimeOptimal: (x) => ({
    path: x.spline,
    options: {
      limits: loose(x.limits),
      dynamics: dynamicsOptions(x),
      scheme: maybe(oneOf('interpolation', 'collocation')),
      intervals: maybe(50),
      tolerance: maybe(0.01),
    },
  }),
  createTrajectoryPoint: (x) => ({ model: x.model }),
  sampleTimes: () => ({ duration: 1, dt: 0.1 }),
  sampleTrajectory: (x) => ({ trajectory: loose(x.curve), dt: 0.5 }),
  toTrajectoryTable: (x) => ({ model: x.model, samples: loose(x.samples), dynamics: dynamicsOptions(x) }),
  validateTrajectory: (x) => ({
    trajectory: loose(x.curve),
    options: { limits: loose(x.limits), dt: maybe(0.5), tolerance: maybe(0.01), dynamics: dynamicsOptions(x) },
  }),
};

void isNumber;
void isText;

export const sceneDoors: Readonly<Record<string, Door>> = {
  kernel,
  kinematics,
  math,
  model,
  narrowphase,
  planning,
  scene,
  semantics,
  tasks,
  trajectory,
};
