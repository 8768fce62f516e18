/**
 * Numbers that the code reads from memory in all lanes: of four lanes in single precision, of two in double, of words. A load is one
 * instruction, where a constant in the code is several. Tested by compile-sphere-checks.test.ts.
 */
import { ConstantTable } from '../emit-program.js';
import { CELL } from './layout.js';

export class LaneConstants extends ConstantTable {
  private readonly rows: Uint8Array[] = [];
  private readonly places = new Map<string, number>();

  /** Cell of an f32 in four lanes. */
  override cell(value: number): number {
    return this.add(`f32 ${value}`, new Uint8Array(new Float32Array(4).fill(value).buffer));
  }

  single(value: number): number {
    return CELL * this.cell(value);
  }

  double(value: number): number {
    return CELL * this.add(`f64 ${value}`, new Uint8Array(new Float64Array(2).fill(value).buffer));
  }

  word(value: number): number {
    return CELL * this.add(`i32 ${value}`, new Uint8Array(new Int32Array(4).fill(value).buffer));
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(CELL * this.rows.length);
    this.rows.forEach((row, i) => {
      bytes.set(row, CELL * i);
    });
    return bytes;
  }

  private add(key: string, row: Uint8Array): number {
    let cell = this.places.get(key);
    if (cell === undefined) {
      cell = this.start + this.rows.push(row) - 1;
      this.places.set(key, cell);
    }
    return cell;
  }
}
