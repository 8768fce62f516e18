// Hierarchies of meshes: built, refitted, and what tests look into.
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
} from '../mesh/build';
export { staticEnd } from '../static-end';
