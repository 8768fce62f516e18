/** Typed reads at the ends of a byte array: the callers check lengths before they read. */

export type ScalarType = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

export const SCALAR_BYTES: Readonly<Record<ScalarType, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

export class BinaryReader {
  position = 0;
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    private readonly littleEndian: boolean,
    start = 0,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = start;
  }

  /** Bytes that are left. */
  get remaining(): number {
    return this.bytes.length - this.position;
  }

  /** Value at an absolute position. */
  at(type: ScalarType, position: number): number {
    const { view, littleEndian } = this;
    switch (type) {
      case 'int8':
        return view.getInt8(position);
      case 'uint8':
        return view.getUint8(position);
      case 'int16':
        return view.getInt16(position, littleEndian);
      case 'uint16':
        return view.getUint16(position, littleEndian);
      case 'int32':
        return view.getInt32(position, littleEndian);
      case 'uint32':
        return view.getUint32(position, littleEndian);
      case 'float32':
        return view.getFloat32(position, littleEndian);
      case 'float64':
        return view.getFloat64(position, littleEndian);
    }
  }
}
