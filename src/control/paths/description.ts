/** An optimisation problem as files hold it: configurations as the command line takes them, everything else as `optimisePath` does. */
import type { PathLimitOptions, PathMethod } from './optimise-path.js';

/** Numbers in the order of q, numbers by joint, or the name of a state of the SRDF. */
export type ConfigurationText = string | readonly number[] | Readonly<Record<string, number | readonly number[]>>;

export interface OptimisationDescription {
  readonly schema: 'clearance.optimisation/1';
  /** Default: where the robot stands. */
  readonly start?: ConfigurationText;
  readonly goal: ConfigurationText;
  /** First paths, from start to goal. */
  readonly initial?: readonly (readonly ConfigurationText[])[];
  readonly method?: PathMethod;
  readonly segments?: number;
  readonly clearance?: number;
  readonly resolution?: number;
  readonly seeds?: number;
  readonly seed?: number;
  readonly maxIterations?: number;
  readonly all?: boolean;
  readonly limits?: PathLimitOptions;
}
