/**
 * Names of what a scene holds. An object goes by its name, a link by `robot/link`; allowed pairs and margins are kept under
 * these, so no two bodies may share one: an object "arm/hand" beside the link "hand" of a robot "arm" would take its margins.
 */
import { throwMisuse } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { requireScene } from './scene-door.js';
import type { Scene, SceneBody } from './types.js';
import type { World } from './world.js';

/** Names that mean a body of the scene, or a link without geometry. */
export interface SceneNames {
  has(name: string): boolean;
}

/** A name is some text without U+0000, which separates names in tables of pairs. */
export function requireName(call: string, what: string, name: unknown): string {
  if (typeof name !== 'string' || name === '' || name.includes('\u0000'))
    throw new MisuseError(
      `${call}: ${what}, got ${describeValue(name)}, expected a text, not empty and without U+0000`,
    );
  return name;
}

/** Throws where an object of this name would be taken for a link. */
export function requireObjectName(scene: Scene, call: string, name: unknown): string {
  requireName(call, 'name', name);
  if (scene.objects.has(name as string))
    throw new MisuseError(`${call}: name "${name}" is taken, expected a name that the scene does not hold yet`);
  for (const { name: robot, description } of scene.robots)
    for (const link of description.model.links)
      if (name === `${robot}/${link.name}`)
        throw new MisuseError(
          `${call}: name, got "${name}", expected another one: link "${link.name}" of robot "${robot}" goes by it`,
        );
  return name as string;
}

/** Throws where the links of a robot of this name would be taken for objects or for another robot's links. */
export function requireRobotName(
  scene: Scene,
  call: string,
  name: unknown,
  links: readonly { readonly name: string }[],
): string {
  requireName(call, 'name', name);
  if (scene.world.robotNames.has(name as string))
    throw new MisuseError(`${call}: name "${name}" is taken, expected a name that no robot of this scene has`);
  requireLinkNames(call, name as string, links);
  // Only names with a slash in them can meet.
  const isSlashed = (other: string): boolean => other.includes('/');
  const robots = scene.world.slashed || isSlashed(name as string) ? scene.robots : [];
  if (robots.length === 0 && scene.objects.size === 0) return name as string;
  const taken = new Set(
    robots
      .filter((robot) => robot.name.startsWith(`${name}/`) || (name as string).startsWith(`${robot.name}/`))
      .flatMap((robot) => robot.description.model.links.map((link) => `${robot.name}/${link.name}`)),
  );
  if (taken.size === 0 && ![...scene.objects.keys()].some(isSlashed)) return name as string;
  for (const { name: link } of links) {
    const full = `${name}/${link}`;
    if (scene.objects.has(full) || taken.has(full))
      throw new MisuseError(
        `${call}: name, got "${name}", expected another one: its link "${link}" would go by "${full}", as ${scene.objects.has(full) ? 'an object' : 'a link of another robot'} does`,
      );
  }
  return name as string;
}

/** Lists whose names are in order. */
const named = new WeakSet<object>();

function requireLinkNames(call: string, robot: string, links: readonly { readonly name: string }[]): void {
  if (named.has(links)) return;
  const seen = new Set<string>();
  for (const { name: link } of links) {
    requireName(call, `name of a link of robot "${robot}"`, link);
    if (seen.has(link))
      throw new MisuseError(`${call}: links of robot "${robot}", got two called "${link}", expected one`);
    seen.add(link);
  }
  named.add(links);
}

/** Objects, links as `robot/link`, and links by their own name. */
export function bodyNames(scene: Scene): SceneNames {
  const names = new Set<string>(scene.objects.keys());
  for (const { name, description } of scene.robots) {
    for (const link of description.model.links) {
      names.add(link.name);
      names.add(`${name}/${link.name}`);
    }
  }
  return names;
}

/**
 * Name for people and files: links carry their robot's name when the scene has several robots, or an object of the
 * link's name.
 */
export function bodyName(scene: Scene, body: SceneBody): string {
  requireScene(scene, 'bodyName');
  if (typeof body?.name !== 'string' || !Array.isArray(body.parts))
    throwMisuse('bodyName', 'body', body, 'a body of the scene');
  const { robot, name } = body;
  return robot && (scene.robots.length > 1 || scene.objects.has(name)) ? fullName(body) : name;
}

/** A name that stays the body's own whatever is added to the scene: `robot/link`, or an object's name. */
export function fullName({ robot, name }: SceneBody): string {
  return robot ? `${robot.name}/${name}` : name;
}

/**
 * The full name that a user's name means now: an object's, else the link's of the only robot that has one so called.
 * Names of bodies that do not exist (yet) stay as they are.
 */
export function resolveName(scene: Scene, name: string): string {
  if (scene.objects.has(name)) return name;
  return ownersOfLinks(scene.world).get(name) ?? name;
}

export function pairKey(a: string, b: string): string {
  return a < b ? `${a}\u0000${b}` : `${b}\u0000${a}`;
}

interface LinkOwners {
  known: number;
  removals: number;
  /** Full name by a link's own; null where several robots have one so called. */
  readonly names: Map<string, string | null>;
}

const owners = new WeakMap<World, LinkOwners>();

function ownersOfLinks(world: World): ReadonlyMap<string, string | null> {
  let found = owners.get(world);
  if (!found || found.removals !== world.removals) {
    found = { known: 0, removals: world.removals, names: new Map() };
    owners.set(world, found);
  }
  for (; found.known < world.robots.length; found.known++) {
    const { name, links } = world.robots[found.known];
    for (const link of links) found.names.set(link.name, found.names.has(link.name) ? null : `${name}/${link.name}`);
  }
  return found.names;
}
