import { createRandom } from 'clearance/math';
import { buildMolecule, buildPeptide, createSimulation } from 'clearance/molecule';
import { describe, expect, it } from 'vitest';
import { SimulationRun, toSetup } from './simulation-run.js';

const molecule = buildMolecule(buildPeptide('GSAEWLKKCAELRKPG'));
const choices = { temperature: 400, seed: 3, steps: 900, every: 250, moves: null };

describe('SimulationRun', () => {
  it('is the same run in whatever slices it is made, with a sample every so many steps', () => {
    const whole = createSimulation(toSetup(molecule, choices));
    whole.run(choices.steps);
    const random = createRandom(1);
    const run = new SimulationRun(molecule, choices);
    const sampled: number[] = [];
    while (!run.isDone) if (run.advance(1 + random.integer(90))) sampled.push(run.look().step);
    expect(sampled).toEqual([250, 500, 750]);
    const { step, energy, torsions, proposed, accepted } = run.look();
    expect(step).toBe(900);
    expect(energy).toBe(whole.energy.total);
    expect(torsions).toEqual(whole.conformation.torsions);
    expect(proposed).toBe(900);
    expect(accepted).toBe(whole.listMoves().reduce((sum, move) => sum + move.accepted, 0));
  });

  it('measures from where it started', () => {
    const run = new SimulationRun(molecule, choices);
    expect(run.look().deviation).toBeLessThan(1e-6);
    run.advance(250);
    expect(run.look().deviation).toBeGreaterThan(0.1);
  });

  it('refuses moves that it does not know, or that nothing can make', () => {
    expect(() => new SimulationRun(molecule, { ...choices, moves: ['jump'] })).toThrow(/got "jump"/);
    const glycine = buildMolecule(buildPeptide('GG'));
    expect(() => new SimulationRun(glycine, { ...choices, moves: ['chi'] })).toThrow(RangeError);
  });
});
