/** Requests to scenes and planners that cannot mean anything: refused by name, with what was meant where that can be told. */
import { describe, expect, it } from 'vitest';
import { MisuseError } from '../../src/math/misuse.js';
import { createRandom } from '../../src/math/random.js';
import { createConfigurationSpace, createRrtConnect, planRrtConnect, shortcutPath } from '../../src/planning.js';
import * as door from '../../src/scene.js';
import {
  addObject,
  addRobot,
  allowPairs,
  attachObject,
  checkScene,
  createScene,
  createSceneChecker,
  disposeScene,
  isSceneFree,
  moveObject,
  placeRobot,
  type RobotOptions,
  type Scene,
  sceneAssumptions,
  setConfiguration,
  setPairMargin,
} from '../../src/scene.js';
import { addUrdf, boxLink, planarArm, revolute } from '../scene-fixtures.js';

const ball = { type: 'sphere', radius: 0.1 } as const;
const at = (x: number, y = 0) => [x, y, 0, 0, 0, 0, 1] as const;

/** A robot "arm" with links "base" and "hand", the hand inside a wall of the scene. */
const handUrdf = `<robot name="arm">${boxLink('base', '0.1 0.1 0.1')}${boxLink('hand', '0.1 0.1 0.1')}${revolute('j', 'base', 'hand', '1 0 0')}</robot>`;

describe('names', () => {
  it('an object may not be called like a link in full: its margins and allowances would act on the link', () => {
    const scene = createScene();
    const robot = addUrdf(scene, handUrdf);
    expect(() => addObject(scene, { name: 'arm/hand', shape: ball, pose: at(9) })).toThrow(
      'addObject: name, got "arm/hand", expected another one: link "hand" of robot "arm" goes by it',
    );
    // Paths of parts are names like others.
    addObject(scene, { name: 'cell/wall', shape: { type: 'box', size: [0.1, 3, 3] }, pose: at(1) });
    expect(isSceneFree(scene)).toBe(false);
    const other = createScene();
    addObject(other, { name: 'arm/hand', shape: ball, pose: at(9) });
    expect(() => addRobot(other, { model: robot.model, description: robot.description })).toThrow(
      'addRobot: name, got "arm", expected another one: its link "hand" would go by "arm/hand", as an object does',
    );
    expect(addRobot(other, { name: 'second', model: robot.model, description: robot.description }).name).toBe('second');
    disposeScene(scene);
    disposeScene(other);
  });

  it('two robots may not share a full name either', () => {
    const scene = createScene();
    const urdf = (link: string) =>
      `<robot name="r">${boxLink('x', '1 1 1')}${boxLink(link, '1 1 1')}${revolute('j', 'x', link, '1 0 0')}</robot>`;
    addUrdf(scene, urdf('b/c'), { name: 'a' });
    expect(() => addUrdf(scene, urdf('c'), { name: 'a/b' })).toThrow(
      /its link "c" would go by "a\/b\/c", as a link of another/,
    );
    disposeScene(scene);
  });

  it('a robot whose file gives it none is called robot', () => {
    const scene = createScene();
    const nameless = handUrdf.replace(' name="arm"', '');
    expect([addUrdf(scene, nameless), addUrdf(scene, nameless)].map(({ name }) => name)).toEqual(['robot', 'robot-2']);
    disposeScene(scene);
  });

  it.each(['', 'a\u0000b', 7, null, undefined, {}])('%j is no name', (name) => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.3));
    const { model, description } = robot;
    expect(() => addObject(scene, { name: name as string, shape: ball })).toThrow(/^addObject: name, got /);
    if (name !== undefined)
      expect(() => addRobot(scene, { name: name as string, model, description })).toThrow(/^addRobot: name, got /);
    expect(() => setPairMargin(scene, name as string, 'link0', 0)).toThrow(/^setPairMargin: a, got /);
    expect(() => scene.allowed.allow({ a: name as string, b: 'link0', reason: 'user' })).toThrow(
      /^createAllowedCollisions: name in pairs, got /,
    );
    expect(scene.objects.size).toBe(0);
    disposeScene(scene);
  });
});

describe('unknown keys', () => {
  it.each([
    [{ name: 'a', shape: ball, position: [1, 0, 0] }, 'got the unknown key "position" (did you mean "pose"?)'],
    [{ name: 'a', shape: ball, psoe: at(1) }, '"psoe" (did you mean "pose"?)'],
    [{ name: 'a', geometry: ball }, '"geometry" (did you mean "shape"?)'],
    [{ name: 'a', shape: ball, padding: 0.1 }, '"padding" (did you mean "margin"?)'],
    [{ name: 'a', shape: ball, pose: at(1), placement: new Float64Array(12) }, 'got a pose beside it'],
  ])('of an object: %j', (options, message) => {
    const scene = createScene();
    expect(() => addObject(scene, options as Parameters<typeof addObject>[1])).toThrow(message);
    expect(scene.objects.size).toBe(0);
    // What is not given may be said to be undefined.
    addObject(scene, { name: 'a', shape: ball, pose: undefined, margin: undefined });
    disposeScene(scene);
  });

  it('of a robot, a scene, queries', () => {
    const scene = createScene();
    const { model, description } = addUrdf(scene, planarArm('arm', 2, 0.3));
    const robot = { model, description, name: 'b' };
    expect(() => addRobot(scene, { ...robot, acm: [] } as RobotOptions)).toThrow('(did you mean "allowed"?)');
    expect(() => addRobot(scene, { ...robot, srdf: 'x' } as RobotOptions)).toThrow('(did you mean "semantic"?)');
    expect(() => createScene({ margins: 1 } as object)).toThrow('(did you mean "margin"?)');
    expect(() => checkScene(scene, { al: true } as object)).toThrow('(did you mean "all"?)');
    expect(() => createSceneChecker(scene, scene.robots[0], { indexes: [0] } as object)).toThrow(
      '"indexes" (did you mean',
    );
    // What loaders return can be spread.
    expect(addRobot(scene, { ...robot, urdf: '', files: new Map(), issues: [] }).links).toHaveLength(2);
    disposeScene(scene);
  });
});

describe('allowed pairs', () => {
  const build = () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.3), { allowed: [{ a: 'link0', b: 'link2', reason: 'user' }] });
    addObject(scene, { name: 'table', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: at(0.1) });
    return { scene, robot };
  };
  const touching = (scene: Scene) =>
    checkScene(scene, { all: true, depth: 'none' }).contacts.map(({ a, b }) => `${a} ${b}`);

  it('of objects count, and adding them keeps the others', () => {
    const { scene, robot } = build();
    expect(robot.allowed.size).toBe(3);
    expect(touching(scene)).toEqual(['link0 table']);
    allowPairs(scene, [{ a: 'table', b: 'link0', reason: 'user' }]);
    expect(touching(scene)).toEqual([]);
    expect(robot.allowed.size).toBe(3);
    allowPairs(scene, [{ a: 'arm/link1', b: 'table', reason: 'user' }], { robot, replace: true });
    expect(robot.allowed.size).toBe(0);
    expect(touching(scene)).toEqual(['link0 link1', 'link0 table', 'link1 link2']);
    disposeScene(scene);
  });

  it('of names that nothing has are refused, with the name that was meant', () => {
    const { scene, robot } = build();
    expect(() => allowPairs(scene, [{ a: 'link0', b: 'tabel', reason: 'user' }])).toThrow(
      'allowPairs: pair, got "tabel" (did you mean "table"?), expected a link or an object of the scene',
    );
    expect(() => allowPairs(scene, [{ a: 'link0', b: 'link0', reason: 'user' }])).toThrow(/got "link0" twice/);
    expect(() => allowPairs(scene, 5 as never)).toThrow(/^allowPairs: pairs, got 5/);
    const { model, description } = robot;
    const again = (allowed: unknown) =>
      addRobot(scene, { name: 'second', model, description, allowed } as RobotOptions);
    expect(() => again([null as never])).toThrow(/^addRobot: allowed pair, got null, expected an object/);
    expect(() => again([{ a: 'link0', b: 'wall' }])).toThrow(/^addRobot: allowed pair, got "wall"/);
    expect(() => again({ pair: [] })).toThrow('"pair" (did you mean "pairs"?)');
    expect(scene.robots).toHaveLength(1);
    // Its own links, an object's and another robot's.
    again([
      { a: 'link0', b: 'table' },
      { a: 'link0', b: 'arm/link1' },
    ]);
    expect(scene.allowed.list().map(({ a, b }) => `${a} ${b}`)).toEqual([
      'arm/link1 second/link0',
      'second/link0 table',
    ]);
    expect(() => allowPairs(scene, [{ a: 'link0', b: 'table', reason: 'user' }])).toThrow(/a link of several robots/);
    disposeScene(scene);
  });

  it('set for a name that nothing has yet are told while nothing has it', () => {
    const { scene } = build();
    scene.allowed.allow({ a: 'link1', b: 'crate', reason: 'user' });
    expect(sceneAssumptions(scene)).toEqual({
      complete: true,
      assumed: ['altered: allowed pair "arm/link1", "crate": the scene has no body "crate"'],
    });
    disposeScene(scene);
  });
});

describe('quaternions of configurations', () => {
  it('are scaled within a thousandth and refused beyond, with their name', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.3), { build: { base: 'floating' } });
    setConfiguration(robot, [0, 0, 0, 0, 0, 0, 1.00005, 0]);
    expect(robot.q[6]).toBe(1);
    expect(() => setConfiguration(robot, [0, 0, 0, 0, 0, 0, 1.1, 0])).toThrow(
      /^setConfiguration: q\[3\] and following, got the quaternion \[0,0,0,1.1\] of length 1.1, expected length 1/,
    );
    expect(robot.q[6]).toBe(1);
    expect(isSceneFree(scene)).toBe(true);
    disposeScene(scene);
  });
});

/** Values of every wrong kind. */
const wrong: readonly unknown[] = [
  ...[undefined, null, true, Number.NaN, Infinity, -1, 0, 1.5, '', 'x', 10n, Symbol('s'), () => 0],
  ...[[], [1], ['a', 'b'], new Float64Array(3), new Map(), new Set(), {}, { length: 3 }, { name: 'a' }, new Date(0)],
];

describe('calls of every wrong shape', () => {
  it('end in an answer or in the one error of misuse', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.3));
    const object = addObject(scene, { name: 'table', shape: ball, pose: at(5) });
    const space = createConfigurationSpace(robot.model);
    const checker = createSceneChecker(scene, robot);
    const f = (...values: number[]) => Float64Array.of(...values);
    const path = [f(0, 0), f(0.5, 0.2), f(1, 0)];
    const right: readonly [string, (...args: never[]) => unknown, readonly unknown[]][] = [
      ['addObject', addObject, [scene, { name: 'b', shape: ball, pose: at(9), margin: 0, issues: [] }]],
      ['moveObject', moveObject, [scene, object, at(5)]],
      ['placeRobot', placeRobot, [robot, at(0)]],
      ['setConfiguration', setConfiguration, [robot, [0, 0]]],
      ['attachObject', attachObject, [scene, object, { robot, link: 'link0', placement: at(1), touchLinks: [] }]],
      ['checkScene', checkScene, [scene, { all: true, margin: 0, objectPairs: true, depth: 'hull' }]],
      ['isSceneFree', isSceneFree, [scene, 0, true]],
      ['nearestPair', door.nearestPair, [scene, { maxDistance: 1, objectPairs: true, depth: 'hull' }]],
      ['pairsWithin', door.pairsWithin, [scene, { margin: 1, objectPairs: true, depth: 'hull' }]],
      ['setPairMargin', setPairMargin, [scene, 'link0', 'table', 0]],
      ['allowPairs', allowPairs, [scene, [{ a: 'link0', b: 'table', reason: 'user' }], { robot, replace: false }]],
      ['createMonitor', door.createMonitor, [scene, { distance: 1, objectPairs: true, period: 0.01, depth: 'hull' }]],
      ['createRobotCaster', door.createRobotCaster, [scene, robot, { margin: 0, tolerance: 1e-4, maxIterations: 9 }]],
      ['castRobot', door.castRobot, [scene, robot, [0, 0], [1, 0]]],
      ['createSceneChecker', createSceneChecker, [scene, robot, { indices: [0], rest: [0, 0], margin: 0 }]],
      [
        'createSceneMotionChecker',
        door.createSceneMotionChecker,
        [scene, robot, { indices: [0], rest: [0, 0], tolerance: 1e-4, maxDistances: 9 }],
      ],
      ['isValid', checker.isValid, [f(0, 0)]],
      ['isMotionValid', checker.motion.isMotionValid, [f(0, 0), f(1, 0)]],
      [
        'sampleAllowedPairs',
        door.sampleAllowedPairs,
        [robot, { samples: 5, seed: 1, alwaysFraction: 0.9, search: true }],
      ],
      ['findMotionBounds', door.findMotionBounds, [scene, robot, [[0, 0]]]],
      [
        'certifyCurve',
        door.certifyCurve,
        [
          scene,
          robot,
          { duration: 0, evaluate: () => 0, speedBound: () => 0 },
          { margin: 0, tolerance: 1e-3, from: 0, to: 0, maxConfigurations: 5 },
        ],
      ],
      [
        'createConfigurationSpace',
        createConfigurationSpace,
        [robot.model, { indices: [0, 1], weights: [1, 1], bounds: { lower: [-1, -1], upper: [1, 1] } }],
      ],
      [
        'planRrtConnect',
        planRrtConnect,
        [
          {
            space,
            checker,
            start: path[0],
            goals: [path[2]],
            seed: 1,
            maxIterations: 5,
            range: 1,
            resolution: 0.1,
            timeoutMs: 1e6,
            clock: () => 0,
          },
        ],
      ],
      [
        'createRrtConnect',
        createRrtConnect,
        [
          {
            space,
            checker,
            start: path[0],
            goals: [path[2]],
            sampler: 'halton',
            dynamicDomain: { radius: 1, minRadius: 1, alpha: 0.1 },
          },
        ],
      ],
      [
        'shortcutPath',
        shortcutPath,
        [{ space, checker, path, seed: 1, maxIterations: 3, patience: 2, smoothingRounds: 1, resolution: 0.1 }],
      ],
    ];
    const random = createRandom(2);
    let calls = 0;
    const faults: string[] = [];
    const call = (name: string, f: (...args: never[]) => unknown, args: readonly unknown[], note: string) => {
      calls++;
      try {
        f(...(args as never[]));
      } catch (error) {
        if (!(error instanceof MisuseError))
          faults.push(`${name}, ${note}: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`);
      }
      // Whatever was accepted is taken back.
      if (object.attachment) door.detachObject(scene, object);
      for (const added of [...scene.objects.values()]) if (added !== object) door.removeObject(scene, added);
      moveObject(scene, object, at(5));
      placeRobot(robot, at(0));
      setConfiguration(robot, [0, 0]);
      setPairMargin(scene, 'link0', 'table', 0);
    };
    for (const [name, f, args] of right) {
      expect(() => f(...(args as never[])), name).not.toThrow();
      if (object.attachment) door.detachObject(scene, object);
      for (let i = 0; i < args.length; i++) {
        for (const value of wrong) {
          call(
            name,
            f,
            args.map((arg, k) => (k === i ? value : arg)),
            `argument ${i}`,
          );
          const arg = args[i];
          if (
            arg === null ||
            typeof arg !== 'object' ||
            arg === scene ||
            arg === robot ||
            arg === object ||
            arg === robot.model
          )
            continue;
          for (const key of Object.keys(arg))
            call(
              name,
              f,
              args.map((own, k) => (k === i ? { ...(own as object), [key]: value } : own)),
              `argument ${i}.${key}`,
            );
        }
      }
      for (let k = 0; k < 20; k++) {
        const some = args.map((arg) => (random.next() < 0.5 ? arg : wrong[Math.floor(random.next() * wrong.length)]));
        call(name, f, some, `seed 2, ${k}`);
      }
    }
    expect(faults).toEqual([]);
    expect(calls).toBeGreaterThan(3000);
    disposeScene(scene);
  });
});
