import type { Fixture } from './fixture.js';

/** The arguments of one valid call by name, in order; see slot.ts for what may stand in their place. */
export type Example = (x: Fixture) => Readonly<Record<string, unknown>>;

/** By name of the function. */
export type Door = Readonly<Record<string, Example>>;
