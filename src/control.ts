export type {
  DistanceGradientOptions,
  DistanceGradients,
  PairGradient,
} from './control/distance/distance-gradients.js';
export { createDistanceGradients } from './control/distance/distance-gradients.js';
export { softDistance } from './control/distance/soft-distance.js';
export type { SweptDistanceOptions, SweptDistances, SweptPair } from './control/distance/swept-distance.js';
export { sweptDistances } from './control/distance/swept-distance.js';
export type { DescentLog, DescentResult } from './control/paths/descent.js';
export type { ConfigurationText, OptimisationDescription } from './control/paths/description.js';
export type {
  PathAttempt,
  PathLimitOptions,
  PathMethod,
  PathOptimisation,
  PathOptimisationRequest,
  PathPlace,
} from './control/paths/optimise-path.js';
export { optimisePath } from './control/paths/optimise-path.js';
