// Boxes: pairs of a tree that overlap, and which go together in a new one.
export { buildBoxTree } from '../broadphase/box-tree';
export { nextBoxPairs } from '../broadphase/box-pairs';
export { staticEnd } from '../static-end';
