/** What the pool and its workers say to each other. */
import type { SceneAnswers, SceneJob } from '../scene/transfer/batch.js';
import type { PackedScene } from '../scene/transfer/pack-scene.js';

export type ToWorker =
  | { readonly type: 'start'; readonly scene: PackedScene; readonly robot: number }
  | { readonly type: 'run'; readonly id: number; readonly job: SceneJob; readonly configurations: Float64Array };

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'done'; readonly id: number; readonly answers: SceneAnswers }
  | { readonly type: 'error'; readonly id: number; readonly index: number; readonly message: string };
