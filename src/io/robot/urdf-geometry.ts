/** URDF <visual> and <collision>: origins, shapes and materials of links. */
import type { Triple } from '../../geometry/shapes.js';
import { originToTransform, type Transform } from '../../math/transform.js';
import type { GeometryDescription, ShapeDescription } from '../../scene/description.js';
import { childElements, describeElement, firstChild, type XmlElement } from '../xml/xml.js';
import {
  clip,
  closestName,
  onlyChild,
  readNumber,
  readNumbers,
  reportLostElements,
  reportUnknownAttributes,
  requireAttribute,
  type XmlIssues,
} from '../xml/xml-values.js';

export type Color = readonly [number, number, number, number];

/** X from `<origin xyz rpy>`; either part may be absent, and so may the element. Undefined when it cannot be read (reported). */
export function readOrigin(element: XmlElement, issues: XmlIssues): Transform | undefined {
  const origin = onlyChild(element, 'origin', issues);
  if (!origin) return placeAt([0, 0, 0], [0, 0, 0]);
  const known = reportUnknownAttributes(origin, ['xyz', 'rpy'], issues);
  const xyz = readPart(origin, 'xyz', issues);
  const rpy = readPart(origin, 'rpy', issues);
  return known && xyz && rpy ? placeAt(xyz, rpy) : undefined;
}

function readPart(origin: XmlElement, name: string, issues: XmlIssues): readonly number[] | undefined {
  return origin.attributes.has(name) ? readNumbers(origin, name, 3, issues) : [0, 0, 0];
}

export function placeAt(xyz: readonly number[], rpy: readonly number[]): Transform {
  return originToTransform(new Float64Array(12), xyz, rpy);
}

/** Named colours of the whole file: robot-level materials first, then those a visual defines while naming them. */
export function collectMaterials(robot: XmlElement, issues: XmlIssues): Map<string, Color> {
  const materials = new Map<string, Color>();
  for (const material of childElements(robot, 'material')) {
    const name = requireAttribute(material, 'name', issues);
    const color = readColor(material, issues);
    if (name === undefined || !color) continue;
    if (materials.has(name)) issues.warn('duplicate-material', material, 'defined twice; the first counts, rename one');
    else materials.set(name, color);
  }
  for (const link of childElements(robot, 'link')) {
    for (const visual of childElements(link, 'visual')) {
      const material = firstChild(visual, 'material');
      const name = material?.attributes.get('name');
      if (!material || !name || materials.has(name) || !firstChild(material, 'color')) continue;
      const color = readColor(material, undefined);
      if (color) materials.set(name, color);
    }
  }
  return materials;
}

/** What stands in <visual> and <collision>, and what other programs put there that shapes nothing. */
const OWN_ELEMENTS = new Set(['origin', 'geometry', 'material']);
const SHAPELESS = new Set(['verbose', 'contact_coefficients', 'surface', 'meshScale', 'texture', 'color']);

/** One <visual> or <collision>; undefined, with an error, when it cannot be read as it is written. */
export function readGeometry(
  element: XmlElement,
  link: string,
  materials: ReadonlyMap<string, Color> | null,
  issues: XmlIssues,
): GeometryDescription | undefined {
  issues.loss = `the ${element.name} is left out`;
  const read = readGeometryParts(element, link, materials, issues);
  issues.loss = '';
  return read;
}

function readGeometryParts(
  element: XmlElement,
  link: string,
  materials: ReadonlyMap<string, Color> | null,
  issues: XmlIssues,
): GeometryDescription | undefined {
  let misspelt = false;
  reportLostElements(element, issues);
  for (const child of childElements(element)) {
    if (OWN_ELEMENTS.has(child.name) || SHAPELESS.has(child.name)) continue;
    const close = closestName(child.name, OWN_ELEMENTS);
    if (close === undefined && issues.isForeign(child.name)) continue;
    const message = `<${child.name}> in <${element.name}> of link "${link}" is not part of URDF and is ignored`;
    if (close === undefined) issues.warn('unknown-element', child, `${message}; check its spelling`, 'guessed');
    else {
      issues.error('unknown-element', child, `${message}; did you mean <${close}>?`);
      misspelt = true;
    }
  }
  const origin = readOrigin(element, issues);
  const shape = readGeometryElement(element, link, issues);
  const color = materials ? materialColor(element, materials, issues) : undefined;
  if (!origin || !shape || misspelt) return undefined;
  const name = element.attributes.get('name');
  return { link, origin, shape, ...(name ? { name } : {}), ...(color ? { color } : {}) };
}

function readGeometryElement(element: XmlElement, link: string, issues: XmlIssues): ShapeDescription | undefined {
  const geometry = onlyChild(element, 'geometry', issues, 'dropped');
  if (!geometry) {
    issues.error('missing-geometry', element, `${element.name} of link "${link}" has no <geometry>; add one`);
    return undefined;
  }
  const shapes = childElements(geometry);
  if (shapes.length === 0) {
    issues.error('missing-geometry', geometry, `<geometry> of link "${link}" is empty; add a shape or delete it`);
    return undefined;
  }
  if (shapes.length > 1) {
    const message = `<geometry> of link "${link}" has ${shapes.length} shapes; the first counts, give each its own ${element.name}`;
    issues.error('several-shapes', shapes[1], message);
  }
  return readShape(shapes[0], link, issues);
}

/** Attributes of each shape. */
const SHAPE_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  box: ['size'],
  sphere: ['radius'],
  cylinder: ['radius', 'length'],
  capsule: ['radius', 'length'],
  'drake:capsule': ['radius', 'length'],
  'drake:ellipsoid': ['a', 'b', 'c'],
  mesh: ['filename', 'scale'],
};

function readShape(element: XmlElement, link: string, issues: XmlIssues): ShapeDescription | undefined {
  if (!Object.hasOwn(SHAPE_ATTRIBUTES, element.name)) {
    const close = closestName(element.name, Object.keys(SHAPE_ATTRIBUTES));
    const hint = close === undefined ? 'use box, sphere, cylinder, capsule or mesh' : `did you mean <${close}>?`;
    const message = `shape <${element.name}> of link "${link}" is not known; ${hint}`;
    issues.error('unknown-shape', element, message);
    return undefined;
  }
  if (!reportUnknownAttributes(element, SHAPE_ATTRIBUTES[element.name], issues)) return undefined;
  const positive = (name: string): number | undefined => {
    if (requireAttribute(element, name, issues) === undefined) return undefined;
    const value = readNumber(element, name, issues);
    if (value === undefined || value > 0) return value;
    issues.error('bad-size', element, `${name}="${value}" of link "${link}" must be positive`);
    return undefined;
  };
  switch (element.name) {
    case 'box': {
      if (requireAttribute(element, 'size', issues) === undefined) return undefined;
      const size = readNumbers(element, 'size', 3, issues);
      if (!size) return undefined;
      if (Math.min(...size) > 0) return { type: 'box', size: size as unknown as Triple };
      const message = `size="${size.join(' ')}" of link "${link}" must be positive`;
      issues.error('bad-size', element, message);
      return undefined;
    }
    case 'sphere': {
      const radius = positive('radius');
      return radius === undefined ? undefined : { type: 'sphere', radius };
    }
    case 'mesh':
      return readMesh(element, link, issues);
    case 'drake:ellipsoid': {
      const axes = [positive('a'), positive('b'), positive('c')];
      if (axes.includes(undefined)) return undefined;
      return { type: 'ellipsoid', semiAxes: axes as unknown as Triple };
    }
    default: {
      const radius = positive('radius');
      const length = positive('length');
      if (radius === undefined || length === undefined) return undefined;
      return { type: element.name === 'cylinder' ? 'cylinder' : 'capsule', radius, length };
    }
  }
}

/** `scale`: three factors; one number is taken for all axes, since files in the wild have it. A zero would flatten the mesh. */
function readMesh(element: XmlElement, link: string, issues: XmlIssues): ShapeDescription | undefined {
  const file = requireAttribute(element, 'filename', issues)?.trim();
  const text = element.attributes.get('scale');
  if (text === undefined) return file === undefined ? undefined : { type: 'mesh', file };
  const one = /^\s*\S+\s*$/.test(text);
  const scale = readNumbers(element, 'scale', one ? 1 : 3, issues);
  if (file === undefined || !scale) return undefined;
  if (one) {
    const message = `scale="${clip(text)}" of link "${link}" has one number, used for all axes; write three`;
    issues.warn('scale-one-number', element, message, 'guessed');
  }
  const [x, y = x, z = x] = scale;
  if (!scale.includes(0)) return { type: 'mesh', file, scale: [x, y, z] };
  const message = `scale="${clip(text)}" of link "${link}" has a zero; write factors other than 0`;
  issues.error('bad-scale', element, message);
  return undefined;
}

function readColor(material: XmlElement, issues: XmlIssues | undefined): Color | undefined {
  const color = firstChild(material, 'color');
  if (!color || !issues) {
    const words = color?.attributes.get('rgba')?.trim().split(/\s+/).map(Number);
    return words?.length === 4 && words.every(Number.isFinite) ? clampColor(words) : undefined;
  }
  const { effect, loss } = issues;
  issues.effect = null;
  issues.loss = '';
  const rgba =
    requireAttribute(color, 'rgba', issues) === undefined ? undefined : readNumbers(color, 'rgba', 4, issues);
  issues.effect = effect;
  issues.loss = loss;
  if (!rgba) return undefined;
  if (rgba.some((x) => x < 0 || x > 1)) {
    const message = `rgba="${rgba.join(' ')}" of ${describeElement(material)} is outside 0..1, clamped; scale it down`;
    issues.warn('bad-color', color, message);
  }
  return clampColor(rgba);
}

function clampColor(rgba: readonly number[]): Color {
  const clamp = (x: number): number => Math.min(1, Math.max(0, x));
  return [clamp(rgba[0]), clamp(rgba[1]), clamp(rgba[2]), clamp(rgba[3])];
}

function materialColor(
  visual: XmlElement,
  materials: ReadonlyMap<string, Color>,
  issues: XmlIssues,
): Color | undefined {
  const material = onlyChild(visual, 'material', issues);
  if (!material) return undefined;
  const own = readColor(material, issues);
  if (own) return own;
  const name = material.attributes.get('name');
  return name === undefined ? undefined : materials.get(name);
}
