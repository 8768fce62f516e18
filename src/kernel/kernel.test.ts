import { constants, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFirstKernel, compileWholeKernel } from '../../test/support/kernel-module.js';
import { createAllocator } from './allocator.js';
import { checkedModule, useCheckedKernel } from './checked-kernel.js';
import { decodeBase64, decodeByLetter } from './decode-base64.js';
import { inflate } from './inflate.js';
import { Kernel, useInlinedKernel, useKernel } from './kernel.js';
import type { KernelPart } from './kernel-part.js';
import { CONVEX_BASE, CONVEX_MAX_POINTS, CONVEX_POINTS_B, HEAP_BASE, STATIC_BASE } from './layout.js';
import { unpackModule } from './packed-module.js';
import { boxPairs } from './parts/box-pairs.js';
import { boxRays } from './parts/box-rays.js';
import { chains } from './parts/chain.js';
import { contacts } from './parts/contacts.js';
import { convexCores } from './parts/convex.js';
import { dynamics } from './parts/dynamics.js';
import { energies } from './parts/energy.js';
import { meshBuild } from './parts/mesh-build.js';
import { meshPairs } from './parts/mesh-pairs.js';
import { meshPoints } from './parts/mesh-points.js';
import { meshRays } from './parts/mesh-rays.js';
import { robotContacts } from './parts/robot-contacts.js';

const parts: readonly KernelPart<object>[] = [
  meshBuild,
  meshPairs,
  meshRays,
  convexCores,
  boxRays,
  boxPairs,
  meshPoints,
  chains,
  energies,
  dynamics,
  contacts,
  robotContacts,
];

describe('decodeBase64', () => {
  it('agrees with Buffer for every length and byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        for (const decode of [decodeBase64, decodeByLetter])
          expect(Array.from(decode(Buffer.from(bytes).toString('base64')))).toEqual(Array.from(bytes));
      }),
    );
  });
});

describe('inflate', () => {
  const { Z_FIXED, Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE } = constants;
  it('gives back what zlib compressed, stored or by fixed or own codes', () => {
    // Few letters and long repeats, so that matches of all lengths and distances occur.
    const piece = fc
      .tuple(fc.uint8Array({ maxLength: 12 }), fc.nat(400))
      .map(([bytes, n]) => Buffer.concat(Array(n).fill(bytes)));
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 70_000 }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.concat(pieces)),
    );
    fc.assert(
      fc.property(
        content,
        fc.constantFrom(0, 1, 6, 9),
        fc.constantFrom(Z_FIXED, Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE),
        (bytes, level, strategy) => {
          const packed = deflateRawSync(bytes, { level, strategy });
          expect(Buffer.compare(inflate(packed, 0, bytes.length), bytes)).toBe(0);
        },
      ),
    );
  });

  it('reaches back 32,768 bytes, and refuses what ends too early or is of another length', () => {
    const far = Buffer.concat([Buffer.from('abcdefgh'), Buffer.alloc(32_760, 'z'), Buffer.from('abcdefgh')]);
    const packed = deflateRawSync(far, { level: 9 });
    expect(Buffer.compare(inflate(packed, 0, far.length), far)).toBe(0);
    expect(() => inflate(packed.subarray(0, packed.length - 4), 0, far.length)).toThrow(RangeError);
    expect(() => inflate(packed, 0, far.length + 1)).toThrow(/expected 32777/);
  });
});

describe('parts', () => {
  it('export together what the whole module exports', () => {
    const names = parts.flatMap(({ text }) =>
      WebAssembly.Module.exports(new WebAssembly.Module(unpackModule(text))).map(({ name }) => name),
    );
    const whole = WebAssembly.Module.exports(compileWholeKernel()).map(({ name }) => name);
    const isOwn = (name: string): boolean => name === 'staticEnd' || name === 'memory';
    expect(names.filter((name) => !isOwn(name)).sort()).toEqual(whole.filter((name) => !isOwn(name)).sort());
    expect(parts.map(({ place }) => place)).toEqual(parts.map((_, i) => i));
  });

  it('keep to places of their own, before the shared area', () => {
    const kernel = new Kernel();
    let end = STATIC_BASE;
    for (const part of parts) {
      const own = (kernel.part(part) as { staticEnd(): number }).staticEnd();
      expect(own).toBeGreaterThanOrEqual(end);
      end = own;
    }
    expect(end).toBeLessThanOrEqual(CONVEX_BASE);
  });

  it('are the whole, where a whole module is in use', () => {
    const kernel = new Kernel(compileWholeKernel());
    const [first, ...others] = parts.map((part) => kernel.part(part));
    for (const other of others) expect(other).toBe(first);
  });

  it('are compiled beside a module of the first ones, in places of their own', () => {
    const kernel = new Kernel(compileFirstKernel());
    const [first, ...others] = parts.map((part) => kernel.part(part) as { staticEnd(): number });
    const later = others.filter((other) => other !== first);
    expect(later).toHaveLength(6);
    let end = first.staticEnd();
    for (const part of later) {
      expect(part.staticEnd()).toBeGreaterThanOrEqual(end);
      end = part.staticEnd();
    }
    expect(end).toBeLessThanOrEqual(CONVEX_BASE);
  });
});

describe('createAllocator', () => {
  it('never hands out overlapping or misaligned blocks, and merges everything back', () => {
    const step = fc.record({ release: fc.boolean(), pick: fc.nat(1000), bytes: fc.integer({ min: 0, max: 3000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const allocator = createAllocator(1024, 1024 + 64 * 1000);
        const live: { address: number; bytes: number }[] = [];
        for (const { release, pick, bytes } of steps) {
          if (release && live.length > 0) {
            const [block] = live.splice(pick % live.length, 1);
            allocator.release(block.address);
          } else {
            const address = allocator.allocate(bytes);
            if (address < 0) continue;
            expect(address % 64).toBe(0);
            for (const other of live) {
              expect(address + bytes <= other.address || other.address + other.bytes <= address).toBe(true);
            }
            live.push({ address, bytes });
          }
        }
        expect(allocator.blockCount).toBe(live.length);
        for (const { address } of live) allocator.release(address);
        expect(allocator.usedBytes).toBe(0);
        expect(allocator.allocate(64 * 1000)).toBe(1024);
      }),
    );
  });

  it('notices a double release and an address it never gave out', () => {
    const allocator = createAllocator(0, 6400);
    const address = allocator.allocate(100);
    allocator.release(address);
    expect(() => allocator.release(address)).toThrow(/not yet released/);
    expect(() => allocator.release(64)).toThrow(/not yet released/);
  });

  it('counts the free tail when asked how much is missing', () => {
    const allocator = createAllocator(0, 640);
    expect(allocator.missingBytes(640)).toBe(0);
    allocator.allocate(64);
    expect(allocator.missingBytes(640)).toBe(64);
  });
});

describe('Kernel', () => {
  const variants = {
    parts: useInlinedKernel,
    whole: () => useKernel(compileWholeKernel()),
    checked: useCheckedKernel,
  };
  it.each(Object.entries(variants))('%s: allocates, grows, renews its views and keeps the contents', (_, create) => {
    const kernel = create();
    const before = kernel.f64;
    const small = kernel.allocate(64);
    kernel.f64[small / 8] = 42;
    const large = kernel.allocate(64 * 1024 * 1024);
    expect(before.length).toBe(0);
    expect(kernel.f64[small / 8]).toBe(42);
    expect(kernel.u32.byteLength).toBeGreaterThanOrEqual(large + 64 * 1024 * 1024);
    expect(kernel.f32.byteLength).toBe(kernel.memory.buffer.byteLength);
    kernel.release(small);
    kernel.release(large);
    expect(kernel.usedBytes).toBe(0);
  });

  it.each([compileWholeKernel(), checkedModule()])(
    'what the compiler placed ends before the shared area, and that before the heap',
    (module) => {
      const { staticEnd } = new Kernel(module).part(
        convexCores as KernelPart<object> as KernelPart<{ staticEnd(): number }>,
      );
      expect(staticEnd()).toBeLessThanOrEqual(CONVEX_BASE);
      expect(CONVEX_POINTS_B + 24 * CONVEX_MAX_POINTS).toBeLessThanOrEqual(HEAP_BASE);
    },
  );

  it('reuses released memory instead of growing', () => {
    const kernel = new Kernel();
    const first = kernel.allocate(500_000);
    kernel.release(first);
    const size = kernel.memory.buffer.byteLength;
    for (let i = 0; i < 10_000; i++) kernel.release(kernel.allocate(1 + ((i * 7919) % 500_000)));
    expect(kernel.memory.buffer.byteLength).toBe(size);
    expect(kernel.blockCount).toBe(0);
  });

  it('refuses what 32-bit addresses cannot hold, and stays usable', () => {
    const kernel = useInlinedKernel();
    expect(() => kernel.allocate(5 * 2 ** 30)).toThrow(/kernel memory, got a request for 5368709120 bytes/);
    expect(kernel.allocate(64)).toBeGreaterThanOrEqual(HEAP_BASE);
  });

  it('useKernel refuses anything but a compiled module', () => {
    expect(() => useKernel({} as WebAssembly.Module)).toThrow(/expected a WebAssembly.Module/);
  });

  it('the checked variant reports an address outside the trees as an error with its place', () => {
    const kernel = useCheckedKernel();
    expect(() => kernel.part(meshPairs).collide(64, 64, 0, 1)).toThrow(/kernel assertion: tree lies in the fixed area/);
    expect(() => kernel.part(meshPairs).distance(HEAP_BASE + 4, HEAP_BASE, 1, 0, 1, 0)).toThrow(/tree is not aligned/);
  });
});
