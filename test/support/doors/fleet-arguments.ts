/** Examples of arguments (see doors.ts) for fleets. */
import { createArmModel } from '../../../src/fleet/arm-model.test-support.js';
import { createFleetRun, createFleetSetup } from '../../../src/fleet/fleet-run.js';
import { createFleetWorld } from '../../../src/fleet/fleet-world.js';
import { createFloorSetup } from '../../../src/fleet/floor-setup.js';
import { createArmParts, createFloor } from '../../../src/fleet/floor-worlds.test-support.js';
import { createGridGraph } from '../../../src/fleet/path-graph.js';
import { createRobotFleet } from '../../../src/fleet/robot-fleet.js';
import type { Door } from './door.js';
import { either, exactly, loose, maybe, oneOf } from './slot.js';

const map = () => ({ width: 4, height: 2, free: new Uint8Array(8).fill(1) });
const graph = () => loose(createGridGraph(map()));
const indices = (value: readonly number[]) => either(value, (x) => Array.isArray(x) || ArrayBuffer.isView(x));
const list = (value: readonly unknown[]) => either(value, Array.isArray);
const limits = () => ({ speed: maybe(1), acceleration: maybe(1), turnRate: maybe(1) });
const path = (...vertices: number[]) => Int32Array.from(vertices);
const problem = () => ({ graph: graph(), starts: indices([0]), goals: indices([3]), rotations: maybe(true) });
const section = () => ({ map: [], robots: 2 });
const world = () => loose({ version: 1, objects: [], fleet: section() });
const setup = () => createFleetSetup({ version: 1, objects: [], fleet: section() }, map());
const pathOptions = () =>
  maybe({
    seed: maybe(1),
    timeoutMs: maybe(1000),
    clock: maybe(() => 0),
    shouldStop: maybe(() => false),
    iterations: maybe(100),
    rounds: maybe(0),
    candidates: maybe(1),
    onImproved: maybe(() => {}),
  });

const fleet: Door = {
  createGridGraph: () => ({ map: map(), cellSize: maybe(1) }),
  createRoadmapGraph: () => ({ places: indices([0, 0, 1, 0]), edges: indices([0, 1]) }),
  createRandomProblem: () => ({ graph: graph(), robots: 2, seed: maybe(1) }),
  measurePaths: () => ({ paths: list([path(0, 1)]) }),
  planPaths: () => ({ problem: problem(), options: pathOptions() }),
  verifyPaths: () => ({ problem: problem(), paths: list([path(0, 1, 2, 3)]), most: maybe(10) }),
  createPlanExecution: () => ({ graph: graph(), paths: list([path(0, 1)]), limits: maybe(limits()) }),
  createLifelongFleet: () => ({
    graph: graph(),
    starts: indices([0]),
    assign: () => null,
    options: maybe({ ...limits(), seed: maybe(1), ahead: maybe(4) }),
  }),
  createMotionProof: () => ({
    x: either(new Float64Array(2), (x) => x instanceof Float64Array),
    y: either(new Float64Array(2), (x) => x instanceof Float64Array && x.length === 2),
    options: { radius: 0.1, acceleration: 1, cellSize: maybe(1) },
  }),
  createProgressWatch: () => ({ robots: 3 }),
  explainWaits: () => ({ waits: list([]), nameOf: String }),
  createFleetWorld: () => ({
    options: maybe({
      cellSizeMode: maybe(oneOf('AUTO_INITIAL', 'AUTO_ADAPTIVE')),
      scaleFactor: maybe(2),
      minimumCellSize: maybe(0.5),
      multiCellThreshold: maybe(1.5),
      checks: maybe(oneOf('moved', 'all')),
      clock: maybe(() => 0),
    }),
  }),
  createFleetSetup: () => ({ description: world(), map: map() }),
  createFleetRun: () => ({ setup: loose(setup()), options: pathOptions() }),
  createFloorSetup: () => ({
    description: loose(createFloor()),
    parts: loose(createArmParts()),
    solveArm: maybe(() => () => null),
  }),
  createFloorRun: () => ({ setup: loose(createFloorSetup(createFloor(), createArmParts(), () => () => null)) }),
  runFleetInTime: () => ({
    world: loose({ step: () => {} }),
    options: {
      seconds: 1,
      dt: 0.5,
      realTimeFactor: maybe(either(2, (x) => x === 'max')),
      clock: () => 0,
      wait: maybe(() => Promise.resolve()),
      isPaused: maybe(() => false),
      shouldStop: maybe(() => false),
    },
  }),
  spawnGrid: () => ({ count: 4, columns: 2, spacing: 1, origin: maybe(exactly([0, 0])) }),
  spawnRandom: () => ({ count: 4, bounds: exactly([0, 0, 9, 9]), apart: 1, seed: maybe(1) }),
  createRobotFleet: () => ({ world: loose(createFleetWorld()) }),
  createFleetArm: () => ({ description: loose(createArmModel()) }),
  createWorldProof: () => ({ world: loose(createFleetWorld()), fleet: maybe(null) }),
};

/** Of files and records. */
export const fleetFiles: Door = {
  parseFleetFile: () => ({ text: '{}', options: maybe({ file: maybe('w.json') }) }),
  isFloorFile: () => ({ text: '{}' }),
  parseFloorFile: () => ({ text: '{}', options: maybe({ file: maybe('w.json') }) }),
  parseGridMap: () => ({ text: 'type octile' }),
  parseScenario: () => ({ text: 'version 1' }),
  writeGridMap: () => ({ map: map() }),
  writeScenario: () => ({ entries: list([]) }),
  createFleetRecorder: () => ({ sink: () => {} }),
  fleetMetricsHeader: () => ({}),
  createRobotRecorder: () => ({ sink: () => {} }),
  readFleetRecording: (x) => ({ bytes: x.bytes }),
  robotTableHeader: () => ({ joints: 2 }),
  formatRobotRows: () => ({ fleet: loose(createRobotFleet(createFleetWorld())), joints: 2 }),
  formatFleetMetrics: () => ({ metrics: loose(createFleetRun(setup()).run!.metrics()) }),
};

export const fleetDoors: Readonly<Record<string, Door>> = { fleet };
