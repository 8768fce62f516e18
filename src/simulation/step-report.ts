/** What one step did; of several substeps the worst. */
export interface StepReport {
  /** Contact points, those within the margin that do not push included. */
  contacts: number;
  islands: number;
  /** Bodies and robots that are not computed at present. */
  sleeping: number;
  /** Largest depth at the start of the step, metres. */
  penetration: number;
  /** Largest violation of the contact conditions in the solver's answer, m/s. */
  residual: number;
  /** Of the solver, all islands together. */
  iterations: number;
  /** `limit`: the solver ended before the residual met the tolerance; `not finite`: the state blew up (a number beyond 1e15) and was left as it was before. */
  status: 'ok' | 'limit' | 'not finite';
}
