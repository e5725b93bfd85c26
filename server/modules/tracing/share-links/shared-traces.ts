/** A shared trace, for whoever has the token of its link. */
import type { IncomingMessage } from 'node:http';
import { type sharedTraceRoutes, shareTokenHeader } from '../../../../shared/contract/tracing/shared-trace.ts';
import type { SpanPreview } from '../../../../shared/contract/tracing/trace-outline.ts';
import { Failure, failForNow } from '../../../app/fail.ts';
import { Answer, type Handlers } from '../../../app/module.ts';
import type { Services } from '../../../app/services.ts';
import type { ControlStore } from '../../../control/control-store.ts';
import type { OpenShareLink } from '../../../control/share-link-store.ts';
import { digestOf } from '../../../identity/key-value.ts';
import { permissionsOf } from '../../../identity/role-permissions.ts';
import type { RateLimits } from '../../../limits/rate-limits.ts';
import type { Encoded } from '../../../telemetry/encoded.ts';
import { StorageError } from '../../../telemetry/storage-error.ts';
import type { TelemetryStore } from '../../../telemetry/store.ts';
import { sharedOutline, sharedPreview, sharedSpan, shownBy } from './shared-fields.ts';

const MiB = 1024 * 1024;
/** Answers are parsed here, so larger ones would hold up other requests. */
export const outlineBytesMax = 4 * MiB;
const spanBytesMax = 4 * MiB;
/** Previews that are read together. Together they are rarely too large. */
const idsAtOnce = 20;

type Used = Pick<Services, 'control' | 'telemetry' | 'rateLimits'>;

const headers = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };
const plausibleToken = /^[\w-]{43}$/;

/** The same for unknown, expired, revoked and forbidden links, and for traces that are gone or have grown too large. */
const unknown = (): never => {
  throw new Failure('share_link_not_found', 'This link does not work. It may have expired, or was revoked', {}, null, headers);
};

export const sharedTraceHandlers = ({ control, telemetry, rateLimits }: Used): Handlers<typeof sharedTraceRoutes> => ({
  readTrace: async ({ request }) => {
    const link = await linkOf(control, rateLimits, request);
    const outline = await telemetry.traces.outline(link.scope, link.trace_id);
    if (!outline) return endOf(control, link);
    if (outline.json.length > outlineBytesMax) return unknown();
    await unlessFull(() => control.shareLinks.countOpening(link.id));
    const { tenant_name, expires_at, hides } = link;
    const trace = sharedOutline(outline.decode(), shownBy(hides));
    return new Answer(200, { data: { tenant_name, expires_at, hides, trace } }, headers);
  },

  readPreviews: async ({ request }, { query: { ids } }) => {
    const link = await linkOf(control, rateLimits, request);
    const found: SpanPreview[] = [];
    for (let from = 0; from < ids.length; from += idsAtOnce) {
      const previews = await telemetry.spans.previews(link.scope, link.trace_id, ids.slice(from, from + idsAtOnce));
      if (previews.json.length <= spanBytesMax) found.push(...previews.decode());
    }
    if (found.length === 0) await assertTrace(control, telemetry, link);
    return new Answer(200, { data: found.map((span) => sharedPreview(span, shownBy(link.hides))) }, headers);
  },

  readSpan: async ({ request }, { query: { id } }) => {
    const link = await linkOf(control, rateLimits, request);
    const { scope, trace_id, hides } = link;
    const sent = await telemetry.spans.raw(scope, trace_id, id);
    const raw = sent && decoded(sent);
    const contents = sent && !hides.contents ? await telemetry.spans.io(scope, trace_id, id) : undefined;
    if (!sent || contents === null) {
      await assertTrace(control, telemetry, link);
      throw new Failure('span_not_found', `No span ${id} in the trace`, {}, null, headers);
    }
    return new Answer(200, { data: sharedSpan({ io: contents && decoded(contents), raw }, shownBy(hides)) }, headers);
  },
});

/** Null is too large. */
const decoded = <T>(read: Encoded<T>): T | null => (read.json.length <= spanBytesMax ? read.decode() : null);

async function linkOf(control: ControlStore, rateLimits: RateLimits, { headers: sent }: IncomingMessage): Promise<OpenShareLink> {
  const token = sent[shareTokenHeader];
  if (typeof token !== 'string' || !plausibleToken.test(token)) return unknown();
  const link = (await control.shareLinks.findOpen(digestOf(token))) ?? unknown();
  if (!permissionsOf[link.author_role].has('share_link.write')) unknown();
  const retryAfter = (await rateLimits.admitReader(link.id))?.retryAfterSeconds;
  if (retryAfter) failForNow('rate_limit_exceeded', 'Too many requests for this link', retryAfter);
  return link;
}

/** A link to a trace that is gone is answered like an unknown one. */
async function assertTrace(control: ControlStore, { spans }: TelemetryStore, link: OpenShareLink): Promise<void> {
  const { data } = await spans.list(link.scope, { trace_id: link.trace_id, limit: 1, offset: 0 });
  if (data.decode().length === 0) await endOf(control, link);
}

/** The trace is gone. It may be sent again, and its deletion was meant for its links too. */
async function endOf({ shareLinks }: ControlStore, { id }: OpenShareLink): Promise<never> {
  await unlessFull(() => shareLinks.end(id));
  return unknown();
}

/** A full disk must not refuse readers just because something cannot be noted. */
async function unlessFull(note: () => Promise<void>): Promise<void> {
  try {
    await note();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
