export type { Contact, DistanceResult, PairOptions, QueryStats, QueryStatus } from './narrowphase/query.js';
export { createDistanceResult, createQueryStats } from './narrowphase/query.js';
