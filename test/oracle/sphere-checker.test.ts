/**
 * Every robot of the reference data among shapes of every kind: verdicts of the sphere checker are those of the scene, and what compiled
 * spheres call free is free. Some states each by default; `ORACLE_FULL=1` a million over all.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { type Pose, transformToPose } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { addRobot, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene, removeObject } from '../../src/scene/scene.js';
import { createSphereChecker } from '../../src/scene/spheres/sphere-checker.js';
import { updateScene } from '../../src/scene/update.js';
import { partShapeTypes, samplePose, sampleShape, scaleShape, shapeTypes } from '../sample-shapes.js';
import { needsShared, sharedPath } from '../shared.js';

const manifest = sharedPath('data', 'MANIFEST.tsv');
const files = manifest
  ? readFileSync(manifest, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .filter(
        ([path, format]) => format === 'urdf' && path.startsWith('robots/') && !/joint_parsing|gonzo|kermit/.test(path),
      )
      .map(([path]) => path)
  : [];
const states = process.env.ORACLE_FULL ? Math.ceil(1e6 / Math.max(files.length, 1)) : 60;
/** New obstacles after so many states. */
const PER_SCENE = process.env.ORACLE_FULL ? 500 : 15;
const kinds = [...shapeTypes, ...partShapeTypes];
const total = { states: 0, free: 0, bySpheres: 0 };

describe.skipIf(!manifest)(`sphere checker${needsShared('data', 'MANIFEST.tsv')}`, () => {
  afterAll(() => {
    // Half of what is free must be seen by spheres, or the comparison says little.
    expect(total.free).toBeGreaterThan(0.05 * total.states);
    expect(total.bySpheres).toBeGreaterThan(0.2 * total.free);
  });

  for (const path of files) {
    it(`${basename(path)}: verdicts of the scene`, async () => {
      const file = join(sharedPath('data') as string, path);
      const { value } = await loadRobot(file, {
        packagePaths: [join(sharedPath('data') as string, ...path.split('/').slice(0, 2))],
      });
      if (!value) return;
      const { model } = buildModel(value.description.model);
      const random = createRandom(basename(path).length);
      const wrong: unknown[] = [];
      const scene = createScene();
      const robot = addRobot(scene, { model, ...value });
      updateScene(scene);
      // Obstacles about as large as the robot, around it.
      let size = 0.2;
      for (const { body } of robot.links)
        if (Number.isFinite(body.box[0])) for (let i = 0; i < 6; i++) size = Math.max(size, Math.abs(body.box[i]));
      const checker = createSphereChecker(scene, robot, { prove: false });
      const q = new Float64Array(model.nq);
      for (let done = 0; done < states; done += PER_SCENE) {
        for (const object of [...scene.objects.values()]) removeObject(scene, object);
        for (let i = random.integer(4); i > 0; i--) {
          const kind = kinds[random.integer(kinds.length)];
          const shape =
            kind === 'halfspace'
              ? { type: kind, normal: [0, 0, 1] as const, offset: -1.2 * size }
              : scaleShape(sampleShape(random, kind), 0.3 * size);
          const pose = [...transformToPose(new Float64Array(7), samplePose(random, 1.2 * size))] as unknown as Pose;
          addObject(scene, { name: `o${i}`, shape, pose, ...(random.next() < 0.3 ? { margin: 0.01 * size } : {}) });
        }
        for (let n = 0; n < Math.min(PER_SCENE, states - done); n++) {
          randomConfiguration(q, model, random);
          const verdict = checker.isValid(q);
          setConfiguration(robot, q);
          const expected = isSceneFree(scene);
          total.states++;
          if (expected) total.free++;
          if (verdict !== expected) wrong.push({ q: [...q], verdict });
        }
      }
      total.bySpheres += checker.counts.statesBySpheres;
      disposeScene(scene);
      expect(wrong).toEqual([]);
    });
  }
});
