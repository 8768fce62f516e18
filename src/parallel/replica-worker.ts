/** The script that a worker with one replica runs: it makes its simulation, runs it, and tells where it stands. */
import type { MonteCarlo, MonteCarloState } from '../molecule/monte-carlo/monte-carlo.js';
import { createSimulation, type SimulationSetup } from '../molecule/monte-carlo/simulation-setup.js';
import { listen } from './listen.js';

export type ToReplica =
  | { readonly type: 'start'; readonly setup: SimulationSetup }
  | { readonly type: 'run'; readonly steps: number; readonly temperature: number }
  | { readonly type: 'restore'; readonly state: MonteCarloState; readonly temperature: number };

export type FromReplica =
  | { readonly type: 'stands'; readonly state: MonteCarloState; readonly energy: number }
  | { readonly type: 'failed'; readonly message: string };

listen<ToReplica, FromReplica>((post) => {
  let simulation: MonteCarlo | null = null;
  return (message) => {
    try {
      if (message.type === 'start') simulation = createSimulation(message.setup);
      else {
        simulation!.setTemperature(message.temperature);
        if (message.type === 'run') simulation!.run(message.steps);
        else simulation!.restore(message.state);
      }
      post({ type: 'stands', state: simulation!.save(), energy: simulation!.energy.total }, []);
    } catch (error) {
      post({ type: 'failed', message: (error as Error).message }, []);
    }
  };
});
