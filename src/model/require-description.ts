/** What a robot description must be before it is read: objects, lists and names where they belong. */
import { requireLength, requireList, requireObject, requireText, throwMisuse } from '../math/arguments.js';
import type { JointDescription, ModelDescription } from './description.js';

/** Throws on what is no `ModelDescription`. Numbers are left to the reader of the description, who names their joint. */
export function requireDescription(call: string, description: ModelDescription): void {
  requireObject(call, 'description', description, 'a description with name, links and joints');
  requireText(call, 'description.name', description.name);
  requireList(call, 'description.links', description.links);
  requireList(call, 'description.joints', description.joints);
  description.links.forEach((link, i) => {
    const what = `description.links[${i}]`;
    requireObject(call, what, link, 'a link');
    requireText(call, `${what}.name`, link.name);
    if (link.inertial === undefined) return;
    requireObject(call, `${what}.inertial`, link.inertial);
    requireLength(call, `${what}.inertial.origin`, link.inertial.origin, 12);
    requireLength(call, `${what}.inertial.inertia`, link.inertial.inertia, 6);
  });
  description.joints.forEach((joint, i) => {
    const what = `description.joints[${i}]`;
    requireObject(call, what, joint, 'a joint');
    requireText(call, `${what}.name`, joint.name);
    requireText(call, `${what}.type`, joint.type);
    requireText(call, `${what}.parent`, joint.parent);
    requireText(call, `${what}.child`, joint.child);
    requireLength(call, `${what}.origin`, joint.origin, 12);
    requireJoint(call, what, joint);
    if (joint.parts === undefined) return;
    requireList(call, `${what}.parts`, joint.parts);
    joint.parts.forEach((part, k) => {
      requireObject(call, `${what}.parts[${k}]`, part, 'a part of a joint');
      if (part.origin !== undefined) requireLength(call, `${what}.parts[${k}].origin`, part.origin, 12);
      requireJoint(call, `${what}.parts[${k}]`, part);
    });
  });
}

function requireJoint(call: string, what: string, joint: Partial<JointDescription>): void {
  const { axis, secondAxis, limits, mimic, dynamics } = joint;
  if (axis !== undefined) requireLength(call, `${what}.axis`, axis, 3);
  if (secondAxis !== undefined) requireLength(call, `${what}.secondAxis`, secondAxis, 3);
  if (limits !== undefined) requireEach(call, `${what}.limits`, limits);
  if (dynamics !== undefined) requireEach(call, `${what}.dynamics`, dynamics);
  if (mimic === undefined) return;
  requireObject(call, `${what}.mimic`, mimic);
  requireText(call, `${what}.mimic.joint`, mimic.joint);
}

/** NaN is told by who reads the numbers, with the joint's name. */
function requireEach(call: string, what: string, value: object): void {
  if (typeof value !== 'object' || value === null) throwMisuse(call, what, value, 'an object of numbers');
  for (const [key, number] of Object.entries(value))
    if (number !== undefined && typeof number !== 'number') throwMisuse(call, `${what}.${key}`, number, 'a number');
}
