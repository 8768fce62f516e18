/** Checks that the loaders from disk share. */
import { LOAD_OPTIONS } from '../io/io-door.js';
import {
  type Fields,
  requireList,
  requireMap,
  requireObject,
  requireOptions,
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

/** A path, and the options of a loader. */
export function requireLoad(call: string, file: unknown, options: unknown, fields: Fields = LOAD_OPTIONS): void {
  requireText(call, 'file', file);
  requireOptions(call, options, fields);
}

export function requireContext(call: string, context: UriContext): void {
  requireObject(call, 'context', context, 'what createUriContext returned');
  requireText(call, 'context.folder', context.folder);
  requireList(call, 'context.allowed', context.allowed);
  requireMap(call, 'context.packages', context.packages);
  if (!(context.index instanceof PackageIndex))
    throwMisuse(call, 'context.index', context.index, 'that of createUriContext');
}
