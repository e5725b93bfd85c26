/** Puts together what holds the connections of workers and gives them experiments to run. */
import type { ControlStore } from '../control/control-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ExperimentRuns } from '../workers/experiment-runs.ts';
import { LocalHolder } from '../workers/local-holder.ts';

export async function startConnections({ experimentRuns: store }: ControlStore, clock: Clock, log: Log) {
  const workers = new LocalHolder(clock).start();
  const experimentRuns = new ExperimentRuns({ store, workers, clock, log });
  await experimentRuns.resume();
  const stop = async () => {
    workers.stop();
    await experimentRuns.stop();
  };
  return { services: { workers, experimentRuns }, stop };
}
