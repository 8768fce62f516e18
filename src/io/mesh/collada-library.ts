/** What COLLADA elements are found by, and the number lists in them. */

import type { FileIssues } from '../file-issues.js';
import { textOf, type XmlElement } from '../xml/xml.js';
import { Float64Buffer } from './mesh-buffers.js';
import { TextScanner } from './mesh-text.js';

const REFERABLE = ['visual_scene', 'node', 'geometry', 'controller', 'source', 'vertices', 'float_array'] as const;
type Referable = (typeof REFERABLE)[number];

/** Elements by kind and id; of equal ids the first counts. Elements without id get a key nothing refers to. */
export type ColladaLibrary = Readonly<Record<Referable, Map<string, XmlElement>>>;

/** Children of the elements that shape a mesh; what else stands there is a misspelt name, and lost. */
const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    COLLADA:
      'library_animations library_animation_clips library_articulated_systems library_cameras library_controllers library_effects library_force_fields library_formulas library_geometries library_images library_joints library_kinematics_models library_kinematics_scenes library_lights library_materials library_nodes library_physics_materials library_physics_models library_physics_scenes library_visual_scenes scene',
    library_geometries: 'geometry',
    library_nodes: 'node',
    library_visual_scenes: 'visual_scene',
    library_controllers: 'controller',
    scene: 'instance_physics_scene instance_visual_scene instance_kinematics_scene',
    visual_scene: 'node evaluate_scene',
    node: 'lookat matrix rotate scale skew translate instance_camera instance_controller instance_geometry instance_light instance_node node',
    geometry: 'mesh convex_mesh spline brep',
    mesh: 'source vertices lines linestrips polygons polylist triangles trifans tristrips',
    convex_mesh: 'source vertices lines linestrips polygons polylist triangles trifans tristrips',
    polygons: 'input p ph',
    polylist: 'input p vcount',
    triangles: 'input p',
    trifans: 'input p',
    tristrips: 'input p',
    vertices: 'input',
    asset: 'contributor coverage created keywords modified revision subject title unit up_axis',
  }).map(([parent, names]) => [parent, new Set(`asset extra technique ${names}`.split(' '))]),
);
/** Attributes of the elements whose defaults would take the place of a misspelt one. */
const ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    unit: 'meter name',
    input: 'semantic source offset set',
    accessor: 'source count stride offset id name',
    triangles: 'count name material',
    polylist: 'count name material',
    polygons: 'count name material',
    trifans: 'count name material',
    tristrips: 'count name material',
  }).map(([name, attributes]) => [name, new Set(attributes.split(' '))]),
);

/** Attributes of namespaces that the root declares belong to other programs. */
function reportStrange(element: XmlElement, root: XmlElement, issues: FileIssues): void {
  const children = CHILDREN.get(element.name);
  for (const child of children ? element.children : []) {
    if (typeof child === 'string') {
      if (child.trim() !== '') {
        const message = `text in <${element.name}>, which holds elements only: "${child.trim().slice(0, 40)}"`;
        issues.warn('collada-text', message, { line: element.line, assumes: 'guessed' });
      }
      continue;
    }
    if (children?.has(child.name)) continue;
    issues.warn('collada-unknown', `<${child.name}> in <${element.name}> is not known and is left out`, {
      line: child.line,
      assumes: 'guessed',
    });
  }
  const attributes = ATTRIBUTES.get(element.name);
  for (const name of attributes ? element.attributes.keys() : []) {
    if (attributes?.has(name) || name.startsWith('xmlns') || root.attributes.has(`xmlns:${name.split(':')[0]}`))
      continue;
    issues.warn(
      'collada-unknown',
      `attribute "${name.slice(0, 40)}" of <${element.name}> is not known and is ignored`,
      {
        line: element.line,
        assumes: 'guessed',
      },
    );
  }
}

/** Tells on the way what elements and attributes it does not know, and ids that come twice. */
export function indexLibrary(root: XmlElement, issues: FileIssues): ColladaLibrary {
  const library = Object.fromEntries(REFERABLE.map((name) => [name, new Map()])) as ColladaLibrary;
  const stack: XmlElement[] = [root];
  for (let unnamed = 0; stack.length > 0; ) {
    const element = stack.pop()!;
    if (Object.hasOwn(library, element.name)) {
      const elements = library[element.name as Referable];
      const id = element.attributes.get('id') ?? ` ${unnamed++}`;
      if (!elements.has(id)) elements.set(id, element);
      else {
        const message = `a second <${element.name}> has the id "${id.slice(0, 40)}": the first counts`;
        issues.warn('collada-duplicate-id', message, { line: element.line, assumes: 'guessed' });
      }
    }
    reportStrange(element, root, issues);
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i];
      if (typeof child !== 'string') stack.push(child);
    }
  }
  return library;
}

/** Element that a `#id` of this file names. */
export function resolveReference(
  library: ColladaLibrary,
  kind: Referable,
  url: string | undefined,
): XmlElement | undefined {
  const reference = url?.trim();
  return reference?.startsWith('#') ? library[kind].get(reference.slice(1)) : undefined;
}

/** The numbers in an element's text; null, with an error, when one is infinite or no number. */
export function readNumberList(element: XmlElement, issues: FileIssues): Float64Array | null {
  const scanner = new TextScanner(new TextEncoder().encode(textOf(element)));
  const numbers = new Float64Buffer(64);
  while (scanner.skipToToken()) {
    const value = scanner.readNumber();
    if (value - value !== 0) {
      const found = Number.isNaN(value) ? `"${scanner.peekToken()}"` : 'a number beyond double range';
      issues.refuse('bad-number', `<${element.name}> needs finite numbers, found ${found}`, {
        line: element.line + scanner.line - 1,
      });
      return null;
    }
    numbers.push(value);
  }
  return numbers.take();
}

/** The whole numbers in an element's text; null, with an error, when there is another. */
export function readIndexList(element: XmlElement, issues: FileIssues): Int32Array | null {
  const numbers = readNumberList(element, issues);
  if (!numbers) return null;
  const indices = new Int32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    indices[i] = numbers[i];
    if (indices[i] !== numbers[i] || numbers[i] < 0) {
      issues.refuse('bad-vertex-index', `<${element.name}> needs whole numbers from 0 on, found ${numbers[i]}`, {
        line: element.line,
      });
      return null;
    }
  }
  return indices;
}
