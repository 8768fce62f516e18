/** What a robot's semantics must be before they are read: lists of objects with names where they belong. */
import { requireList, requireObject, requireText } from '../math/arguments.js';
import { requireDescription } from '../model/require-description.js';
import type { DescribedModel, SemanticDescription } from './description.js';

export function requireSemantic(call: string, semantic: SemanticDescription, what = 'semantic'): void {
  requireObject(call, what, semantic, 'what parseSrdf returned as value');
  requireList(call, `${what}.groups`, semantic.groups);
  requireList(call, `${what}.disabledPairs`, semantic.disabledPairs);
  semantic.groups.forEach((group, i) => {
    requireObject(call, `${what}.groups[${i}]`, group);
    requireText(call, `${what}.groups[${i}].name`, group.name);
  });
  semantic.disabledPairs.forEach((pair, i) => {
    requireObject(call, `${what}.disabledPairs[${i}]`, pair);
    for (const key of ['a', 'b', 'reason'] as const) requireText(call, `${what}.disabledPairs[${i}].${key}`, pair[key]);
  });
}

export function requireRobotDescription(call: string, description: DescribedModel, what = 'description'): void {
  requireObject(call, what, description, 'what parseUrdf returned as value');
  requireDescription(call, description.model);
}
