// Closest points of a mesh.
export { closestPoints } from '../mesh/closest';
export { staticEnd } from '../static-end';
