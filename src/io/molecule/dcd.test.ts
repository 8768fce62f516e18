import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { DCD_FRAME_COUNT_OFFSET, encodeDcdFrame, encodeDcdHeader, parseDcd } from './dcd.js';

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

interface Layout {
  readonly littleEndian: boolean;
  readonly wideMarkers: boolean;
}

/** Fortran records written by hand, after the description of the format. */
class Records {
  private readonly parts: Uint8Array[] = [];

  constructor(private readonly layout: Layout) {}

  add(length: number, fill: (view: DataView, littleEndian: boolean) => void): this {
    const { littleEndian, wideMarkers } = this.layout;
    const marker = new Uint8Array(wideMarkers ? 8 : 4);
    const view = new DataView(marker.buffer);
    if (wideMarkers) view.setBigInt64(0, BigInt(length), littleEndian);
    else view.setInt32(0, length, littleEndian);
    const body = new Uint8Array(length);
    fill(new DataView(body.buffer), littleEndian);
    this.parts.push(marker, body, marker);
    return this;
  }

  addFloats(values: readonly number[]): this {
    return this.add(4 * values.length, (view, order) => {
      values.forEach((value, i) => {
        view.setFloat32(4 * i, value, order);
      });
    });
  }

  bytes(): Uint8Array {
    return join(...this.parts);
  }
}

function addHeader(records: Records, control: Readonly<Record<number, number>>, atoms: number): Records {
  return records
    .add(84, (view, order) => {
      [...'CORD'].forEach((letter, i) => {
        view.setUint8(i, letter.charCodeAt(0));
      });
      for (const [index, value] of Object.entries(control)) view.setInt32(4 + 4 * Number(index), value, order);
      view.setFloat32(4 + 36, 0.5, order);
    })
    .add(4 + 160, (view, order) => {
      view.setInt32(0, 2, order);
      [...'REMARKS made by hand'].forEach((letter, i) => {
        view.setUint8(4 + i, letter.charCodeAt(0));
      });
      [...'second line'].forEach((letter, i) => {
        view.setUint8(84 + i, letter.charCodeAt(0));
      });
    })
    .add(4, (view, order) => view.setInt32(0, atoms, order));
}

const layouts: Layout[] = [true, false].flatMap((littleEndian) =>
  [false, true].map((wideMarkers) => ({ littleEndian, wideMarkers })),
);

describe('DCD', () => {
  it('writes what it reads', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer(),
        (atoms, frames, seed) => {
          const random = createRandom(seed);
          const wanted = Array.from({ length: frames }, () =>
            Float64Array.from({ length: 3 * atoms }, () => Math.fround(random.uniform(-500, 500))),
          );
          const header = encodeDcdHeader({
            atomCount: atoms,
            frameCount: frames,
            firstStep: 7,
            stepInterval: 20,
            title: 'a run',
          });
          const { value, issues } = parseDcd(join(header, ...wanted.map(encodeDcdFrame)));
          expect(issues).toEqual([]);
          const { readFrame, readCell, ...rest } = value!;
          expect(rest).toEqual({
            atomCount: atoms,
            frameCount: frames,
            firstStep: 7,
            stepInterval: 20,
            timeStep: 1,
            titles: ['a run'],
          });
          wanted.forEach((positions, i) => {
            expect(readFrame(new Float64Array(3 * atoms), i)).toEqual(positions);
            expect(readCell(i)).toBeNull();
          });
        },
      ),
    );
  });

  it('writes the records byte by byte as the format lays them out', () => {
    const header = encodeDcdHeader({ atomCount: 2, frameCount: 1, firstStep: 5, stepInterval: 10, title: 'T' });
    const view = new DataView(header.buffer);
    expect(header.length).toBe(92 + 92 + 12);
    expect(view.getInt32(0, true)).toBe(84);
    expect(String.fromCharCode(...header.subarray(4, 8))).toBe('CORD');
    expect([0, 1, 2].map((i) => view.getInt32(8 + 4 * i, true))).toEqual([1, 5, 10]);
    expect(DCD_FRAME_COUNT_OFFSET).toBe(8);
    expect(view.getInt32(8 + 4 * 19, true)).toBe(24);
    expect([88, 92, 96].map((at) => view.getInt32(at, true))).toEqual([84, 84, 1]);
    expect(String.fromCharCode(...header.subarray(100, 180))).toBe('T'.padEnd(80));
    expect([180, 184, 188, 192].map((at) => view.getInt32(at, true))).toEqual([84, 4, 2, 4]);
    const frame = new DataView(encodeDcdFrame([1, 2, 3, 4, 5, 6]).buffer);
    for (let k = 0; k < 3; k++) {
      expect([frame.getInt32(16 * k, true), frame.getInt32(16 * k + 12, true)]).toEqual([8, 8]);
      expect([4, 8].map((at) => frame.getFloat32(16 * k + at, true))).toEqual([k + 1, k + 4]);
    }
  });

  it.each(layouts)('reads cells, a fourth coordinate and all record forms: %j', (layout) => {
    const records = addHeader(new Records(layout), { 0: 2, 1: 100, 2: 50, 10: 1, 11: 1, 19: 35 }, 2);
    for (const frame of [0, 1]) {
      records.add(48, (view, order) => {
        for (let i = 0; i < 6; i++) view.setFloat64(8 * i, 10 * (i + 1) + frame, order);
      });
      for (let k = 0; k < 4; k++) records.addFloats([k + 10 * frame, k + 0.5 + 10 * frame]);
    }
    const { value, issues } = parseDcd(records.bytes());
    expect(issues).toEqual([]);
    expect(value).toMatchObject({ atomCount: 2, frameCount: 2, firstStep: 100, stepInterval: 50, timeStep: 0.5 });
    expect(value!.titles).toEqual(['REMARKS made by hand', 'second line']);
    expect([...value!.readFrame(new Float64Array(6), 1)]).toEqual([10, 11, 12, 10.5, 11.5, 12.5]);
    expect(value!.readCell(1)).toEqual([11, 21, 31, 41, 51, 61]);
  });

  it.each(layouts)('later frames of a file with fixed atoms hold the others only: %j', (layout) => {
    const records = addHeader(new Records(layout), { 0: 2, 2: 1, 8: 2, 19: 24 }, 3);
    records.add(4, (view, order) => view.setInt32(0, 2, order));
    for (let k = 0; k < 3; k++) records.addFloats([k, 10 + k, 20 + k]);
    for (let k = 0; k < 3; k++) records.addFloats([100 + k]);
    const { value, issues } = parseDcd(records.bytes());
    expect(issues).toEqual([]);
    expect([...value!.readFrame(new Float64Array(9), 0)]).toEqual([0, 1, 2, 10, 11, 12, 20, 21, 22]);
    expect([...value!.readFrame(new Float64Array(9), 1)]).toEqual([0, 1, 2, 100, 101, 102, 20, 21, 22]);
  });

  it('an X-PLOR file has a double for its time step', () => {
    const records = addHeader(new Records(layouts[0]), { 2: 1 }, 1);
    for (let k = 0; k < 3; k++) records.addFloats([k]);
    const bytes = records.bytes();
    new DataView(bytes.buffer).setFloat64(4 + 4 + 36, 0.002, true);
    expect(parseDcd(bytes).value).toMatchObject({ timeStep: 0.002, frameCount: 1 });
  });

  it('counts the frames that are there, whatever the header says', () => {
    const header = encodeDcdHeader({ atomCount: 1, frameCount: 9 });
    const frame = encodeDcdFrame([1, 2, 3]);
    const { value, issues } = parseDcd(join(header, frame, frame, frame.subarray(0, 10)), { file: 'run.dcd' });
    expect(value!.frameCount).toBe(2);
    expect(issues.map(({ code, severity, file }) => `${severity} ${code} ${file}`)).toEqual([
      'warning cut-off run.dcd',
      'warning frame-count run.dcd',
    ]);
    expect(() => value!.readFrame(new Float64Array(3), 2)).toThrow(/frame, got 2, expected 0 to 1/);
  });

  it('refuses damaged files, and never throws for bytes', () => {
    const good = join(encodeDcdHeader({ atomCount: 2, frameCount: 1 }), encodeDcdFrame([1, 2, 3, 4, 5, 6]));
    expect(parseDcd(new Uint8Array(0)).issues[0].code).toBe('no-dcd');
    expect(parseDcd(good.subarray(0, 150)).issues[0].code).toBe('bad-header');
    const otherCount = good.slice();
    new DataView(otherCount.buffer).setInt32(188, 1, true);
    expect(parseDcd(otherCount).issues.at(-1)!.code).toBe('bad-frame');
    const random = createRandom(3);
    for (let run = 0; run < 2000; run++) {
      const bytes = good.slice(0, random.next() < 0.5 ? good.length : random.integer(good.length));
      for (let k = 0; k < 4; k++) if (bytes.length > 0) bytes[random.integer(bytes.length)] = random.integer(256);
      const { value } = parseDcd(bytes);
      for (let i = 0; i < Math.min(value?.frameCount ?? 0, 3); i++) {
        value!.readFrame(new Float64Array(3 * value!.atomCount), i);
      }
    }
  });

  it('refuses headers that cannot be', () => {
    expect(() => encodeDcdHeader({ atomCount: 0, frameCount: 1 })).toThrow(/atomCount, got 0/);
    expect(() => encodeDcdHeader({ atomCount: 1, frameCount: -1 })).toThrow(/frameCount, got -1/);
  });
});
