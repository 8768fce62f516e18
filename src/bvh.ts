export type { CollideMeshOptions, MeshCollision } from './bvh/collide-mesh.js';
export { collideMeshMesh, createMeshCollision } from './bvh/collide-mesh.js';
export type { DistanceMeshOptions, MeshDistance, ToleranceMeshOptions, TrianglePair } from './bvh/distance-mesh.js';
export { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from './bvh/distance-mesh.js';
export type { BuildOptions, NodeKind } from './bvh/mesh-bvh.js';
export { buildMeshBvh, MeshBvh } from './bvh/mesh-bvh.js';
export type { PairStats } from './bvh/pair-query.js';
export { walkTriangles } from './bvh/walk-triangles.js';
