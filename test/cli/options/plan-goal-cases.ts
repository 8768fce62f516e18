/** Options of `plan` that say a goal, or how the path begins and ends. */
import { type CommandCases, differs } from './option-case.js';

export const PLAN_GOALS: CommandCases = {
  '--goal-look': differs(['plan', 'apart.urdf', '--json'], '--goal-look', 'link2=0,0,1,0,9'),
  '--approach': differs(['plan', 'apart.urdf', '--goal-pose', 'link2=0,0,0,0,0,0,1', '--json'], '--approach', '0,0,9'),
  '--retreat': differs(['plan', 'apart.urdf', '--goal', '1,1', '--json'], '--retreat', '0,0,9'),
  '--moving': {
    refused: ['plan', 'apart.urdf', '--goal', '1,1', '--moving', 'box'],
    why: /^--moving: means nothing without --roadmap/,
  },
};
