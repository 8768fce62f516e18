/** Arguments of the planning door: see slot.ts. */
import { createTransform } from '../../../src/math/transform.js';
import type { Door, Example } from './door.js';
import type { Fixture } from './fixture.js';
import { anything, either, exactly, loose, maybe, oneOf, sized } from './slot.js';

const none: Example = () => ({});
const motion = (x: Fixture) => ({ isMotionValid: (): boolean => true, space: x.space });
const constraint = (x: Fixture) => ({
  ...{ dimension: x.space.dimension, equations: 1 },
  ...{ evaluate: () => {}, jacobian: (out: Float64Array) => out.fill(1) },
});
const objective = () => ({ motionCost: () => 0, lowerBound: () => 0 });
const rrt = (x: Fixture) => ({
  space: x.space,
  checker: loose(x.checker),
  start: either(x.q, (v) => v instanceof Float64Array),
  goals: [x.q2],
  seed: maybe(1),
  maxIterations: maybe(50),
  range: maybe(0.5),
  resolution: maybe(0.1),
  verifyResolution: maybe(0.05),
  sampler: maybe(
    either('random', (v) => v === 'halton' || typeof (v as { draw?: unknown } | null)?.draw === 'function'),
  ),
  goalRegion: maybe(loose({ draw: () => false, contains: () => false })),
  balance: maybe(true),
  dynamicDomain: maybe(loose({ radius: 1, minRadius: 0.1, alpha: 0.1 })),
  motion: maybe(loose(motion(x))),
  allowPartial: maybe(true),
  engine: maybe(oneOf('auto', 'script')),
});
const stopping = { timeoutMs: maybe(1000), clock: maybe(() => 0), shouldStop: maybe(() => false) };
const box = () => ({
  lower: exactly([0, 0]),
  upper: exactly([1, 1]),
  weights: maybe(exactly([1, 1])),
  wrap: maybe(either([false, true], ArrayBuffer.isView)),
});

const isEmptyStates = (x: unknown): boolean => x instanceof Float64Array && x.length === 0;

export const planning: Door = {
  createConfigurationSpace: (x) => ({
    model: x.model,
    options: maybe({
      indices: maybe([0, 1]),
      weights: maybe(exactly([1, 1])),
      bounds: maybe({ lower: exactly([-1, -1, -1, -1]), upper: exactly([1, 1, 1, 1]) }),
    }),
  }),
  createSampledMotion: (x) => ({ space: x.space, checker: loose(x.checker), resolution: 0.1 }),
  isMotionValid: (x) => ({
    space: x.space,
    checker: loose(x.checker),
    a: sized(x.q),
    b: sized(x.q2),
    resolution: 0.1,
    scratch: maybe(x.outQ),
  }),
  areMotionsValid: (x) => ({
    motion: loose({ isMotionValid: () => true }),
    starts: [x.q],
    ends: [x.q2],
    out: maybe(exactly(new Uint8Array(1))),
    shouldStop: maybe(() => false),
  }),
  densifyPath: (x) => ({ space: x.space, path: x.path, step: 0.1 }),
  pathLength: (x) => ({ space: x.space, path: x.path }),
  createProductSpace: (x) => ({ parts: [x.space, x.space] }),
  createRealVectorSpace: () => ({ options: box() }),
  createRrtConnect: (x) => ({ request: rrt(x) }),
  createPlanSearch: (x) => ({ request: { ...rrt(x), planner: maybe(oneOf('auto', 'rrt-connect')) } }),
  planPath: (x) => ({
    request: {
      ...rrt(x),
      ...stopping,
      planner: maybe(oneOf('auto', 'rrt-connect')),
      simplify: maybe(true),
      onProgress: maybe(() => {}),
      progressInterval: maybe(10),
    },
  }),
  listPlanners: none,
  registerPlanner: () => ({
    planner: loose({ name: 'of-a-test', about: 'for a test', settings: [], isAnytime: false, create: () => null }),
  }),
  createConstrainedSpace: (x) => ({
    space: x.space,
    constraint: loose(constraint(x)),
    options: maybe({ tolerance: maybe(1e-9), step: maybe(0.1) }),
  }),
  createNumericConstraint: () => ({ dimension: 2, equations: 1, evaluate: () => {} }),
  joinConstraints: (x) => ({ constraints: loose([constraint(x)]) }),
  createRobotConstraint: (x) => ({
    model: x.model,
    constraints: loose([{ type: 'axis', frame: 'link2', tolerance: 0.1 }]),
    options: { rest: sized(x.q), indices: maybe(loose([0, 1])), placement: maybe(loose(createTransform())) },
  }),
  schedulePaths: () => ({
    problem: { counts: loose([2, 2]), isFree: () => true },
    options: maybe({ orders: maybe(anything(2)), seed: maybe(1), expansions: maybe(anything(10)) }),
  }),
  createBridgeSampler: (x) => ({
    space: x.space,
    checker: loose(x.checker),
    options: maybe({ scale: maybe(0.5), share: maybe(0.5) }),
  }),
  createStateGraph: (x) => ({ space: x.space }),
  createRoadmap: (x) => ({ space: x.space, objective: maybe(loose(objective())) }),
  loadRoadmap: (x) => ({
    space: x.space,
    data: {
      ...{ kind: oneOf('roadmap'), version: oneOf(1), dimension: oneOf(x.space.dimension) },
      ...{
        states: either(new Float64Array(0), isEmptyStates),
        edges: loose(new Int32Array(0)),
        known: loose(new Uint8Array(0)),
      },
    },
    objective: maybe(loose(objective())),
  }),
  findValidState: (x) => ({
    space: x.space,
    checker: loose(x.checker),
    q: sized(x.q),
    options: maybe({ seed: maybe(1), attempts: maybe(5), radius: maybe(1) }),
  }),
  createUniformSampler: (x) => ({ space: x.space }),
  createGoalBiasedSampler: (x) => ({ space: x.space, goals: [x.q2], share: maybe(0.1) }),
  createInformedSampler: (x) => ({
    space: x.space,
    start: either(x.q, (v) => v instanceof Float64Array),
    goals: [x.q2],
  }),
  createLengthObjective: (x) => ({ space: x.space }),
  createWeightedLengthObjective: (x) => ({ space: x.space, weights: exactly(new Array(x.space.dimension).fill(1)) }),
  createClearanceObjective: (x) => ({
    space: x.space,
    options: { clearance: () => 1, margin: 0.1, factor: maybe(10), resolution: maybe(0.1) },
  }),
  createPointPathObjective: (x) => ({
    space: x.space,
    place: () => {},
    options: maybe({ resolution: maybe(0.1), share: maybe(0.01) }),
  }),
  pathCost: (x) => ({ space: x.space, objective: loose(objective()), path: x.path }),
  createCompiledChecker: () => ({
    checks: loose({
      isFree: () => true,
      isStraight: true,
      exports: {
        memory: new WebAssembly.Memory({ initial: 1 }),
        heapBase: { value: 0 },
        weights: { value: 0 },
        arguments: { value: 0 },
        motion: () => 1,
        certify: () => 1,
      },
    }),
    options: maybe({
      complete: maybe(true),
      assumed: maybe(
        either(['guessed: metres'], (v) => Array.isArray(v) && v.every((text) => typeof text === 'string')),
      ),
    }),
  }),
  simplifyPath: (x) => ({
    request: {
      space: x.space,
      checker: loose(x.checker),
      path: x.path,
      rounds: maybe(2),
      leastChange: maybe(0.1),
      resolution: maybe(0.1),
      verifyResolution: maybe(0.05),
      motion: maybe(loose(motion(x))),
      engine: maybe(oneOf('auto', 'script')),
      ...stopping,
    },
  }),
  planRrtConnect: (x) => ({
    request: { ...rrt(x), ...stopping, onProgress: maybe(() => {}), progressInterval: maybe(10) },
  }),
  shortcutPath: (x) => ({
    request: {
      space: x.space,
      checker: loose(x.checker),
      path: x.path,
      seed: maybe(1),
      maxIterations: maybe(5),
      patience: maybe(5),
      smoothingRounds: maybe(1),
      resolution: maybe(0.1),
      verifyResolution: maybe(0.05),
      motion: maybe(loose(motion(x))),
      ...stopping,
    },
  }),
};
