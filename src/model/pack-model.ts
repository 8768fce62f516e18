/** A model as plain data and back: the kinds of its joints, which are functions, travel by name. Tested by test/contract/jobs.test.ts. */
import { MisuseError } from '../math/misuse.js';
import { findJointKind } from './joints/index.js';
import type { JointKind } from './joints/joint-kind.js';
import type { Model } from './model.js';

export interface PackedModel {
  readonly model: Omit<Model, 'jointKinds'>;
  /** Names of the joint kinds, null for the base. */
  readonly kinds: readonly (string | null)[];
}

export function packModel({ jointKinds, ...model }: Model): PackedModel {
  return { model, kinds: jointKinds.map((kind) => kind?.name ?? null) };
}

/** Throws for a joint kind that this release does not know. */
export function unpackModel(call: string, name: string, { model, kinds }: PackedModel): Model {
  const jointKinds = kinds.map((kind, j): JointKind | null => {
    if (kind === null) return null;
    const known = findJointKind(kind, model.jointDescriptions[j]?.pitch);
    if (!known) throw new MisuseError(`${call}: joint kind of robot "${name}", got "${kind}", expected a known one`);
    return known;
  });
  return Object.freeze({ ...model, jointKinds });
}
