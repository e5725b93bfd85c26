import type { ForwardStore } from '../../forward-store.ts';
import type { RemoteReads } from '../read/read-calls.ts';
import type { RemoteCommands } from '../write/commands.ts';

/** The outbox, of reads by the readers and changes by the writer. */
export function forwardStore(reads: RemoteReads['forward'], commands: RemoteCommands['forward']): ForwardStore {
  const { installation, next, backlog, list, waiting, traces, deadLetters } = reads;
  const { begin, set, recordFailure, end, ack, deadLetter, retryDeadLetters, queueTraces } = commands;
  return {
    ...{ installation, next, backlog, list, waiting, traces, deadLetters },
    ...{ begin, set, recordFailure, end, ack, deadLetter, retryDeadLetters, queueTraces },
    deadLetterLines: async (scope, name, most) => (await reads.deadLetterLines(scope, name, most)).bytes,
  };
}
