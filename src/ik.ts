export type { IkRequest, IkResult, IkSolverOptions, IkStatus } from './ik/solve-ik.js';
export { createIkSolver, IkSolver } from './ik/solve-ik.js';
