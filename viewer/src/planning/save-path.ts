/** A path as a file: as it was planned, or timed as the player goes along it. */
import { writeTrajectoryCsv, writeTrajectoryMcap } from 'clearance/io';
import type { Model } from 'clearance/model';
import { toTrajectoryTable } from 'clearance/trajectory';
import { downloadBytes, downloadText } from '../download.js';
import { listTimes } from './path-times.js';

export type PathFormat = 'json' | 'csv' | 'mcap';

/** `times`: where a file said them. */
export async function savePath(
  model: Model,
  path: readonly Float64Array[],
  format: PathFormat,
  times?: readonly number[],
): Promise<void> {
  if (format === 'json') {
    downloadText('path.json', JSON.stringify({ path: path.map((q) => [...q]) }), 'application/json');
    return;
  }
  const none = new Float64Array(model.nv);
  const { positionNames, velocityNames } = toTrajectoryTable(model, {
    times: Float64Array.of(0),
    positions: path[0],
    velocities: none,
    accelerations: none,
  });
  const table = {
    positionNames,
    velocityNames,
    times: listTimes(model, path, times),
    positions: path.map((q) => [...q]),
  };
  if (format === 'csv') {
    downloadText('path.csv', writeTrajectoryCsv(table), 'text/csv');
    return;
  }
  const parts: Uint8Array[] = [];
  await writeTrajectoryMcap((bytes) => {
    parts.push(bytes.slice());
  }, table);
  downloadBytes('path.mcap', new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
}
