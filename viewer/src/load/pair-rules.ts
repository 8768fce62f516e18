/** Whether two bodies are checked against each other, as the user says it; on the page and in its workers. */
import { allowPairs, type Scene } from 'clearance/scene';

/** Names as `robot/link`, or an object's. */
export interface PairRule {
  readonly a: string;
  readonly b: string;
  readonly isAllowed: boolean;
}

export function setPairRule(scene: Scene, { a, b, isAllowed }: PairRule): void {
  if (isAllowed) {
    allowPairs(scene, [{ a, b, reason: 'user' }]);
    return;
  }
  scene.allowed.forbid(a, b);
  for (const { name, allowed } of scene.robots) {
    const own = (full: string): string | null => (full.startsWith(`${name}/`) ? full.slice(name.length + 1) : null);
    const [linkA, linkB] = [own(a), own(b)];
    if (linkA !== null && linkB !== null) allowed.forbid(linkA, linkB);
  }
}
