import { describe, expect, it } from 'vitest';
import { expandXacro } from '../xacro.js';
import { joinArgumentIssues, unknownArguments } from './arguments.js';

const codes = (text: string, args: Record<string, string>) =>
  expandXacro(text, { args }).issues.map(({ code, element, message }) => [code, element, message]);

describe('arguments of xacro files', () => {
  it('are told when the file has none of that name', () => {
    const text = '<robot xmlns:xacro="x"><xacro:arg name="size" default="1"/><a v="$(arg size)"/></robot>';
    expect(codes(text, { size: '2' })).toEqual([]);
    expect(codes(text, { sise: '2' })).toEqual([
      ['xacro-unknown-argument', 'argument "sise"', 'the file has no argument of that name, it has size'],
    ]);
  });

  it.each([
    '<robot><a v="$(arg size)"/></robot>',
    '<robot><a v="$(eval size + 1)"/></robot>',
    '<robot><a v="$(eval arg(\'size\') + 1)"/></robot>',
  ])('are known where they are asked for without a declaration: %s', (text) =>
    expect(codes(text, { size: '2' })).toEqual([]),
  );

  it('are known when the robot or its semantic description has them', () => {
    const args = { a: '1', b: '2', c: '3' };
    const both = [
      ...unknownArguments({ file: 'r.xacro', args }, ['a']),
      ...unknownArguments({ file: 's.srdf.xacro', args }, ['b']),
    ];
    expect(joinArgumentIssues(both, 2).map(({ file, element }) => [file, element])).toEqual([
      ['r.xacro', 'argument "c"'],
    ]);
    expect(joinArgumentIssues(unknownArguments({ args }, null), 1)).toHaveLength(3);
  });
});
