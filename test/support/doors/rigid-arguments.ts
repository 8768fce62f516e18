/** Examples of arguments (see doors.ts) for rigid bodies. */
import { boxMesh } from '../../../src/rigid/rigid.test-support.js';
import type { Door } from './door.js';
import { either, exactly, loose, maybe, oneOf } from './slot.js';

const isFunction = (x: unknown): boolean => typeof x === 'function';
const at = (x: number) => exactly(Float64Array.of(x, 0, 0, 0, 0, 0, 1));
const mesh = () => loose(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]));
const problem = () => ({
  group: oneOf('SE3', 'SE2'),
  body: mesh(),
  obstacles: mesh(),
  start: at(-3),
  goal: at(-4),
  lower: exactly([-5, -5, -5]),
  upper: exactly([5, 5, 5]),
});
const path = () => either([Float64Array.of(-3, 0, 0, 0, 0, 0, 1)], Array.isArray);
const search = { seed: maybe(3), maxQueries: maybe(500), shorten: maybe(0), trees: maybe(loose({})) };
const stop = { shouldStop: maybe(either(() => false, isFunction)) };

const rigid: Door = {
  placeMesh: () => ({ mesh: mesh(), pose: at(1) }),
  certifyRigidPath: () => ({ problem: problem(), path: path() }),
  certifyScrewMotion: () => ({ problem: problem(), a: at(-3), b: at(-4) }),
  planRigid: () => ({
    problem: problem(),
    options: maybe({
      ...search,
      ...stop,
      timeoutMs: maybe(1000),
      clock: maybe(either(() => 0, isFunction)),
      onProgress: maybe(either(() => undefined, isFunction)),
    }),
  }),
  verifyRigidPath: () => ({ problem: problem(), path: path(), certificate: { motions: either([], Array.isArray) } }),
  projectRigidProblem: () => ({
    problem: { ...problem(), group: oneOf('SE2') },
    options: maybe({ thickness: maybe(0.01) }),
  }),
  toRigidPath: () => ({ problem: problem(), path: either([[-3, 0, 0]], Array.isArray) }),
  createRigidSpace: () => ({ problem: problem() }),
  registerRigidPlanner: () => ({}),
  createRigidSearch: () => ({ problem: problem(), options: maybe(search) }),
  planSequence: () => ({
    parts: either(
      [{ name: 'a', mesh: boxMesh([0, 0, 0], [1, 1, 1]), pose: Float64Array.of(0, 0, 0, 0, 0, 0, 1) }],
      Array.isArray,
    ),
    options: maybe({
      ...stop,
      queriesPerPart: maybe(0),
      maxQueries: maybe(1000),
      base: maybe('a'),
      onStep: maybe(either(() => undefined, isFunction)),
    }),
  }),
  sweepRigidPath: () => ({ body: mesh(), path: path(), options: maybe({ cell: maybe(0.25) }) }),
  createTakeOutSearch: () => ({
    request: { part: mesh(), obstacles: mesh(), start: at(-3), goal: maybe(at(-4)), ...search, ...stop },
  }),
  takeOut: () => ({
    request: { part: mesh(), obstacles: mesh(), start: at(-3), goal: maybe(at(-4)), ...search, ...stop },
  }),
};

export const rigidDoors: Readonly<Record<string, Door>> = { rigid };
