import { traceDeletions } from '../../../shared/contract/tracing/trace-deletions.ts';
import { notesOn } from '../note.ts';
import { ids } from './samples.ts';

const deletionNote =
  'Deletes spans, log records, scores and the part of sessions, and overwrites what they leave in the file of the store. It cannot be undone. ' +
  'With the state `removing` some traces may still be listed; `GET /v1/trace-deletions/{deletionId}` tells how far it is. What arrives ' +
  'later for a deleted trace makes a new one. Copies at the destinations of forwarding stay, and `forwarded` counts them.';

const deletion = { id: '3f0d9a52-8c0e-4f6b-9a44-5d1c8a3f2b10', state: 'erasing' as const, traces: 4, spans: 31, removed_traces: 4 };

export const deletionNotes = notesOn(traceDeletions, {
  create: {
    description: `Deletes the traces that match all conditions now. \`dry_run\` counts them and deletes nothing. ${deletionNote}`,
    body: { user_id: 'user-77', dry_run: true },
    reply: { data: { ...deletion, id: null, state: 'dry_run', removed_traces: 0, forwarded: [{ name: 'acme', traces: 2 }] } },
  },
  get: {
    description: 'A deletion that was accepted. A restart of the gateway does not end it.',
    path: { deletionId: deletion.id },
    reply: { data: { ...deletion, forwarded: [] } },
  },
  removeTrace: {
    description: `Deletes one trace. ${deletionNote}`,
    path: { traceId: ids.trace },
    reply: { data: { ...deletion, traces: 1, spans: 7, removed_traces: 1, forwarded: [] } },
  },
  removeSession: {
    description: `Deletes the traces that have a span of the session. ${deletionNote}`,
    path: { sessionId: ids.session },
    reply: { data: { ...deletion, forwarded: [] } },
  },
});
