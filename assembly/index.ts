export { collidePoses, distancePoses } from './batches';
export { buildWorkBytes, fitTriangles, plannedLevels, planTree, refitTree, splitTriangles, workNodes, workOrder, writeTree } from './build';
export { resumeChain, searchChain } from './chain';
export { collide, resumeCollide } from './collide';
export { closestPoints } from './closest';
export { castRays, resumeRays } from './ray';
export { distance, rootSweptDistance } from './distance';
export { convexAnswer, convexGjk, convexMeasure, staticEnd } from './convex';
export { undoEnergy, updateEnergy } from './energy';
