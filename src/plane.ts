export type { ImplicitRegion, PolynomialTerm } from './math/implicit-region.js';
export { boundPolynomial, judgeImplicitBox } from './math/implicit-region.js';
export type { Arrangement } from './plane/arrangement.js';
export { findConvexHull } from './plane/convex-hull.js';
export type { ConvexPart } from './plane/convex-parts.js';
export { decomposePolygon } from './plane/convex-parts.js';
export type { FlatDisc } from './plane/disc.js';
export { flattenDisc } from './plane/disc.js';
export type { HomogeneousPoint } from './plane/dyadic.js';
export type { ExactPoint } from './plane/exact-point.js';
export type { FreeCell, FreeCells, PlaneFreeSpace } from './plane/free-space.js';
export { createFreeCells } from './plane/free-space.js';
export type { ImplicitCells } from './plane/implicit-cells.js';
export { coverImplicit } from './plane/implicit-cells.js';
export { offsetPolygon, sumObstacles } from './plane/minkowski.js';
export type { Piece, PlaneBounds } from './plane/pieces.js';
export type { PlaneMethod, PlaneOptions, PlanePlan, PlaneStatus } from './plane/plan.js';
export { planInPlane } from './plane/plan.js';
export type { PlaneLocation, PlanePoint, Polygon, PolygonFault, PolygonIssue } from './plane/polygon.js';
export { locatePoint, normalizePolygon, polygonArea, validatePolygon } from './plane/polygon.js';
export type { PlaneBody, PlaneObstacle, PlaneProblem, PlaneScene, Touching } from './plane/problem.js';
export type { BooleanOperation, PlaneRegion } from './plane/region.js';
export { combinePolygons } from './plane/region.js';
export type { Roadmap } from './plane/roadmap.js';
export type { TrapezoidMap } from './plane/trapezoid-map.js';
export type { TurningOptions, TurningPlan } from './plane/turning/plan-turning.js';
export { planTurning } from './plane/turning/plan-turning.js';
export type { PlanePose, TurningBody, TurningProblem } from './plane/turning/turning-problem.js';
export type { TurningProof } from './plane/turning/turning-proof.js';
export type { TurningPathStatus, TurningPathVerdict } from './plane/turning/verify-turning-path.js';
export { verifyTurningPath } from './plane/turning/verify-turning-path.js';
export { verifyTurningProof } from './plane/turning/verify-turning-proof.js';
export type {
  ExactCoordinate,
  ExactPair,
  Separation,
  SeparationLink,
  SeparationVerdict,
} from './plane/verify-separation.js';
export { coordinateToNumber, verifySeparation } from './plane/verify-separation.js';
export type { VisibilityGraph } from './plane/visibility-graph.js';
export { createVisibilityGraph } from './plane/visibility-graph.js';
export type { Footprint, FootprintOptions } from './scene/footprint.js';
export { projectMesh } from './scene/footprint.js';
export type { MeshSlice, SliceOptions } from './scene/mesh-slice.js';
export { sliceMesh } from './scene/mesh-slice.js';
