/**
 * three.js without what the workbench never switches on, for its build: shaders lose the branches of textures, fog, skins and the like,
 * the renderer its headsets, environment maps and uniform groups, classes their way into three.js's own JSON. What is left is three.js's own text. A define that a new material
 * would set has to leave `NEVER` first: shaders would miss its branch.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Defines that no material of the workbench sets. */
const NEVER = new RegExp(
  `^(${[
    'USE_(ALPHA|AO|BUMP|DISPLACEMENT|EMISSIVE|ENV|GRADIENT|LIGHT|METALNESS|NORMAL|ROUGHNESS|SPECULAR|THICKNESS)?MAP\\w*',
    'USE_(ALPHAHASH|ANISOTROPY|BATCHING|CLEARCOAT|DISPERSION|FOG|IRIDESCENCE|MATCAP|MORPH|PACKED_NORMALMAP|SHEEN|SKINNING)\\w*',
    'USE_(SPECULAR|SPECULAR_COLORMAP|SPECULAR_INTENSITYMAP|TANGENT|TRANSMISSION\\w*|UV\\d?|VOLUMETRIC)',
    'USE_(LIGHT_PROBES|LIGHT_PROBES_GRID|LOGARITHMIC_DEPTH_BUFFER|REVERSED_DEPTH_BUFFER|MULTIVIEW)',
    'USE_(RETROREFLECTION|DIFFUSE_ROUGHNESS\\w*|INSTANCING_MORPH|POINTS_UV)|LAMBERT|PHONG|MATCAP|TOON|DITHERING|FOG_EXP2|TONE_MAPPING|IOR|DECODE_VIDEO_TEXTURE\\w*|ENVMAP_\\w+',
    'NUM_(LIGHT_PROBE|POINT|SPOT|SUN|RECT_AREA)_?\\w*|SHADOWMAP_TYPE_VSM',
  ].join('|')})$`,
);

/** In the renderer's hands these do nothing. */
const STANDING_IN: Readonly<Record<string, string>> = {
  'renderers/webxr/WebXRManager.js': `import { EventDispatcher } from '../../core/EventDispatcher.js';
export class WebXRManager extends EventDispatcher {
  enabled = false; isPresenting = false; cameraAutoUpdate = false;
  getEnvironmentBlendMode() {} hasDepthSensing() { return false; } setAnimationLoop() {} dispose() {}
}`,
  'renderers/webgl/WebGLOutput.js': 'export class WebGLOutput {}',
  'renderers/webgl/WebGLEnvironments.js':
    'export function WebGLEnvironments() { return { get: (texture) => texture ?? null, dispose() {} }; }',
  'renderers/webgl/WebGLUniformsGroups.js':
    'export function WebGLUniformsGroups() { return { bind() {}, update() {}, dispose() {} }; }',
};

/** Shaders of materials and passes that the workbench does not make. */
const UNUSED_SHADERS = /ShaderLib\/(backgroundCube|cube|distance|equirect|meshlambert|meshmatcap|meshnormal|meshphong|meshtoon|sprite|vsm)\.glsl|ShaderChunk\/tonemapping_pars_fragment/;

const FOLDER = fileURLToPath(new URL('../node_modules/three/src/', import.meta.url));

export function leanThree(): Plugin {
  return {
    name: 'lean-three',
    enforce: 'pre',
    config: () => ({ resolve: { alias: [{ find: /^three$/, replacement: `${FOLDER}Three.js` }] } }),
    load(id) {
      return id.startsWith(FOLDER) ? (STANDING_IN[id.slice(FOLDER.length)] ?? null) : null;
    },
    transform(code, id) {
      if (!id.startsWith(FOLDER)) return null;
      if (!id.endsWith('.glsl.js')) return { code: withoutJson(code), map: null };
      const isUnused = UNUSED_SHADERS.test(id);
      const shortened = code.replace(/(\/\* glsl \*\/)?`([^`]*)`/g, (_text, _mark, shader: string) =>
        isUnused ? '``' : `\`${shortenShader(shader)}\``,
      );
      return { code: shortened, map: null };
    },
  };
}

/** Without the methods `toJSON`, which the page calls nowhere: each from its line to the brace in the same column. */
export const withoutJson = (code: string): string => code.replace(/\n\ttoJSON\([^)]*\) \{\n[\s\S]*?\n\t\}\n/g, '\n');

/** Without comments, indents, and what is behind a condition that never holds. */
export function shortenShader(text: string): string {
  const lines = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/\/\/.*/, '').trim())
    .filter((line) => line !== '');
  return `${keep(lines).join('\n')}\n`;
}

interface Branch {
  /** What the condition is known to be; null: the compiler finds out. */
  isTrue: boolean | null;
  /** An earlier branch of these always holds. */
  isDone: boolean;
  /** The directive is in what is kept. */
  isOpen: boolean;
}

function keep(lines: readonly string[]): string[] {
  const kept: string[] = [];
  const open: Branch[] = [];
  for (const line of lines) {
    const [, word, condition = ''] = /^#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)$/.exec(line) ?? [];
    const outside = open.slice(0, word === undefined || word.startsWith('if') ? open.length : -1);
    const isSeen = outside.every(({ isTrue, isDone }) => isTrue !== false && !isDone);
    const top = open.at(-1);
    if (word === undefined) {
      if (isSeen) kept.push(line);
    } else if (word.startsWith('if')) {
      const isTrue = judge(word === 'if' ? condition : `${word === 'ifdef' ? '' : '!'}defined(${condition})`);
      open.push({ isTrue, isDone: false, isOpen: isSeen && isTrue === null });
      if (isSeen && isTrue === null) kept.push(line);
    } else if (word === 'endif') {
      open.pop();
      if (isSeen && top?.isOpen) kept.push(line);
    } else if (top) {
      if (top.isTrue === true) top.isDone = true;
      const isTrue = word === 'else' ? (top.isOpen ? null : true) : judge(condition);
      top.isTrue = isTrue;
      if (!isSeen || top.isDone || isTrue === false) continue;
      if (top.isOpen) {
        // After branches that the compiler judges one that always holds is the last.
        kept.push(word === 'else' || isTrue === true ? '#else' : line);
        if (isTrue === true) top.isTrue = null;
      } else if (isTrue === null) {
        kept.push(`#if ${condition}`);
        top.isOpen = true;
      }
    }
  }
  return kept;
}

/** Of conditions with `defined`, comparisons with numbers, `!`, `&&` and `||`; null where it hangs on the material. */
function judge(condition: string): boolean | null {
  const either = splitOutside(condition, '||');
  if (either.length > 1) {
    const found = either.map(judge);
    return found.includes(true) ? true : found.includes(null) ? null : false;
  }
  const both = splitOutside(condition, '&&');
  if (both.length > 1) {
    const found = both.map(judge);
    return found.includes(false) ? false : found.includes(null) ? null : true;
  }
  const one = condition.trim();
  if (one.startsWith('(') && splitOutside(one, '|').length === 1 && closes(one)) return judge(one.slice(1, -1));
  if (one.startsWith('!')) {
    const found = judge(one.slice(1));
    return found === null ? null : !found;
  }
  const [, defined] = /^defined\s*\(?\s*(\w+)\s*\)?$/.exec(one) ?? [];
  if (defined !== undefined) return NEVER.test(defined) ? false : null;
  const [, counted] = /^(\w+)\s*>\s*0$/.exec(one) ?? [];
  return counted !== undefined && NEVER.test(counted) ? false : null;
}

/** Whether the first bracket is closed by the last one. */
function closes(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0) return i === text.length - 1;
  }
  return false;
}

function splitOutside(text: string, sign: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0 && text.startsWith(sign, i)) {
      parts.push(text.slice(from, i));
      from = i + sign.length;
      i = from - 1;
    }
  }
  return [...parts, text.slice(from)];
}
