import { describe, expect, it } from 'vitest';
import { suggestionText, suggestName } from './suggest-name.js';

describe('suggestName', () => {
  it.each([
    ['radios', ['size', 'radius'], 'radius'],
    ['Sphere', ['box', 'sphere'], 'sphere'],
    ['psoe', ['name', 'pose', 'shape'], 'pose'],
    ['elbow_joint', ['wrist_joint', 'elbow_joint_2', 'elbow_joints'], 'elbow_joints'],
    ['colour', ['pose', 'margin'], null],
    ['q', ['q'], null],
    ['', ['q'], 'q'],
  ])('%s among %j', (name, known, expected) => {
    expect(suggestName(name, known)).toBe(expected);
  });

  it('says nothing where nothing is near', () => {
    expect(suggestionText('torus', ['torsu'])).toBe(' (did you mean "torsu"?)');
    expect(suggestionText('torus', ['box'])).toBe('');
  });
});
