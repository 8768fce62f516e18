/**
 * A world's options from its description: shapes by their files, robots by their models, names by what they stand for.
 *
 * Objects that `bodies` names move, the others are statics; what is attached to a link hangs on it, its mass added there. Pairs that the
 * scene allows never touch. Tested by test/cli/simulate.test.ts.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireMap, requireObject } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Pose } from '../math/transform.js';
import { transformToPose } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { createNeutralConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { configurationFromNamed } from '../model/named-configuration.js';
import { semanticPairs } from '../scene/allowed-collisions.js';
import type { Assumption, PlacedRobotDescription, RobotDescription } from '../scene/description.js';
import { assumeInertias } from '../scene/inertia-assumptions.js';
import { type CloudContent, createShapeResolver } from '../scene/resolve-shape.js';
import { collectShapes } from '../scene/robot.js';
import type { MaterialDescription, WorldDescription } from '../scene/world-description.js';
import type { SemanticDescription } from '../semantics/description.js';
import { addLoad } from './attached-mass.js';
import { findPrincipalInertia, type PrincipalInertia } from './body-inertia.js';
import type {
  BodyOptions,
  JoinOptions,
  LinkShape,
  Material,
  RobotOptions,
  StaticOptions,
  WorldOptions,
} from './definition.js';

/** A robot's files, as `loadRobot` gives them. */
export interface WorldRobotFiles {
  readonly description: RobotDescription;
  readonly semantic: SemanticDescription | null;
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
}

export interface WorldParts {
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  readonly clouds?: ReadonlyMap<string, CloudContent>;
  /** By the robot's name in the file. */
  readonly robots: ReadonlyMap<string, WorldRobotFiles>;
}

interface LinkLoad {
  readonly link: string;
  readonly load: PrincipalInertia;
}

export interface WorldFromDescription {
  readonly options: WorldOptions;
  /** What was left out, changed or guessed: what happens in the world can depend on it. */
  readonly assumed: readonly Assumption[];
}

export function toWorldOptions(description: WorldDescription, parts: WorldParts): WorldFromDescription {
  requireObject('toWorldOptions', 'description', description, 'what parseWorldFile returned');
  requireObject('toWorldOptions', 'description.scene', description.scene);
  requireObject('toWorldOptions', 'description.simulation', description.simulation);
  requireObject('toWorldOptions', 'parts', parts);
  requireMap('toWorldOptions', 'parts.meshes', parts.meshes);
  requireMap('toWorldOptions', 'parts.robots', parts.robots);
  const { scene, simulation } = description;
  const assumed: Assumption[] = [...(scene.assumed ?? [])];
  const resolver = createShapeResolver(parts.meshes, undefined, parts.clouds);
  const materials = new Map(simulation.materials.map((entry) => [entry.of, entry]));
  const materialOf = (...names: string[]): Material | undefined => {
    for (const name of [...names, '*']) {
      const found = materials.get(name);
      if (found) return pickMaterial(found);
    }
    return undefined;
  };
  const moving = new Map(simulation.bodies.map((body) => [body.object, body]));
  const attached = new Map(scene.attached.map((entry) => [entry.object, entry]));
  const statics: StaticOptions[] = [];
  const bodies: BodyOptions[] = [];
  const hung = new Map<string, LinkShape[]>();
  const loads = new Map<string, LinkLoad[]>();
  for (const { name, shape, pose } of scene.objects) {
    const resolved = resolver.resolve(shape);
    if (!resolved) {
      assumed.push({ kind: 'dropped', element: `object "${name}"`, message: 'a file of its shape is not loaded' });
      continue;
    }
    const material = materialOf(name);
    const shapes = [{ shape: resolved, ...(material && { material }) }];
    const hold = attached.get(name);
    const body = moving.get(name);
    if (hold) {
      const [robot, link] = splitLink(hold.link, scene.robots);
      if (hold.pose === undefined)
        throw new MisuseError(`toWorldOptions: attached "${name}", got no pose, expected its pose in the link`);
      hung.set(robot, [...(hung.get(robot) ?? []), { ...shapes[0], link, pose: hold.pose }]);
      if (hold.mass !== undefined) {
        const load = findPrincipalInertia({ name, shapes: [{ shape: resolved, pose: hold.pose }], mass: hold.mass });
        loads.set(robot, [...(loads.get(robot) ?? []), { link, load }]);
      }
    } else if (body) {
      const { mass, density, inertia, velocity } = body;
      bodies.push({
        name,
        shapes,
        pose,
        ...(velocity && { velocity }),
        ...(mass !== undefined && { mass }),
        ...(density !== undefined && { density }),
        ...(inertia && { inertia: { ...inertia, inertia: expand(inertia.inertia) } }),
      });
    } else statics.push({ name, shapes, pose });
  }
  const robots = scene.robots.map((placed) => {
    const files = parts.robots.get(placed.name);
    if (!files)
      throw new MisuseError(`toWorldOptions: parts.robots, got none for "${placed.name}", expected its files`);
    const held = { shapes: hung.get(placed.name) ?? [], loads: loads.get(placed.name) ?? [] };
    return readRobot(placed, files, description, materialOf, held, assumed);
  });
  const names = new Set([...scene.objects.map(({ name }) => name), ...robots.flatMap(carrierNames)]);
  const pairs = [
    ...(scene.allowed ?? [])
      .filter(({ a, b }) => names.has(a) && names.has(b))
      .map(({ a, b }) => ({ a, b, allowed: true })),
    ...simulation.pairs,
  ];
  const options: WorldOptions = {
    ...simulation.settings,
    ...(simulation.gravity && { gravity: simulation.gravity }),
    statics,
    bodies,
    robots,
    // What a join may say is checked by createWorld.
    joins: simulation.joins as readonly unknown[] as readonly JoinOptions[],
    pairs,
  };
  return { options, assumed };
}

function carrierNames({ name, model }: RobotOptions): string[] {
  return model.linkNames.map((link) => `${name}/${link}`);
}

function pickMaterial({ of: _of, ...material }: MaterialDescription): Material {
  return material;
}

function expand([xx, xy, xz, yy, yz, zz]: readonly number[]): number[] {
  return [xx, xy, xz, xy, yy, yz, xz, yz, zz];
}

function splitLink(link: string, robots: readonly PlacedRobotDescription[]): [string, string] {
  const owner = robots.find(({ name }) => link.startsWith(`${name}/`));
  if (owner) return [owner.name, link.slice(owner.name.length + 1)];
  if (robots.length === 1) return [robots[0].name, link];
  throw new MisuseError(`toWorldOptions: attached, got link "${link}", expected robot/link`);
}

function readRobot(
  placed: PlacedRobotDescription,
  files: WorldRobotFiles,
  { simulation }: WorldDescription,
  materialOf: (...names: string[]) => Material | undefined,
  held: { readonly shapes: readonly LinkShape[]; readonly loads: readonly LinkLoad[] },
  assumed: Assumption[],
): RobotOptions {
  const { name } = placed;
  const driven = simulation.robots.find(({ robot }) => robot === name);
  const links = files.description.model.links.map((link) =>
    held.loads.filter((entry) => entry.link === link.name).reduce((sum, { load }) => addLoad(sum, load), link),
  );
  const { model, issues } = buildModel({ ...files.description.model, links }, { base: driven?.base ?? 'fixed' });
  for (const { severity, message } of issues)
    if (severity === 'error') assumed.push({ kind: 'altered', element: `robot "${name}"`, message });
  for (const { kind, element, message } of assumeInertias(model, issues))
    assumed.push({ kind, element: `robot "${name}", ${element}`, message });
  const collected = collectShapes({ ...files, semantic: files.semantic });
  assumed.push(...collected.assumed);
  const shapes: LinkShape[] = [...held.shapes];
  for (const [link, list] of collected.shapes)
    for (const [shape, placement] of list) {
      const material = materialOf(`${name}/${link}`, name);
      const pose = transformToPose(new Float64Array(7), placement);
      shapes.push({ link, shape, pose: Array.from(pose) as unknown as Pose, ...(material && { material }) });
    }
  return {
    name,
    model,
    shapes,
    pose: placed.pose,
    q: readConfiguration(placed, model, files.semantic),
    ...(driven?.v && { v: driven.v }),
    ...(driven?.servos && { servos: driven.servos }),
    ...(driven?.compensateGravity !== undefined && { compensateGravity: driven.compensateGravity }),
    ...(driven?.limits !== undefined && { limits: driven.limits }),
    allowed: files.semantic ? semanticPairs(files.semantic).map(({ a, b }) => [a, b] as const) : [],
  };
}

function readConfiguration(
  { name, q }: PlacedRobotDescription,
  model: Model,
  semantic: SemanticDescription | null,
): Float64Array {
  if (q === undefined) return createNeutralConfiguration(model);
  if (Array.isArray(q)) return Float64Array.from(q as number[]);
  if (typeof q === 'object') return configurationFromNamed(model, q as Record<string, number>);
  const states = semantic?.states.filter((state) => state.name === q) ?? [];
  if (states.length === 0)
    throw new MisuseError(`toWorldOptions: q of robot "${name}", got "${q}", expected a state of its SRDF`);
  const named: Record<string, number> = {};
  for (const { joints } of states)
    for (const [joint, values] of joints) if (model.jointIndex.has(joint)) named[joint] = values[0];
  return configurationFromNamed(model, named);
}
