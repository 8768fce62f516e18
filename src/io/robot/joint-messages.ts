/**
 * ROS 2 messages of a trajectory, as MCAP files and ROS 2 bags hold them: sensor_msgs/JointState, one per sample, and
 * trajectory_msgs/JointTrajectory.
 *
 * Encoding: CDR, little-endian (OMG common data representation, as ROS 2 uses it): a header of four bytes, then each number
 * aligned to its size from the end of that header; strings with their terminating zero counted; lists by their length.
 * JointState wants one name per number of every list: where q and v have different numbers (floating, planar, spherical
 * joints) velocities and torques are left out. Tested by joint-messages.test.ts.
 */
import type { TrajectoryTable } from '../../trajectory/trajectory-table.js';

const time = `MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec`;
const header = `MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id`;
const separator = `\n${'='.repeat(80)}\n`;

/** Names and definitions ("ros2msg") of the messages. */
export const jointStateSchema = {
  name: 'sensor_msgs/msg/JointState',
  definition: [
    `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort`,
    header,
    time,
  ].join(separator),
} as const;

export const jointTrajectorySchema = {
  name: 'trajectory_msgs/msg/JointTrajectory',
  definition: [
    `std_msgs/Header header
string[] joint_names
trajectory_msgs/JointTrajectoryPoint[] points`,
    `MSG: trajectory_msgs/JointTrajectoryPoint
float64[] positions
float64[] velocities
float64[] accelerations
float64[] effort
builtin_interfaces/Duration time_from_start`,
    `MSG: builtin_interfaces/Duration
int32 sec
uint32 nanosec`,
    header,
    time,
  ].join(separator),
} as const;

class CdrWriter {
  private bytes = new Uint8Array(256);
  private view = new DataView(this.bytes.buffer);
  private size = 4;

  constructor() {
    // Plain CDR, little-endian.
    this.bytes[1] = 1;
  }

  uint32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.size, value, true);
    this.size += 4;
  }

  /** Seconds as int32 sec and uint32 nanosec. */
  seconds(value: number): void {
    const nanoseconds = toNanoseconds(value);
    this.uint32(Number(nanoseconds / 1_000_000_000n));
    this.uint32(Number(nanoseconds % 1_000_000_000n));
  }

  string(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.uint32(encoded.length + 1);
    this.reserve(1, encoded.length + 1);
    this.bytes.set(encoded, this.size);
    this.size += encoded.length + 1;
  }

  strings(list: readonly string[]): void {
    this.uint32(list.length);
    for (const text of list) this.string(text);
  }

  doubles(list: readonly number[]): void {
    this.uint32(list.length);
    if (list.length === 0) return;
    this.reserve(8, 8 * list.length);
    for (const value of list) {
      this.view.setFloat64(this.size, value, true);
      this.size += 8;
    }
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.size);
  }

  /** Aligns the next number and makes room for it; what lies between is 0. */
  private reserve(alignment: number, size = alignment): void {
    this.size += (alignment - ((this.size - 4) % alignment)) % alignment;
    if (this.size + size <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(2 * this.bytes.length, this.size + size));
    wider.set(this.bytes);
    this.bytes = wider;
    this.view = new DataView(wider.buffer);
  }
}

/** Rounded to whole nanoseconds. */
export function toNanoseconds(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e9));
}

/** Whether every number of q has one of v. */
function hasEqualNames({ positionNames, velocityNames }: TrajectoryTable): boolean {
  return positionNames.length === velocityNames.length && positionNames.every((name, k) => name === velocityNames[k]);
}

/** sensor_msgs/JointState of row `i`. */
export function encodeJointState(table: TrajectoryTable, i: number): Uint8Array {
  const isEqual = hasEqualNames(table);
  const writer = new CdrWriter();
  writer.seconds(table.times[i]);
  writer.string('');
  writer.strings(table.positionNames);
  writer.doubles(table.positions[i]);
  writer.doubles((isEqual && table.velocities?.[i]) || []);
  writer.doubles((isEqual && table.torques?.[i]) || []);
  return writer.finish();
}

/** trajectory_msgs/JointTrajectory of all rows. */
export function encodeJointTrajectory(table: TrajectoryTable): Uint8Array {
  const isEqual = hasEqualNames(table);
  const writer = new CdrWriter();
  writer.seconds(0);
  writer.string('');
  writer.strings(table.positionNames);
  writer.uint32(table.times.length);
  for (const [i, at] of table.times.entries()) {
    writer.doubles(table.positions[i]);
    writer.doubles((isEqual && table.velocities?.[i]) || []);
    writer.doubles((isEqual && table.accelerations?.[i]) || []);
    writer.doubles((isEqual && table.torques?.[i]) || []);
    writer.seconds(at);
  }
  return writer.finish();
}

/** Reads what CdrWriter writes; throws a RangeError where the bytes end too early or promise more than they hold. */
class CdrReader {
  private readonly view: DataView;
  private readonly little: boolean;
  private at = 4;

  constructor(private readonly bytes: Uint8Array) {
    if (bytes.length < 4 || bytes[0] !== 0 || bytes[1] > 1) throw new RangeError('the message is no plain CDR');
    this.little = bytes[1] === 1;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint32(): number {
    return this.view.getUint32(this.take(4), this.little);
  }

  seconds(): number {
    const whole = this.view.getInt32(this.take(4), this.little);
    return (whole * 1e9 + this.uint32()) / 1e9;
  }

  string(): string {
    const length = this.uint32();
    const at = this.take(1, length);
    return new TextDecoder().decode(this.bytes.subarray(at, at + Math.max(length - 1, 0)));
  }

  /** At least `smallest` bytes each. */
  list<T>(smallest: number, read: () => T): T[] {
    const count = this.uint32();
    if (count * smallest > this.bytes.length) throw new RangeError(`${count} entries do not fit into the message`);
    return Array.from({ length: count }, read);
  }

  strings(): string[] {
    return this.list(4, () => this.string());
  }

  doubles(): number[] {
    return this.list(8, () => this.view.getFloat64(this.take(8), this.little));
  }

  private take(alignment: number, size = alignment): number {
    const at = this.at + ((alignment - ((this.at - 4) % alignment)) % alignment);
    if (at + size > this.bytes.length) throw new RangeError('the message ends too early');
    this.at = at + size;
    return at;
  }
}

/** One sample of a message: columns that the message leaves out are empty. */
export interface JointSample {
  readonly time: number;
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
  readonly accelerations: readonly number[];
  readonly torques: readonly number[];
}

export interface JointSamples {
  readonly names: readonly string[];
  readonly samples: readonly JointSample[];
}

/** sensor_msgs/JointState; throws a RangeError where the bytes are not one. */
export function decodeJointState(bytes: Uint8Array): JointSamples {
  const reader = new CdrReader(bytes);
  const time = reader.seconds();
  reader.string();
  const names = reader.strings();
  const [positions, velocities, torques] = [reader.doubles(), reader.doubles(), reader.doubles()];
  return { names, samples: [{ time, positions, velocities, accelerations: [], torques }] };
}

/** trajectory_msgs/JointTrajectory; throws a RangeError where the bytes are not one. */
export function decodeJointTrajectory(bytes: Uint8Array): JointSamples {
  const reader = new CdrReader(bytes);
  reader.seconds();
  reader.string();
  const names = reader.strings();
  const samples = reader.list(24, () => {
    const [positions, velocities, accelerations, torques] = [
      reader.doubles(),
      reader.doubles(),
      reader.doubles(),
      reader.doubles(),
    ];
    return { time: reader.seconds(), positions, velocities, accelerations, torques };
  });
  return { names, samples };
}
