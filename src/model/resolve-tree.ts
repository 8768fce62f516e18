/**
 * Turns links and joints as written into trees: which joints can be used, which links are roots, in which order.
 *
 * Every fault is reported and repaired in the way that loses least, so that a broken file can still be looked at:
 * a duplicate or dangling joint is left out, a link's second parent joint is left out, a loop is opened at its first
 * link in file order. Several roots are legal: all hang on the base.
 * Cost: linear in links and joints; no recursion.
 */
import type { JointDescription, LinkDescription, ModelDescription } from './description.js';
import type { ModelIssue } from './issue.js';

export interface ResolvedTree {
  readonly links: readonly LinkDescription[];
  /** Indices into `links`. */
  readonly roots: readonly number[];
  /** Joints leaving each link, in file order. */
  readonly children: readonly (readonly JointDescription[])[];
  readonly linkIndex: ReadonlyMap<string, number>;
}

export function resolveTree(description: ModelDescription, issues: ModelIssue[]): ResolvedTree {
  const report = (code: string, element: string, message: string): void => {
    issues.push({ severity: 'error', code, element, message });
  };
  const links: LinkDescription[] = [];
  const linkIndex = new Map<string, number>();
  for (const link of description.links) {
    if (linkIndex.has(link.name)) {
      report('duplicate-link', `link "${link.name}"`, 'a link of this name exists already; this one is left out');
    } else {
      linkIndex.set(link.name, links.length);
      links.push(link);
    }
  }
  if (links.length === 0) report('no-links', `robot "${description.name}"`, 'the robot has no links; add at least one');

  const parentJoints: (JointDescription | null)[] = links.map(() => null);
  const names = new Set<string>();
  for (const joint of description.joints) {
    const element = `joint "${joint.name}"`;
    const parent = linkIndex.get(joint.parent);
    const child = linkIndex.get(joint.child);
    if (names.has(joint.name)) {
      report('duplicate-joint', element, 'a joint of this name exists already; this one is left out');
    } else if (parent === undefined) {
      report('unknown-link', element, `its parent link "${joint.parent}" does not exist; the joint is left out`);
    } else if (child === undefined) {
      report('unknown-link', element, `its child link "${joint.child}" does not exist; the joint is left out`);
    } else if (parentJoints[child] !== null) {
      const other = parentJoints[child]?.name;
      report(
        'two-parents',
        element,
        `link "${joint.child}" already is the child of joint "${other}"; this joint is left out (closed loops are not trees)`,
      );
    } else {
      parentJoints[child] = joint;
    }
    names.add(joint.name);
  }
  openLoops(links, linkIndex, parentJoints, report);

  const used = new Set(parentJoints);
  const children: JointDescription[][] = links.map(() => []);
  for (const joint of description.joints) {
    if (used.has(joint)) children[linkIndex.get(joint.parent) as number].push(joint);
  }
  const roots = links.map((_, i) => i).filter((i) => parentJoints[i] === null);
  if (roots.length > 1) {
    issues.push({
      severity: 'warning',
      code: 'several-roots',
      element: `robot "${description.name}"`,
      message: `the links form ${roots.length} separate trees (roots: ${roots
        .slice(0, 5)
        .map((i) => `"${links[i].name}"`)
        .join(', ')}${roots.length > 5 ? ` and ${roots.length - 5} more` : ''}); all are fixed to the base`,
    });
  }
  return { links, roots, children, linkIndex };
}

/** Follows parents from every link; a walk that meets itself is a loop, opened above its first link in file order. */
function openLoops(
  links: readonly LinkDescription[],
  linkIndex: ReadonlyMap<string, number>,
  parentJoints: (JointDescription | null)[],
  report: (code: string, element: string, message: string) => void,
): void {
  // 0 = unseen, otherwise the number of the walk that saw it.
  const seen = new Int32Array(links.length);
  for (let start = 0; start < links.length; start++) {
    const walk = start + 1;
    let at = start;
    while (seen[at] === 0) {
      seen[at] = walk;
      const joint = parentJoints[at];
      if (joint === null) break;
      at = linkIndex.get(joint.parent) as number;
    }
    if (seen[at] !== walk || parentJoints[at] === null) continue;
    let first = at;
    let i = at;
    do {
      i = linkIndex.get((parentJoints[i] as JointDescription).parent) as number;
      first = Math.min(first, i);
    } while (i !== at);
    const joint = parentJoints[first] as JointDescription;
    report(
      'kinematic-loop',
      `joint "${joint.name}"`,
      `it closes a loop of links through "${links[first].name}"; the joint is left out and that link becomes a root`,
    );
    parentJoints[first] = null;
  }
}
