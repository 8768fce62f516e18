/**
 * Names of what a scene holds. An object goes by its name, a link by `robot/link`; allowed pairs and margins are kept under
 * these, so no two bodies may share one: an object "arm/hand" beside the link "hand" of a robot "arm" would take its margins.
 */
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Scene } from './scene.js';

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
export function requireRobotName(scene: Scene, call: string, name: unknown, links: readonly string[]): string {
  requireName(call, 'name', name);
  if (scene.robots.some((robot) => robot.name === name))
    throw new MisuseError(`${call}: name "${name}" is taken, expected a name that no robot of this scene has`);
  const seen = new Set<string>();
  for (const link of links) {
    requireName(call, `name of a link of robot "${name}"`, link);
    if (seen.has(link))
      throw new MisuseError(`${call}: links of robot "${name}", got two called "${link}", expected one`);
    seen.add(link);
  }
  const taken = new Set(
    scene.robots
      // Only names with a slash in them can meet.
      .filter((robot) => robot.name.startsWith(`${name}/`) || (name as string).startsWith(`${robot.name}/`))
      .flatMap((robot) => robot.description.model.links.map((link) => `${robot.name}/${link.name}`)),
  );
  for (const link of links) {
    const full = `${name}/${link}`;
    if (scene.objects.has(full) || taken.has(full))
      throw new MisuseError(
        `${call}: name, got "${name}", expected another one: its link "${link}" would go by "${full}", as ${scene.objects.has(full) ? 'an object' : 'a link of another robot'} does`,
      );
  }
  return name as string;
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
