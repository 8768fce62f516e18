/**
 * A Monte Carlo run as the page's worker makes it: the settings of `clearance chain fold` where the page offers no choice,
 * so that the same file, seed and steps give the same run, bit by bit, there and here.
 */
import {
  createObserver,
  createSimulation,
  type EnergyTree,
  type Molecule,
  type MonteCarlo,
  type Observer,
  type SimulationSetup,
  selectAtoms,
} from 'clearance/molecule';

export interface RunChoices {
  /** Kelvin. */
  readonly temperature: number;
  readonly seed: number;
  readonly steps: number;
  /** Steps between samples, which the curves and the trajectory are made of. */
  readonly every: number;
  /** Names of moves; null for all. */
  readonly moves: readonly string[] | null;
}

/** Where a run stands. Plain data. */
export interface Standing {
  readonly step: number;
  /** kcal/mol. */
  readonly energy: number;
  /** Angstrom. */
  readonly radiusOfGyration: number;
  /** Root-mean-square deviation of the C alphas from the start, angstrom. */
  readonly deviation: number;
  readonly proposed: number;
  readonly accepted: number;
  /** Radians, by torsion of the chain. */
  readonly torsions: Float64Array;
}

export function toSetup(molecule: Molecule, { temperature, seed, moves }: RunChoices): SimulationSetup {
  return {
    molecule,
    chain: { sideChains: 'chi', omega: false, disulfides: 'keep', overlap: 1.2 },
    field: { cutoff: 9, dielectric: 4 },
    ...(moves && { moves: Object.fromEntries(moves.map((name) => [name, undefined])) }),
    temperature,
    seed,
  };
}

export class SimulationRun {
  readonly remarks: readonly string[];
  private readonly simulation: MonteCarlo;
  private readonly observer: Observer;

  /** Throws RangeError when the molecule or the choices do not make a simulation. */
  constructor(
    molecule: Molecule,
    private readonly choices: RunChoices,
  ) {
    this.simulation = createSimulation(toSetup(molecule, choices));
    const { conformation, energy, isHardCore } = this.simulation;
    const { protein } = conformation;
    const alphas = selectAtoms(molecule, 'name CA').filter((atom) => protein.linkOf[atom] >= 0);
    this.observer = createObserver(conformation, alphas.length > 0 ? alphas : protein.atoms);
    const remarks = [...protein.remarks];
    if ('field' in energy) remarks.push(...(energy as EnergyTree).field.remarks);
    if (!isHardCore) remarks.push('atoms overlap in the given conformation: the energy alone keeps them apart');
    this.remarks = remarks;
  }

  get isDone(): boolean {
    return this.simulation.step >= this.choices.steps;
  }

  /** Does so many steps, or fewer: up to the next sample or the end. True when a sample is due. */
  advance(steps: number): boolean {
    const { step } = this.simulation;
    const { every } = this.choices;
    const toSample = every - (step % every);
    this.simulation.run(Math.min(steps, toSample, this.choices.steps - step));
    return this.simulation.step % every === 0;
  }

  look(): Standing {
    const { simulation } = this;
    const { radiusOfGyration, deviation } = this.observer.measure();
    let [proposed, accepted] = [0, 0];
    for (const move of simulation.listMoves()) {
      proposed += move.proposed;
      accepted += move.accepted;
    }
    return {
      step: simulation.step,
      energy: simulation.energy.total,
      radiusOfGyration,
      deviation,
      proposed,
      accepted,
      torsions: simulation.conformation.torsions.slice(),
    };
  }
}
