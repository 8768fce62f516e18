/**
 * SRDF to plain data and back: groups, states, end effectors, virtual and passive joints, disabled pairs, spheres.
 *
 * Names are not checked against a robot here; `checkSemantics` (srdf-check.ts) does that.
 * Source: ROS wiki "srdf"; MoveIt's SRDF page (enable_collisions, disable_default_collisions).
 * Test: srdf.test.ts.
 */

import type { Triple } from '../../geometry/shapes.js';
import type {
  DisabledPairDescription,
  EndEffectorDescription,
  GroupDescription,
  GroupStateDescription,
  SemanticDescription,
  VirtualJointDescription,
} from '../../semantics/description.js';
import { requireSemantic } from '../../semantics/require-semantic.js';
import { requireFile, requireSource, XML_OPTIONS } from '../io-door.js';
import type { Issue, Parsed } from '../issue.js';
import { requireIssues } from '../issue.js';
import { childElements, parseXml, requireElement, type XmlElement, type XmlOptions } from '../xml/xml.js';
import {
  clip,
  closestName,
  parseNumber,
  readNumber,
  readNumbers,
  reportLostElements,
  reportUnknownAttributes,
  requireAttribute,
  XmlIssues,
} from '../xml/xml-values.js';
import { writeAttributes } from '../xml/xml-write.js';

const ROBOT_ELEMENTS = new Set([
  'group',
  'group_state',
  'end_effector',
  'virtual_joint',
  'passive_joint',
  'disable_collisions',
  'enable_collisions',
  'disable_default_collisions',
  'link_sphere_approximation',
  'joint_property',
]);

/** Statements by which more is checked: one that is misspelt is a pair or a shape that is not looked at. */
const CHECKING = new Set(['enable_collisions', 'link_sphere_approximation', 'sphere']);
const GROUP_ELEMENTS = new Set(['link', 'joint', 'chain', 'group']);

/** Reads SRDF text; `value` is null when it is not XML or its root is not `<robot>`. */
export function parseSrdf(text: string, options: XmlOptions = {}): Parsed<SemanticDescription> {
  requireSource('parseSrdf', text, options, XML_OPTIONS);
  const { value: root, issues } = parseXml(text, options);
  return root ? readSrdf(root, options.file, issues) : { value: null, issues };
}

/** Reads an SRDF element tree, for instance one that xacro expansion produced; `before` are its issues so far. */
export function readSrdf(root: XmlElement, file?: string, before: readonly Issue[] = []): Parsed<SemanticDescription> {
  requireElement('readSrdf', root);
  requireFile('readSrdf', file);
  requireIssues('readSrdf', 'before', before);
  const issues = new XmlIssues(file);
  issues.append(before);
  if (root.name !== 'robot') {
    issues.error('not-srdf', root, `root element is <${root.name}>, not <robot>; is this an SRDF file?`);
    return { value: null, issues: issues.issues };
  }
  const children = childElements(root);
  const foreign = children.find(({ name }) => name === 'link' || name === 'joint');
  if (foreign && !children.some(({ name }) => ROBOT_ELEMENTS.has(name))) {
    issues.error(
      'not-srdf',
      foreign,
      `<${foreign.name}> belongs to a URDF and nothing here to an SRDF; is this the URDF?`,
    );
    return { value: null, issues: issues.issues };
  }
  const groups = new Map<string, GroupDescription>();
  const states: GroupStateDescription[] = [];
  const endEffectors: EndEffectorDescription[] = [];
  const virtualJoints: VirtualJointDescription[] = [];
  const passiveJoints: string[] = [];
  const disabledPairs: DisabledPairDescription[] = [];
  const enabledPairs: { a: string; b: string }[] = [];
  const disabledLinks: string[] = [];
  const spheres = new Map<string, readonly { center: Triple; radius: number }[]>();

  for (const element of children) {
    switch (element.name) {
      case 'group': {
        const group = readGroup(element, issues);
        if (!group) break;
        if (groups.has(group.name)) {
          issues.error('duplicate-group', element, `a second group "${group.name}" is left out; rename one of them`);
        } else groups.set(group.name, group);
        break;
      }
      case 'group_state': {
        const state = readState(element, issues);
        if (state) states.push(state);
        break;
      }
      case 'end_effector': {
        const name = requireAttribute(element, 'name', issues);
        const group = requireAttribute(element, 'group', issues);
        const parentLink = requireAttribute(element, 'parent_link', issues);
        if (name === undefined || group === undefined || parentLink === undefined) break;
        reportUnknownAttributes(element, ['name', 'group', 'parent_link', 'parent_group'], issues);
        const parentGroup = element.attributes.get('parent_group');
        endEffectors.push({ name, group, parentLink, ...(parentGroup ? { parentGroup } : {}) });
        break;
      }
      case 'virtual_joint': {
        const joint = readVirtualJoint(element, issues);
        if (joint) virtualJoints.push(joint);
        break;
      }
      case 'passive_joint': {
        const name = requireAttribute(element, 'name', issues);
        if (name !== undefined) passiveJoints.push(name);
        break;
      }
      case 'disable_collisions':
      case 'enable_collisions': {
        const a = requireAttribute(element, 'link1', issues);
        const b = requireAttribute(element, 'link2', issues);
        if (a === undefined || b === undefined) break;
        if (element.name === 'enable_collisions') enabledPairs.push({ a, b });
        else disabledPairs.push({ a, b, reason: element.attributes.get('reason') ?? '' });
        break;
      }
      case 'disable_default_collisions': {
        const link = requireAttribute(element, 'link', issues);
        if (link !== undefined) disabledLinks.push(link);
        break;
      }
      case 'link_sphere_approximation':
        readSpheres(element, spheres, issues);
        break;
    }
  }
  reportUnknown(root, issues);
  const value: SemanticDescription = {
    name: root.attributes.get('name') ?? '',
    groups: [...groups.values()],
    states,
    endEffectors,
    virtualJoints,
    passiveJoints,
    disabledPairs,
    spheres,
    ...(enabledPairs.length > 0 ? { enabledPairs } : {}),
    ...(disabledLinks.length > 0 ? { disabledLinks } : {}),
  };
  return { value, issues: issues.issues };
}

function readGroup(element: XmlElement, issues: XmlIssues): GroupDescription | undefined {
  const name = requireAttribute(element, 'name', issues);
  if (name === undefined) return undefined;
  const names = (kind: string): string[] =>
    childElements(element, kind)
      .map((child) => requireAttribute(child, 'name', issues))
      .filter((found) => found !== undefined);
  const chains: { base: string; tip: string }[] = [];
  reportMisspelt(element, GROUP_ELEMENTS, issues);
  for (const chain of childElements(element, 'chain')) {
    const base = requireAttribute(chain, 'base_link', issues);
    const tip = requireAttribute(chain, 'tip_link', issues);
    if (base !== undefined && tip !== undefined) chains.push({ base, tip });
  }
  const group = { name, joints: names('joint'), links: names('link'), chains, groups: names('group') };
  if (group.joints.length + group.links.length + group.groups.length + chains.length === 0) {
    issues.warn('empty-group', element, 'group is empty; add joints, links, a chain or groups', 'guessed');
  }
  return group;
}

function readState(element: XmlElement, issues: XmlIssues): GroupStateDescription | undefined {
  const name = requireAttribute(element, 'name', issues);
  const group = requireAttribute(element, 'group', issues);
  if (name === undefined || group === undefined) return undefined;
  const joints = new Map<string, readonly number[]>();
  reportMisspelt(element, new Set(['joint']), issues);
  for (const child of childElements(element, 'joint')) {
    const joint = requireAttribute(child, 'name', issues);
    const text = requireAttribute(child, 'value', issues);
    if (joint === undefined || text === undefined) continue;
    const values = text.trim().split(/\s+/).map(parseNumber);
    if (values.includes(null)) {
      issues.error('bad-number', child, `value="${clip(text)}" is not a list of numbers; write radians or metres`);
    } else joints.set(joint, values as number[]);
  }
  return { name, group, joints };
}

function readVirtualJoint(element: XmlElement, issues: XmlIssues): VirtualJointDescription | undefined {
  const name = requireAttribute(element, 'name', issues);
  const type = requireAttribute(element, 'type', issues);
  const parentFrame = requireAttribute(element, 'parent_frame', issues);
  const childLink = requireAttribute(element, 'child_link', issues);
  if (name === undefined || type === undefined || parentFrame === undefined || childLink === undefined)
    return undefined;
  if (type !== 'fixed' && type !== 'floating' && type !== 'planar') {
    issues.error(
      'bad-joint-type',
      element,
      `type "${clip(type)}" is not known, left out; use fixed, floating or planar`,
    );
    return undefined;
  }
  return { name, type, parentFrame, childLink };
}

/** A link with an approximation of no sphere, or only of radius 0, has no collision geometry. */
function readSpheres(
  element: XmlElement,
  spheres: Map<string, readonly { center: Triple; radius: number }[]>,
  issues: XmlIssues,
): void {
  const link = requireAttribute(element, 'link', issues);
  if (link === undefined) return;
  const list: { center: Triple; radius: number }[] = [];
  reportMisspelt(element, new Set(['sphere']), issues);
  for (const sphere of childElements(element, 'sphere')) {
    if (requireAttribute(sphere, 'center', issues) === undefined) continue;
    if (requireAttribute(sphere, 'radius', issues) === undefined) continue;
    const center = readNumbers(sphere, 'center', 3, issues);
    const radius = readNumber(sphere, 'radius', issues);
    if (!center || radius === undefined) continue;
    if (radius < 0) issues.error('bad-size', sphere, `radius="${radius}" is negative, sphere left out; correct it`);
    else if (radius > 0) list.push({ center: [center[0], center[1], center[2]], radius });
  }
  if (spheres.has(link)) {
    issues.warn('repeated-element', element, `a second approximation of link "${link}" replaces the first; keep one`);
  }
  spheres.set(link, list);
}

function reportUnknown(root: XmlElement, issues: XmlIssues): void {
  reportMisspelt(root, ROBOT_ELEMENTS, issues);
  const seen = new Set<string>();
  for (const element of childElements(root)) {
    if (ROBOT_ELEMENTS.has(element.name) || seen.has(element.name)) continue;
    seen.add(element.name);
    if (closestName(element.name, ROBOT_ELEMENTS) !== undefined) continue;
    const message = `<${element.name}> is not part of SRDF and is ignored; check its spelling`;
    issues.info('unknown-element', element, message);
  }
}

/** What is almost a word of SRDF; other programs' elements are let be. */
function reportMisspelt(parent: XmlElement, known: ReadonlySet<string>, issues: XmlIssues): void {
  reportLostElements(parent, issues);
  const seen = new Set<string>();
  for (const element of childElements(parent)) {
    if (known.has(element.name) || seen.has(element.name)) continue;
    seen.add(element.name);
    const close = closestName(element.name, known);
    if (close === undefined) continue;
    const message = `<${element.name}> is ignored; did you mean <${close}>?`;
    if (CHECKING.has(close)) issues.error('unknown-element', element, message);
    else issues.warn('unknown-element', element, message, 'guessed');
  }
}

/** SRDF text of a semantic description; reading it back gives the same description. */
export function writeSrdf(semantic: SemanticDescription): string {
  requireSemantic('writeSrdf', semantic);
  const lines = ['<?xml version="1.0" encoding="utf-8"?>', `<robot${attributesOf({ name: semantic.name })}>`];
  const leaf = (indent: string, name: string, values: Record<string, string | undefined>): void => {
    lines.push(`${indent}<${name}${attributesOf(values)}/>`);
  };
  for (const group of semantic.groups) {
    lines.push(`  <group${attributesOf({ name: group.name })}>`);
    for (const name of group.links) leaf('    ', 'link', { name });
    for (const name of group.joints) leaf('    ', 'joint', { name });
    for (const { base, tip } of group.chains) leaf('    ', 'chain', { base_link: base, tip_link: tip });
    for (const name of group.groups) leaf('    ', 'group', { name });
    lines.push('  </group>');
  }
  for (const state of semantic.states) {
    lines.push(`  <group_state${attributesOf({ name: state.name, group: state.group })}>`);
    for (const [name, values] of state.joints) leaf('    ', 'joint', { name, value: values.join(' ') });
    lines.push('  </group_state>');
  }
  for (const { name, group, parentLink, parentGroup } of semantic.endEffectors) {
    leaf('  ', 'end_effector', { name, parent_link: parentLink, group, parent_group: parentGroup });
  }
  for (const { name, type, parentFrame, childLink } of semantic.virtualJoints) {
    leaf('  ', 'virtual_joint', { name, type, parent_frame: parentFrame, child_link: childLink });
  }
  for (const name of semantic.passiveJoints) leaf('  ', 'passive_joint', { name });
  for (const [link, spheres] of semantic.spheres) {
    lines.push(`  <link_sphere_approximation${attributesOf({ link })}>`);
    for (const { center, radius } of spheres) {
      leaf('    ', 'sphere', { center: center.join(' '), radius: String(radius) });
    }
    lines.push('  </link_sphere_approximation>');
  }
  for (const link of semantic.disabledLinks ?? []) leaf('  ', 'disable_default_collisions', { link });
  for (const { a, b } of semantic.enabledPairs ?? []) leaf('  ', 'enable_collisions', { link1: a, link2: b });
  for (const { a, b, reason } of semantic.disabledPairs) {
    leaf('  ', 'disable_collisions', { link1: a, link2: b, reason: reason === '' ? undefined : reason });
  }
  return `${lines.join('\n')}\n</robot>\n`;
}

function attributesOf(values: Record<string, string | undefined>): string {
  return writeAttributes(Object.entries(values));
}
