import { shareLinks } from '../../../shared/contract/tracing/share-links.ts';
import { type Note, notesOn } from '../note.ts';
import { ids } from './samples.ts';

const hides = { contents: false, attributes: true, costs: true };
const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
const link = {
  ...{
    id: ids.production,
    trace_id,
    hides,
    created_by: ids.production,
    author_name: 'Mira',
    state: 'works' as const,
    created_at: '2026-11-30T10:00:00.000Z',
  },
  ...{ expires_at: '2026-12-07T10:00:00.000Z', revoked_at: null, openings: 3, last_opened_at: '2026-12-01T08:00:00.000Z' },
};
const byPage =
  'For the page of a link, with its token in the header `X-Share-Token`. What the link hides is not in the answer, nor are media.';

export const shareLinkNotes: Record<string, Note> = notesOn(shareLinks, {
  create: {
    description:
      'Makes a link by which anybody reads one trace, without an account, until it expires or is revoked. Only this answer has its `url`: the ' +
      'gateway stores a digest of the token. 403 where links are forbidden for the team, 413 for a trace with more spans than a link ' +
      'can show, and 400 when the app has 1,000 links that work.',
    body: { trace_id, expires_in_days: 7, hides },
    reply: { data: { ...link, openings: 0, last_opened_at: null, url: 'https://glasshouse.example.com/#/shared/…' } },
  },
  list: {
    description:
      'Links to traces of the app, optionally of one trace: first those that have not ended, and newest first. `state` tells whether a link ' +
      'works. Links that have ended stay in the list for 30 days.',
    reply: { data: [link], pagination: { limit: 50, offset: 0, total: 1 } },
  },
  revoke: { description: 'Stops a link at once. 404 for a link that is unknown or already revoked.', path: { linkId: ids.production } },
  settings: { description: 'Whether members of the tenant may make links, and whether links work.', reply: { data: { allowed: true } } },
  changeSettings: {
    description:
      'Allows links to traces, or forbids them: then all links of the tenant stop at once, and work again when they are allowed again.',
    body: { allowed: false },
    reply: { data: { allowed: false } },
  },
  readTrace: { description: byPage },
  readPreviews: { description: byPage, query: { ids: '00f067aa0ba902b7' } },
  readSpan: { description: byPage, query: { id: '00f067aa0ba902b7' } },
});
