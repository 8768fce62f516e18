import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { MonteCarlo } from './monte-carlo.js';
import { createFreePeptide, TorsionEnergy } from './monte-carlo.test-support.js';
import { ReplicaExchange, spaceTemperatures, TemperatureLadder } from './replica-exchange.js';
import { BOLTZMANN } from './temperature.js';
import { createTorsionMove } from './torsion-moves.js';

const GAP = 1;

/** Two wells of energies 0 and GAP, a wall between them that low temperatures hardly pass. */
function createReplicas(temperatures: readonly number[], seed: number, roundSteps = 10): ReplicaExchange {
  const replicas = temperatures.map((temperature, i) => {
    const conformation = createFreePeptide('AA');
    const { protein } = conformation;
    const energy = new TorsionEnergy(conformation, (torsions) => {
      const angle = Math.abs(torsions[0]);
      if (Math.abs(angle - Math.PI / 2) > 1) return 6;
      return torsions[0] > 0 ? GAP : 0;
    });
    return new MonteCarlo(conformation, energy, {
      moves: [{ move: createTorsionMove(protein, 0.8), weight: 1 }],
      temperature,
      seed: seed + i,
      hardCore: false,
    });
  });
  return new ReplicaExchange(replicas, new TemperatureLadder(temperatures, seed + 1000), roundSteps);
}

describe('replica exchange', () => {
  it('every rung keeps the Boltzmann distribution of its temperature', () => {
    const temperatures = spaceTemperatures(250, 1500, 4);
    const exchange = createReplicas(temperatures, 1);
    const rounds = 20_000;
    const upper = temperatures.map(() => 0);
    const inside = temperatures.map(() => 0);
    for (let round = 0; round < rounds; round++) {
      exchange.run(10);
      temperatures.forEach((_, rung) => {
        const angle = exchange.replicas[exchange.ladder.replicaAt(rung)].conformation.torsions[0];
        if (Math.abs(Math.abs(angle) - Math.PI / 2) > 1) return;
        inside[rung]++;
        if (angle > 0) upper[rung]++;
      });
    }
    temperatures.forEach((kelvin, rung) => {
      const weight = Math.exp(-GAP / (BOLTZMANN * kelvin));
      const expected = weight / (1 + weight);
      // Five standard deviations; samples are correlated over some ten rounds.
      const deviation = 5 * Math.sqrt((10 * expected * (1 - expected)) / inside[rung]);
      expect(Math.abs(upper[rung] / inside[rung] - expected)).toBeLessThan(deviation);
    });
    for (const rate of exchange.ladder.exchangeRates()) expect(rate).toBeGreaterThan(0.3);
  });

  it('swaps as often as the rule says, for energies that are given', () => {
    const ladder = new TemperatureLadder([300, 400], 5);
    const random = createRandom(6);
    let expected = 0;
    let tried = 0;
    for (let round = 0; round < 20_000; round++) {
      const energies = [random.uniform(-2, 2), random.uniform(-2, 2)];
      const [cold, hot] = [ladder.replicaAt(0), ladder.replicaAt(1)];
      if (round % 2 === 0) {
        tried++;
        const inverse = 1 / (BOLTZMANN * 300) - 1 / (BOLTZMANN * 400);
        expected += Math.min(1, Math.exp(inverse * (energies[cold] - energies[hot])));
      }
      ladder.exchange(energies);
    }
    expect(Math.abs(ladder.exchangeRates()[0]! - expected / tried)).toBeLessThan(0.02);
  });

  it('goes on bit by bit from a saved state', () => {
    const temperatures = [300, 500, 800];
    const whole = createReplicas(temperatures, 7, 20);
    whole.run(1000);
    const first = createReplicas(temperatures, 7, 20);
    for (const steps of [7, 13, 20, 390]) first.run(steps);
    const second = createReplicas(temperatures, 70, 20);
    second.restore(JSON.parse(JSON.stringify(first.save())));
    second.run(570);
    expect(second.step).toBe(1000);
    expect(second.save()).toEqual(whole.save());
  });

  it('refuses what is no ladder', () => {
    expect(() => new TemperatureLadder([300], 1)).toThrow(/temperatures, got 300/);
    expect(() => new TemperatureLadder([300, 0], 1)).toThrow(/temperatures, got/);
    const ladder = new TemperatureLadder([300, 400], 1);
    expect(() => ladder.restore({ ...ladder.save(), replicaOf: [0, 0] })).toThrow(/replicaOf/);
    expect(() => ladder.restore({ ...ladder.save(), replicaOf: [0, 1, 2] })).toThrow(/got 0,1,2, expected 0 to 1/);
    const { replicas } = createReplicas([300, 400], 1);
    expect(() => new ReplicaExchange(replicas.slice(1), ladder, 10)).toThrow(/replicas, got 1/);
    expect(() => new ReplicaExchange(replicas, ladder, 0)).toThrow(/roundSteps, got 0/);
  });

  it('temperatures are spaced by equal factors', () => {
    const spaced = spaceTemperatures(300, 600, 3);
    expect(spaced[0]).toBe(300);
    expect(spaced[1]).toBeCloseTo(300 * Math.SQRT2, 9);
    expect(spaced[2]).toBe(600);
  });
});
