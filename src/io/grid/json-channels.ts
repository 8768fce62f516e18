/** An MCAP file of JSON messages with their JSON schemas. Tested through fleet-recording.test.ts. */
import { startMcap } from '../trajectory/start-mcap.js';

type Schema = Readonly<Record<string, unknown>>;

export interface JsonChannels {
  /** Returns the channel's number. */
  open(name: string, topic: string, properties: Schema): Promise<number>;
  /** `time` in seconds. */
  write(channel: number, time: number, message: unknown): Promise<void>;
  end(): Promise<void>;
}

export const numberSchema: Schema = { type: 'number' };
export const textSchema: Schema = { type: 'string' };
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const objectOf = (properties: Schema): Schema => ({ type: 'object', properties });
export const numbersOf = (...names: string[]): Schema =>
  objectOf(Object.fromEntries(names.map((name) => [name, numberSchema])));

/** Properties of `foxglove.PosesInFrame`. */
export const posesSchema: Schema = {
  timestamp: numbersOf('sec', 'nsec'),
  frame_id: textSchema,
  poses: listOf(objectOf({ position: numbersOf('x', 'y', 'z'), orientation: numbersOf('x', 'y', 'z', 'w') })),
};

export function toTimestamp(time: number): { readonly sec: number; readonly nsec: number } {
  const nanoseconds = Math.round(time * 1e9);
  const sec = Math.floor(nanoseconds / 1e9);
  return { sec, nsec: nanoseconds - sec * 1e9 };
}

export async function startJsonChannels(sink: (bytes: Uint8Array) => void | Promise<void>): Promise<JsonChannels> {
  const writer = await startMcap(sink, '');
  const encoder = new TextEncoder();
  let sequence = 0;
  return {
    open: async (name, topic, properties) => {
      const schemaId = await writer.registerSchema({
        name,
        encoding: 'jsonschema',
        data: encoder.encode(JSON.stringify(objectOf(properties))),
      });
      return writer.registerChannel({ schemaId, topic, messageEncoding: 'json', metadata: new Map() });
    },
    write: async (channelId, time, message) => {
      const logTime = BigInt(Math.round(time * 1e9));
      await writer.addMessage({
        channelId,
        sequence: sequence++,
        logTime,
        publishTime: logTime,
        data: encoder.encode(JSON.stringify(message)),
      });
    },
    end: () => writer.end(),
  };
}
