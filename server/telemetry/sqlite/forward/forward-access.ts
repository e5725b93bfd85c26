/** The forwarding store: reads go to the reader threads, changes to the writer. */

import type { Scope } from '../../../platform/scope.ts';
import type { ForwardStore } from '../../forward-store.ts';
import type { RemoteReads } from '../read-calls.ts';
import type { MaintenanceTask } from '../write-messages.ts';
import type { ForwardCommand } from './forward-rows.ts';

/** @param maintain runs a task on the write thread; resolves when it is durable */
export function forwardingThrough(reads: RemoteReads['forward'], maintain: (work: MaintenanceTask) => Promise<void>): ForwardStore {
  const act = (scope: Scope, command: ForwardCommand) => maintain({ kind: 'forward', scope, command });
  return {
    installation: reads.installation,
    begin: (scope, name, withAll, settings = {}) => act(scope, { do: 'begin', name, withAll, settings }),
    set: (scope, name, settings) => act(scope, { do: 'set', name, settings }),
    note: (scope, name, standing, error) => act(scope, { do: 'note', name, standing, error }),
    end: (scope, name) => act(scope, { do: 'end', name }),
    next: async (scope, name, most, redaction) => {
      const found = await reads.next(scope, name, most, redaction);
      if (!found) return null;
      const { bytes, tokens, damaged, ...batch } = found;
      // Before anybody can send them.
      if (tokens.length > 0) await maintain({ kind: 'token-map', scope, tokens });
      for (const { message, reason } of damaged) await act(scope, { do: 'deadLetter', name, message: message, reason });
      return { batch, body: bytes };
    },
    ack: (scope, name, upTo, result) => act(scope, { do: 'ack', name, upTo, result: result }),
    deadLetter: (scope, name, message, reason) => act(scope, { do: 'deadLetter', name, message: message, reason }),
    retryDeadLetters: (scope, name) => act(scope, { do: 'retryDeadLetters', name }),
    queueTraces: (scope, name, traceIds) => act(scope, { do: 'queueTraces', name, traceIds }),
    backlog: reads.backlog,
    list: reads.list,
    waiting: reads.waiting,
    traces: reads.traces,
    deadLetters: reads.deadLetters,
    deadLetterLines: async (scope, name, most) => (await reads.deadLetterLines(scope, name, most)).bytes,
  };
}
