/**
 * What torques and accelerations rest on beyond the mechanism: inertias that no body has, and bodies without mass. Both are computed
 * with as they are. Tested by test/cli/impossible-inertia.test.ts and test/regression/simulated-files.test.ts.
 */
import type { Model } from '../model/model.js';
import { type AssumingIssue, assumptionsOfIssues } from './assumptions.js';
import type { Assumption } from './description.js';

/** @internal `issues`: of the model's reader. */
export function assumeInertias(
  model: Model,
  issues: readonly (AssumingIssue & { readonly code?: string })[],
): Assumption[] {
  const assumed = assumptionsOfIssues(
    issues.flatMap((issue) => (issue.code === 'impossible-inertia' ? [{ ...issue, assumes: 'guessed' as const }] : [])),
  );
  for (let j = 1; j < model.jointCount; j++) {
    if (model.masses[j] !== 0) continue;
    const message = 'no mass on its body (links without <inertial>?): taken as 0';
    assumed.push({ kind: 'guessed', element: `joint "${model.jointNames[j]}"`, message });
  }
  return assumed;
}
