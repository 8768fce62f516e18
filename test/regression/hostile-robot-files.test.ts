// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${...} is what xacro files are made of
/** Reported attacks through robot files. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSrdf } from '../../src/io/robot/srdf.js';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { expandXacro } from '../../src/io/robot/xacro.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { makeFolder } from '../support/temporary-folder.js';

describe('hostile files', () => {
  it('U207: nested entities are refused at their declaration, whatever reads the file', () => {
    const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('\n');
    const bomb = `<?xml version="1.0"?>\n<!DOCTYPE robot [<!ENTITY e0 "lol">\n${entities}]>\n<robot name="&e9;"/>`;
    for (const read of [parseUrdf, parseSrdf, expandXacro]) {
      const { value, issues } = read(bomb, { file: 'bomb.urdf' });
      expect(value).toBeNull();
      expect(issues).toMatchObject([{ severity: 'error', code: 'xml-doctype', file: 'bomb.urdf', line: 2 }]);
    }
  });

  it('U207: an external entity reads no file', () => {
    const text = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>';
    expect(parseUrdf(text)).toMatchObject({ value: null, issues: [{ code: 'xml-doctype' }] });
  });

  it.each([
    '${__import__("os").getcwd()}',
    '${"".__class__.__mro__[1].__subclasses__()}',
    '${[].constructor.constructor("return process")()}',
    '${(1).constructor}',
    "$(eval __import__('os').system('id'))",
    "$(eval open('/etc/passwd'))",
  ])('U211: %s is an expression error', (text) => {
    const { value, issues } = expandXacro(`<robot name='${text.replaceAll("'", '&apos;')}'/>`);
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'xacro-expression', line: 1 }]);
  });

  it('U209: meshes and includes of a robot may not climb out of its folders', async () => {
    const folder = makeFolder({
      'ws/robot/package.xml': '<package><name>robot</name></package>',
      'ws/robot/a.urdf': `<robot name="r"><link name="l"><collision><geometry>
        <mesh filename="package://robot/../../../../../../../../etc/passwd.stl"/></geometry></collision></link></robot>`,
      'ws/robot/b.xacro': '<robot xmlns:xacro="x" name="${xacro.load_yaml(\'/etc/passwd\')}"/>',
    });
    const urdf = await loadRobot(join(folder, 'ws/robot/a.urdf'));
    expect(urdf.value!.meshes.size).toBe(0);
    expect(urdf.issues).toMatchObject([{ severity: 'error', code: 'path-outside', line: 2 }]);
    expect(urdf.issues[0].message).toContain('etc/passwd.stl');
    const xacro = await loadRobot(join(folder, 'ws/robot/b.xacro'));
    expect(xacro.value).toBeNull();
    expect(xacro.issues[0].message).toContain('outside the allowed folders');
  });
});
