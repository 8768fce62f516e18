/**
 * Sphere models of robots: spheres that contain the collision shapes of every link, proven; and whether given spheres do.
 *
 * What of the geometry is not loaded, or is no data, cannot be contained: it stands in `assumed`, as it does in a scene's answers.
 * Frames: each link's own. Cost: see geometry/sphere-cover/link-fitter.ts. Checked by test/contract/robot-spheres.test.ts and
 * test/oracle/sphere-models.test.ts.
 */

import type { Shape } from '../geometry/shapes.js';
import { type FitLinksOptions, fitLinks, type LinkShapes } from '../geometry/sphere-cover/fit-spheres.js';
import type { LinkSpheres, SphereModel } from '../geometry/sphere-model.js';
import { type SphereProof, type VerifySpheresOptions, verifySpheres } from '../geometry/sphere-proof/verify-spheres.js';
import {
  requireFields,
  requireList,
  requireMap,
  requireNotNegative,
  requireObject,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import type { SemanticDescription } from '../semantics/description.js';
import { formatAssumption } from './assumptions.js';
import { collectShapes, type RobotOptions } from './robot.js';

/** What `loadRobot` gives, and how its meshes count. */
export type SphereRobotOptions = Pick<RobotOptions, 'description' | 'meshes' | 'meshMode'> & {
  /** Which shapes; default 'collision'. */
  readonly geometry?: 'collision' | 'visual';
};

/** Lists of spheres by link, as files hold them. */
export type SphereLists = SemanticDescription['spheres'];

export interface LinkSphereReport {
  readonly link: string;
  /** Of the finest level: no point of its spheres is farther from the link's shapes. */
  readonly excess: number;
  /** Of the union of the finest spheres. */
  readonly volume: number;
  /** Of the shapes; null for open meshes. */
  readonly shapeVolume: number | null;
  readonly proven: boolean;
}

export interface FittedSphereModel extends SphereModel {
  readonly reports: readonly LinkSphereReport[];
}

export interface LinkSphereProof extends SphereProof {
  readonly link: string;
}

/** Spheres a link has on average where nothing is asked for. */
const PER_LINK = 6;

const OPTIONS = {
  count: unchecked,
  excess: unchecked,
  total: unchecked,
  coarser: unchecked,
  memory: unchecked,
  onProgress: unchecked,
};

/**
 * A proven sphere model of a robot's links. Without `count`, `excess` or `total`: six spheres per link with geometry, shared out so that all
 * links stick out about as far. `robot` may be what `loadRobot` returned.
 */
export function fitRobotSpheres(robot: SphereRobotOptions, options: FitLinksOptions = {}): FittedSphereModel {
  requireRobotFiles('fitRobotSpheres', robot);
  requireFields('fitRobotSpheres', 'options', options, OPTIONS);
  const { links, assumed } = listLinkShapes(robot);
  const isOpen =
    links.length > 0 && options.count === undefined && options.excess === undefined && options.total === undefined;
  const fitted = fitLinks(links, isOpen ? { ...options, total: PER_LINK * links.length } : options);
  const model: LinkSpheres[] = [];
  const reports: LinkSphereReport[] = [];
  fitted.forEach(({ bound, levels, volume, proven }, i) => {
    const { link } = links[i];
    const finest = levels[levels.length - 1];
    model.push({ link, bound, levels: levels.map(({ spheres }) => spheres) });
    reports.push({ link, excess: finest.excess, volume: finest.volume, shapeVolume: volume, proven });
    if (!proven) assumed.push(`link "${link}": its spheres could not be proven to contain it`);
    if (links[i].shapes.some(({ shape }) => hasSupport(shape)))
      assumed.push(
        `link "${link}": a shape given by its support mapping, taken as the box that the mapping says is around it`,
      );
  });
  return { links: model, proven: reports.every(({ proven }) => proven), assumed, reports };
}

function hasSupport(shape: Shape): boolean {
  return (
    shape.type === 'support' || (shape.type === 'compound' && shape.children.some((child) => hasSupport(child.shape)))
  );
}

/** Each link with geometry against the spheres that are said to contain it; a link without spheres is not contained. */
export function verifyRobotSpheres(
  robot: SphereRobotOptions,
  spheres: SphereLists,
  options: VerifySpheresOptions = {},
): LinkSphereProof[] {
  requireRobotFiles('verifyRobotSpheres', robot);
  requireMap('verifyRobotSpheres', 'spheres', spheres);
  return listLinkShapes(robot).links.map(({ link, shapes }) => {
    const numbers = (spheres.get(link) ?? []).flatMap(({ center, radius }) => [...center, radius]);
    return { link, ...verifySpheres(shapes, numbers, options) };
  });
}

/** The spheres of one level as lists: the last level is the finest. A link with fewer levels gives its nearest. */
export function toSphereLists(model: SphereModel, level = Infinity): SphereLists {
  requireObject('toSphereLists', 'model', model, 'a sphere model');
  requireList('toSphereLists', 'model.links', model.links);
  requireNotNegative('toSphereLists', 'level', level);
  const out = new Map<string, { center: [number, number, number]; radius: number }[]>();
  for (const { link, levels } of model.links) {
    const numbers = levels[Math.max(0, Math.min(level, levels.length - 1))];
    const list: { center: [number, number, number]; radius: number }[] = [];
    for (let i = 0; i < numbers.length; i += 4)
      list.push({ center: [numbers[i], numbers[i + 1], numbers[i + 2]], radius: numbers[i + 3] });
    out.set(link, list);
  }
  return out;
}

/** How many links have geometry, each of which needs a sphere at least. */
export function countLinksWithShapes(robot: SphereRobotOptions): number {
  requireRobotFiles('countLinksWithShapes', robot);
  return listLinkShapes(robot).links.length;
}

function requireRobotFiles(call: string, robot: SphereRobotOptions): void {
  requireObject(call, 'robot', robot, 'a robot, e.g. of loadRobot');
  const { description, meshes } = robot;
  if (!Array.isArray(description?.model?.links))
    throwMisuse(call, 'robot.description', description, "a robot's, e.g. of loadRobot");
  if (meshes !== undefined) requireMap(call, 'robot.meshes', meshes);
}

function listLinkShapes(robot: SphereRobotOptions): { links: LinkShapes[]; assumed: string[] } {
  const { description, meshes, meshMode, geometry } = robot;
  const { shapes, assumed } = collectShapes({ description, meshes, meshMode, geometry });
  const links: LinkShapes[] = [];
  for (const { name } of description.model.links) {
    const parts = shapes.get(name);
    if (parts) links.push({ link: name, shapes: parts.map(([shape, placement]) => ({ shape, placement })) });
  }
  return { links, assumed: assumed.map(formatAssumption) };
}
