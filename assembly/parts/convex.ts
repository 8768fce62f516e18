// Convex cores: against each other, in motion, against a mesh. One module, because they share the state of GJK.
export { castBlock, castConvex, castPlane } from '../convex/cast-convex';
export { convexAnswer, convexCommon, convexGjk, convexMeasure } from '../convex/convex';
export { listTriangles, measureShape, resumeList } from '../mesh/shape';
export { staticEnd } from '../static-end';
