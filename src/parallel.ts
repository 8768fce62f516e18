export type { ParallelReplicas, ParallelReplicasOptions } from './parallel/parallel-replicas.js';
export { createParallelReplicas } from './parallel/parallel-replicas.js';
export type { CheckManyOptions, Configurations, ParallelOptions, ParallelScene } from './parallel/parallel-scene.js';
export { createParallelScene } from './parallel/parallel-scene.js';
export type { WorkerTimeLimits } from './parallel/time-limit.js';
export { ParallelError } from './parallel/worker-pool.js';
