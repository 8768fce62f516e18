// Two meshes: contacts, distances, poses by the batch.
export { collidePoses, distancePoses } from '../mesh/batches';
export { collide, listGaps, resumeCollide } from '../mesh/collide';
export { distance, rootSweptDistance } from '../mesh/distance';
export { staticEnd } from '../static-end';
