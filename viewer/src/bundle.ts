/**
 * What the page shows as one zip file, which the page and the command line read: a scene file (scene.json) that places the robots and
 * objects as they stand, the robots' files, the objects' meshes, and the user's own work (clearance.json).
 */
import { writePly, writeSrdf } from 'clearance/io';
import type { ObjectDescription, SceneDescription, ShapeDescription } from 'clearance/scene';
import { createFileSet, type FileSet } from 'clearance/web';
import { readHeld } from './holding.js';
import type { Source } from './keep.js';
import { WORK_FILE } from './link.js';
import type { Work } from './work.js';
import type { Workspace, WorkspaceObject, WorkspaceRobot } from './workspace.js';

const SCENE_FILE = 'scene.json';

export interface Bundle {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What could not be taken along, in words. */
  readonly leftOut: readonly string[];
}

export async function createBundle(workspace: Workspace, work: Work, { batches }: Source): Promise<Bundle> {
  const files = new Map<string, Uint8Array>();
  const leftOut: string[] = [];
  const sets = await Promise.all(batches.map((batch) => createFileSet(batch)));
  const places: SceneDescription['robots'][number][] = [];
  for (const [i, robot] of workspace.robots.entries()) {
    const folder = `robots/${i + 1}`;
    const file = await addRobotFiles(workspace, robot, folder, sets, files, leftOut);
    const { name, q, semantic } = robot.scene;
    const srdf = semantic && file.replace(/urdf$/, 'srdf');
    if (srdf) files.set(srdf, encode(writeSrdf(semantic)));
    places.push({ name, file, ...(srdf && { srdf }), pose: robot.base, q: [...q] });
  }
  const description = describeScene(workspace, places, (file) => {
    const mesh = workspace.content.meshes.get(file);
    if (!mesh) {
      leftOut.push(`"${file}": no mesh`);
      return file;
    }
    const path = `meshes/${[...workspace.content.meshes.keys()].indexOf(file) + 1}.ply`;
    if (!files.has(path)) files.set(path, writePly(mesh));
    return path;
  });
  files.set(SCENE_FILE, encode(JSON.stringify(description, null, 1)));
  files.set(WORK_FILE, encode(JSON.stringify({ version: 1, title: workspace.content.title, work })));
  return { files, leftOut };
}

/** The scene as a file says it. `nameFile`: where a mesh that an object's shape names lies. */
export function describeScene(
  workspace: Workspace,
  robots: SceneDescription['robots'],
  nameFile: (file: string) => string = (file) => file,
): SceneDescription {
  const { content, objects, scene } = workspace;
  const loaded = new Map(content.objects.map((object) => [object.name, object]));
  return {
    version: 1,
    objects: objects.map((object) => describeObject(object, loaded.get(object.scene.name), nameFile)),
    robots,
    attached: objects.flatMap((object) => describeHold(workspace, object)),
    allowed: [
      ...scene.allowed.list().map(({ a, b, note }) => ({ a, b, ...(note !== undefined && { note }) })),
      ...scene.robots.flatMap(({ name, allowed }) =>
        allowed
          .list()
          .filter(({ reason }) => reason === 'user')
          .map(({ a, b }) => ({ a: `${name}/${a}`, b: `${name}/${b}` })),
      ),
    ],
  };
}

function describeHold(workspace: Workspace, object: WorkspaceObject): SceneDescription['attached'][number][] {
  const held = readHeld(workspace, object);
  if (!held) return [];
  const { placement } = held;
  const { robots } = workspace;
  const nameLink = (link: string): string => (robots.length > 1 ? `${robots[held.robot].scene.name}/${link}` : link);
  const [link, touchLinks] = [nameLink(held.link), held.touchLinks.map(nameLink)];
  const mass = object.scene.attachment?.mass;
  return [{ object: object.scene.name, link, pose: placement, touchLinks, ...(mass !== undefined && { mass }) }];
}

function describeObject(
  { scene: { name }, pose, own }: WorkspaceObject,
  loaded: ObjectDescription | undefined,
  nameFile: (file: string) => string,
): ObjectDescription {
  // What the user added or resized is numbers only.
  const shape = (own as ShapeDescription | null) ?? loaded?.shape ?? { type: 'sphere', radius: 1e-3 };
  return { ...loaded, name, shape: renameFiles(shape, nameFile), pose };
}

function renameFiles(shape: ShapeDescription, nameFile: (file: string) => string): ShapeDescription {
  if (shape.type === 'compound')
    return {
      ...shape,
      children: shape.children.map((child) => ({ ...child, shape: renameFiles(child.shape, nameFile) })),
    };
  return 'file' in shape && shape.file !== undefined ? { ...shape, file: nameFile(shape.file) } : shape;
}

/** Returns where the robot's file lies. Its meshes lie towards it as they did. */
async function addRobotFiles(
  { content, robots }: Workspace,
  robot: WorkspaceRobot,
  folder: string,
  sets: readonly FileSet[],
  files: Map<string, Uint8Array>,
  leftOut: string[],
): Promise<string> {
  const { urdf, from, files: found } = content.robots[robots.indexOf(robot)];
  const own = (from ?? `${robot.scene.name}.urdf`).replace(/(\.urdf)?(\.xacro)?$/i, '.urdf');
  files.set(`${folder}/${own}`, encode(urdf));
  for (const [reference, location] of found) {
    const set = sets.find(({ paths }) => paths.includes(location));
    // By URL there are no folders to keep: references that only go down lie below the robot's file.
    const path = set ? location : reference;
    if (!set && /^[a-z][a-z0-9+.-]*:|^\/|\.\./i.test(reference)) {
      leftOut.push(`"${reference}"`);
      continue;
    }
    try {
      files.set(`${folder}/${path}`, set ? await set.read(location) : await fetchBytes(location));
    } catch (error) {
      leftOut.push(`"${reference}": ${(error as Error).message}`);
    }
  }
  for (const set of sets)
    for (const path of set.paths)
      if (/(^|\/)package\.xml$/.test(path)) files.set(`${folder}/${path}`, await set.read(path));
  return `${folder}/${own}`;
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('the server does not have it');
  return new Uint8Array(await response.arrayBuffer());
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
