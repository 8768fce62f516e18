/**
 * Contact told by a pattern as well as by red, for those who see few colours: diagonal stripes over what touches, and a darker edge where
 * its surface turns away.
 */
import type { Color, MeshStandardMaterial } from 'three';

/** Pixels from stripe to stripe. */
const PERIOD = 11;

interface Hatched {
  readonly isTouching: { value: number };
  readonly color: { value: Color };
}

/** `color`: of stripes and edge. The same program serves all materials. */
export function addHatch(material: MeshStandardMaterial, color: Color): void {
  const hatch: Hatched = { isTouching: { value: 0 }, color: { value: color } };
  material.userData.hatch = hatch;
  material.onBeforeCompile = drawHatch;
  material.customProgramCacheKey = () => 'hatch';
}

export function setHatch({ userData }: MeshStandardMaterial, touching: boolean): void {
  const hatch = userData.hatch as Hatched | undefined;
  if (hatch) hatch.isTouching.value = touching ? 1 : 0;
}

function drawHatch(this: MeshStandardMaterial, shader: Parameters<MeshStandardMaterial['onBeforeCompile']>[0]): void {
  const { isTouching, color } = this.userData.hatch as Hatched;
  shader.uniforms.isTouching = isTouching;
  shader.uniforms.hatchColor = color;
  shader.fragmentShader = shader.fragmentShader
    .replace('#include <common>', '#include <common>\nuniform float isTouching;\nuniform vec3 hatchColor;')
    .replace(
      '#include <normal_fragment_maps>',
      `#include <normal_fragment_maps>
      if (isTouching > 0.5) {
        float stripe = step(0.68, fract((gl_FragCoord.x + gl_FragCoord.y) / ${PERIOD.toFixed(1)}));
        float edge = smoothstep(0.8, 0.95, 1.0 - abs(dot(normal, normalize(vViewPosition))));
        diffuseColor.rgb = mix(diffuseColor.rgb, hatchColor, max(stripe, 0.7 * edge));
      }`,
    );
}
