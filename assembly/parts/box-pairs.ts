// Pairs of boxes that overlap.
export { nextBoxPairs } from '../broadphase/box-pairs';
export { staticEnd } from '../static-end';
