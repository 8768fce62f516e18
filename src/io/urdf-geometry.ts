/** URDF <visual> and <collision>: origins, shapes and materials of links. */
import type { Triple } from '../geometry/shapes.js';
import { originToTransform, type Transform } from '../math/transform.js';
import type { GeometryDescription, ShapeDescription } from '../scene/description.js';
import { childElements, describeElement, firstChild, type XmlElement } from './xml.js';
import { type IssueList, onlyChild, readNumber, readNumbers, requireAttribute } from './xml-values.js';

export type Color = readonly [number, number, number, number];

/** X from `<origin xyz rpy>`; either part may be absent, and so may the element. */
export function readOrigin(element: XmlElement, issues: IssueList): Transform {
  const origin = onlyChild(element, 'origin', issues);
  const xyz = origin && readNumbers(origin, 'xyz', 3, issues);
  const rpy = origin && readNumbers(origin, 'rpy', 3, issues);
  return originToTransform(new Float64Array(12), xyz ?? [0, 0, 0], rpy ?? [0, 0, 0]);
}

/** Named colours of the whole file: robot-level materials first, then those a visual defines while naming them. */
export function collectMaterials(robot: XmlElement, issues: IssueList): Map<string, Color> {
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

/** One <visual> or <collision>; undefined when its shape cannot be used (reported). */
export function readGeometry(
  element: XmlElement,
  link: string,
  materials: ReadonlyMap<string, Color> | null,
  issues: IssueList,
): GeometryDescription | undefined {
  const origin = readOrigin(element, issues);
  const geometry = onlyChild(element, 'geometry', issues);
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
    issues.warn('several-shapes', shapes[1], message);
  }
  const shape = readShape(shapes[0], link, issues);
  if (!shape) return undefined;
  const name = element.attributes.get('name');
  const color = materials ? materialColor(element, materials, issues) : undefined;
  return { link, origin, shape, ...(name ? { name } : {}), ...(color ? { color } : {}) };
}

function readShape(element: XmlElement, link: string, issues: IssueList): ShapeDescription | undefined {
  const positive = (name: string): number | undefined => {
    if (requireAttribute(element, name, issues) === undefined) return undefined;
    const value = readNumber(element, name, issues);
    if (value === undefined || value > 0) return value;
    issues.error('bad-size', element, `${name}="${value}" of link "${link}" must be positive; the shape is left out`);
    return undefined;
  };
  switch (element.name) {
    case 'box': {
      if (requireAttribute(element, 'size', issues) === undefined) return undefined;
      const size = readNumbers(element, 'size', 3, issues);
      if (!size) return undefined;
      if (Math.min(...size) > 0) return { type: 'box', size: size as unknown as Triple };
      const message = `size="${size.join(' ')}" of link "${link}" must be positive; the shape is left out`;
      issues.error('bad-size', element, message);
      return undefined;
    }
    case 'sphere': {
      const radius = positive('radius');
      return radius === undefined ? undefined : { type: 'sphere', radius };
    }
    case 'cylinder':
    case 'capsule':
    case 'drake:capsule': {
      const radius = positive('radius');
      const length = positive('length');
      if (radius === undefined || length === undefined) return undefined;
      return { type: element.name === 'cylinder' ? 'cylinder' : 'capsule', radius, length };
    }
    case 'drake:ellipsoid': {
      const axes = [positive('a'), positive('b'), positive('c')];
      if (axes.includes(undefined)) return undefined;
      return { type: 'ellipsoid', semiAxes: axes as unknown as Triple };
    }
    case 'mesh': {
      const file = requireAttribute(element, 'filename', issues);
      if (file === undefined) return undefined;
      const scale = readScale(element, issues);
      return { type: 'mesh', file: file.trim(), ...(scale ? { scale } : {}) };
    }
    default: {
      const message = `shape <${element.name}> of link "${link}" is not known; use box, sphere, cylinder, capsule or mesh`;
      issues.error('unknown-shape', element, message);
      return undefined;
    }
  }
}

/** Three factors; one number is taken for all axes, since files in the wild have it. A zero would flatten the mesh. */
function readScale(element: XmlElement, issues: IssueList): Triple | undefined {
  const text = element.attributes.get('scale');
  if (text === undefined) return undefined;
  let scale: number[] | undefined;
  if (/^\s*\S+\s*$/.test(text)) {
    const factor = readNumber(element, 'scale', issues);
    if (factor !== undefined) {
      issues.warn('scale-one-number', element, `scale="${text}" has one number, used for all axes; write three`);
      scale = [factor, factor, factor];
    }
  } else {
    scale = readNumbers(element, 'scale', 3, issues);
  }
  if (!scale) return undefined;
  if (!scale.includes(0)) return [scale[0], scale[1], scale[2]];
  issues.error('bad-scale', element, `scale="${text}" has a zero, ignored; write factors other than 0`);
  return undefined;
}

function readColor(material: XmlElement, issues: IssueList | undefined): Color | undefined {
  const color = firstChild(material, 'color');
  if (!color || !issues) {
    const words = color?.attributes.get('rgba')?.trim().split(/\s+/).map(Number);
    return words?.length === 4 && words.every(Number.isFinite) ? clampColor(words) : undefined;
  }
  if (requireAttribute(color, 'rgba', issues) === undefined) return undefined;
  const rgba = readNumbers(color, 'rgba', 4, issues);
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
  issues: IssueList,
): Color | undefined {
  const material = onlyChild(visual, 'material', issues);
  if (!material) return undefined;
  const own = readColor(material, issues);
  if (own) return own;
  const name = material.attributes.get('name');
  return name === undefined ? undefined : materials.get(name);
}
