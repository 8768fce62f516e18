/** Where `plan --spheres auto` keeps what it fitted. Fitting takes seconds and changes no answer: src/cli/auto-spheres.test.ts shows what it does. */
import type { OptionCase } from './option-case.js';

const plan = ['plan', 'apart.urdf', '--goal', '1,1'];

export const SPHERE_CACHE: Readonly<Record<string, OptionCase>> = {
  '--cache': { refused: [...plan, '--cache', 'fitted'], why: /^--cache: means nothing without --spheres auto/ },
  '--no-cache': { refused: [...plan, '--no-cache'], why: /^--no-cache: means nothing without --spheres auto/ },
};

/** Of `spheres`. */
export const FITTED_CACHE: Readonly<Record<string, OptionCase>> = {
  '--cache': {
    base: ['spheres', 'apart.urdf', '--per-link', '1'],
    same: ['--cache', 'fitted'],
    reason: 'a memory changes no answer',
  },
  '--no-cache': {
    base: ['spheres', 'apart.urdf', '--per-link', '1'],
    same: ['--no-cache'],
    reason: 'a memory changes no answer',
  },
};
