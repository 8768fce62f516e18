/** MCAP files as their bytes come. Tested through the writers of trajectories, simulations and fleets. */
import type { McapWriter } from '@mcap/core';

/** @param sink takes the file's next bytes; the array may be used again once it returns or its promise resolves */
export async function startMcap(
  sink: (bytes: Uint8Array) => void | Promise<void>,
  profile: string,
): Promise<McapWriter> {
  const { McapWriter: Writer } = await import('@mcap/core');
  let position = 0n;
  const writer = new Writer({
    writable: {
      position: () => position,
      write: async (bytes) => {
        await sink(bytes);
        position += BigInt(bytes.length);
      },
    },
  });
  await writer.start({ profile, library: 'clearance' });
  return writer;
}
