// Boxes that a ray meets.
export { nextRayBox } from '../mesh/ray-boxes';
export { staticEnd } from '../static-end';
