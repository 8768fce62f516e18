// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${...} is what xacro files are made of
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childElements, type XmlElement } from '../xml/xml.js';
import { writeXml } from '../xml/xml-write.js';
import { expandXacro, type XacroOptions } from './xacro.js';

/** Expansion of a body as compact XML without the root, or the first error. */
function expand(body: string, options: XacroOptions = {}): string {
  const { value, issues } = expandXacro(`<robot xmlns:xacro="http://wiki.ros.org/xacro">${body}</robot>`, options);
  if (!value) return `error: ${issues.find(({ severity }) => severity === 'error')!.message}`;
  return childElements(value).map(compact).join('');
}

function compact(element: XmlElement): string {
  return writeXml(element)
    .replace(/^<\?.*?\?>\n/, '')
    .replace(/\n\s*/g, '');
}

/** Files by path. */
const files =
  (map: Record<string, string>) =>
  (path: string): string | null =>
    Object.hasOwn(map, path) ? map[path] : null;

const property = (name: string, value: string, more = ''): string =>
  `<xacro:property name="${name}" value="${value}" ${more}/>`;
const macro = (name: string, params: string, body: string): string =>
  `<xacro:macro name="${name}" params="${params}">${body}</xacro:macro>`;

describe('properties', () => {
  it('are typed when an expression stands alone, and text otherwise', () => {
    expect(
      expand(`${property('a', '1')}<x n="${'${a + 1}'}" f="${'${a / 2}'}" t="l${'${a}'}" b="${'${a == 1}'}"/>`),
    ).toBe('<x n="2" f="0.5" t="l1" b="True"/>');
  });

  it('are evaluated when first needed, so order does not matter', () => {
    expect(expand(`${property('a', '${b * 2}')}${property('b', '3')}<x a="${'${a}'}"/>`)).toBe('<x a="6"/>');
  });

  it('are evaluated at once with lazy_eval="false"', () => {
    const body = `${property('b', '3')}${property('a', '${b}', 'lazy_eval="false"')}${property('b', '4')}<x a="${'${a}'}"/>`;
    expect(expand(body)).toBe('<x a="3"/>');
  });

  it('may not depend on themselves', () => {
    expect(expand(`${property('a', '${b}')}${property('b', '${a}')}<x a="${'${a}'}"/>`)).toContain(
      'property "a" is defined by itself',
    );
  });

  it('take a default only when not defined, and can be removed', () => {
    const fallback = '<xacro:property name="a" default="2"/>';
    expect(expand(`${fallback}<x a="${'${a}'}"/>`)).toBe('<x a="2"/>');
    expect(expand(`${property('a', '1')}${fallback}<x a="${'${a}'}"/>`)).toBe('<x a="1"/>');
    expect(expand(`${property('a', '1')}<xacro:property name="a" remove="true"/><x a="${'${a}'}"/>`)).toContain(
      '"a" is not defined',
    );
  });

  it('belong to the macro that sets them, unless scope says otherwise', () => {
    const set = (scope: string): string =>
      `${macro('m', '', property('a', '2', scope))}${property('a', '1')}<xacro:m/>`;
    const use = '<x a="${a}"/>';
    expect(expand(set('') + use)).toBe('<x a="1"/>');
    expect(expand(set('scope="parent"') + use)).toBe('<x a="2"/>');
    const nested = macro('outer', '', `${macro('m', '', property('a', '2', 'scope="global"'))}<xacro:m/>`);
    expect(expand(`${property('a', '1')}${nested}<xacro:outer/>${use}`)).toBe('<x a="2"/>');
  });

  it('keep quoted numbers and numbers with underscores as text', () => {
    expect(expand(`${property('a', "'1'")}${property('b', '1_0')}<x a="${'${a + b}'}"/>`)).toBe('<x a="11_0"/>');
  });
});

describe('macros', () => {
  it('take parameters with defaults, forwarded values and quoted defaults', () => {
    const body = '<x a="${a}" b="${b}" c="${c}" d="${d}" e="${e}"/>';
    const m = macro('m', "a b:=2 c:=${a0+1} d:=^ e:=^|'u v'", body);
    expect(expand(`${property('a0', '5')}${property('d', '7')}${m}<xacro:m a="1"/>`)).toBe(
      '<x a="1" b="2" c="6" d="7" e="u v"/>',
    );
  });

  it('see the properties of their caller', () => {
    const inner = macro('inner', '', '<x a="${a}"/>');
    const outer = macro('outer', 'a', '<xacro:inner/>');
    expect(expand(`${inner}${outer}<xacro:outer a="9"/>`)).toBe('<x a="9"/>');
  });

  it('take blocks: the element, or its content', () => {
    const m = macro(
      'm',
      'n *one **many',
      '<l n="${n}"><xacro:insert_block name="many"/><xacro:insert_block name="one"/></l>',
    );
    expect(expand(`${m}<xacro:m n="1"><o v="${'${1+1}'}"/><g><p/><q/></g></xacro:m>`)).toBe(
      '<l n="1"><p/><q/><o v="2"/></l>',
    );
  });

  it('call themselves while a condition holds', () => {
    const loop = macro('loop', 'n', '<l n="${n}"/><xacro:if value="${n > 0}"><xacro:loop n="${n - 1}"/></xacro:if>');
    expect(expand(`${loop}<xacro:loop n="2"/>`)).toBe('<l n="2"/><l n="1"/><l n="0"/>');
    const many = expandXacro(`<robot>${loop}<xacro:loop n="400"/></robot>`);
    expect(childElements(many.value!)).toHaveLength(401);
  });

  it.each([
    ['<xacro:m><o/></xacro:m>', 'macro "m" needs parameter "a"'],
    ['<xacro:m a="1" b="2"><o/></xacro:m>', 'has no parameter "b"'],
    ['<xacro:m a="1"/>', 'needs block "o"'],
    ['<xacro:m a="1"><o/><p/></xacro:m>', '<p> is not used'],
    ['<xacro:n/>', 'there is no macro "n"'],
    ['<xacro:M/>', 'did you mean "m"?'],
  ])('refuse %s', (call, message) => {
    expect(expand(`${macro('m', 'a *o', '')}${call}`)).toContain(message);
  });

  it('can be called by a name that is computed', () => {
    expect(expand(`${macro('m1', 'a', '<x a="${a}"/>')}<xacro:call macro="m${'${1}'}" a="2"/>`)).toBe('<x a="2"/>');
  });
});

describe('conditions, elements and attributes', () => {
  it.each([
    ['true', true],
    ['False', false],
    ['1', true],
    ['0.0', false],
    ['${2 > 1 and not False}', true],
    ["${'a' in ['b']}", false],
    ['${[]}', false],
  ])('if value="%s" is %s', (value, holds) => {
    expect(expand(`<xacro:if value="${value}"><x/></xacro:if>`)).toBe(holds ? '<x/>' : '');
    expect(expand(`<xacro:unless value="${value}"><x/></xacro:unless>`)).toBe(holds ? '' : '<x/>');
  });

  it('refuse conditions that are neither true nor false', () => {
    expect(expand('<xacro:if value="maybe"><x/></xacro:if>')).toContain('"maybe"');
  });

  it('make elements and attributes with computed names', () => {
    expect(
      expand('<xacro:element xacro:name="l${1}" a="2"><xacro:attribute name="b" value="${3}"/></xacro:element>'),
    ).toBe('<l1 a="2" b="3"/>');
  });
});

describe('text', () => {
  it('joins expressions, substitutions and plain parts, and keeps doubled dollars', () => {
    expect(expand(`<x a="p${'${1}'}q${'${2}'}" b="$${'${x}'} $$(y) $ $z 5$"/>`)).toBe(
      '<x a="p1q2" b="${x} $(y) $ $z 5$"/>',
    );
  });

  it('evaluates the content of elements', () => {
    expect(expandXacro('<r>${1 + 1}<a>${2 * 2}</a></r>').value!.children[0]).toBe('2');
    expect(expand('<a>${2 * 2}</a>')).toBe('<a>4</a>');
  });

  it('refuses an expression without its end', () => {
    expect(expand('<x a="${1"/>')).toContain('no closing bracket');
    expect(expand('<x a="$(arg b"/>')).toContain('no closing bracket');
  });

  it('refuses an expression inside another, and takes an argument there', () => {
    const properties = '<xacro:property name="a" value="1"/><xacro:property name="b" value="2"/>';
    const { value, issues } = expandXacro(
      `<robot name="r">${properties}<link name="l" m="${'${a/2+${b/2}}'}"/></robot>`,
    );
    expect(value).toBe(null);
    expect(issues[0].message).toContain('"${" inside an expression');
    expect(expand('<xacro:arg name="n" default="3"/><x a="${1 + $(arg n)}"/>')).toBe('<x a="4"/>');
  });

  it('evaluates root attributes last, so that defaults given inside count', () => {
    const { value } = expandXacro('<robot name="$(arg n)"><xacro:arg name="n" default="r"/></robot>');
    expect(value!.attributes.get('name')).toBe('r');
  });
});

describe('substitutions', () => {
  const options: XacroOptions = {
    file: '/w/p/r.xacro',
    args: { n: '3', s: 'text' },
    env: { HOME: '/h' },
    findPackage: (name) => (name === 'p' ? '/w/p' : null),
  };

  it.each([
    ['$(arg n)', '3'],
    ['${$(arg n) + 1}', '4'],
    ['$(find p)/m.stl', '/w/p/m.stl'],
    ["$(find ${'p'})", '/w/p'],
    ['$(env HOME)', '/h'],
    ['$(optenv NONE a b)', 'a b'],
    ['$(optenv constructor d)', 'd'],
    ['$(dirname)', '/w/p'],
    ["$(eval arg('n') * 2 + n)", '9'],
    ["$(eval s + ')')", 'text)'],
    ["${xacro.arg('s')}", 'text'],
  ])('%s is %s', (text, value) => {
    expect(expand(`<x a="${text}"/>`, options)).toBe(`<x a="${value}"/>`);
  });

  it.each([
    ['$(arg none)', 'argument "none" has no value'],
    ['$(find none)', 'package "none" is not found'],
    ['$(env PATH)', 'environment variable "PATH" is not passed on'],
    ['$(anon x)', '$(anon) is not known'],
  ])('%s is refused', (text, message) => {
    expect(expand(`<x a="${text}"/>`, options)).toContain(message);
  });
});

describe('includes', () => {
  const read = files({
    '/w/a.xacro': `<robot>${property('a', '1')}${macro('m', 'v:=0', '<m v="${v}" a="${a}"/>')}<in_a/></robot>`,
    '/w/sub/b.xacro': '<robot><xacro:include filename="c.xacro"/></robot>',
    '/w/sub/c.xacro': '<robot><in_c/></robot>',
    '/w/self.xacro': '<robot><xacro:include filename="self.xacro"/></robot>',
    '/w/bad.xacro': '<robot>\n<x>\n</robot>',
  });
  const options: XacroOptions = { file: '/w/main.xacro', read };

  it('bring elements, properties and macros, relative to the file that includes', () => {
    expect(expand('<xacro:include filename="a.xacro"/><xacro:m/>', options)).toBe('<in_a/><m v="0" a="1"/>');
    expect(expand('<xacro:include filename="sub/b.xacro"/>', options)).toBe('<in_c/>');
  });

  it('keep names apart with ns', () => {
    const body = `<xacro:include filename="a.xacro" ns="A"/>${property('a', '5')}<xacro:A.m v="${'${a}'}"/><x a="${'${a} ${A.a}'}"/>`;
    // Arguments of A.m see the properties of A first, as in the original.
    expect(expand(body, options)).toBe('<in_a/><m v="1" a="1"/><x a="5 1"/>');
    expect(expand('<xacro:include filename="a.xacro" ns="A"/><xacro:m/>', options)).toContain('there is no macro "m"');
  });

  it('may be optional', () => {
    expect(expand('<xacro:include filename="none.xacro" optional="true"/><x/>', options)).toBe('<x/>');
    expect(expand('<xacro:include filename="none.xacro"/>', options)).toContain('cannot include "/w/none.xacro"');
  });

  it('end when a file includes itself', () => {
    expect(expand('<xacro:include filename="self.xacro"/>', options)).toContain('nested deeper');
  });

  it('report a broken file with its own line', () => {
    const { issues } = expandXacro('<robot>\n<xacro:include filename="bad.xacro"/></robot>', options);
    expect(issues).toMatchObject([
      { code: 'xml-malformed', file: '/w/bad.xacro', line: 3 },
      { code: 'xacro-include', file: '/w/main.xacro', line: 2 },
    ]);
  });
});

describe('YAML', () => {
  const read = files({
    '/w/d.yaml':
      'joints:\n  - {name: j1, limit: !degrees 180, x: 1, y: 2.50, on: yes}\n  - {name: j2, limit: !radians pi / 2}\nlong: !inches 2\nbase: &b {k: v}\nmore: {<<: *b, l: 010}\n',
    '/w/bad.yaml': 'a: [1\nb: 2',
    '/w/bomb.yaml': `a: &a [1,1,1,1,1,1,1,1,1,1]\n${'bcdefghi'
      .split('')
      .map((c, i) => `${c}: &${c} [${Array(10).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
      .join('\n')}`,
  });
  const options: XacroOptions = { file: '/w/main.xacro', read };
  const load = property('d', "${xacro.load_yaml('d.yaml')}");

  it('gives dicts, lists, numbers, booleans and units', () => {
    const text =
      "${d.joints[0].limit == pi} ${d['joints'][1]['name']} ${d.joints[0].y} ${d.joints[0]['x'] + 1} ${d.long} ${d.more.k}";
    expect(expand(`${load}<x a="${text}"/>`, options)).toBe('<x a="True j2 2.5 2 0.0508 v"/>');
    expect(expand(`${load}<x a="${'${[j.name for j in d.joints if j.limit > 2]}'}"/>`, options)).toBe(
      `<x a="['j1']"/>`,
    );
  });

  it('says what is wrong with a file', () => {
    expect(expand('<x a="${xacro.load_yaml(\'none.yaml\')}"/>', options)).toContain('cannot load "/w/none.yaml"');
    expect(expand('<x a="${xacro.load_yaml(\'bad.yaml\')}"/>', options)).toContain('not valid YAML in line');
    expect(expand('<x a="${xacro.load_yaml(\'bomb.yaml\')}"/>', options)).toContain('YAML cannot be used');
    expect(expand(`${load}<x a="${'${d.none}'}"/>`, options)).toContain('has no member "none"');
    expect(expand(`${load}<x a="${"${d['none']}"}"/>`, options)).toContain('keys are joints, long, base, more');
  });
});

describe('limits', () => {
  it.each([
    ['endless recursion', `${macro('m', '', '<xacro:m/>')}<xacro:m/>`],
    [
      'a doubling tree of macros',
      `${Array.from({ length: 40 }, (_, i) => macro(`m${i}`, '', `<xacro:m${i + 1}/><xacro:m${i + 1}/>`)).join('')}${macro('m40', '', '<x/>')}<xacro:m0/>`,
    ],
    [
      'text that doubles',
      `${Array.from({ length: 40 }, (_, i) => property(`p${i}`, `\${p${i + 1}}\${p${i + 1}}`)).join('')}${property('p40', 'xx')}<x a="${'${p0}'}"/>`,
    ],
    [
      'a chain of properties',
      `${Array.from({ length: 5000 }, (_, i) => property(`p${i}`, `\${p${i + 1} + 1}`)).join('')}${property('p5000', '0')}<x a="${'${p0}'}"/>`,
    ],
    ['a huge power', '<x a="${9 ** 9 ** 9}"/>'],
    ['a huge range', '<x a="${range(10 ** 9)}"/>'],
    ['a huge repetition', '<x a="${\'x\' * 10 ** 9}"/>'],
    ['lists of lists', '<x a="${[[0] * 1000] * 1000 + [[0] * 100000] * 100000}"/>'],
    ['nested loops', '<x a="${[[[0 for a in range(1000)] for b in range(1000)] for c in range(1000)]}"/>'],
    ['brackets', `<x a="\${${'('.repeat(5000)}"/>`],
    ['signs', `<x a="\${${'-'.repeat(5000)}1}"/>`],
    [
      'a block that inserts itself',
      '<xacro:property name="b"><xacro:insert_block name="b"/></xacro:property><xacro:insert_block name="b"/>',
    ],
  ])('stops %s', (_, body) => {
    expect(expand(body)).toMatch(/^error: /);
  });
});

describe('fuzz', () => {
  const SAMPLE = `<robot xmlns:xacro="x"><xacro:arg name="n" default="2"/><xacro:property name="a" value="\${1 + $(arg n)}"/>
    <xacro:property name="d" value="\${dict(k=[1, 2.5], s='x')}"/>
    <xacro:macro name="m" params="p q:=\${a} r:=^|3 *o **c"><l n="\${p}_\${q % 3}"><xacro:insert_block name="o"/></l>
    <xacro:if value="\${p &lt; 3 and d['k'][0] == 1}"><xacro:insert_block name="c"/></xacro:if></xacro:macro>
    <xacro:m p="1"><o x="\${'%03d' % a}"/><c><z y="\${max(d.k) if a else None}"/></c></xacro:m>
    <xacro:unless value="false">\${[i * 2 for i in range(3)]}</xacro:unless></robot>`;
  const WORDS = SAMPLE.match(/[\w.:]+|[^\w\s]/g)!;

  it('never throws and never hangs', () => {
    expect(expandXacro(SAMPLE).issues).toEqual([]);
    const edit = fc.tuple(
      fc.nat(SAMPLE.length),
      fc.nat(8),
      fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 5 })),
    );
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let text = SAMPLE;
        for (const [at, length, insert] of edits) text = text.slice(0, at) + insert + text.slice(at + length);
        const { value, issues } = expandXacro(text);
        expect(value !== null || issues.some(({ severity }) => severity === 'error')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
