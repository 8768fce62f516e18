export { collide, resumeCollide } from './collide';
export { distance } from './distance';
