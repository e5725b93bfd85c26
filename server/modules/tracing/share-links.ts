import { randomBytes } from 'node:crypto';
import type { ShareLink } from '../../../shared/contract/tracing/share-links.ts';
import type { ShareLinkHides } from '../../../shared/contract/tracing/shared-trace.ts';
import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { LimitReached } from '../../control/limit-reached.ts';
import type * as stored from '../../control/share-link-store.ts';
import { digestOf } from '../../identity/key-value.ts';
import { permissionsOf } from '../../identity/role-permissions.ts';
import { readId } from '../../ingest/otlp/identifiers.ts';
import { outlineBytesMax, sharedTraceHandlers } from './share-links/shared-traces.ts';

const dayMs = 24 * 3600 * 1000;
/** Any attribute may have contents or costs, so attributes are hidden with either. */
const effective = ({ contents, attributes, costs }: ShareLinkHides): ShareLinkHides => ({
  ...{ contents, costs, attributes: attributes || contents || costs },
});

/** As many bits as nobody guesses. */
const tokenBytes = 32;
/** Of an app, without those that have ended: as many as a page of a list has. */
const linksMax = 1000;

/** The link as the list shows it. */
function asShown({ author_role, ...link }: stored.ShareLink, areAllowed: boolean, now: number): ShareLink {
  const isForbidden = !areAllowed || author_role === null || !permissionsOf[author_role].has('share_link.write');
  const hasExpired = Date.parse(link.expires_at) <= now;
  const state = link.revoked_at !== null ? 'revoked' : hasExpired ? 'expired' : isForbidden ? 'forbidden' : 'works';
  return { ...link, state };
}

/** @throws Failure 400 when there are as many as there may be */
async function orFull<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof LimitReached) fail('invalid_request_body', `An app has at most ${error.limit} links that work. Revoke some first`);
    throw error;
  }
}

export const shareLinksModule = defineModule({
  group: 'shareLinks',
  needs: ['control', 'telemetry', 'clock', 'rateLimits'],
  build: ({ control, telemetry, clock, rateLimits }) => ({
    create: async ({ scope, principal, baseUrl }, { body }) => {
      const trace_id = readId(body.trace_id, 16) ?? body.trace_id;
      const outline = await telemetry.traces.outline(scope, trace_id);
      if (!outline) fail('trace_not_found', `No trace ${body.trace_id}`);
      if (outline.json.length > outlineBytesMax) fail('payload_too_large', 'The trace has too many spans for a link');
      const token = randomBytes(tokenBytes).toString('base64url');
      const expires_at = new Date(clock.now() + body.expires_in_days * dayMs).toISOString();
      const draft = { trace_id, hides: effective(body.hides), expires_at, digest: digestOf(token) };
      const link = await orFull(() => control.shareLinks.create(principal.actor, scope, draft, linksMax));
      if (!link) fail('share_links_not_allowed', 'Links to traces are forbidden in this team');
      // In the fragment, which browsers do not send.
      return new Answer(201, { data: { ...asShown(link, true, clock.now()), url: `${baseUrl}/#/shared/${token}` } });
    },

    list: async ({ scope }, { query }) => {
      const areAllowed = await control.shareLinks.areAllowed(scope.tenant_id);
      const { data, total } = await control.shareLinks.list(scope, query);
      return asPage(query, { data: data.map((link) => asShown(link, areAllowed, clock.now())), total });
    },

    revoke: async ({ scope, principal }, { params: { linkId } }) => {
      if (!(await control.shareLinks.revoke(principal.actor, scope, linkId))) fail('share_link_not_found', `No link ${linkId} that works`);
      return new Answer(204, undefined);
    },

    settings: async ({ scope }) => ({ data: { allowed: await control.shareLinks.areAllowed(scope.tenant_id) } }),

    changeSettings: async ({ scope, principal }, { body: { allowed } }) => {
      await control.shareLinks.allow(principal.actor, scope.tenant_id, allowed);
      return { data: { allowed } };
    },

    ...sharedTraceHandlers({ control, telemetry, rateLimits }),
  }),
});
