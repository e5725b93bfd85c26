/** What observers see of leases and outboxes. */
import type { BackgroundWork } from '../platform/observer.ts';
import type { Leases } from './lease.ts';

export function backgroundWork(
  leases: Leases,
  outboxes: readonly { name: string; waitingMs: number }[],
): Pick<BackgroundWork, 'instance' | 'leases' | 'waitingMs'> {
  return {
    instance: leases.holder,
    leases: () => leases.held(),
    waitingMs: () => new Map(outboxes.map(({ name, waitingMs }) => [name, waitingMs])),
  };
}
