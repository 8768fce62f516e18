/** A scene file with its meshes and robots. */
import { type Issue, parseCloud, parseSceneFile } from 'clearance/io';
import { type CloudContent, listFileShapes, type ShapeDescription } from 'clearance/scene';
import type { FileAccess, OpenedFile } from '../files/file-access.js';
import { type Content, createEmptyContent, type PlacedRobot } from './content.js';
import { loadMeshes, loadRobot } from './robot.js';

/** Null when the text is no scene file; `issues` says why. */
export async function loadScene(
  text: string,
  path: string,
  access: FileAccess,
  issues: Issue[],
): Promise<Content | null> {
  const parsed = parseSceneFile(text, { file: path });
  issues.push(...parsed.issues);
  const scene = parsed.value;
  if (!scene) return null;
  const shapes = scene.objects.map(({ shape }) => shape);
  const meshes = await loadMeshes(shapes, { access, from: path, upAxis: 'file' }, issues);
  const clouds = await loadClouds(shapes, path, access, issues);
  const robots: PlacedRobot[] = [];
  for (const { name, file, srdf, pose, q } of scene.robots) {
    const urdf = await openText(file, path, access, issues);
    const semantic = srdf === undefined ? null : await openText(srdf, path, access, issues);
    if (!urdf) continue;
    const robot = await loadRobot(
      { urdf: urdf.text, path: urdf.path, ...(semantic ? { srdf: semantic.text } : {}) },
      access,
      issues,
    );
    if (robot) robots.push({ ...robot, name, pose, q });
  }
  return { ...createEmptyContent('Scene'), robots, objects: scene.objects, meshes, clouds, attached: scene.attached };
}

/** Occupancy maps and point clouds that shapes name, each read once; what cannot be read becomes an issue. */
async function loadClouds(
  shapes: readonly ShapeDescription[],
  from: string,
  access: FileAccess,
  issues: Issue[],
): Promise<Map<string, CloudContent>> {
  const clouds = new Map<string, CloudContent>();
  const named = shapes.flatMap(listFileShapes).filter(({ type }) => type === 'octree' || type === 'points');
  for (const file of new Set(named.map((shape) => shape.file))) {
    const opened = await open(file, from, access, issues);
    if (!opened) continue;
    const parsed = parseCloud(opened.bytes, { file: opened.path });
    issues.push(...parsed.issues);
    if (parsed.value) clouds.set(file, parsed.value);
  }
  return clouds;
}

async function openText(
  file: string,
  from: string,
  access: FileAccess,
  issues: Issue[],
): Promise<{ text: string; path: string } | null> {
  const opened = await open(file, from, access, issues);
  return opened && { text: new TextDecoder().decode(opened.bytes), path: opened.path };
}

async function open(file: string, from: string, access: FileAccess, issues: Issue[]): Promise<OpenedFile | null> {
  const opened = await access.open(file, from);
  if (opened) return opened;
  issues.push({
    severity: 'error',
    code: 'file-not-found',
    file: from,
    message: `"${file}" ${access.absence}`,
  });
  return null;
}
