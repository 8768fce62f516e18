/** What is shown, handed to the browser as files: scene, joint values, picture, glTF. */
import type { Object3D } from 'three';
import { describeScene } from './bundle.js';
import { listCoordinates } from './coordinates.js';
import { downloadBlob, downloadText } from './download.js';
import type { ExportKind } from './panel/exports.js';
import type { Stage } from './stage/stage.js';
import type { Workspace, WorkspaceRobot } from './workspace.js';

/** By name. */
const MARKS = new Set(['hull', 'spheres', 'contact-outline']);

export async function exportShown(
  kind: ExportKind,
  {
    workspace,
    robot,
    stage,
  }: { readonly workspace: Workspace; readonly robot: WorkspaceRobot | null; readonly stage: Stage },
): Promise<void> {
  const name = (workspace.content.title || 'scene').replace(/[^\w.-]+/g, '-');
  if (kind === 'scene') downloadText(`${name}.json`, writeScene(workspace), 'application/json');
  else if (kind === 'configuration') downloadText(`${name}-q.json`, writeConfiguration(robot), 'application/json');
  else if (kind === 'picture') downloadBlob(`${name}.png`, await stage.takePicture());
  else downloadBlob(`${name}.glb`, await writeGltf(workspace.root));
}

/** A scene file: robots by the names of their files, as they stand. */
function writeScene(workspace: Workspace): string {
  const robots = workspace.robots.map(({ scene, base }, i) => ({
    name: scene.name,
    file: workspace.content.robots[i].from ?? `${scene.description.name}.urdf`,
    pose: base,
    q: [...scene.q],
  }));
  return `${JSON.stringify(describeScene(workspace, robots), null, 2)}\n`;
}

/** By joint name, as every command takes it; radians and metres. */
function writeConfiguration(robot: WorkspaceRobot | null): string {
  if (!robot) return '{}';
  const { model, scene } = robot;
  const values: Record<string, number | number[]> = {};
  for (const { joint, mimics } of listCoordinates(model)) {
    if (mimics !== undefined) continue;
    const j = model.jointNames.indexOf(joint);
    const own = [...scene.q.slice(model.idxQ[j], model.idxQ[j] + model.nqs[j])];
    values[joint] = own.length === 1 ? own[0] : own;
  }
  return `${JSON.stringify(values, null, 2)}\n`;
}

/** z up becomes y up, as glTF has it. Only what is drawn. */
async function writeGltf(root: Object3D): Promise<Blob> {
  const { GLTFExporter } = await import('three/addons/exporters/GLTFExporter.js');
  const { Group } = await import('three');
  const upright = new Group();
  upright.rotation.x = -Math.PI / 2;
  upright.add(root.clone());
  // Marks of the page are none of the scene.
  const marks: Object3D[] = [];
  upright.traverse((object) => {
    if (MARKS.has(object.name)) marks.push(object);
  });
  for (const mark of marks) mark.removeFromParent();
  upright.updateMatrixWorld(true);
  const bytes = (await new GLTFExporter().parseAsync(upright, { binary: true, onlyVisible: true })) as ArrayBuffer;
  return new Blob([bytes], { type: 'model/gltf-binary' });
}
