/** A scene file without a robot argument, as `check` and `distance` report it: every body in its own place. */
import { stateAssumptions } from '../scene/queries/enclosed.js';
import { createScene, disposeScene } from '../scene/scene.js';
import type { Scene } from '../scene/types.js';
import { type ExitStatus, UsageError } from './exit.js';
import type { GroundFields } from './grounds.js';
import type { RobotArguments } from './robot-arguments.js';
import { addSceneFile, answerGrounds, sceneGrounds, warnOfSizes } from './scene-arguments.js';
import { countOf } from './words.js';

/** What an assembly's report depends on: its meshes, its robots' files, how depth is measured. */
export const ASSEMBLY_OPTIONS = [
  ...['depth', 'allowOutside', 'solid', 'surface', 'upAxis', 'unit', 'weld', 'fillHoles', 'allowMissing'],
  ...['geometry', 'package', 'packagePath', 'xacroArg', 'mimic', 'continuous'],
];

/** Loads the scene, asks, and lets go of it. A file without any body is refused: nothing would be compared. */
export async function reportAssembly(
  file: string,
  args: RobotArguments,
  ask: (scene: Scene, grounds: GroundFields) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const scene = createScene();
  try {
    await addSceneFile(scene, file, args, null);
    warnOfSizes(scene);
    const grounds = answerGrounds(scene, sceneGrounds(scene), stateAssumptions(scene, true));
    if (scene.objects.size + scene.robots.length === 0)
      throw new UsageError(`${file}: no objects and no robots, so there is nothing to compare`);
    return await ask(scene, grounds);
  } finally {
    disposeScene(scene);
  }
}

/** "4 objects and 1 robot" */
export function describeContent({ objects, robots }: Scene): string {
  return `${countOf(objects.size, 'object')}${robots.length === 0 ? '' : ` and ${countOf(robots.length, 'robot')}`}`;
}
