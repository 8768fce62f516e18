/**
 * A content as a scene of the library, without anything drawn: the page shows it, a worker plans in one of its own.
 */
import type { Issue } from 'clearance/io';
import { buildModel, configurationFromNamed, describeProblem, type Model } from 'clearance/model';
import {
  type AllowPairsOptions,
  allowPairs,
  createScene,
  isSceneFree,
  type Scene,
  type SceneRobot,
  setConfiguration,
} from 'clearance/scene';
import { listNamedStates, type SemanticDescription } from 'clearance/semantics';
import { addCellRobot, placeDescription } from 'clearance/tasks';
import type { ConfigurationValues, Content, PlacedRobot, RobotSettings } from './content.js';

export interface BuiltRobot {
  readonly scene: SceneRobot;
  readonly model: Model;
  /** States of the SRDF and of the content. */
  readonly stored: StoredState[];
}

export interface StoredState {
  readonly name: string;
  readonly q: Float64Array;
  /** Stored by the user. */
  readonly isOwn?: boolean;
}

export interface BuiltScene {
  readonly scene: Scene;
  readonly robots: readonly BuiltRobot[];
  /** Met while building. */
  readonly issues: readonly Issue[];
}

export function buildScene(content: Content): BuiltScene {
  const issues: Issue[] = [];
  const scene = createScene({ prepared: content.prepared });
  const robots = content.robots.map((robot) => addBuiltRobot(scene, robot, content, issues));
  placeDescription(
    scene,
    {
      ...content,
      description: {
        version: 1,
        objects: content.objects,
        robots: [],
        attached: content.attached,
        allowed: content.allowed,
      },
    },
    {
      meshMode: content.meshMode,
      onFault: (element, message) => issues.push(describeFault(element, message)),
    },
  );
  const built = robots.map(({ starts: _, ...robot }) => robot);
  for (const [i, { settings }] of content.robots.entries()) {
    const { pairs = [], replace } = settings?.allowed ?? {};
    if (pairs.length > 0 || replace) allow(scene, pairs, { robot: robots[i].scene, replace }, issues);
  }
  for (const { scene: robot, starts } of robots) startFree(scene, robot, starts);
  return { scene, robots: built, issues };
}

/** The first of these in which nothing touches; the first of all where something touches in each. */
function startFree(scene: Scene, robot: SceneRobot, starts: readonly Float64Array[]): void {
  const free = starts.find((q) => {
    setConfiguration(robot, q);
    return isSceneFree(scene, 0, false);
  });
  if (starts.length > 0) setConfiguration(robot, free ?? starts[0]);
}

/** A pair that is not allowed for it can only make more pairs touch; what else is not placed may have touched something. */
function describeFault(element: string, message: string): Issue {
  const isPairs = element === 'allowed pairs';
  return {
    severity: 'error',
    code: isPairs ? 'bad-pair' : 'bad-entry',
    element,
    message: message.replace(/^allowPairs: /, ''),
    ...(!isPairs && { assumes: 'dropped' }),
  };
}

function allow(
  scene: Scene,
  pairs: readonly { readonly a: string; readonly b: string }[],
  options: AllowPairsOptions,
  issues: Issue[],
): void {
  try {
    allowPairs(
      scene,
      pairs.map((pair) => ({ ...pair, reason: 'user' })),
      options,
    );
  } catch (error) {
    issues.push(describeFault('allowed pairs', (error as Error).message));
  }
}

/** With the positions that it may begin with, best first; none: it stands as the content says. */
function addBuiltRobot(
  scene: Scene,
  loaded: PlacedRobot,
  content: Content,
  issues: Issue[],
): BuiltRobot & { readonly starts: readonly Float64Array[] } {
  const { description, semantic, meshes, settings = {} } = loaded;
  const { base, mimic, continuous, geometry, spheres } = settings;
  const { model, issues: found } = buildModel(description.model, { base, mimic, continuous });
  issues.push(...found);
  const sceneRobot = addCellRobot(scene, {
    name: loaded.name,
    model,
    description,
    semantic,
    meshes,
    placement: loaded.pose,
    geometry,
    spheres: spheres && toSpheres(spheres),
    meshMode: content.meshMode,
  });
  const stored: StoredState[] = [];
  for (const [name, values] of listNamedStates(model, semantic))
    store(name, () => configurationFromNamed(model, values));
  const named = [...stored];
  for (const { name, q } of content.configurations) store(name, () => readConfiguration(model, q));
  const { q } = loaded;
  if (typeof q === 'string') {
    const state = stored.find(({ name }) => name === q);
    if (state) setConfiguration(sceneRobot, state.q);
    else attempt('q', () => refuseState(q, stored));
  } else if (q !== undefined) {
    attempt('q', () => setConfiguration(sceneRobot, readConfiguration(model, q)));
  }
  const starts = loaded.isPlaced || q !== undefined ? [] : listStarts(named, sceneRobot.q.slice());
  return { scene: sceneRobot, model, stored, starts };

  function store(name: string, read: () => Float64Array): void {
    attempt(`configuration "${name}"`, () => stored.push({ name, q: read() }));
  }
  function attempt(element: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      issues.push({ severity: 'warning', code: 'bad-configuration', element, message: (error as Error).message });
    }
  }
}

/** In this order: what authors of SRDF files call the position a robot is used from. */
const STARTS = [
  /^ready$/i,
  /^home$/i,
  /ready|home/i,
  /half.?sitting|stand/i,
  /^(default|start|initial|rest|neutral)$/i,
];

/** States that are named as positions to begin with, the neutral one, then the others as the file has them. */
function listStarts(states: readonly StoredState[], neutral: Float64Array): Float64Array[] {
  const usual = STARTS.flatMap((pattern) => states.filter(({ name }) => pattern.test(name)));
  return [...new Set([...usual.map(({ q }) => q), neutral, ...states.map(({ q }) => q)])];
}

function refuseState(name: string, stored: readonly StoredState[]): never {
  const known = stored.map((state) => `"${state.name}"`).join(', ');
  throw new RangeError(`state "${name}": not in the SRDF${known ? `, expected one of ${known}` : ''}`);
}

/** Throws, in words for the user, when the values do not fit the robot. */
export function readConfiguration(model: Model, values: ConfigurationValues): Float64Array {
  if (!Array.isArray(values)) return configurationFromNamed(model, values as Readonly<Record<string, number>>);
  const problem = describeProblem(model, values);
  if (problem) throw new RangeError(problem);
  return Float64Array.from(values);
}

function toSpheres(spheres: NonNullable<RobotSettings['spheres']>): SemanticDescription['spheres'] {
  return new Map(
    Object.entries(spheres).map(([link, list]) => [
      link,
      list.map(([x, y, z, radius]) => ({ center: [x, y, z] as const, radius })),
    ]),
  );
}
