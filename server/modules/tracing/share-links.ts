import { randomBytes } from 'node:crypto';
import type { ShareLinkHides } from '../../../shared/contract/tracing/shared-trace.ts';
import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { digestOf } from '../../identity/key-value.ts';
import { readId } from '../../ingest/otlp/identifiers.ts';
import { outlineBytesMax, sharedTraceHandlers } from './share-links/shared-traces.ts';

const dayMs = 24 * 3600 * 1000;
/** Any attribute may have contents or costs, so attributes are hidden with either. */
const effective = ({ contents, attributes, costs }: ShareLinkHides): ShareLinkHides => ({
  ...{ contents, costs, attributes: attributes || contents || costs },
});

/** As many bits as nobody guesses. */
const tokenBytes = 32;

export const shareLinksModule = defineModule({
  group: 'shareLinks',
  needs: ['control', 'telemetry', 'clock'],
  build: ({ control, telemetry, clock }) => ({
    create: async ({ scope, principal, baseUrl }, { body }) => {
      const trace_id = readId(body.trace_id, 16) ?? body.trace_id;
      const outline = await telemetry.traces.outline(scope, trace_id);
      if (!outline) fail('trace_not_found', `No trace ${body.trace_id}`);
      if (outline.json.length > outlineBytesMax) fail('payload_too_large', 'The trace has too many spans for a link');
      const token = randomBytes(tokenBytes).toString('base64url');
      const expires_at = new Date(clock.now() + body.expires_in_days * dayMs).toISOString();
      const link = await control.shareLinks.create(principal.actor, scope, {
        trace_id,
        hides: effective(body.hides),
        expires_at,
        digest: digestOf(token),
      });
      if (!link) fail('share_links_not_allowed', 'The owners of the team have forbidden links to traces');
      // In the fragment, which browsers do not send.
      return new Answer(201, { data: { ...link, url: `${baseUrl}/#/shared/${token}` } });
    },

    list: async ({ scope }, { query }) => asPage(query, await control.shareLinks.list(scope, query)),

    revoke: async ({ scope, principal }, { params: { linkId } }) => {
      if (!(await control.shareLinks.revoke(principal.actor, scope, linkId))) fail('share_link_not_found', `No link ${linkId} that works`);
      return new Answer(204, undefined);
    },

    settings: async ({ scope }) => ({ data: { allowed: await control.shareLinks.areAllowed(scope.tenant_id) } }),

    changeSettings: async ({ scope, principal }, { body: { allowed } }) => {
      await control.shareLinks.allow(principal.actor, scope.tenant_id, allowed);
      return { data: { allowed } };
    },

    ...sharedTraceHandlers({ control, telemetry }),
  }),
});
