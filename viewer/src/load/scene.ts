/** A scene file with its meshes and robots. */
import { type Issue, parseSceneFile } from 'clearance/io';
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
  return { ...createEmptyContent('Scene'), robots, objects: scene.objects, meshes, attached: scene.attached };
}

async function openText(
  file: string,
  from: string,
  access: FileAccess,
  issues: Issue[],
): Promise<{ text: string; path: string } | null> {
  const opened: OpenedFile | null = await access.open(file, from);
  if (opened) return { text: new TextDecoder().decode(opened.bytes), path: opened.path };
  issues.push({
    severity: 'error',
    code: 'file-not-found',
    file: from,
    message: `"${file}" ${access.absence}`,
  });
  return null;
}
