export type { PlanResult, PlanStatus, StateSpace, ValidityChecker } from './planning/types.js';
