/** Checks that the loaders for pages share. */
import { GEOMETRY, LOAD_OPTIONS } from '../io/io-door.js';
import {
  type Check,
  type Fields,
  requireFields,
  requireFunction,
  requireMap,
  requireNotNegative,
  requireObject,
  requireText,
  requireTexts,
  requireTextsByName,
  throwMisuse,
} from '../math/arguments.js';
import type { FileSet } from './file-set.js';

const requireFileSet: Check = (call, what, value) => {
  requireObject(call, what, value, 'what createFileSet returned');
  const { paths, packages, read } = value as FileSet;
  requireTexts(call, `${what}.paths`, paths);
  requireMap(call, `${what}.packages`, packages);
  requireFunction(call, `${what}.read`, read);
};

const requireSignal: Check = (call, what, value) => {
  if (typeof (value as AbortSignal | null)?.throwIfAborted !== 'function')
    throwMisuse(call, what, value, 'an AbortSignal');
};

export const WEB_OPTIONS: Fields = {
  files: requireFileSet,
  packages: requireTextsByName,
  packagePaths: requireTexts,
  places: requireTextsByName,
  fetch: requireFunction,
  signal: requireSignal,
  onProgress: requireFunction,
  maximumBytes: requireNotNegative,
};
export const WEB_MESH_OPTIONS: Fields = { ...WEB_OPTIONS, upAxis: LOAD_OPTIONS.upAxis, unit: LOAD_OPTIONS.unit };

const ROBOT_IN_SCENE: Fields = { geometry: GEOMETRY, xacroArgs: requireTextsByName, env: requireTextsByName };
export const WEB_ROBOT_OPTIONS: Fields = { ...WEB_MESH_OPTIONS, ...ROBOT_IN_SCENE, srdf: requireText };

const PLACES: Fields = { urdf: requireText, srdf: requireText, places: requireTextsByName };
export const WEB_SCENE_OPTIONS: Fields = {
  ...WEB_MESH_OPTIONS,
  ...ROBOT_IN_SCENE,
  robots: (call, what, value) => {
    requireObject(call, what, value, 'an object by names of robots');
    for (const [name, places] of Object.entries(value as object)) {
      requireFields(call, `${what}.${name}`, places, PLACES);
      requireText(call, `${what}.${name}.urdf`, places.urdf);
    }
  },
};
