/** SRDF text to semantics; a broken file costs the semantics, not the robot. */
import { type Issue, parseSrdf } from 'clearance/io';
import type { RobotDescription, SemanticDescription } from 'clearance/scene';

export function readSemantic(text: string, description: RobotDescription, issues: Issue[]): SemanticDescription | null {
  const parsed = parseSrdf(text);
  issues.push(...parsed.issues);
  if (parsed.value && parsed.value.name !== description.name) {
    issues.push({
      severity: 'warning',
      code: 'srdf-name',
      message: `the SRDF is for robot "${parsed.value.name}", the URDF is "${description.name}"; check that they belong together`,
    });
  }
  return parsed.value;
}
