/**
 * Compiles assembly/ to WebAssembly and writes src/kernel/generated/: the parts of the kernel as text that packed-module.ts
 * unpacks, each placing what it keeps where the one before ends, since they share a memory; all of them as one plain file, and as
 * one with assertions. Does nothing when neither the sources nor the compiler changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packModule } from './pack-module.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'src/kernel/generated');
const layout = readFileSync(join(root, 'src/kernel/layout.ts'), 'utf8');
const readConstant = (name) => Number(new RegExp(`${name} = (\\d+)`).exec(layout)[1]);
const staticBase = readConstant('STATIC_BASE');
const staticLimit = readConstant('CONVEX_BASE');
/** Browsers compile no more than this on the main thread. */
const mostBytes = 1e6;

const shared = ['--runtime', 'stub', '--importMemory', '--enable', 'simd', '--disableWarning', '112'];
// Each kernel has a memory of its own, so zeros need no data segments.
const ownMemory = ['--memoryBase', String(staticBase), '--zeroFilledMemory'];
const release = ['-O3', '--noAssert'];

/** Parts of the kernel, each with a file in src/kernel/parts/ that says what it exports: those that assembly/first.ts joins, then the others. */
const firstParts = ['mesh-build', 'mesh-pairs', 'mesh-rays', 'convex', 'box-rays', 'box-pairs'];
const laterParts = ['mesh-points', 'chain', 'energy', 'dynamics', 'contacts', 'robot-contacts'];
const asPart = (name) => ({
  entry: `assembly/parts/${name}.ts`,
  module: `${name}-part`,
  options: ['--zeroFilledMemory', ...release],
  about: `The kernel's part ${name}`,
  isPart: true,
  isPacked: true,
});
const variants = [
  ...firstParts.map(asPart),
  {
    entry: 'assembly/first.ts',
    wasm: 'kernel-first',
    options: [...ownMemory, ...release],
    comesBeforeParts: true,
  },
  ...laterParts.map(asPart),
  {
    entry: 'assembly/index.ts',
    wasm: 'kernel',
    options: [...ownMemory, ...release],
  },
  {
    entry: 'assembly/index.ts',
    module: 'kernel-module-checked',
    wasm: 'kernel-checked',
    options: [...ownMemory, '-O2'],
    about: 'The kernels with bounds and alignment assertions, for tests',
  },
  {
    // In the memory of the checks that it is linked with: it may place nothing of its own there.
    entry: 'assembly/planning/index.ts',
    module: 'planner-module',
    wasm: 'planner',
    options: release,
    placesNothing: true,
    isPacked: true,
    about: 'The loops of planners, linked with what checks motions',
  },
  {
    entry: 'assembly/planning/index.ts',
    module: 'planner-module-checked',
    wasm: 'planner-checked',
    options: ['-O2'],
    placesNothing: true,
    about: 'The loops of planners with bounds and alignment assertions, for tests',
  },
  {
    // In the memory of a robot, whose tables it reads.
    entry: 'assembly/spheres/index.ts',
    module: 'spheres-module',
    wasm: 'spheres',
    options: release,
    placesNothing: true,
    isPacked: true,
    about: 'Checks of spheres whose robot is data',
  },
];

function hashInputs() {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'assembly'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, 'assembly', file)));
  hash.update(layout);
  hash.update(readFileSync(join(root, 'src/kernel/contact-layout.ts')));
  hash.update(readFileSync(join(root, 'src/planning/kernel/layout.ts')));
  hash.update(readFileSync(join(root, 'src/compile/sphere-checks/table-layout.ts')));
  hash.update(readFileSync(join(root, 'src/math/sine-polynomials.ts')));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  hash.update(readFileSync(fileURLToPath(new URL('pack-module.mjs', import.meta.url))));
  hash.update(readFileSync(join(root, 'node_modules/assemblyscript/package.json')));
  return hash.digest('hex');
}

/** Whether a module has a section of this kind (11): sections are an id, a length in LEB128 and their bytes. */
function hasDataSection(binary) {
  for (let at = 8; at < binary.length; ) {
    const id = binary[at++];
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = binary[at++];
      length += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    if (id === 11) return true;
    at += length;
  }
  return false;
}

/** Where the memory that the compiler placed for a part ends. */
function endOf(binary) {
  const module = new WebAssembly.Module(binary);
  const env = { memory: new WebAssembly.Memory({ initial: 16, maximum: 65536 }) };
  for (const { kind, name } of WebAssembly.Module.imports(module)) if (kind === 'function') env[name] = () => 0;
  return new WebAssembly.Instance(module, { env }).exports.staticEnd();
}

const stamp = join(output, 'inputs.sha256');
const outputs = variants.flatMap(({ module, wasm }) => [
  ...(module ? [`${module}.ts`] : []),
  ...(wasm ? [`${wasm}.wasm`] : []),
]);
const hash = hashInputs();
const isCurrent =
  existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && outputs.every((name) => existsSync(join(output, name)));

/** Writes beside and renames, so that a reader never sees half a file. */
function replaceFile(name, content) {
  const next = join(output, `${name}.${process.pid}.next`);
  writeFileSync(next, content);
  renameSync(next, join(output, name));
}

async function compile(asc, entry, options) {
  let binary;
  const { error, stderr } = await asc.main([entry, '--baseDir', root, '--outFile', 'out.wasm', ...shared, ...options], {
    writeFile: (name, content) => {
      if (name.endsWith('.wasm')) binary = content;
    },
  });
  if (error || !binary) {
    process.stderr.write(`${stderr}\n${error?.message ?? 'no output'}\n`);
    process.exit(1);
  }
  if (binary.length > mostBytes) throw new Error(`${entry} is too large for synchronous compilation`);
  return binary;
}

if (!isCurrent) {
  const { default: asc } = await import('assemblyscript/asc');
  mkdirSync(output, { recursive: true });
  let base = staticBase;
  for (const { entry, module, wasm, options, about, placesNothing, isPart, comesBeforeParts, isPacked } of variants) {
    const binary = await compile(asc, entry, isPart ? [...options, '--memoryBase', String(base)] : options);
    if (placesNothing && hasDataSection(binary))
      throw new Error(`${entry} places data in a memory that is not its own`);
    if (isPart || comesBeforeParts) base = Math.max(base, Math.ceil(endOf(binary) / 64) * 64);
    if (wasm) replaceFile(`${wasm}.wasm`, binary);
    const text = isPacked ? packModule(binary) : Buffer.from(binary).toString('base64');
    if (module)
      replaceFile(
        `${module}.ts`,
        `/** ${about}. Generated by scripts/build-kernel.mjs. */\nexport const moduleText =\n  '${text}';\n`,
      );
  }
  if (base > staticLimit) throw new Error(`the parts place ${base - staticLimit} bytes too many`);
  replaceFile('inputs.sha256', hash);
}
