export { collidePoses, distancePoses } from './mesh/batches';
export {
  buildWorkBytes,
  fitTriangles,
  plannedLevels,
  planTree,
  refitTree,
  splitTriangles,
  workNodes,
  workOrder,
  writeTree,
} from './mesh/build';
export { resumeChain, searchChain } from './chain/chain';
export { fitChain, keepJoint, revertChain, updateChain } from './chain/chain-update';
export { castBlock, castConvex, castPlane } from './convex/cast-convex';
export { collide, resumeCollide } from './mesh/collide';
export { closestPoints } from './mesh/closest';
export { listTriangles, measureShape, resumeList } from './mesh/shape';
export { castRays, resumeRays } from './mesh/ray';
export { nextRayBox } from './mesh/ray-boxes';
export { distance, rootSweptDistance } from './mesh/distance';
export { convexAnswer, convexCommon, convexGjk, convexMeasure, staticEnd } from './convex/convex';
export { undoEnergy, updateEnergy } from './energy/energy';
export { addToGrid, askGrid, sortGrid } from './energy/energy-grid';
