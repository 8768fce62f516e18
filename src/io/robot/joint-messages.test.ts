import { describe, expect, it } from 'vitest';
import type { TrajectoryTable } from '../../trajectory/trajectory-table.js';
import { encodeJointState, encodeJointTrajectory, toNanoseconds } from './joint-messages.js';

/** Reads what the writer wrote, by the rules of the format. */
class Reader {
  private at = 4;
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset);
  }
  uint32(): number {
    this.align(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }
  string(): string {
    const length = this.uint32();
    this.at += length;
    expect(this.bytes[this.at - 1]).toBe(0);
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at - 1));
  }
  strings(): string[] {
    return Array.from({ length: this.uint32() }, () => this.string());
  }
  doubles(): number[] {
    const count = this.uint32();
    if (count > 0) this.align(8);
    return Array.from({ length: count }, () => {
      this.at += 8;
      return this.view.getFloat64(this.at - 8, true);
    });
  }
  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }
  private align(size: number): void {
    while ((this.at - 4) % size !== 0) this.at++;
  }
}

const table: TrajectoryTable = {
  positionNames: ['shoulder', 'elbow é'],
  velocityNames: ['shoulder', 'elbow é'],
  times: [0, 1.5],
  positions: [
    [1, 2],
    [3, 4],
  ],
  velocities: [
    [5, 6],
    [7, 8],
  ],
  accelerations: [
    [9, 10],
    [11, 12],
  ],
};

describe('ROS 2 messages', () => {
  it('JointState: header, names, position, velocity, no effort', () => {
    const bytes = encodeJointState(table, 1);
    expect([...bytes.subarray(0, 4)]).toEqual([0, 1, 0, 0]);
    const reader = new Reader(bytes);
    expect([reader.uint32(), reader.uint32(), reader.string()]).toEqual([1, 500_000_000, '']);
    expect(reader.strings()).toEqual(table.positionNames);
    expect([reader.doubles(), reader.doubles(), reader.doubles()]).toEqual([[3, 4], [7, 8], []]);
    expect(reader.isAtEnd).toBe(true);
  });

  it('JointTrajectory: every row as a point', () => {
    const reader = new Reader(encodeJointTrajectory({ ...table, torques: table.positions }));
    expect([reader.uint32(), reader.uint32(), reader.string()]).toEqual([0, 0, '']);
    expect(reader.strings()).toEqual(table.positionNames);
    expect(reader.uint32()).toBe(2);
    for (const i of [0, 1]) {
      expect([reader.doubles(), reader.doubles(), reader.doubles(), reader.doubles()]).toEqual([
        table.positions[i],
        table.velocities![i],
        table.accelerations![i],
        table.positions[i],
      ]);
      expect([reader.uint32(), reader.uint32()]).toEqual(
        [
          [0, 0],
          [1, 500_000_000],
        ][i],
      );
    }
    expect(reader.isAtEnd).toBe(true);
  });

  it('leaves velocities out where q has other numbers than v; long lists fit', () => {
    const positionNames = Array.from({ length: 100 }, (_, k) => `q[${k}]`);
    const wide = {
      ...table,
      positionNames,
      positions: [positionNames.map((_, k) => k), positionNames.map((_, k) => -k)],
    };
    const reader = new Reader(encodeJointState(wide, 0));
    reader.uint32();
    reader.uint32();
    reader.string();
    expect(reader.strings()).toEqual(positionNames);
    expect([reader.doubles(), reader.doubles(), reader.doubles()]).toEqual([wide.positions[0], [], []]);
    expect(reader.isAtEnd).toBe(true);
  });

  it('times are whole nanoseconds', () => {
    expect(toNanoseconds(0.1 + 0.2)).toBe(300_000_000n);
  });
});
