/** Examples of arguments (see doors.ts) for shapes, hierarchies, chains, dynamics and inverse kinematics. */
import {
  createClosestPoint,
  createClosestPoints,
  createMeshCollision,
  createMeshDistance,
  createRayHit,
  createRayHits,
} from '../../../src/bvh.js';
import { createBruteForceChain, createHashGridChain } from '../../../src/chain.js';
import type { Door, Example } from './door.js';
import type { Fixture } from './fixture.js';
import {
  either,
  exactly,
  hotOptions,
  isNumber,
  isNumbers,
  loose,
  maybe,
  oneOf,
  orNull,
  output,
  sized,
} from './slot.js';

const none: Example = () => ({});
const numberOrNumbers = (value: number) => either(value, isNumbers);

const stats = () => maybe(loose({ nodeTests: 0, primitiveTests: 0, iterations: 0 }));
const pairMargin = maybe(0.1);
const persistentPairs = maybe(true);

const broadphase: Door = {
  createAutoBroadPhase: () => ({ options: maybe({ pairMargin }) }),
  createBruteForce: none,
  createDynamicTree: () => ({ options: maybe({ fatMargin: maybe(0.1), persistentPairs, pairMargin }) }),
  createHashGrid: () => ({
    options: maybe({
      cellSizeMode: maybe(oneOf('CONSTANT', 'AUTO_INITIAL', 'AUTO_ADAPTIVE')),
      cellSize: maybe(1),
      scaleFactor: maybe(2),
      minimumCellSize: maybe(0.1),
      multiCellThreshold: maybe(2),
      dimensions: maybe(oneOf(3, 2)),
      persistentPairs,
      pairMargin,
    }),
  }),
  createStaticTree: () => ({
    boxes: Float64Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3),
    options: maybe({ persistentPairs, pairMargin }),
  }),
  createSweepAndPrune: () => ({ options: maybe({ axes: maybe(oneOf(3, 1)), pairMargin }) }),
};

const rayOptions = () =>
  either(
    hotOptions({ minT: maybe(0), maxT: maybe(10), sides: maybe(oneOf('both', 'front', 'back')), stats: stats() }),
    isNumber,
  );
const ray = (x: Fixture) => ({
  bvh: x.bvh,
  origin: exactly(Float64Array.of(0.2, 0.2, -1)),
  direction: exactly(x.direction),
});

const bvh: Door = {
  castRayMesh: (x) => ({ out: loose(createRayHit()), ...ray(x), options: rayOptions() }),
  collectRayHits: (x) => ({ out: [createRayHit()], ...ray(x), options: rayOptions() }),
  createRayHit: none,
  isRayBlocked: (x) => ({ ...ray(x), options: rayOptions() }),
  countCrossings: (x) => ({ out: loose({ winding: 0, count: 0 }), bvh: x.bvh, x: 0.1, y: 0.1, z: 0.1 }),
  castRays: (x) => ({
    out: loose(createRayHits(1)),
    bvh: x.bvh,
    rays: Float64Array.of(0.2, 0.2, -1, 0, 0, 1),
    options: hotOptions({
      minT: maybe(0),
      maxT: maybe(numberOrNumbers(10)),
      sides: maybe(oneOf('both', 'front', 'back')),
      find: maybe(oneOf('first', 'any')),
      stats: stats(),
    }),
  }),
  createRayHits: () => ({ count: 2 }),
  readRayHit: (x) => ({
    out: loose(createRayHit()),
    hits: loose(createRayHits(1)),
    index: 0,
    bvh: x.bvh,
    rays: either(Float64Array.of(0.2, 0.2, -1, 0, 0, 1), ArrayBuffer.isView),
  }),
  closestPointMesh: (x) => ({
    out: loose(createClosestPoint()),
    bvh: x.bvh,
    point: exactly(x.point),
    options: hotOptions({ upperBound: maybe(10), stats: stats() }),
  }),
  closestPointsMesh: (x) => ({
    out: loose(createClosestPoints(1)),
    bvh: x.bvh,
    points: x.point,
    options: hotOptions({ upperBound: maybe(10), stats: stats() }),
  }),
  createClosestPoint: none,
  createClosestPoints: () => ({ count: 2 }),
  collideMeshMesh: (x) => ({
    a: x.bvh,
    b: x.bvh2,
    X_AB: exactly(x.X),
    options: hotOptions({
      tolerance: maybe(0),
      stats: stats(),
      maxPairs: maybe(10),
      outPairs: maybe(either([], Array.isArray)),
      out: maybe(loose(createMeshCollision())),
    }),
  }),
  createMeshCollision: none,
  createMeshDistance: none,
  distanceMeshMesh: (x) => ({
    result: loose(createMeshDistance()),
    a: x.bvh,
    b: x.bvh2,
    X_AB: exactly(x.X2),
    options: hotOptions({
      upperBound: maybe(10),
      relativeError: maybe(0.1),
      stats: stats(),
      hint: maybe(loose({ triangleA: 0, triangleB: 0 })),
    }),
  }),
  toleranceMeshMesh: (x) => ({
    a: x.bvh,
    b: x.bvh2,
    X_AB: exactly(x.X2),
    tolerance: 0.1,
    options: hotOptions({ stats: stats(), hint: maybe(loose({ triangleA: 0, triangleB: 0 })) }),
  }),
  buildMeshBvh: (x) => ({
    mesh: loose(x.mesh),
    options: maybe({
      node: maybe(oneOf('auto', 'obb', 'aabb')),
      fitter: maybe(oneOf('PQP_FIT', 'RAPID2_FIT', 'INERTIA_FIT')),
      hull: maybe(false),
      split: maybe(oneOf('longest', 'area', 'binned', 'binned-longest')),
    }),
  }),
  collideMeshPoses: (x) => ({
    out: new Uint8Array(1),
    a: x.bvh,
    b: x.bvh2,
    poses: x.X2,
    options: hotOptions({ tolerance: maybe(0), outTriangles: maybe(new Int32Array(2)), stats: stats() }),
  }),
  distanceMeshPoses: (x) => ({
    out: output(new Float64Array(1)),
    a: x.bvh,
    b: x.bvh2,
    poses: x.X2,
    options: hotOptions({
      upperBound: maybe(9),
      outPoints: maybe(new Float64Array(6)),
      outTriangles: maybe(new Int32Array(2)),
      stats: stats(),
    }),
  }),
  toleranceMeshPoses: (x) => ({
    out: new Uint8Array(1),
    a: x.bvh,
    b: x.bvh2,
    poses: x.X2,
    tolerance: 0.1,
    stats: stats(),
  }),
  refitMeshBvh: (x) => ({ bvh: x.bvh, vertices: exactly(x.mesh.vertices) }),
  reportBvh: (x) => ({ bvh: x.bvh }),
  loadBvh: (x) => ({ buffer: x.serialized }),
  loadBvhInSteps: (x) => ({ buffer: x.serialized }),
  serializeBvh: (x) => ({ bvh: x.bvh }),
  validateBvh: (x) => ({ bvh: x.bvh, limit: maybe(5) }),
  walkTriangles: (x) => ({
    bvh: x.bvh,
    box: exactly(Float64Array.of(0, 0, 0, 1, 1, 1)),
    radius: 0.1,
    visit: () => 0.1,
  }),
};

const isChain = (c: unknown): boolean => typeof c === 'object' && c !== null && 'linkCount' in c;
const treeOptions = () => maybe({ volume: maybe(oneOf('rss', 'box', 'ball')), fitDepth: maybe(2), tight: maybe(true) });
const aChain: Example = (x) => ({ chain: either(x.chain, isChain) });
const obstacles = (x: Fixture) => ({ tree: x.chainTree, obstacles: [{ collider: x.collider, pose: x.X2 }] });

const chain: Door = {
  createAutoChain: (x) => ({ chain: either(x.chain, isChain), changesPerStep: maybe(1) }),
  createBruteForceChain: aChain,
  createChain: (x) => ({ description: loose(x.chainDescription) }),
  disposeChain: aChain,
  createChainObstacles: obstacles,
  createChainPair: (x) => ({ a: x.chainTree, b: x.chainTree2 }),
  raceChains: (x) => ({
    chain: x.chain,
    request: {
      runners: [
        { name: 'grid', create: createHashGridChain },
        { name: 'all', create: createBruteForceChain },
      ],
      steps: 2,
      blockSteps: maybe(1),
      warmUp: maybe(1),
      seed: 1,
      reach: 0.1,
      now: () => 0,
    },
  }),
  createChainTree: (x) => ({ chain: either(x.chain, isChain), options: treeOptions() }),
  createHashGridChain: aChain,
  createLinkPairs: none,
  createPairTracker: (x) => ({ tree: x.chainTree, cutoff: 0.5 }),
};

const compileOptions = (x: Fixture) =>
  maybe({
    algorithms: maybe(['rnea']),
    gravity: maybe(exactly([0, 0, -9.81])),
    armature: maybe(exactly(x.v)),
    damping: maybe(exactly(x.v)),
    friction: maybe(exactly(x.v)),
    movable: maybe(true),
    externalForces: maybe(true),
    snap: maybe(1e-12),
  });

const noSpheres = { links: [], proven: true, assumed: [] };
/** Of a robot that does not vary. */
const emptyNumbers = new Float64Array(0);
const impossibleRequest = (x: Fixture) => ({
  pairs: [],
  indices: emptyNumbers,
  rest: exactly(x.q),
  seed: maybe(1),
  samples: maybe(10),
  boxes: maybe(10),
  margin: maybe(0),
  shouldStop: maybe(() => false),
});

const sphereChecks = (x: Fixture) => ({
  model: x.model,
  spheres: loose(noSpheres),
  options: {
    pairs: [],
    indices: maybe(emptyNumbers),
    rest: maybe(exactly(x.q)),
    margin: maybe(0.01),
    never: maybe(loose({ indices: [], rest: x.q, margin: 1, pairs: [] })),
    carried: maybe([]),
    environmentBytes: maybe(1000),
  },
});

const compile: Door = {
  compileModelBytes: (x) => ({
    model: x.model,
    options: compileOptions(x),
    lanes: maybe(oneOf(1, 2)),
    shape: maybe({ segmentSize: 150, functionSize: maybe(1000) }),
  }),
  compileModel: (x) => ({ model: x.model, options: compileOptions(x) }),
  loadCompiledModel: (x) => ({ source: x.compiled, model: x.model }),
  compileModelPair: (x) => ({ model: x.model, options: compileOptions(x) }),
  loadCompiledPair: (x) => ({ source: x.compiledPair, model: x.model }),
  compileSphereChecks: sphereChecks,
  createSphereChecks: sphereChecks,
  proveImpossiblePairs: (x) => ({ model: x.model, spheres: loose(noSpheres), request: impossibleRequest(x) }),
  verifyImpossiblePairs: (x) => ({
    model: x.model,
    spheres: loose(noSpheres),
    proof: loose({ indices: [], rest: x.q, margin: 0, pairs: [] }),
  }),
  verifyMotion: (x) => ({
    model: x.model,
    spheres: loose(noSpheres),
    claim: {
      pairs: [],
      indices: emptyNumbers,
      rest: exactly(x.q),
      obstacles: [],
      margin: maybe(0),
      a: emptyNumbers,
      b: emptyNumbers,
      intervals: new Float64Array([0.5, 0.5]),
    },
  }),
  readLane: (x) => ({ out: output(x.outQ), pairs: new Float64Array(8), lane: oneOf(0, 1) }),
};

const forces = () => orNull(exactly(new Float64Array(30)));
const mqv = (x: Fixture) => ({ model: x.model, data: x.dynamics, q: exactly(x.q), v: exactly(x.v) });
const mq: Example = (x) => ({ model: x.model, data: x.dynamics, q: exactly(x.q) });
const mqva: Example = (x) => ({ ...mqv(x), a: exactly(x.v) });
const dynamicsOptions = (x: Fixture) =>
  maybe({
    gravity: maybe(exactly([0, 0, -9.81])),
    armature: maybe(exactly(x.v)),
    damping: maybe(exactly(x.v)),
    friction: maybe(exactly(x.v)),
  });
const constrained = { proximal: maybe(1e-6), tolerance: maybe(1e-9), iterations: maybe(5) };

const dynamics: Door = {
  aba: (x) => ({ ...mqv(x), tau: exactly(x.v), externalForces: forces() }),
  computeAbaDerivatives: (x) => ({ ...mqv(x), tau: exactly(x.v), externalForces: forces() }),
  computeCentroidal: mqva,
  computeConstrainedDynamics: (x) => ({
    model: x.model,
    data: x.dynamics,
    constraints: x.constraints,
    state: { q: exactly(x.q), v: exactly(x.v), tau: exactly(x.v) },
    options: maybe({ externalForces: orNull(exactly(new Float64Array(30))), ...constrained }),
  }),
  computeConstraintImpulse: (x) => ({
    model: x.model,
    data: x.dynamics,
    constraints: x.constraints,
    q: exactly(x.q),
    v: exactly(x.v),
    options: maybe({ ...constrained, restitution: maybe(0.5) }),
  }),
  createConstraints: (x) => ({
    model: x.model,
    list: [{ kind: 'point', frame: 2 }],
    options: maybe({ stiffness: maybe(1), damping: maybe(1) }),
  }),
  computeCoriolis: mqv,
  crba: mq,
  createDynamicsData: (x) => ({ model: x.model, options: dynamicsOptions(x) }),
  computeKineticEnergy: mqv,
  computePotentialEnergy: mq,
  computeGravity: (x) => ({ ...mq(x), externalForces: forces() }),
  computeInverseInertia: mq,
  readJointFriction: (x) => ({ model: x.model }),
  computeRegressor: (x) => ({ out: output(new Float64Array(4 * 10 * 4)), ...mqva(x) }),
  computeNonlinearEffects: mqv,
  rnea: (x) => ({ ...mqva(x), externalForces: forces() }),
  computeRneaDerivatives: (x) => ({ ...mqva(x), externalForces: forces() }),
};

const geometry: Door = {
  // Numbers as they are: NaN bounds nothing.
  boundPoints: (x) => ({
    out: output(x.out6),
    points: either(x.mesh.vertices, (p) => Array.isArray(p) || ArrayBuffer.isView(p)),
  }),
  boundShape: (x) => ({ out: output(x.out6), shape: loose(x.box), X_WS: sized(x.X) }),
  transformBounds: (x) => ({
    out: output(x.out6),
    bounds: exactly(Float64Array.of(0, 0, 0, 1, 1, 1)),
    X_WB: sized(x.X),
  }),
  decomposeMesh: (x) => ({
    mesh: loose(x.mesh),
    options: maybe({
      concavity: maybe(0.1),
      maximumParts: maybe(2),
      simplification: maybe(0.01),
      onProgress: maybe(() => {}),
    }),
  }),
  meshHeightField: () => ({
    field: loose({ type: 'heightfield', spacing: [1, 1], rows: 2, columns: 2, heights: Float64Array.of(0, 0, 0, 1) }),
  }),
  buildConvexHull: (x) => ({ points: x.mesh.vertices }),
  computeMassProperties: (x) => ({ shape: loose(x.box), density: 1000 }),
  isWatertight: (x) => ({ mesh: loose(x.mesh) }),
  reportMesh: (x) => ({ mesh: loose(x.mesh) }),
  coverImplicitSolid: () => ({
    region: { terms: either([{ coefficient: 1, powers: [1] }], Array.isArray) },
    low: exactly([-1, -1, -1]),
    high: exactly([1, 1, 1]),
    resolution: 0.5,
  }),
  mergeCells: () => ({ cells: Int32Array.of(0, 0, 0, 1) }),
  meshOctree: (x) => ({ octree: loose(x.octree) }),
  voxelizePoints: (x) => ({ points: x.mesh.vertices, resolution: 0.5 }),
  hasClosedForm: (x) => ({ core: x.core }),
  applyScale: (x) => ({ mesh: loose(x.mesh), scale: maybe(exactly([2, 2, 2])) }),
  supportShape: (x) => ({ out: output(x.out3), shape: loose(x.box), direction: exactly(x.direction) }),
  joinMeshes: (x) => ({ meshes: either([x.mesh], Array.isArray) }),
  transformMesh: (x) => ({ mesh: loose(x.mesh), matrix: exactly(x.X) }),
  fillHoles: (x) => ({ mesh: loose(x.mesh), maximumWidth: 0.1 }),
  weldVertices: (x) => ({ mesh: loose(x.mesh), tolerance: maybe(1e-6) }),
  validateShape: (x) => ({ shape: loose(x.box) }),
  fitSpheres: (x) => ({
    shapes: either([{ shape: x.box, placement: x.X }], Array.isArray),
    options: maybe({ count: maybe(1), excess: maybe(undefined), coarser: maybe(0) }),
  }),
  fitLinks: (x) => ({
    links: either([{ link: 'a', shapes: [{ shape: x.box, placement: x.X }] }], Array.isArray),
    options: maybe({
      count: maybe(1),
      coarser: maybe(0),
      memory: maybe(new Map()),
      onProgress: maybe(() => {}),
    }),
  }),
  unionVolume: () => ({ spheres: exactly(Float64Array.of(0, 0, 0, 1)) }),
  verifySpheres: (x) => ({
    shapes: either([{ shape: x.box, placement: x.X }], Array.isArray),
    spheres: either(Float64Array.of(0, 0, 0, 9), (x) => isNumbers(x) && x.length % 4 === 0),
    options: maybe({ tolerance: maybe(0), accuracy: maybe(0.1) }),
  }),
};

const ikCommon = (x: Fixture) => ({
  target: maybe(exactly(x.X)),
  start: maybe(exactly(x.q)),
  task: maybe(oneOf('pose', 'position')),
  positionTolerance: maybe(1e-4),
  rotationTolerance: maybe(1e-3),
  iterations: maybe(5),
  seed: maybe(1),
  isValid: maybe(() => true),
});
const goal = () => maybe(loose({ kind: 'posture', target: [0, 0, 0, 0] }));
const ikOptions = () => maybe({ velocities: maybe([0, 1, 2]), limits: maybe(oneOf('honour', 'ignore')) });
const solver = (x: Fixture) => ({ model: x.model, frameOrTasks: either(4, Array.isArray), options: ikOptions() });
const trackerOptions = (x: Fixture) => ({
  levels: [[x.task]],
  timeStep: maybe(0.01),
  gain: maybe(0.5),
  targetTime: maybe(oneOf('start', 'middle')),
  corrections: maybe(1),
  accelerations: maybe(numberOrNumbers(5)),
  limits: maybe(oneOf('honour', 'ignore')),
  velocityScale: maybe(1),
  velocities: maybe([0, 1, 2]),
  damping: maybe(0.05),
  singularRegion: maybe(0.02),
});

const ik: Door = {
  solveAllIk: (x) => ({
    solver: x.solver,
    request: {
      starts: maybe(2),
      distinct: maybe(0.1),
      most: maybe(2),
      turns: maybe(oneOf('nearest', 'all')),
      ...ikCommon(x),
    },
  }),
  solveIkBatch: (x) => {
    const { target, start, ...common } = ikCommon(x);
    return {
      solver: x.solver,
      request: {
        targets: [x.X],
        start: maybe(either(exactly(x.q), (s) => s === 'nearest')),
        restarts: maybe(1),
        goal: goal(),
        ...common,
      },
    };
  },
  createIkSolver: solver,
  solveIkPath: (x) => {
    const { target, ...common } = ikCommon(x);
    return {
      solver: x.solver,
      request: { targets: [x.X], largestStep: maybe(0.5), starts: maybe(2), goal: goal(), ...common },
    };
  },
  createTracker: (x) => ({ model: x.model, options: trackerOptions(x) }),
};

export const bodyDoors: Readonly<Record<string, Door>> = { broadphase, bvh, chain, compile, dynamics, geometry, ik };
