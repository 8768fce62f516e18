export type { MeshCorners, MeshGeometryOptions } from './three/mesh-corners.js';
export { listCorners } from './three/mesh-corners.js';
export { toBufferGeometry, toTriangleMesh } from './three/mesh-geometry.js';
export type { LinkObject, RobotLayer, RobotObject, RobotObjectOptions } from './three/robot-object.js';
export { applyColor, createRobotObject, updateRobotObject } from './three/robot-object.js';
export type { ShapeGeometryOptions } from './three/shape-geometry.js';
export { toShapeGeometry } from './three/shape-geometry.js';
export { fromMatrix4, placeObject, toMatrix4, toPose } from './three/transforms.js';
