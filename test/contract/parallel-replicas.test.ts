/** Replicas in workers do what they do in one thread, bit by bit. Workers run the built package, as users have it. */
import { describe, expect, it } from 'vitest';
import type * as MoleculeDoor from '../../src/molecule.js';
import type * as ParallelDoor from '../../src/parallel.js';
import { isBuilt, loadDoor } from '../support/built-library.js';

describe.skipIf(!isBuilt)(`replicas in workers${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  it('run, save and go on as in one thread', async () => {
    const molecules = await loadDoor<typeof MoleculeDoor>('molecule');
    const { createParallelReplicas } = await loadDoor<typeof ParallelDoor>('parallel');
    const molecule = molecules.buildMolecule(molecules.buildPeptide('GEWTYDDA'));
    const temperatures = molecules.spaceTemperatures(300, 700, 3);
    const setups = temperatures.map((temperature, i) => ({ molecule, chain: { overlap: 1.2 }, temperature, seed: i }));
    const alone = molecules.createReplicaExchange(
      setups.map((setup) => molecules.createSimulation(setup)),
      molecules.createTemperatureLadder(temperatures, 9),
      50,
    );
    alone.run(700);
    const start = () =>
      createParallelReplicas(setups, molecules.createTemperatureLadder(temperatures, 9), { roundSteps: 50 });
    const first = await start();
    await first.run(130);
    await first.run(220);
    const saved = JSON.parse(JSON.stringify(first.save()));
    first.dispose();
    const second = await start();
    await second.restore(saved);
    await second.run(350);
    expect(second.step).toBe(700);
    expect(second.save()).toEqual(alone.save());
    expect(second.coldest).toEqual(alone.coldest.save());
    second.dispose();
    await expect(second.run(1)).rejects.toThrow(/disposed/);
  });

  it('tells which replica fails, and where its script was looked for', async () => {
    const { createTemperatureLadder, buildMolecule, buildPeptide } = await loadDoor<typeof MoleculeDoor>('molecule');
    const { createParallelReplicas } = await loadDoor<typeof ParallelDoor>('parallel');
    const molecule = buildMolecule(buildPeptide('GEW'));
    const ladder = createTemperatureLadder([300, 400], 1);
    const good = { molecule, temperature: 300, seed: 1 };
    const bad = { ...good, chain: { overlap: 9 } };
    await expect(createParallelReplicas([good, bad], ladder, { roundSteps: 10 })).rejects.toThrow(
      /replica 1: .*overlap, got 9/,
    );
    const unknown = { ...good, moves: { jump: 1 } };
    await expect(createParallelReplicas([good, unknown], ladder, { roundSteps: 10 })).rejects.toThrow(
      /setups\[1\]\.moves, got "jump", expected one of torsion, /,
    );
    await expect(createParallelReplicas([good], ladder, { roundSteps: 10 })).rejects.toThrow(/setups, got 1/);
    await expect(createParallelReplicas([good, good], ladder, { roundSteps: 0 })).rejects.toThrow(/roundSteps, got 0/);
    const lost = createParallelReplicas([good, good], ladder, { roundSteps: 10, script: './no-such-script.js' });
    await expect(lost).rejects.toThrow(/worker .*no-such-script.js failed: /);
  });
});
