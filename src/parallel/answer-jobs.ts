/** A worker's side of the pool: keeps its copy of the scene and answers jobs about it. */
import { runSceneJob, SceneJobError } from '../scene/transfer/batch.js';
import { unpackScene } from '../scene/transfer/pack-scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import type { FromWorker, ToWorker } from './messages.js';

export type Post = (message: FromWorker, transfer: ArrayBuffer[]) => void;

/** Returns the handler of incoming messages. */
export function createJobHandler(post: Post): (message: ToWorker) => void {
  let scene: Scene | null = null;
  let robot: SceneRobot | null = null;
  return (message) => {
    if (message.type === 'start') {
      try {
        scene = unpackScene(message.scene);
        robot = scene.robots[message.robot];
        post({ type: 'ready' }, []);
      } catch (error) {
        post({ type: 'failed', message: (error as Error).message }, []);
      }
      return;
    }
    const { id, job, configurations } = message;
    try {
      const answers = runSceneJob(scene!, robot!, job, configurations);
      const isPlain = answers instanceof Uint8Array;
      post({ type: 'done', id, answers }, isPlain ? [answers.buffer as ArrayBuffer] : []);
    } catch (error) {
      const index = error instanceof SceneJobError ? error.index : 0;
      post({ type: 'error', id, index, message: (error as Error).message }, []);
    }
  };
}
