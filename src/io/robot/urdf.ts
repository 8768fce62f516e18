/**
 * URDF to plain data: links, joints, limits, mimics, inertials, visuals and collisions.
 *
 * Whatever can be used is kept; each fault is an issue that names file, line, element and remedy. Joints that would
 * break the tree (unknown links, a second parent, a cycle) are left out, so the value is always a forest.
 *
 * Source: ROS wiki, "urdf/XML" (robot, link, joint, with their defaults). Extensions read: `<capsule>`,
 * `<drake:capsule>`, `<drake:ellipsoid>`. Units SI, radians; rpy about fixed axes.
 * Test: urdf.test.ts, test/oracle/robot-files.test.ts, test/regression/.
 */
import type { Fields } from '../../math/arguments.js';
import type {
  InertialDescription,
  JointDescription,
  JointLimits,
  JointType,
  LinkDescription,
} from '../../model/description.js';
import { JOINT_TYPES } from '../../model/joint-types.js';
import { findJointKind, hasRange } from '../../model/joints/index.js';
import type { GeometryDescription, RobotDescription } from '../../scene/description.js';
import { GEOMETRY, requireFile, requireSource, XML_OPTIONS } from '../io-door.js';
import { type Issue, type Parsed, requireIssues, toAssumptions } from '../issue.js';
import { childElements, firstChild, parseXml, requireElement, type XmlElement, type XmlOptions } from '../xml/xml.js';
import {
  clip,
  closestName,
  onlyChild,
  readNumber,
  readNumbers,
  reportLostElements,
  reportUnknownAttributes,
  requireAttribute,
  XmlIssues,
} from '../xml/xml-values.js';
import { collectMaterials, placeAt, readGeometry, readOrigin } from './urdf-geometry.js';
import { checkMimics, keepForest } from './urdf-tree.js';

/** Elements that other programs put into URDF files and that say nothing about geometry or kinematics. */
const FOREIGN = new Set(['gazebo', 'transmission', 'sensor', 'ros2_control']);
const ROBOT_ELEMENTS = new Set(['link', 'joint', 'material']);
const LINK_ELEMENTS = new Set(['inertial', 'visual', 'collision']);
const JOINT_ELEMENTS = new Set([
  'origin',
  'parent',
  'child',
  'axis',
  'limit',
  'mimic',
  'dynamics',
  'safety_controller',
  'calibration',
]);
/** Kinds of unknown elements that are told: a file of nothing but kinds costs no more than their names. */
const MOST_KINDS = 100;
const URDF_TYPES = new Set<string>(['fixed', 'revolute', 'continuous', 'prismatic', 'planar', 'floating']);

/** Geometry that a caller's answers depend on: what is wrong with the other is a warning. */
export type CountedGeometry = 'collision' | 'visual' | 'both' | 'spheres' | 'none';

export interface UrdfOptions extends XmlOptions {
  /** Default 'collision'. */
  readonly geometry?: CountedGeometry;
}

const OPTIONS: Fields = { ...XML_OPTIONS, geometry: GEOMETRY };

/** Reads URDF text; `value` is null when it is not XML or its root is not `<robot>`. */
export function parseUrdf(text: string, options: UrdfOptions = {}): Parsed<RobotDescription> {
  requireSource('parseUrdf', text, options, OPTIONS);
  const { geometry, ...limits } = options;
  const { value: root, issues } = parseXml(text, limits);
  return root ? readUrdf(root, options.file, issues, geometry) : { value: null, issues };
}

/** Reads a URDF element tree, for instance one that xacro expansion produced; `before` are its issues so far. */
export function readUrdf(
  root: XmlElement,
  file?: string,
  before: readonly Issue[] = [],
  geometry: CountedGeometry = 'collision',
): Parsed<RobotDescription> {
  requireElement('readUrdf', root);
  requireFile('readUrdf', file);
  requireIssues('readUrdf', 'before', before);
  GEOMETRY('readUrdf', 'geometry', geometry);
  const counts = (kind: 'collision' | 'visual'): boolean => geometry === kind || geometry === 'both';
  const issues = new XmlIssues(file);
  issues.append(before);
  if (root.name !== 'robot') {
    issues.error('not-urdf', root, `root element is <${root.name}>, not <robot>; is this a URDF file?`);
    return { value: null, issues: issues.issues };
  }
  issues.declareNamespaces(root);
  const name = root.attributes.get('name') ?? '';
  if (name === '') issues.warn('missing-robot-name', root, '<robot> has no name; write <robot name="...">');

  const materials = collectMaterials(root, issues);
  const links = new Map<string, LinkDescription>();
  const linkLines = new Map<string, number>();
  const collisions: GeometryDescription[] = [];
  const visuals: GeometryDescription[] = [];
  for (const element of childElements(root, 'link')) {
    const link = requireAttribute(element, 'name', issues);
    if (link === undefined) continue;
    if (links.has(link)) {
      const message = `a second link "${link}" is left out (the first is in line ${linkLines.get(link)}); rename one of them`;
      issues.error('duplicate-link', element, message);
      continue;
    }
    linkLines.set(link, element.line);
    issues.owner = element;
    issues.effect = null;
    const inertial = readInertial(element, issues);
    links.set(link, inertial ? { name: link, inertial } : { name: link });
    for (const child of childElements(element)) {
      if (child.name !== 'visual' && child.name !== 'collision') continue;
      issues.effect = counts(child.name) ? 'dropped' : null;
      const read = readGeometry(child, link, child.name === 'visual' ? materials : null, issues);
      if (read) (child.name === 'visual' ? visuals : collisions).push(read);
    }
    issues.owner = undefined;
    issues.effect = 'dropped';
  }

  const joints = new Map<string, { joint: JointDescription; element: XmlElement }>();
  let mimicTags = 0;
  for (const element of childElements(root, 'joint')) {
    if (firstChild(element, 'mimic')) mimicTags++;
    issues.owner = element;
    const joint = readJoint(element, issues);
    issues.owner = undefined;
    if (!joint) continue;
    const first = joints.get(joint.name);
    if (first) {
      const message = `a second joint "${joint.name}" is left out (the first is in line ${first.element.line}); rename one of them`;
      issues.error('duplicate-joint', element, message);
      continue;
    }
    joints.set(joint.name, { joint, element });
  }
  reportUnknown(root, issues);

  const kept = keepForest(links, [...joints.values()], root, issues);
  const model = { name, links: [...links.values()], joints: checkMimics(kept, issues) };
  const assumed = toAssumptions(issues.issues);
  const value = { name, model, collisions, visuals, mimicTags, ...(assumed.length > 0 && { assumed }) };
  return { value, issues: issues.issues };
}

function readInertial(link: XmlElement, issues: XmlIssues): InertialDescription | undefined {
  const element = onlyChild(link, 'inertial', issues);
  if (!element) return undefined;
  const where = `inertial of link "${link.attributes.get('name')}"`;
  const massElement = onlyChild(element, 'mass', issues);
  const mass = massElement && readNumber(massElement, 'value', issues);
  if (mass === undefined) {
    issues.error('missing-mass', element, `${where} has no usable <mass value>, left out; add it or delete <inertial>`);
    return undefined;
  }
  if (mass < 0) {
    issues.error('negative-mass', massElement, `${where} has mass ${mass}, left out; write a mass of at least 0`);
    return undefined;
  }
  const origin = readOrigin(element, issues);
  if (!origin) return undefined;
  const tensor = onlyChild(element, 'inertia', issues);
  if (!tensor) issues.warn('missing-inertia', element, `${where} has no <inertia>, taken as zero; add it for dynamics`);
  const part = (name: string): number => {
    if (!tensor) return 0;
    const value = readNumber(tensor, name, issues);
    if (value === undefined && !tensor.attributes.has(name)) {
      issues.warn('missing-inertia', tensor, `${where} lacks ${name}, taken as zero; add it for dynamics`);
    }
    return value ?? 0;
  };
  const inertia = [part('ixx'), part('ixy'), part('ixz'), part('iyy'), part('iyz'), part('izz')] as const;
  return { mass, origin, inertia };
}

function readJoint(element: XmlElement, issues: XmlIssues): JointDescription | undefined {
  const name = requireAttribute(element, 'name', issues);
  const parent = linkReference(element, 'parent', issues);
  const child = linkReference(element, 'child', issues);
  if (name === undefined || parent === undefined || child === undefined) return undefined;
  const type = readJointType(element, issues);
  issues.loss = `joint "${name}" stands at the origin of link "${parent}"`;
  const origin = readOrigin(element, issues) ?? placeAt([0, 0, 0], [0, 0, 0]);
  issues.loss = '';
  const limits = readLimits(element, type, issues);
  const mimic = readMimic(element, type, issues);
  const axis = readAxis(element, type, issues);
  return {
    name,
    type,
    parent,
    child,
    origin,
    axis,
    ...(limits ? { limits } : {}),
    ...(mimic ? { mimic } : {}),
    ...readExtras(element, issues),
  };
}

/** What no placement and no shape depends on. */
function readExtras(
  joint: XmlElement,
  issues: XmlIssues,
): Pick<JointDescription, 'dynamics' | 'safety' | 'calibration'> {
  const { effect } = issues;
  issues.effect = null;
  const safetyElement = onlyChild(joint, 'safety_controller', issues);
  const calibrationElement = onlyChild(joint, 'calibration', issues);
  const dynamicsElement = onlyChild(joint, 'dynamics', issues);
  const numbers = (from: XmlElement, attribute: string): number => readNumber(from, attribute, issues) ?? 0;
  const extras = {
    ...(dynamicsElement && {
      dynamics: { damping: numbers(dynamicsElement, 'damping'), friction: numbers(dynamicsElement, 'friction') },
    }),
    ...(safetyElement && {
      safety: {
        softLower: numbers(safetyElement, 'soft_lower_limit'),
        softUpper: numbers(safetyElement, 'soft_upper_limit'),
        kPosition: numbers(safetyElement, 'k_position'),
        kVelocity: numbers(safetyElement, 'k_velocity'),
      },
    }),
    ...(calibrationElement && {
      calibration: {
        rising: readNumber(calibrationElement, 'rising', issues),
        falling: readNumber(calibrationElement, 'falling', issues),
      },
    }),
  };
  issues.effect = effect;
  return extras;
}

function linkReference(joint: XmlElement, side: 'parent' | 'child', issues: XmlIssues): string | undefined {
  const element = onlyChild(joint, side, issues);
  if (element) return requireAttribute(element, 'link', issues);
  issues.error('missing-link-reference', joint, `joint has no <${side} link="..."/>, left out; add it`);
  return undefined;
}

function readJointType(element: XmlElement, issues: XmlIssues): JointType {
  const type = element.attributes.get('type');
  if (type !== undefined && URDF_TYPES.has(type)) return type as JointType;
  const known = [...URDF_TYPES].join(', ');
  const found = type === undefined ? 'no type' : `type "${clip(type)}"`;
  issues.error('bad-joint-type', element, `joint has ${found}, taken as fixed; use one of ${known}`, 'altered');
  return 'fixed';
}

function readAxis(joint: XmlElement, type: JointType, issues: XmlIssues): readonly [number, number, number] {
  const element = onlyChild(joint, 'axis', issues);
  if (!findJointKind(type)?.usesAxis || !element) return [1, 0, 0];
  issues.loss = 'the axis 1 0 0 is used';
  const xyz = reportUnknownAttributes(element, ['xyz'], issues) ? readNumbers(element, 'xyz', 3, issues) : undefined;
  issues.loss = '';
  if (!xyz) return [1, 0, 0];
  const largest = Math.max(Math.abs(xyz[0]), Math.abs(xyz[1]), Math.abs(xyz[2]));
  if (largest === 0) {
    issues.error('zero-axis', element, `axis of ${type} joint is zero, 1 0 0 is used; write its direction`, 'altered');
    return [1, 0, 0];
  }
  // Scaled first, so that tiny and huge components neither vanish nor overflow when squared.
  const [x, y, z] = [xyz[0] / largest, xyz[1] / largest, xyz[2] / largest];
  const norm = Math.sqrt(x * x + y * y + z * z);
  if (Math.abs(norm * largest - 1) > 1e-6) {
    issues.info('axis-normalised', element, `axis has length ${norm * largest}, scaled to 1; write a unit vector`);
  }
  return [x / norm, y / norm, z / norm];
}

/** Position limits of revolute and prismatic joints; velocity and effort of any. Infinite means none. */
function readLimits(joint: XmlElement, type: JointType, issues: XmlIssues): JointLimits | undefined {
  const element = onlyChild(joint, 'limit', issues);
  const bounded = hasRange(findJointKind(type));
  if (!element) {
    if (bounded) {
      const message = `${type} joint has no <limit>, taken as unlimited; add one with lower and upper`;
      issues.warn('missing-limit', joint, message, 'guessed');
    }
    return undefined;
  }
  if (type === 'fixed') return undefined;
  reportUnknownAttributes(element, ['lower', 'upper', 'velocity', 'effort'], issues);
  const limits: { lower?: number; upper?: number; velocity?: number; effort?: number } = {};
  for (const name of ['velocity', 'effort'] as const) {
    const value = readBound(element, name, issues);
    if (value === undefined || value === Infinity) continue;
    if (value < 0)
      issues.error('bad-limit', element, `${name}="${value}" is negative, ignored; write its size`, 'altered');
    else limits[name] = value;
  }
  if (!bounded) return limits;
  const bound = (name: 'lower' | 'upper'): number => {
    if (!element.attributes.has(name)) {
      issues.warn(
        'missing-limit',
        joint,
        `<limit> of ${type} joint lacks ${name}, which then is 0; write it`,
        'guessed',
      );
      return 0;
    }
    return readBound(element, name, issues) ?? 0;
  };
  let lower = bound('lower');
  let upper = bound('upper');
  if (lower > upper) {
    issues.error(
      'reversed-limits',
      element,
      `lower ${lower} is above upper ${upper}, swapped; correct them`,
      'altered',
    );
    [lower, upper] = [upper, lower];
  }
  if (lower !== -Infinity && lower !== Infinity) limits.lower = lower;
  if (upper !== -Infinity && upper !== Infinity) limits.upper = upper;
  return limits;
}

/** A number that may be infinite: writers print unlimited joints as "inf" or 1e308-like values. */
function readBound(element: XmlElement, name: string, issues: XmlIssues): number | undefined {
  const text = element.attributes.get(name)?.trim().toLowerCase();
  const infinite = text === undefined ? null : /^([+-]?)inf(?:inity)?$/.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  return readNumber(element, name, issues);
}

function readMimic(joint: XmlElement, type: JointType, issues: XmlIssues): JointDescription['mimic'] {
  const element = onlyChild(joint, 'mimic', issues);
  if (!element) return undefined;
  if (!JOINT_TYPES[type].canMimic) {
    issues.info('mimic-ignored', joint, `<mimic> on a ${type} joint is ignored; delete it or change the joint's type`);
    return undefined;
  }
  reportUnknownAttributes(element, ['joint', 'multiplier', 'offset'], issues);
  const driver = requireAttribute(element, 'joint', issues);
  if (driver === undefined) return undefined;
  const multiplier = readNumber(element, 'multiplier', issues) ?? 1;
  return { joint: driver, multiplier, offset: readNumber(element, 'offset', issues) ?? 0 };
}

/** Names of URDF that say something about geometry or kinematics wherever they are meant to stand. */
const MEANINGFUL = [
  'link',
  'joint',
  'visual',
  'collision',
  'geometry',
  'origin',
  'axis',
  'limit',
  'mimic',
  'parent',
  'child',
];

/** One note per kind of element that is not URDF's, or is not where it belongs: a misspelt name is easy to overlook. */
function reportUnknown(root: XmlElement, issues: XmlIssues): void {
  const seen = new Map<string, { element: XmlElement; parent: string; count: number; close: string | undefined }>();
  const note = (parent: XmlElement, known: ReadonlySet<string>): void => {
    reportLostElements(parent, issues);
    for (const element of childElements(parent)) {
      if (known.has(element.name) || FOREIGN.has(element.name)) continue;
      const key = `${parent.name}/${element.name}`;
      const entry = seen.get(key);
      if (entry) entry.count++;
      else if (seen.size < MOST_KINDS) {
        const close = closestName(
          element.name,
          [...known].filter((name) => MEANINGFUL.includes(name)),
        );
        seen.set(key, { element, parent: parent.name, count: 1, close });
      }
    }
  };
  note(root, ROBOT_ELEMENTS);
  for (const link of childElements(root, 'link')) note(link, LINK_ELEMENTS);
  for (const joint of childElements(root, 'joint')) note(joint, JOINT_ELEMENTS);
  for (const { element, parent, count, close } of seen.values()) {
    const times = count === 1 ? '' : ` (${count} times)`;
    const unknown = `<${element.name}> in <${parent}> is not part of URDF and is ignored${times}`;
    if (element.name.startsWith('xacro:')) {
      const message = `<${element.name}> is not expanded${times}; read the .xacro file instead, or run xacro on it first`;
      issues.error('xacro-not-expanded', element, message);
    } else if (MEANINGFUL.includes(element.name)) {
      const message = `<${element.name}> does not belong into <${parent}> and is ignored${times}; put it where it belongs`;
      issues.error('misplaced-element', element, message);
    } else if (close !== undefined) {
      issues.error('unknown-element', element, `${unknown}; did you mean <${close}>?`);
    } else if (element.name.includes(':') && !issues.isForeign(element.name)) {
      const message = `${unknown}; nothing declares the prefix before ":", check its spelling`;
      issues.warn('unknown-element', element, message, 'guessed');
    } else issues.info('unknown-element', element, `${unknown}; check its spelling`);
  }
}
