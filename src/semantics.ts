export type {
  DescribedModel,
  DisabledPairDescription,
  EndEffectorDescription,
  GroupDescription,
  GroupStateDescription,
  SemanticDescription,
  VirtualJointDescription,
} from './semantics/description.js';
export type { GroupCoordinates } from './semantics/group-coordinates.js';
export { findGroupCoordinates, listGroupJoints } from './semantics/group-coordinates.js';
export type { NamedValues } from './semantics/named-states.js';
export { findGroupTip, findNamedState, listNamedStates } from './semantics/named-states.js';
