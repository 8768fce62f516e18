import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childElements, decodeXmlBytes, parseXml, textOf, type XmlElement } from './xml.js';
import { writeXml } from './xml-write.js';

const parse = (text: string): XmlElement => parseXml(text).value!;

describe('parseXml', () => {
  it('gives each element the line of its start tag, past comments, CDATA, processing instructions and quoted >', () => {
    const root = parse(`<?xml version="1.0"?>
<!-- <not an="element"> -->
<a x=">">
  <b/><![CDATA[
  <c/>]]>
  <?skip <d/> ?>
  <e
    f="1"/>
</a>`);
    expect(root.line).toBe(3);
    expect(childElements(root).map(({ name, line }) => [name, line])).toEqual([
      ['b', 4],
      ['e', 7],
    ]);
    expect(root.attributes.get('x')).toBe('>');
  });

  it('counts lines with characters outside the basic plane and with CRLF', () => {
    const root = parse('<a>\r\n<!-- 🤖 \u{1f916} -->\r\n<b n="🤖"/></a>');
    expect(childElements(root)[0]).toMatchObject({ name: 'b', line: 3 });
    expect(childElements(root)[0].attributes.get('n')).toBe('🤖');
  });

  it('decodes references and joins CDATA to text', () => {
    expect(textOf(parse('<a>1 &lt; 2 &amp;&#x41; <![CDATA[<&>]]></a>'))).toBe('1 < 2 &A <&>');
  });

  it('takes attribute names that objects would treat specially', () => {
    const root = parse('<a __proto__="1" constructor="2" toString="3"/>');
    expect([...root.attributes]).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
    ]);
  });

  it('skips blanks before the declaration with a warning, and keeps line numbers', () => {
    const { value, issues } = parseXml('\n\n<?xml version="1.0"?>\n<a><b></a>', { file: 'f.xml' });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'xml-malformed', file: 'f.xml', line: 4 }]);
    expect(parseXml('\n<?xml version="1.0"?>\n<a/>')).toMatchObject({
      value: { line: 3 },
      issues: [{ severity: 'warning', code: 'xml-leading-blank' }],
    });
  });

  it.each([
    ['', 'xml-malformed'],
    ['just text', 'xml-malformed'],
    ['<a>', 'xml-malformed'],
    ['<a></b>', 'xml-malformed'],
    ['<a x=1/>', 'xml-malformed'],
    ['<a x="1" x="2"/>', 'xml-malformed'],
    ['<a/><b/>', 'xml-malformed'],
    ['<a>&nbsp;</a>', 'xml-malformed'],
    ['<a>\u0001</a>', 'xml-malformed'],
    ['<!-- open', 'xml-malformed'],
    ['<a x="', 'xml-malformed'],
    ['<!DOCTYPE a><a/>', 'xml-doctype'],
    ['<a><!ENTITY x "y"></a>', 'xml-doctype'],
  ])('refuses %j as %s', (text, code) => {
    const { value, issues } = parseXml(text);
    expect(value).toBeNull();
    expect(issues.map((issue) => issue.code)).toEqual([code]);
    expect(issues[0].line).toBe(1);
  });

  it('holds its caps', () => {
    expect(parseXml('<a>'.repeat(201)).issues[0].code).toBe('xml-too-deep');
    expect(parseXml(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`).value).not.toBeNull();
    expect(parseXml('<a><b/><b/></a>', { maxElements: 2 }).issues[0].code).toBe('xml-too-many-elements');
    expect(parseXml('<a></a>', { maxLength: 6 }).issues[0].code).toBe('xml-too-large');
  });

  it('never throws, and writeXml writes what reads back the same', () => {
    const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,5}$/);
    const text = fc
      .string({ maxLength: 10, unit: 'grapheme' })
      .filter((t) => [...t].every((c) => c >= ' ' && c < '\ufffe'));
    const element = (depth: number): fc.Arbitrary<XmlElement> =>
      fc.record({
        name,
        attributes: fc.array(fc.tuple(name, text), { maxLength: 3 }).map((entries) => new Map(entries)),
        children: depth === 0 ? fc.constant([]) : fc.array(element(depth - 1), { maxLength: 3 }),
        line: fc.constant(0),
      });
    const strip = (e: XmlElement): unknown => [e.name, [...e.attributes], childElements(e).map(strip)];
    fc.assert(
      fc.property(element(3), (tree) => {
        expect(strip(parse(writeXml(tree)))).toEqual(strip(tree));
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (junk) => void parseXml(`<a>${junk}`)));
  });
});

describe('decodeXmlBytes', () => {
  const text = '<?xml version="1.0"?><a n="é→"/>';
  const utf8 = new TextEncoder().encode(text);
  const utf16 = (little: boolean, mark: boolean): Uint8Array => {
    const marked = mark ? `\ufeff${text}` : text;
    const bytes = new Uint8Array(2 * marked.length);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < marked.length; i++) view.setUint16(2 * i, marked.charCodeAt(i), little);
    return bytes;
  };

  it.each([
    ['UTF-8', utf8],
    ['UTF-8 with a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8)],
    ['UTF-16, little endian', utf16(true, true)],
    ['UTF-16, big endian', utf16(false, true)],
    ['UTF-16, little endian, no mark', utf16(true, false)],
    ['UTF-16, big endian, no mark', utf16(false, false)],
  ])('reads %s', (_, bytes) => {
    const decoded = decodeXmlBytes(bytes);
    expect(decoded.issues).toEqual([]);
    expect(parse(decoded.text).attributes.get('n')).toBe('é→');
  });

  it('reads the encoding that the declaration names', () => {
    const latin = Uint8Array.from('<?xml version="1.0" encoding="ISO-8859-1"?><a n="\xe9"/>', (c) => c.charCodeAt(0));
    expect(parse(decodeXmlBytes(latin).text).attributes.get('n')).toBe('é');
  });

  it('warns about bytes that are not UTF-8 and about encodings it does not know', () => {
    const wrong = Uint8Array.from('<a n="\xe9"/>', (c) => c.charCodeAt(0));
    const decoded = decodeXmlBytes(wrong, 'f.urdf');
    expect(decoded.issues).toMatchObject([{ severity: 'warning', code: 'xml-encoding', file: 'f.urdf' }]);
    expect(parse(decoded.text).attributes.get('n')).toBe('é');
    const strange = new TextEncoder().encode('<?xml version="1.0" encoding="klingon"?><a/>');
    expect(decodeXmlBytes(strange).issues[0].message).toContain('klingon');
  });
});
