/** The user's rules on the page: panels, and what they say carried out. */
import { writeSrdf } from 'clearance/io';
import type { AllowedPair } from 'clearance/scene';
import { downloadText } from './download.js';
import { createPairsPanel } from './panel/pairs.js';
import { createRulesPanel } from './panel/rules.js';
import type { SceneEdit } from './planning/plan-answer.js';
import { setBase, setMargin, setPair } from './rules.js';
import type { Workspace, WorkspaceRobot } from './workspace.js';

export class RulesEditing {
  private workspace: Workspace | null = null;
  private robot: WorkspaceRobot | null = null;
  readonly panel = createRulesPanel({
    onMargin: (margin) => this.workspace && this.done(setMargin(this.workspace, margin)),
    onBase: (pose) => this.workspace && this.robot && this.done(setBase(this.workspace, this.robot, pose)),
    onRefuse: () => this.show(),
  });
  readonly pairs = createPairsPanel({
    onSet: (a, b, isAllowed) => this.setPair(a, b, isAllowed),
    onSave: () => this.saveSrdf(),
  });

  constructor(private readonly onEdit: (edit: SceneEdit) => void) {}

  setRobot(workspace: Workspace | null, robot: WorkspaceRobot | null): void {
    this.workspace = workspace;
    this.robot = robot;
    this.show();
  }

  setPair(a: string, b: string, isAllowed: boolean): void {
    const edit = this.workspace && setPair(this.workspace, a, b, isAllowed);
    if (edit) this.done(edit);
  }

  /** After rules, objects or robots changed. */
  show(): void {
    const { workspace } = this;
    this.panel.show(workspace?.scene.margin ?? 0, this.robot?.base ?? null);
    this.pairs.show(
      workspace ? listNames(workspace) : [],
      workspace ? listAllowed(workspace) : [],
      this.robot !== null,
    );
  }

  private done(edit: SceneEdit): void {
    this.show();
    this.onEdit(edit);
  }

  /** The robot's own SRDF, or an empty one, with the pairs as they are now. */
  private saveSrdf(): void {
    const { robot } = this;
    if (!robot) return;
    const { name, semantic, allowed, description } = robot.scene;
    const reasons = {
      adjacent: 'Adjacent',
      always: 'Always',
      never: 'Never',
      default: 'Default',
      user: 'User',
    } as const;
    const disabledPairs = allowed.list().map(({ a, b, reason }) => ({ a, b, reason: reasons[reason] }));
    const empty = {
      groups: [],
      states: [],
      endEffectors: [],
      virtualJoints: [],
      passiveJoints: [],
      spheres: new Map(),
    };
    const text = writeSrdf({
      ...(semantic ?? { name: description.name, ...empty }),
      disabledPairs,
      disabledLinks: [],
      enabledPairs: [],
    });
    downloadText(`${name}.srdf`, text, 'application/xml');
  }
}

/** Links with geometry, then objects, as the library's answers name them. */
function listNames({ robots, objects }: Workspace): string[] {
  const several = robots.length > 1;
  return [
    ...robots.flatMap(({ scene }) => scene.links.map(({ name }) => (several ? `${scene.name}/${name}` : name))),
    ...objects.map(({ scene }) => scene.name),
  ];
}

function listAllowed(workspace: Workspace): AllowedPair[] {
  const { scene, robots } = workspace;
  const several = robots.length > 1;
  const names = new Set(listNames(workspace));
  const own = robots.flatMap(({ scene: robot }) =>
    robot.allowed
      .list()
      .map((pair) => (several ? { ...pair, a: `${robot.name}/${pair.a}`, b: `${robot.name}/${pair.b}` } : pair)),
  );
  const short = (name: string): string =>
    !several && robots[0] && name.startsWith(`${robots[0].scene.name}/`)
      ? name.slice(robots[0].scene.name.length + 1)
      : name;
  const shared = scene.allowed.list().map((pair) => ({ ...pair, a: short(pair.a), b: short(pair.b) }));
  return [...own, ...shared].filter(({ a, b }) => names.has(a) && names.has(b));
}
