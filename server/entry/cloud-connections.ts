/** Wires the connection registry of eval workers and the experiment runs. */
import type { ControlStore } from '../control/control-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ExperimentRuns } from '../workers/experiment-runs.ts';
import { LocalConnectionRegistry } from '../workers/local-connection-registry.ts';

export async function startConnections({ experimentRuns: store }: ControlStore, clock: Clock, log: Log) {
  const workers = new LocalConnectionRegistry(clock).start();
  const experimentRuns = new ExperimentRuns({ store, workers, clock, log });
  await experimentRuns.resume();
  const stop = async () => {
    workers.stop();
    await experimentRuns.stop();
  };
  return { services: { workers, experimentRuns }, stop };
}
