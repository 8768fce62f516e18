export { boundShape } from './geometry/aabb.js';
export { boundPoints, transformBounds } from './geometry/bounds.js';
export type { ClosestPair } from './geometry/closest-points.js';
export {
  closestPointSegment,
  closestPointTriangle,
  closestSegmentSegment,
  closestSegmentTriangle,
} from './geometry/closest-points.js';
export type { DecomposeOptions, Decomposition } from './geometry/convex-decomposition.js';
export { decomposeMesh } from './geometry/convex-decomposition.js';
export type { FilledMesh } from './geometry/fill-holes.js';
export { fillHoles } from './geometry/fill-holes.js';
export { meshHeightField } from './geometry/height-field.js';
export type { ConvexHull } from './geometry/hull.js';
export { buildConvexHull } from './geometry/hull.js';
export type { ImplicitCover } from './geometry/implicit-cover.js';
export { coverImplicitSolid } from './geometry/implicit-cover.js';
export { joinMeshes } from './geometry/join-meshes.js';
export { computeMassProperties } from './geometry/mass-properties.js';
export type { MeshReport } from './geometry/mesh-report.js';
export { isWatertight, reportMesh } from './geometry/mesh-report.js';
export { mergeCells, meshOctree, voxelizePoints } from './geometry/octree.js';
export type { SurfacePoint } from './geometry/point-core.js';
export { hasClosedForm, measurePointToCore } from './geometry/point-core.js';
export { applyScale } from './geometry/scale-mesh.js';
export type { MassProperties } from './geometry/shapes/moments.js';
export type {
  Box,
  Capsule,
  Compound,
  CompoundChild,
  Cone,
  Convex,
  Cylinder,
  Ellipsoid,
  HalfSpace,
  HeightField,
  Mesh,
  MeshMode,
  Octree,
  PointCloud,
  RoundedBox,
  RoundedCylinder,
  Shape,
  ShapeType,
  Sphere,
  SupportShape,
  Triple,
} from './geometry/shapes.js';
export type {
  FitLinksOptions,
  FitSpheresOptions,
  FittedSpheres,
  LinkShapes,
  SphereLevel,
} from './geometry/sphere-cover/fit-spheres.js';
export { fitLinks, fitSpheres } from './geometry/sphere-cover/fit-spheres.js';
export { unionVolume } from './geometry/sphere-cover/union-volume.js';
export type { LinkSpheres, SphereModel } from './geometry/sphere-model.js';
export type {
  PlacedShape,
  SphereProof,
  UncoveredPlace,
  VerifySpheresOptions,
} from './geometry/sphere-proof/verify-spheres.js';
export { verifySpheres } from './geometry/sphere-proof/verify-spheres.js';
export type { SupportCore, SupportFunction } from './geometry/support.js';
export { supportShape } from './geometry/support-shape.js';
export type { SurfaceClaim } from './geometry/surface-claim.js';
export type { TriangleMesh } from './geometry/triangle-mesh.js';
export { transformMesh } from './geometry/triangle-mesh-transform.js';
export { weldVertices } from './geometry/triangle-mesh-weld.js';
export { validateShape } from './geometry/validate-shape.js';
