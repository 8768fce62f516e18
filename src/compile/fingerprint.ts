/**
 * A short text that tells models apart: equal for models whose compiled code is equal, almost surely different for others.
 * Method: the bits of every number that code generation reads, mixed into two 32-bit words by multiplication and
 * exclusive-or (the rounds of MurmurHash3). It guards against mixing up files, not against an adversary.
 * Source: Appleby 2011, MurmurHash3, public domain. Tested by compile-model.test.ts.
 */
import type { Model } from '../model/model.js';

export function fingerprintModel(model: Model): string {
  const words = new Uint32Array([0x9747b28c, 0x1b873593]);
  const mix = (value: number): void => {
    let k = Math.imul(value, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    for (let i = 0; i < 2; i++) {
      const h = words[i] ^ k;
      words[i] = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64 + i;
      k = Math.imul(k ^ (k >>> 16), 0x85ebca6b);
    }
  };
  const numbers = [
    Float64Array.of(model.nq, model.nv, model.jointCount),
    model.placements,
    model.axes,
    model.motionSubspaces,
    model.mimicMultipliers,
    model.mimicOffsets,
    model.mimicSubspaces,
    model.masses,
    model.centersOfMass,
    model.inertias,
    model.basePlacement,
    Float64Array.from(model.parents),
    Float64Array.from(model.mimicDrivers),
  ];
  for (const array of numbers) {
    const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < array.byteLength; at += 4) mix(view.getUint32(at, true));
  }
  for (const kind of model.jointKinds) for (const letter of `${kind?.name};`) mix(letter.codePointAt(0) as number);
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}
