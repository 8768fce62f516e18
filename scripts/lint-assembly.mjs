/**
 * Lint and format of the AssemblyScript sources; `--write` applies the fixes.
 *
 * Biome reads TypeScript, where a function has no decorator (`@inline`), and says so instead of formatting. So it looks at a copy
 * whose decorators of functions are comments on lines of their own, which it leaves where they are; what it writes goes back with
 * the decorators. Other rules than those below are those of biome.json.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { captureTool, root } from './toolchain.mjs';

const decorator = /^( *)@(inline|unmanaged|(?:external|operator)\(.*\))$/gm;
const commented = /^( *)\/\/@(inline|unmanaged|(?:external|operator)\(.*\))$/gm;

/**
 * Of AssemblyScript: `==` converts nothing, every import may be a type, variables of namespaces are assigned from other files, and
 * min and max are instructions with other bits than a comparison.
 */
const rules = {
  suspicious: { noDoubleEquals: 'off', noApproximativeNumericConstant: 'off' },
  style: { useImportType: 'off', useConst: 'off' },
  complexity: { useMathMinMax: 'off' },
};

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function rewrite(file, pattern, replacement) {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(pattern, replacement);
  if (changed !== text) writeFileSync(file, changed);
}

export async function lintAssembly({ write = false } = {}) {
  // Outside of the project, which has a configuration of its own.
  const folder = mkdtempSync(join(tmpdir(), 'clearance-assembly-'));
  try {
    const copy = join(folder, 'assembly');
    const source = join(root, 'assembly');
    cpSync(source, copy, { recursive: true });
    for (const file of listFiles(copy)) rewrite(join(copy, file), decorator, '$1//@$2');
    const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
    delete config.$schema;
    config.files.includes = ['assembly/**/*.ts'];
    // The order of imports is that of the compiled module.
    config.assist = { actions: { source: { organizeImports: 'off' } } };
    for (const [group, own] of Object.entries(rules))
      config.linter.rules[group] = { ...config.linter.rules[group], ...own };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
    const args = ['check', '--error-on-warnings', ...(write ? ['--write'] : []), 'assembly'];
    const { status, output } = await captureTool('@biomejs/biome', args, { binary: 'biome', cwd: folder });
    if (write) {
      for (const file of listFiles(copy)) {
        rewrite(join(copy, file), commented, '$1@$2');
        const text = readFileSync(join(copy, file), 'utf8');
        if (text !== readFileSync(join(source, file), 'utf8')) writeFileSync(join(source, file), text);
      }
    }
    return { status, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { status, output } = await lintAssembly({ write: process.argv.includes('--write') });
  process.stdout.write(output);
  process.exitCode = status;
}
