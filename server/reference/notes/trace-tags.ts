import { traceTags } from '../../../shared/contract/tracing/trace-tags.ts';
import { notesOn } from '../note.ts';
import { ids } from './samples.ts';

export const tagNotes = notesOn(traceTags, {
  find: {
    description:
      'The tags that any of the traces has, those that spans were sent with and those that people added. Unknown ids are left out.',
    query: { trace_ids: ids.trace },
    reply: { data: [{ tag: 'needs a fix', traces: 1, added: 1 }] },
  },
  change: {
    description:
      'Filters, facets, sessions and statistics read an added tag like one that was sent. It stays on this gateway: forwarding does not send it.',
    body: { trace_ids: [ids.trace], add: ['needs a fix'], remove: ['to check'] },
    reply: { data: { changed: 1 } },
  },
});
