/** Examples of arguments (see doors.ts) for files, molecules, the file system, pages, workers and three.js. */

import { BoxGeometry, Color, Matrix4, MeshStandardMaterial, Object3D, Quaternion, Vector3 } from 'three';
import { parseXml, requireValue } from '../../../src/io.js';
import { createMoves, toAtomColumns, toInternalCoordinates } from '../../../src/molecule.js';
import { openJob, orderSceneBatch } from '../../../src/parallel.js';
import { createRealVectorSpace, createRoadmap } from '../../../src/planning.js';
import { slotProblem } from '../../../src/rigid/rigid.test-support.js';
import { createRobotObject } from '../../../src/three.js';
import type { Door, Example } from './door.js';
import { Fixture } from './fixture.js';
import { fleetFiles } from './fleet-arguments.js';
import { optimisationRequest } from './path-arguments.js';
import { simulationWriters } from './simulation-arguments.js';
import { anything, either, exactly, loose, maybe, oneOf, orNull, output } from './slot.js';

const isIterable = (x: unknown): boolean =>
  typeof x === 'object' && typeof (x as Iterable<unknown> | null)?.[Symbol.iterator] === 'function';
const file = maybe('file');
const maximumBytes = maybe(1e6);
const meshBytes: Example = (x) => ({ bytes: x.bytes, options: maybe({ file, maximumBytes }) });
const structureBytes: Example = (x) => ({ bytes: x.bytes, options: maybe({ file }) });
const xmlLimits = { file, maxLength: maybe(1e5), maxDepth: maybe(50), maxElements: maybe(1000) };
const issue = () => ({ severity: 'error', code: 'x', message: 'y' });
const root = (text: string) => loose(requireValue(parseXml(text)));
const geometry = () => maybe(oneOf('both', 'collision', 'visual', 'spheres', 'none'));
const resources = maybe(() => null);
const table = (x: Fixture) => ({ table: loose(x.table) });
const octomap = () => ({
  resolution: 0.1,
  occupied: Int32Array.of(0, 0, 0, 1),
  free: new Int32Array(0),
  unknown: new Int32Array(0),
  leafCount: 1,
});

const io: Door = {
  ...fleetFiles,
  parseMotionFile: () => ({ text: '{}', options: maybe({ file: maybe('program.json') }) }),
  parseBinaryCif: structureBytes,
  parseChainFile: () => ({ text: '{}', options: maybe({ file }) }),
  parseCif: structureBytes,
  writeCif: (x) => ({ structure: loose(x.structure), options: maybe({ decimals: maybe(3) }) }),
  isOctomapFile: () => ({ file: 'a.bt' }),
  parseCloud: (x) => ({ bytes: x.bytes, options: { file: 'a.xyz', maximumBytes } }),
  parsePoints: (x) => ({ bytes: x.bytes, options: { file: 'a.xyz', maximumBytes } }),
  parseCollada: meshBytes,
  encodeDcdFrame: (x) => ({ positions: x.mesh.vertices }),
  encodeDcdHeader: () => ({
    header: { atomCount: 4, frameCount: 1, firstStep: maybe(0), stepInterval: maybe(1), title: maybe('t') },
  }),
  parseDcd: structureBytes,
  parseGltf: (x) => ({ bytes: x.bytes, options: maybe({ resources, format: maybe('glTF'), file, maximumBytes }) }),
  formatIssue: () => ({ issue: loose(issue()) }),
  toAssumptions: () => ({ issues: [issue()] }),
  meshFormatOf: () => ({ fileName: 'a.stl' }),
  parseMesh: (x) => ({
    bytes: x.bytes,
    options: maybe({
      format: maybe(oneOf('obj', 'stl', 'ply', 'dae', 'gltf', 'glb', 'off', 'tri', 'tris')),
      unit: maybe('file'),
      upAxis: maybe(oneOf('ignore', 'file', 'x', 'y', 'z')),
      weld: maybe(1e-6),
      fillHoles: maybe(1e-6),
      resources,
      file,
      maximumBytes,
    }),
  }),
  parseObj: meshBytes,
  octomapShape: () => ({ map: loose(octomap()), unknown: maybe(oneOf('free', 'occupied')) }),
  parseOctomap: (x) => ({ bytes: x.bytes, options: maybe({ file, maximumDepth: maybe(8) }) }),
  parseOff: meshBytes,
  parsePcd: meshBytes,
  parsePdb: structureBytes,
  writePdb: (x) => ({ structure: loose(x.structure) }),
  writePdbModel: (x) => ({ number: 1, atoms: loose(x.structure.models[0].atoms) }),
  parsePly: meshBytes,
  writePly: (x) => ({ mesh: loose(x.mesh) }),
  requireValue: () => ({ parsed: loose({ value: 1, issues: [] }) }),
  ...simulationWriters,
  parseSceneFile: () => ({ text: '{}', options: maybe({ file }) }),
  // Content of any kind: what is wrong with it comes as issues.
  parseShapeDescription: (x) => ({ content: either(x.box, () => true) }),
  parseSrdf: (x) => ({ text: x.srdf, options: maybe(xmlLimits) }),
  readSrdf: (x) => ({ root: root(x.srdf), file, before: maybe([issue()]) }),
  parseGeoJson: () => ({ text: '{}' }),
  parseSvg: () => ({ text: '<svg/>', options: maybe({ width: maybe(0.1) }) }),
  parseSvgPath: () => ({ text: 'M0 0H1V1Z', options: maybe({ width: maybe(0.1), flip: maybe(true) }) }),
  parseImplicit: () => ({ text: 'x', variables: maybe(oneOf(2, 3)) }),
  parsePlaneProblem: () => ({ text: '{}' }),
  parseTurningProblem: () => ({ text: '{}' }),
  parseAssembly: () => ({ text: '{}' }),
  parseRigidCertificate: () => ({ text: '{}' }),
  parseRigidPath: () => ({ text: '{}' }),
  parseRigidProblem: () => ({ text: '{}' }),
  parseSpheres: () => ({ text: '{"a":[[0,0,0,1]]}', options: maybe({ file }) }),
  writeSpheresJson: () => ({ spheres: new Map([['a', [{ center: [0, 0, 0], radius: 1 }]]]) }),
  writeSpheresYaml: () => ({ spheres: new Map([['a', [{ center: [0, 0, 0], radius: 1 }]]]) }),
  writeSrdf: (x) => ({ semantic: loose(x.semantic) }),
  checkSemantics: (x) => ({ semantic: loose(x.semantic), description: loose(x.description), file }),
  resolveDisabledPairs: (x) => ({ semantic: loose(x.semantic), description: loose(x.description) }),
  inspectBinaryStl: () => ({ header: new Uint8Array(84), fileBytes: 84, options: maybe({ file, maximumBytes }) }),
  parseStl: meshBytes,
  writeStl: (x) => ({ mesh: loose(x.mesh) }),
  writeGlb: (x) => ({ parts: either([{ name: 'a', mesh: x.mesh }], Array.isArray) }),
  parseStructure: (x) => ({ bytes: x.bytes, format: oneOf('pdb', 'cif', 'bcif'), options: maybe({ file }) }),
  structureFormatOf: () => ({ file: 'a.pdb' }),
  parseOptimisationFile: () => ({ text: '{}' }),
  parseRoadmap: () => ({ text: '{}', joints: ['x'] }),
  writeRoadmap: () => ({
    roadmap: loose(createRoadmap(createRealVectorSpace({ lower: [0], upper: [1] }))),
    joints: ['x'],
  }),
  parsePathCertificates: () => ({ text: '{}' }),
  writePathCertificates: () => ({ certificates: [null] }),
  parseTrajectoryFile: () => ({ text: '{}', format: maybe(oneOf('csv', 'json')) }),
  writePathsCsv: (x) => ({ joints: ['a', 'b', 'c', 'd'], paths: [x.waypoints] }),
  writePathsJson: (x) => ({
    joints: ['a', 'b', 'c', 'd'],
    paths: [{ status: 'solved', length: 1, path: x.waypoints }],
  }),
  writeTrajectoryCsv: table,
  writeTrajectoryJson: table,
  readTrajectoryMcap: (x) => ({ bytes: x.bytes }),
  writeTrajectoryMcap: (x) => ({ sink: () => {}, ...table(x) }),
  parseTris: meshBytes,
  parseUrdf: (x) => ({ text: x.urdf, options: maybe({ geometry: geometry(), ...xmlLimits }) }),
  readUrdf: (x) => ({ root: root(x.urdf), file, before: maybe([issue()]), geometry: geometry() }),
  expandXacro: (x) => ({
    text: x.urdf,
    options: maybe({
      file,
      read: maybe(() => null),
      args: maybe(loose({ a: '1' })),
      findPackage: maybe(() => null),
      env: maybe(loose({ a: '1' })),
      legacy: maybe(oneOf('expand', 'refuse')),
    }),
  }),
  decodeXmlBytes: (x) => ({ bytes: x.bytes, file }),
  parseXml: (x) => ({ text: x.urdf, options: maybe(xmlLimits) }),
  writeXml: (x) => ({ root: root(x.urdf) }),
};

const theMolecule: Example = (x) => ({ molecule: loose(x.molecule) });
const clashOptions = () => maybe({ overlap: maybe(0.4), bonds: maybe(3) });
const protein = (x: Fixture) => ({ protein: loose(x.protein) });
const chained = (x: Fixture) => ({
  ...theMolecule(x),
  options: maybe({
    sideChains: maybe(oneOf('chi', 'rigid')),
    omega: maybe(true),
    disulfides: maybe(oneOf('keep', 'open')),
    overlap: maybe(0.4),
  }),
});
const sized: Example = (x) => ({ ...protein(x), size: 0.1 });
const conformation = (x: Fixture) => ({ conformation: x.conformation });
const setup = (x: Fixture) => ({
  molecule: loose(x.molecule),
  chain: maybe({ sideChains: maybe(oneOf('chi', 'rigid')) }),
  field: orNull({ cutoff: maybe(9) }),
  moves: maybe(loose({ pivot: 1 })),
  temperature: either(300, (t) => typeof t === 'object' && t !== null),
  seed: 1,
  hardCore: maybe(true),
});

const molecule: Door = {
  aminoAcidFromCode: () => ({ code: 'A' }),
  aminoAcidOf: () => ({ component: 'ALA' }),
  moleculeAssumptions: (x) => ({ ...theMolecule(x), more: maybe([]) }),
  createBackboneChain: (x) => ({ ...theMolecule(x), chainName: maybe('A') }),
  buildMolecule: (x) => ({
    structure: loose(x.structure),
    options: maybe({ model: maybe(0), alternate: maybe('A'), chains: maybe(['A']), hetero: maybe(true) }),
  }),
  findContacts: (x) => ({ positions: x.mesh.vertices, count: 4, reach: 1.5, visit: () => {} }),
  findBondedNeighbors: (x) => ({ ...theMolecule(x), depth: 2 }),
  findClashes: (x) => ({ ...theMolecule(x), options: clashOptions() }),
  computeEnergy: (x) => ({ field: loose(x.field), positions: maybe(x.molecule.positions) }),
  createEnergyTree: (x) => ({ ...conformation(x), field: loose(x.field) }),
  createForceField: (x) => ({
    ...theMolecule(x),
    options: maybe({ cutoff: maybe(9), switchOn: maybe(7), dielectric: maybe(4) }),
  }),
  createGridEnergy: (x) => ({
    ...conformation(x),
    field: loose(x.field),
    options: maybe({ pairs: maybe(oneOf('all', 'changed')) }),
  }),
  addHydrogens: theMolecule,
  removeHydrogens: theMolecule,
  placeAtoms: (x) => ({
    out: output(new Float64Array(x.molecule.positions.length)),
    internal: loose(toInternalCoordinates(x.molecule)),
  }),
  toInternalCoordinates: theMolecule,
  describeAtom: (x) => ({ ...theMolecule(x), atom: 1 }),
  describeResidue: () => ({ residue: loose({ chain: 'A', name: 'ALA', sequence: 1, insertion: '' }) }),
  findAtom: (x) => ({ ...theMolecule(x), residue: 0, name: 'CA' }),
  createConcertedMove: (x) => ({ ...protein(x), count: 8, size: 0.1 }),
  createMonteCarlo: (x) => ({
    ...conformation(x),
    energy: loose(x.energy),
    options: {
      moves: createMoves(x.conformation.protein),
      temperature: either(300, (t) => typeof t === 'object' && t !== null),
      seed: 1,
      hardCore: maybe(true),
    },
  }),
  createMoves: (x) => ({ ...protein(x), names: maybe(loose({ pivot: 1 })) }),
  createObserver: (x) => ({ ...conformation(x), atoms: maybe([0, 1]) }),
  createReplicaExchange: (x) => ({ replicas: [x.simulation, x.simulation2], ladder: x.ladder, roundSteps: 1 }),
  spaceTemperatures: () => ({ lowest: 300, highest: 400, count: 3 }),
  createTemperatureLadder: () => ({ temperatures: [300, 350], seed: 1 }),
  createSimulation: (x) => ({ setup: setup(x) }),
  createChiMove: sized,
  createCrankshaftMove: sized,
  createPivotMove: protein,
  createRotamerMove: sized,
  createSeveralTorsionsMove: (x) => ({ ...protein(x), count: 2, size: 0.1 }),
  createTorsionMove: sized,
  buildPeptide: () => ({ sequence: 'AG', torsions: maybe([{ phi: -1, psi: 1 }]) }),
  createProteinChain: chained,
  createProteinChainInSteps: chained,
  createProteinState: (x) => ({ ...protein(x), state: x.proteinTree }),
  covalentRadius: () => ({ element: 'C' }),
  vanDerWaalsRadius: () => ({ element: 'C' }),
  selectAtoms: (x) => ({ ...theMolecule(x), selection: 'all' }),
  createStericTest: (x) => ({ ...conformation(x), options: clashOptions() }),
  radiusOfGyration: (x) => ({ positions: x.molecule.positions }),
  superpose: (x) => ({ fixed: x.molecule.positions, moving: x.molecule.positions, rows: maybe([0, 1, 2]) }),
  toAtomColumns: (x) => ({
    ...theMolecule(x),
    positions: x.molecule.positions,
    options: maybe({ atoms: maybe([0, 1]) }),
  }),
  toStructure: (x) => ({
    ...theMolecule(x),
    options: maybe({
      models: maybe([x.molecule.positions]),
      source: maybe(loose(toAtomColumns(x.molecule, x.molecule.positions))),
      name: maybe('n'),
    }),
  }),
  computeTorsions: theMolecule,
  measureAngle: (x) => ({ positions: x.mesh.vertices, a: 1, b: 0, c: 2 }),
  measureTorsion: (x) => ({ positions: x.mesh.vertices, a: 1, b: 0, c: 2, d: 3 }),
};

/** No such file: what comes back says so. What is asked of these functions here is their arguments. */
const path = { file: 'examples/none' };
const reading = {
  upAxis: maybe(oneOf('ignore', 'file', 'x', 'y', 'z')),
  unit: maybe('file'),
  maximumBytes,
};
const names = () => maybe(loose({ a: 'b' }));
const places = () => ({ packages: names(), packagePaths: maybe(['x']) });
const bytesOnly: Example = () => ({ ...path, options: maybe({ maximumBytes }) });

const node: Door = {
  loadOctomap: bytesOnly,
  loadOctree: () => ({
    ...path,
    options: maybe({ resolution: maybe(0.1), unknown: maybe(oneOf('free', 'occupied')), maximumBytes }),
  }),
  loadPointCloud: () => ({ ...path, radius: 0.1, options: maybe({ maximumBytes }) }),
  loadPoints: bytesOnly,
  loadMesh: () => ({ ...path, options: maybe({ ...reading, weld: maybe(1e-6), fillHoles: maybe(1e-6) }) }),
  loadMeshContent: (x) => ({
    ...path,
    options: maybe({ ...reading, weld: maybe(1e-6), fillHoles: maybe(1e-6) }),
    context: maybe(loose(x.context)),
  }),
  loadRobot: () => ({
    ...path,
    options: maybe({
      srdf: maybe('none.srdf'),
      geometry: geometry(),
      ...places(),
      roots: maybe(['x']),
      ...reading,
      weld: maybe(1e-6),
      fillHoles: maybe(1e-6),
      xacroArgs: names(),
      env: names(),
    }),
  }),
  loadScene: () => ({
    ...path,
    options: maybe({ allowOutside: maybe(true), ...reading, weld: maybe(1e-6), fillHoles: maybe(1e-6), ...places() }),
  }),
  loadWorld: () => ({
    ...path,
    options: maybe({ allowOutside: maybe(true), ...reading, weld: maybe(1e-6), fillHoles: maybe(1e-6), ...places() }),
  }),
  loadFloor: () => ({
    ...path,
    options: maybe({ allowOutside: maybe(true), ...reading, weld: maybe(1e-6), fillHoles: maybe(1e-6), ...places() }),
  }),
  loadRigidProblem: () => ({ ...path }),
  loadStructure: bytesOnly,
  createMeshStore: (x) => ({
    context: loose(x.context),
    options: { ...reading, weld: maybe(1e-6), fillHoles: maybe(1e-6) },
  }),
  createUriContext: () => ({ ...path, options: maybe({ ...places(), roots: maybe(['x']) }) }),
  findPackageFolder: (x) => ({ name: 'x', context: loose(x.context) }),
  resolveUri: (x) => ({ uri: 'x.stl', context: loose(x.context) }),
};

const blobs = () => [['a.stl', new Blob(['x'])]];
const urls = () => maybe(loose({ a: 'http://localhost/b' }));
const webPlaces = () => ({
  packages: urls(),
  packagePaths: maybe(['http://localhost/x']),
  places: urls(),
  fetch: maybe(async () => new Response('', { status: 404 })),
  onProgress: maybe(() => {}),
});
const url = { file: 'http://localhost/none.stl' };

const web: Door = {
  createFileSet: () => ({ files: either(blobs(), isIterable), options: maybe({ maximumUnpackedBytes: maybe(1e6) }) }),
  nameApart: () => ({ files: either(blobs(), isIterable) }),
  findReferencedFile: () => ({
    paths: ['a/b.stl'],
    reference: 'b.stl',
    from: 'a/c.urdf',
    options: maybe({ findPackage: maybe(() => null) }),
  }),
  loadMesh: () => ({ ...url, options: maybe({ ...reading, ...webPlaces() }) }),
  loadMeshContent: () => ({ ...url, options: maybe({ ...reading, ...webPlaces() }) }),
  loadRobot: () => ({
    ...url,
    options: maybe({
      srdf: maybe('x'),
      geometry: geometry(),
      ...reading,
      ...webPlaces(),
      xacroArgs: names(),
      env: names(),
    }),
  }),
  loadScene: () => ({
    ...url,
    options: maybe({ geometry: geometry(), ...reading, ...webPlaces(), xacroArgs: names(), env: names() }),
  }),
  loadStructure: () => ({ ...url, options: maybe({ maximumBytes, ...webPlaces() }) }),
};

/** Without a worker that answers: what is asked of these functions here is their arguments. */
const silent = {
  script: maybe(either('none.mjs', (s) => s instanceof URL)),
  startTimeoutMs: maybe(1),
  answerTimeoutMs: maybe(1),
};

const known = new Fixture();
const order = orderSceneBatch(known.scene, known.robot, { kind: 'free' }, [known.robot.q]);
const checkpoint = (await openJob(order)).save();
const whole = (value: number) => either(value, () => false);

const parallel: Door = {
  createJobPool: () => ({ options: maybe({ workers: maybe(1), ...silent }) }),
  formatJobData: () => ({ data: anything({ a: 1 }) }),
  parseJobData: () => ({ text: '{"a":1}' }),
  openJob: () => ({ order: loose(order) }),
  resumeJob: () => ({ order: loose(order), checkpoint: loose(checkpoint) }),
  orderReplicas: (x) => ({
    setups: [x.setup, x.setup],
    temperatures: [300, 400],
    options: { roundSteps: whole(1), steps: whole(1), seed: whole(1) },
  }),
  orderRigidSearches: () => ({
    problem: loose(slotProblem()),
    options: maybe({ searches: whole(1), seed: whole(1), firstQueries: whole(10), maxQueries: whole(20) }),
  }),
  orderPathOptimisation: (x) => ({
    scene: x.scene,
    robot: x.robot,
    request: optimisationRequest(x),
  }),
  orderSimulations: () => ({
    entries: [{ world: loose({ bodies: [] }), start: maybe(loose(new Float64Array([1, 2, 0, 0, 0]))) }],
    options: { steps: whole(1) },
  }),
  orderSceneBatch: (x) => ({
    scene: x.scene,
    robot: x.robot,
    query: { kind: oneOf('check'), margin: maybe(0.1), all: maybe(true), depth: maybe(oneOf('hull', 'exact', 'none')) },
    configurations: either([Float64Array.from(x.robot.q)], (q) => ArrayBuffer.isView(q)),
  }),
  createParallelReplicas: (x) => ({
    setups: [x.setup, x.setup],
    ladder: x.ladder,
    options: { roundSteps: 1, ...silent },
  }),
  createParallelScene: (x) => ({
    scene: x.scene,
    robot: x.robot,
    options: maybe({ workers: maybe(1), shared: maybe(false), ...silent }),
  }),
};

const meshOptions = () => maybe({ creaseAngle: maybe(0.5) });
const shapeOptions = () => maybe({ segments: maybe(8), planeSize: maybe(2), creaseAngle: maybe(0.5) });

const three: Door = {
  listCorners: (x) => ({ mesh: loose(x.mesh), options: meshOptions() }),
  toBufferGeometry: (x) => ({ mesh: loose(x.mesh), options: meshOptions() }),
  toTriangleMesh: () => ({ geometry: new BoxGeometry(), matrix: maybe(new Matrix4()) }),
  applyColor: () => ({
    material: Object.assign(new MeshStandardMaterial(), { color: new Color() }),
    rgba: exactly([1, 0, 0, 1]),
  }),
  createRobotObject: (x) => ({
    options: {
      description: loose(x.description),
      meshes: maybe(new Map()),
      createMaterial: maybe(() => new MeshStandardMaterial()),
      geometry: shapeOptions(),
    },
  }),
  updateRobotObject: (x) => ({
    robot: loose(createRobotObject({ description: x.description })),
    model: x.model,
    data: x.data,
  }),
  toShapeGeometry: (x) => ({ shape: loose(x.box), options: shapeOptions() }),
  fromMatrix4: (x) => ({ out: output(x.X), matrix: new Matrix4() }),
  placeObject: (x) => ({ object: new Object3D(), X: x.X, at: maybe(0) }),
  toMatrix4: (x) => ({ out: new Matrix4(), X: x.X, at: maybe(0) }),
  toPose: () => ({ position: new Vector3(), quaternion: new Quaternion() }),
};

export const fileDoors: Readonly<Record<string, Door>> = { io, molecule, node, parallel, three, web };
