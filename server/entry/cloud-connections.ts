/** Wires the connection registry of eval workers and the experiment runs. */
import type { ControlStore } from '../control/control-store.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ExperimentRuns } from '../workers/experiment-runs.ts';
import { LocalConnectionRegistry } from '../workers/local-connection-registry.ts';

export async function startConnections({ experimentRuns: store }: ControlStore, leases: Leases, clock: Clock, log: Log) {
  const workers = new LocalConnectionRegistry(clock).start();
  const experimentRuns = await new ExperimentRuns({ store, workers, leases, clock, log }).open();
  const stop = async () => {
    workers.stop();
    await experimentRuns.stop();
  };
  return { services: { workers, experimentRuns }, stop };
}
