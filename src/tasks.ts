export type { Cell, CellContent, CellOptions, CellRobot, PlaceOptions } from './tasks/create-cell.js';
export { addCellRobot, createCell, placeDescription } from './tasks/create-cell.js';
export type { PoseGoal } from './tasks/plan-goals.js';
export type { GroupPlan, GroupRequest, GroupSearch, GroupState } from './tasks/plan-group.js';
export { createGroupSearch, planGroup } from './tasks/plan-group.js';
export type { Surroundings, TimedMotion, Timing } from './tasks/time-path.js';
export { timePath } from './tasks/time-path.js';
