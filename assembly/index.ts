export { collide, resumeCollide } from './collide';
export { castRay } from './ray';
export { distance } from './distance';
