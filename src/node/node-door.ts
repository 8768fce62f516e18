import {
  type Fields,
  requireList,
  requireMap,
  requireObject,
  requireText,
  requireTexts,
  requireTextsByName,
  throwMisuse,
} from '../math/arguments.js';
import { PackageIndex } from './package-index.js';
import type { UriContext } from './resolve-uri.js';

export const URI_OPTIONS: Fields = {
  packages: requireTextsByName,
  packagePaths: requireTexts,
  roots: requireTexts,
};

export function requireContext(call: string, context: UriContext): void {
  requireObject(call, 'context', context, 'what createUriContext returned');
  requireText(call, 'context.folder', context.folder);
  requireList(call, 'context.allowed', context.allowed);
  requireMap(call, 'context.packages', context.packages);
  if (!(context.index instanceof PackageIndex))
    throwMisuse(call, 'context.index', context.index, 'that of createUriContext');
}
