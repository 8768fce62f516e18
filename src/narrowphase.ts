export { collide } from './narrowphase/collide.js';
export type { ColliderOptions, MeshHull } from './narrowphase/collider.js';
export { Collider, createCollider } from './narrowphase/collider.js';
export { computeContacts, createContacts } from './narrowphase/contacts.js';
export { distance } from './narrowphase/distance.js';
export type { Contact, DistanceResult, PairOptions, QueryStats, QueryStatus } from './narrowphase/query.js';
export { createDistanceResult, createQueryStats } from './narrowphase/query.js';
export { isWithin } from './narrowphase/tolerance.js';
