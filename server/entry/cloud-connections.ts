/** Wires the connection registry of eval workers and the experiment runs. */
import { randomUUID } from 'node:crypto';
import type { Guard } from '../app/guard.ts';
import { internalJobs } from '../app/internal-jobs.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { GatewaySignatures } from '../identity/gateway-signatures.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { ConnectionRegistry } from '../workers/connection-registry.ts';
import { ExperimentRuns } from '../workers/experiment-runs.ts';
import { LocalConnectionRegistry } from '../workers/local-connection-registry.ts';
import { RemoteJobs } from '../workers/remote-jobs.ts';
import { SharedConnectionRegistry } from '../workers/shared-connection-registry.ts';

interface Parts {
  control: ControlStore;
  coordination: Coordination;
  leases: Leases;
  clock: Clock;
  log: Log;
}

export interface Connections {
  workers: ConnectionRegistry;
  /** Answers requests of other gateways. */
  guard: Guard;
  /** Resolves when the other gateways know that the sockets have gone. To be called after `workers.stop`. */
  stopped(): Promise<void>;
}

export async function startConnections(parts: Parts, secrets: Secrets, internalUrl: string | null) {
  const { control, leases, clock, log } = parts;
  const { workers, guard, stopped } = openConnections(parts, secrets, internalUrl);
  const experimentRuns = await new ExperimentRuns({ store: control.experimentRuns, workers, leases, clock, log }).open();
  const stop = async () => {
    workers.stop();
    await experimentRuns.stop();
    await stopped();
  };
  return { services: { workers, experimentRuns }, guard, stop };
}

/** Sockets are shared where gateways have a directory of them and can reach each other. */
function openConnections({ coordination, clock, log }: Parts, secrets: Secrets, internalUrl: string | null): Connections {
  const local = new LocalConnectionRegistry(clock).start();
  const { notices, workerSockets: sockets } = coordination;
  if (!sockets || internalUrl === null) {
    if (sockets) log.info('worker_sockets_not_shared', { reason: 'GLASSHOUSE_INTERNAL_URL is not set' });
    return { workers: local, guard: () => 'pass', stopped: async () => {} };
  }
  const signatures = new GatewaySignatures(secrets, clock);
  const holder = { instance: randomUUID(), address: internalUrl };
  const workers = new SharedConnectionRegistry({ local, remote: new RemoteJobs(signatures, log), sockets, notices, holder, log }).start();
  return { workers, guard: internalJobs({ signatures, workers: local, instance: holder.instance, log }), stopped: () => workers.stopped() };
}
