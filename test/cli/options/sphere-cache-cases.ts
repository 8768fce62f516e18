/** Where `plan --spheres auto` keeps what it fitted. Fitting takes seconds and changes no answer: src/cli/auto-spheres.test.ts shows what it does. */
import type { OptionCase } from './option-case.js';

const plan = ['plan', 'apart.urdf', '--goal', '1,1'];

export const SPHERE_CACHE: Readonly<Record<string, OptionCase>> = {
  '--cache': { refused: [...plan, '--cache', 'fitted'], why: /^--cache: means nothing without --spheres auto/ },
  '--no-cache': { refused: [...plan, '--no-cache'], why: /^--no-cache: means nothing without --spheres auto/ },
};
