/**
 * COLLADA 1.4 and 1.5: the triangles of the scene, each geometry placed by its nodes.
 *
 * Method: 1. XML to elements (io/xml refuses document types and caps depth and size); 2. walk the visual scene with a
 * stack, multiplying node transforms (matrix, translate, rotate, scale, lookat, skew, in document order) and following
 * instance_node, instance_geometry and instance_controller (a skin gives its source mesh in bind shape, joints are not
 * applied); 3. read each geometry once (collada-geometry); 4. copy the instances into one mesh. Coordinates come back
 * in the file's unit and axes, which parseMesh then applies.
 *
 * Caps: nodes visited and nesting, so that nodes which instance each other cannot run away; bytes of the result.
 * Source: Khronos Group, COLLADA 1.4.1 specification, 2008. Checked by collada.test.ts and test/oracle/mesh-files.
 */

import { FileIssues } from '../file-issues.js';
import { requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { childElements, decodeXmlBytes, firstChild, parseXml, textOf, type XmlElement } from '../xml/xml.js';
import { parseNumber } from '../xml/xml-values.js';
import { type GeometryMesh, readGeometry } from './collada-geometry.js';
import { type ColladaLibrary, indexLibrary, readNumberList, resolveReference } from './collada-library.js';
import {
  type Affine,
  IDENTITY_AFFINE,
  lookAt,
  multiplyAffine,
  rotation,
  scaling,
  skew,
  translation,
} from './mesh-affine.js';
import { assembleInstances, type MeshInstance } from './mesh-assembly.js';
import {
  amplificationLimit,
  DEFAULT_MAXIMUM_MESH_BYTES,
  type MeshFileContent,
  type MeshReadOptions,
  tooLargeMessage,
  type UpAxis,
} from './mesh-content.js';
import { CutBudget } from './mesh-polygon.js';

const MAXIMUM_NODES = 1_000_000;
/** Visits that a file of any size may make; each of its characters adds one. */
const FREE_VISITS = 100_000;
const MAXIMUM_NESTING = 1000;
const MAXIMUM_ELEMENTS = 4_000_000;
const MAXIMUM_LENGTH = 256 * 1024 * 1024;
/** Skins over morphs over skins. */
const MAXIMUM_CONTROLLER_CHAIN = 16;

interface Visit {
  readonly element: XmlElement;
  readonly placement: Affine;
  /** Of the nearest node that has one. */
  readonly name: string;
  readonly nesting: number;
}

/**
 * Reads the scene of a COLLADA file. Content is never a reason to throw: `value` is null, with one error among the
 * issues, when the file cannot be trusted. Coordinates are in the file's own unit and axes, which `unit` and `upAxis`
 * name; `parseMesh` applies them.
 */
export function parseCollada(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  requireContent('parseCollada', bytes, options);
  const issues = new FileIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  if (bytes.length > limit) {
    return issues.refuse('too-large', tooLargeMessage('the text of the mesh', bytes.length, limit));
  }
  const { text, issues: decoding } = decodeXmlBytes(bytes, options.file);
  const xml = parseXml(text, { file: options.file, maxElements: MAXIMUM_ELEMENTS, maxLength: MAXIMUM_LENGTH });
  issues.list.push(...decoding, ...xml.issues);
  const root = xml.value;
  if (!root) return { value: null, issues: issues.list };
  if (root.name !== 'COLLADA') {
    return issues.refuse('collada-root', `the root element is <${root.name}>, a COLLADA file has <COLLADA>`, root);
  }
  const version = root.attributes.get('version') ?? '';
  if (!/^1\.[45]/.test(version)) {
    issues.warn('collada-version', `version "${version}" is read as 1.4`, { line: root.line });
  }
  const library = indexLibrary(root, issues);
  const roots = findSceneRoots(root, library, issues);
  if (!roots) return { value: null, issues: issues.list };
  const most = Math.min(MAXIMUM_NODES, FREE_VISITS + text.length);
  const instances = collectInstances(roots, library, most, issues);
  if (!instances) return { value: null, issues: issues.list };
  const asset = firstChild(root, 'asset');
  return assembleInstances(
    instances,
    { format: 'dae', unit: readUnit(asset, issues), upAxis: readUpAxis(asset, issues) },
    { ...options, maximumBytes: amplificationLimit(bytes.length, limit) },
    issues,
  );
}

/** Elements to start from: the scene's nodes, or what comes closest in a file without a scene. */
function findSceneRoots(root: XmlElement, library: ColladaLibrary, issues: FileIssues): XmlElement[] | null {
  const scene = firstChild(root, 'scene');
  const reference = scene && firstChild(scene, 'instance_visual_scene');
  if (reference) {
    const found = resolveReference(library, 'visual_scene', reference.attributes.get('url'));
    if (found) return [found];
    issues.refuse('collada-reference', `the scene "${reference.attributes.get('url')}" does not exist in the file`, {
      line: reference.line,
    });
    return null;
  }
  const [first] = library.visual_scene.values();
  if (first) {
    issues.warn('collada-scene', 'the file names no scene: its first visual scene is taken', {
      line: first.line,
      assumes: 'guessed',
    });
    return [first];
  }
  const geometries = [...library.geometry.values()];
  if (geometries.length > 0) {
    issues.warn('collada-scene', 'the file has no scene: its geometries are taken as they are', {
      line: root.line,
      assumes: 'guessed',
    });
  }
  return geometries;
}

/** Walks the nodes in document order; null when the file was refused. */
function collectInstances(
  roots: readonly XmlElement[],
  library: ColladaLibrary,
  most: number,
  issues: FileIssues,
): MeshInstance[] | null {
  const cache = new Map<XmlElement, GeometryMesh | null>();
  const budget = new CutBudget();
  const instances: MeshInstance[] = [];
  const stack: Visit[] = [];
  const push = (elements: readonly XmlElement[], from: Omit<Visit, 'element'>, placement = from.placement): void => {
    const { name, nesting } = from;
    for (let i = elements.length - 1; i >= 0; i--) {
      stack.push({ element: elements[i], placement, name, nesting: nesting + 1 });
    }
  };
  push(roots, { placement: IDENTITY_AFFINE, name: '', nesting: -1 });
  for (let visits = 0; stack.length > 0; visits++) {
    const visit = stack.pop()!;
    const { element, placement, nesting } = visit;
    if (visits > most || nesting > MAXIMUM_NESTING) {
      issues.refuse(
        'collada-instances',
        'nodes instance each other without end, or far more often than a file of this size has them',
        element,
      );
      return null;
    }
    switch (element.name) {
      case 'visual_scene':
        push(childElements(element), visit);
        break;
      case 'node': {
        const local = readNodeTransform(element, issues);
        if (!local) return null;
        const name = element.attributes.get('name') ?? element.attributes.get('id') ?? visit.name;
        push(childElements(element), { ...visit, name }, multiplyAffine(placement, local));
        break;
      }
      case 'instance_node': {
        const node = resolveReference(library, 'node', element.attributes.get('url'));
        if (!node) return refuseReference(element, issues);
        push([node], visit);
        break;
      }
      case 'instance_geometry': {
        const geometry = resolveReference(library, 'geometry', element.attributes.get('url'));
        if (!geometry) return refuseReference(element, issues);
        push([geometry], visit);
        break;
      }
      case 'instance_controller': {
        const skin = resolveSkin(element, library, issues);
        if (!skin) return null;
        push([skin.geometry], visit, multiplyAffine(placement, skin.bindShape));
        break;
      }
      case 'geometry': {
        let mesh = cache.get(element);
        if (mesh === undefined) {
          mesh = readGeometry(element, library, budget, issues);
          cache.set(element, mesh);
        }
        if (!mesh) return null;
        if (mesh.triangles.length > 0) instances.push({ ...mesh, name: visit.name || mesh.name, placement });
        break;
      }
    }
  }
  const unused = [...library.geometry.values()].filter((geometry) => !cache.has(geometry));
  if (unused.length > 0) {
    issues.warn('collada-unused', `${unused.length} geometries stand in no node of the scene and are left out`, {
      line: unused[0].line,
      assumes: 'guessed',
    });
  }
  return instances;
}

function refuseReference(element: XmlElement, issues: FileIssues): null {
  const url = element.attributes.get('url');
  issues.refuse(
    'collada-reference',
    `<${element.name}> names "${url}", which this file does not have; other files are not followed`,
    { line: element.line },
  );
  return null;
}

/** The mesh under a controller: through skins and morphs down to the geometry. */
function resolveSkin(
  element: XmlElement,
  library: ColladaLibrary,
  issues: FileIssues,
): { geometry: XmlElement; bindShape: Affine } | null {
  let bindShape: Affine = IDENTITY_AFFINE;
  let url = element.attributes.get('url');
  for (let i = 0; i < MAXIMUM_CONTROLLER_CHAIN; i++) {
    const geometry = resolveReference(library, 'geometry', url);
    if (geometry) {
      issues.warn('collada-skin', 'skins are read in bind shape: joints and morphs do not move their vertices', {
        line: element.line,
        assumes: 'guessed',
      });
      return { geometry, bindShape };
    }
    const controller = resolveReference(library, 'controller', url);
    const deformer = controller && (firstChild(controller, 'skin') ?? firstChild(controller, 'morph'));
    if (!deformer) return refuseReference(element, issues);
    const matrix = firstChild(deformer, 'bind_shape_matrix');
    if (matrix) {
      const affine = readMatrix(matrix, issues);
      if (!affine) return null;
      bindShape = multiplyAffine(bindShape, affine);
    }
    url = deformer.attributes.get('source');
  }
  return refuseReference(element, issues);
}

/** Product of a node's transform elements; null when one cannot be read. */
function readNodeTransform(node: XmlElement, issues: FileIssues): Affine | null {
  let product: Affine = IDENTITY_AFFINE;
  for (const child of childElements(node)) {
    const read = TRANSFORMS[child.name];
    if (!read) continue;
    const affine = read(child, issues);
    if (!affine) return null;
    product = multiplyAffine(product, affine);
  }
  return product;
}

const TRANSFORMS: Readonly<Record<string, (element: XmlElement, issues: FileIssues) => Affine | null>> = {
  matrix: readMatrix,
  translate: (element, issues) => readTransform(element, 3, ([x, y, z]) => translation(x, y, z), issues),
  rotate: (element, issues) =>
    // an angle of zero about no axis is how some exporters write "no rotation"
    readTransform(element, 4, ([x, y, z, d]) => (d === 0 ? IDENTITY_AFFINE : rotation(x, y, z, d)), issues),
  scale: (element, issues) => readTransform(element, 3, ([x, y, z]) => scaling(x, y, z), issues),
  lookat: (element, issues) => readTransform(element, 9, lookAt, issues),
  skew: (element, issues) => readTransform(element, 7, skew, issues),
};

function readMatrix(element: XmlElement, issues: FileIssues): Affine | null {
  const affineOf = (m: readonly number[]): Affine | null => {
    const isAffine = m[12] === 0 && m[13] === 0 && m[14] === 0 && m[15] === 1;
    return isAffine ? m.slice(0, 12) : null;
  };
  return readTransform(element, 16, affineOf, issues);
}

function readTransform(
  element: XmlElement,
  count: number,
  build: (numbers: readonly number[]) => Affine | null,
  issues: FileIssues,
): Affine | null {
  const numbers = readNumberList(element, issues);
  if (!numbers) return null;
  const affine = numbers.length === count ? build(Array.from(numbers)) : null;
  if (affine) return affine;
  const reason = numbers.length === count ? 'has no meaning with these numbers' : `needs ${count} numbers`;
  issues.refuse('collada-transform', `<${element.name}> ${reason}: "${textOf(element).trim().slice(0, 80)}"`, {
    line: element.line,
  });
  return null;
}

/** Metres by the names that exporters write. */
const UNIT_NAMES: ReadonlyMap<string, number> = new Map([
  ...['m', 'meter', 'metre', 'meters', 'metres'].map((name) => [name, 1] as const),
  ...['dm', 'decimeter', 'decimetre', 'decimeters'].map((name) => [name, 0.1] as const),
  ...['cm', 'centimeter', 'centimetre', 'centimeters', 'centimetres'].map((name) => [name, 0.01] as const),
  ...['mm', 'millimeter', 'millimetre', 'millimeters', 'millimetres'].map((name) => [name, 0.001] as const),
  ...['km', 'kilometer', 'kilometre'].map((name) => [name, 1000] as const),
  ...['in', 'inch', 'inches'].map((name) => [name, 0.0254] as const),
  ...['ft', 'foot', 'feet'].map((name) => [name, 0.3048] as const),
]);

function readUnit(asset: XmlElement | undefined, issues: FileIssues): number {
  const unit = asset && firstChild(asset, 'unit');
  // the standard's default is one metre
  const text = unit?.attributes.get('meter');
  const read = text === undefined ? 1 : parseNumber(text);
  const metres = read !== null && read > 0 ? read : 1;
  if (metres !== read) {
    issues.warn('collada-unit', `unit of "${text}" metres is read as 1`, { line: unit?.line, assumes: 'guessed' });
  }
  const name = unit?.attributes.get('name')?.trim() ?? '';
  const named = UNIT_NAMES.get(name.toLowerCase());
  if (named !== undefined && Math.abs(named - metres) > 1e-3 * named) {
    const message = `the unit is called "${name}" and has ${metres} metres, which counts; ${named} would fit its name`;
    issues.warn('collada-unit', message, { line: unit?.line, assumes: 'guessed' });
  }
  return metres;
}

function readUpAxis(asset: XmlElement | undefined, issues: FileIssues): UpAxis {
  const element = asset && firstChild(asset, 'up_axis');
  // the standard's default is Y
  if (!element) return 'y';
  const match = /^([XYZ])_UP$/.exec(textOf(element).trim());
  if (match) return match[1].toLowerCase() as UpAxis;
  issues.warn('collada-up-axis', `"${textOf(element).trim().slice(0, 40)}" is no up axis: Y_UP is taken`, {
    line: element.line,
  });
  return 'y';
}
