// Rays through a mesh.
export { castRays, resumeRays } from '../mesh/ray';
export { staticEnd } from '../static-end';
