/** Checks that readers and writers share, where they are called: bytes or text, options, and what is written. */

import {
  type Fields,
  oneOf,
  requireBytes,
  requireFields,
  requireFunction,
  requireList,
  requireNotNegative,
  requireNumber,
  requireNumbers,
  requireObject,
  requireOptions,
  requireText,
  requireTexts,
  requireTextsByName,
  throwMisuse,
} from '../math/arguments.js';
import { requireColumns, requireStructure } from '../molecule/molecule-door.js';
import type { Structure } from '../molecule/structure.js';
import type { TrajectoryTable } from '../trajectory/trajectory-table.js';

function requireMetres(call: string, what: string, value: unknown): void {
  if (!Number.isFinite(value) || (value as number) < 0)
    throwMisuse(call, what, value, 'a finite number of metres from 0 on');
}

export const FILE_OPTIONS: Fields = { file: requireText };
export const MESH_OPTIONS: Fields = { ...FILE_OPTIONS, maximumBytes: requireNotNegative };
/** What loaders of meshes take; units that are none come as an issue. */
export const LOAD_OPTIONS: Fields = {
  maximumBytes: requireNotNegative,
  unit: requireText,
  upAxis: oneOf('file', 'ignore', 'x', 'y', 'z'),
  weld: requireMetres,
  fillHoles: requireMetres,
};
export const GLTF_OPTIONS: Fields = { ...MESH_OPTIONS, resources: requireFunction, format: requireText };
export const XML_OPTIONS: Fields = {
  ...FILE_OPTIONS,
  maxLength: requireNotNegative,
  maxDepth: requireNotNegative,
  maxElements: requireNotNegative,
};
export const GEOMETRY = oneOf('collision', 'visual', 'both', 'spheres', 'none');
export const XACRO_OPTIONS: Fields = {
  ...FILE_OPTIONS,
  read: requireFunction,
  args: requireTextsByName,
  findPackage: requireFunction,
  env: requireTextsByName,
  legacy: oneOf('expand', 'refuse'),
};

export function requireContent(
  call: string,
  bytes: unknown,
  options: unknown,
  fields: Fields = MESH_OPTIONS,
  what = 'bytes',
): void {
  requireBytes(call, what, bytes);
  requireOptions(call, options, fields);
}

/** A path or URL, and the options of a loader. */
export function requireLoad(call: string, file: unknown, options: unknown, fields: Fields = LOAD_OPTIONS): void {
  requireText(call, 'file', file);
  requireOptions(call, options, fields);
}

export function requireSource(call: string, text: unknown, options: unknown, fields: Fields = FILE_OPTIONS): void {
  requireText(call, 'text', text);
  requireOptions(call, options, fields);
}

/** Options that name the file, which decides how it is read. */
export function requireNamedContent(call: string, bytes: unknown, options: { readonly file: string }): void {
  requireBytes(call, 'bytes', bytes);
  requireFields(call, 'options', options, MESH_OPTIONS);
  requireText(call, 'options.file', options.file);
}

export function requireFile(call: string, file: unknown): void {
  if (file !== undefined) requireText(call, 'file', file);
}

/** Of all models, the columns that writers take. */
export function requireWritable(call: string, structure: Structure): void {
  requireStructure(call, structure);
  requireText(call, 'structure.name', structure.name);
  structure.models.forEach((model, i) => {
    requireObject(call, `structure.models[${i}]`, model, 'a model');
    requireNumber(call, `structure.models[${i}].number`, model.number);
    requireColumns(call, `structure.models[${i}].atoms`, model.atoms);
  });
}

export function requireTable(call: string, table: TrajectoryTable): void {
  requireObject(call, 'table', table, 'what toTrajectoryTable returned');
  requireTexts(call, 'table.positionNames', table.positionNames);
  requireTexts(call, 'table.velocityNames', table.velocityNames);
  requireNumbers(call, 'table.times', table.times);
  const widths = { positions: table.positionNames.length, velocities: 0, accelerations: 0, torques: 0 };
  widths.velocities = widths.accelerations = widths.torques = table.velocityNames.length;
  for (const [key, width] of Object.entries(widths)) {
    const rows = table[key as keyof typeof widths];
    if (rows === undefined && key !== 'positions') continue;
    requireList(call, `table.${key}`, rows, 'a list of rows');
    if (rows.length !== table.times.length)
      throwMisuse(call, `table.${key}`, rows, `${table.times.length} rows, one a time`);
    rows.forEach((row, i) => {
      requireNumbers(call, `table.${key}[${i}]`, row, width);
    });
  }
}
