// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${...} is what xacro files are made of
/** Reported faults of xacro. */
import { describe, expect, it } from 'vitest';
import { formatIssue } from '../../src/io/issue.js';
import { readUrdf } from '../../src/io/robot/urdf.js';
import { expandXacro } from '../../src/io/robot/xacro.js';
import { writeXml } from '../../src/io/xml/xml-write.js';

describe('xacro', () => {
  const LEGACY = `<robot name="old">
  <property name="width" value="0.2"/>
  <macro name="m" params="r">
    <link name="l_\${r}"><collision><geometry><box size="\${width} 1 1"/></geometry></collision></link>
  </macro>
  <m r="0.1"/>
</robot>`;

  it('U133: files without the xacro: prefix are expanded, with a warning for each kind of element', () => {
    const { value, issues } = expandXacro(LEGACY, { file: 'old.xacro' });
    expect(issues.map(formatIssue)).toEqual([
      'old.xacro:2: warning: <property> without the xacro: prefix is expanded as old files mean it; write <xacro:property> (property "width") [xacro-legacy]',
      'old.xacro:3: warning: <macro> without the xacro: prefix is expanded as old files mean it; write <xacro:macro> (macro "m") [xacro-legacy]',
    ]);
    const robot = readUrdf(value!);
    expect(robot.issues).toEqual([]);
    expect(robot.value!.model.links).toEqual([{ name: 'l_0.1' }]);
    expect(robot.value!.collisions[0].shape).toEqual({ type: 'box', size: [0.2, 1, 1] });
  });

  it('U133: strict reading refuses them with one line that names file and line', () => {
    const { value, issues } = expandXacro(LEGACY, { file: 'old.xacro', legacy: 'refuse' });
    expect(value).toBeNull();
    expect(issues.map(formatIssue)).toEqual([
      'old.xacro:2: error: <property> lacks the xacro: prefix; write <xacro:property> or allow legacy files (property "width") [xacro-legacy]',
    ]);
  });

  it('U135: an inserted block property is expanded: its expressions and its macro calls', () => {
    const { value, issues } = expandXacro(`<robot xmlns:xacro="x">
      <xacro:property name="v" value="2"/>
      <xacro:macro name="m" params="n"><called n="\${n}"/></xacro:macro>
      <xacro:property name="block"><item v="\${v}"/><xacro:m n="\${v + 1}"/></xacro:property>
      <xacro:insert_block name="block"/></robot>`);
    expect(issues).toEqual([]);
    expect(writeXml(value!)).toContain('  <item v="2"/>\n  <called n="3"/>');
  });

  it('U137: a warning in a file reached through nested includes names that file and its line', () => {
    const files: Record<string, string> = {
      '/w/b.xacro': '<robot xmlns:xacro="x">\n<xacro:property name="in_b" value="1"/>\n</robot>',
      '/w/c.xacro': '<robot xmlns:xacro="x">\n\n<xacro:property name="in_c" value="1" colour="red"/>\n</robot>',
    };
    const { value, issues } = expandXacro(
      '<robot xmlns:xacro="x">\n<xacro:include filename="b.xacro"/><xacro:include filename="c.xacro"/></robot>',
      { file: '/w/a.xacro', read: (path) => files[path] ?? null },
    );
    expect(value).not.toBeNull();
    expect(issues).toMatchObject([
      { severity: 'warning', code: 'xacro-unknown-attribute', file: '/w/c.xacro', line: 3 },
    ]);
    expect(issues[0].message).toContain('"colour"');
  });
});
