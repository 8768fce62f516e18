export { collide, resumeCollide } from './collide';
export { castRays, resumeRays } from './ray';
export { distance } from './distance';
