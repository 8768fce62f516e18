import { type Fields, requireTexts, requireTextsByName } from '../math/arguments.js';

export const URI_OPTIONS: Fields = {
  packages: requireTextsByName,
  packagePaths: requireTexts,
  roots: requireTexts,
};
