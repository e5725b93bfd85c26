/** A shared trace, for whoever has the token of its link. */
import type { IncomingMessage } from 'node:http';
import { type sharedTraceRoutes, shareTokenHeader } from '../../../../shared/contract/tracing/shared-trace.ts';
import { Failure } from '../../../app/fail.ts';
import { Answer, type Handlers } from '../../../app/module.ts';
import type { Services } from '../../../app/services.ts';
import type { ControlStore } from '../../../control/control-store.ts';
import type { OpenShareLink } from '../../../control/share-link-store.ts';
import { digestOf } from '../../../identity/key-value.ts';
import { StorageError } from '../../../telemetry/storage-error.ts';
import type { TelemetryStore } from '../../../telemetry/store.ts';
import { sharedOutline, sharedPreview, sharedSpan, shownBy } from './shared-fields.ts';

const MiB = 1024 * 1024;
/** Answers are parsed here, so larger ones would hold up other requests. */
export const outlineBytesMax = 4 * MiB;
const spanBytesMax = 4 * MiB;

const headers = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };
const plausibleToken = /^[\w-]{43}$/;

/** The same for unknown, expired, revoked and forbidden links, and for traces that are gone or have grown too large. */
const unknown = (): never => {
  throw new Failure('share_link_not_found', 'This link does not work. It may have expired, or was revoked', {}, null, headers);
};

export const sharedTraceHandlers = ({
  control,
  telemetry,
}: Pick<Services, 'control' | 'telemetry'>): Handlers<typeof sharedTraceRoutes> => ({
  readTrace: async ({ request }) => {
    const link = await linkOf(control, request);
    const outline = (await telemetry.traces.outline(link.scope, link.trace_id)) ?? unknown();
    if (outline.json.length > outlineBytesMax) unknown();
    await countOpening(control, link);
    const { tenant_name, expires_at, hides } = link;
    const trace = sharedOutline(outline.decode(), shownBy(hides));
    return new Answer(200, { data: { tenant_name, expires_at, hides, trace } }, headers);
  },

  readPreviews: async ({ request }, { query: { ids } }) => {
    const link = await linkOf(control, request);
    const { scope, trace_id, hides } = link;
    const found = (await telemetry.spans.previews(scope, trace_id, ids)).decode();
    if (found.length === 0) await assertTrace(telemetry, link);
    return new Answer(200, { data: found.map((span) => sharedPreview(span, shownBy(hides))) }, headers);
  },

  readSpan: async ({ request }, { query: { id: spanId } }) => {
    const link = await linkOf(control, request);
    const { scope, trace_id, hides } = link;
    const [io, raw] = await Promise.all([telemetry.spans.io(scope, trace_id, spanId), telemetry.spans.raw(scope, trace_id, spanId)]);
    if (!io || !raw) {
      await assertTrace(telemetry, link);
      throw new Failure('span_not_found', `No span ${spanId} in the trace`, {}, null, headers);
    }
    const small = [io, raw].map(({ json }) => json.length <= spanBytesMax);
    const span = sharedSpan(small[0] ? io.decode() : null, small[1] ? raw.decode() : null, shownBy(hides));
    return new Answer(200, { data: span }, headers);
  },
});

async function linkOf(control: ControlStore, { headers: sent }: IncomingMessage): Promise<OpenShareLink> {
  const token = sent[shareTokenHeader];
  if (typeof token !== 'string' || !plausibleToken.test(token)) return unknown();
  return (await control.shareLinks.findOpen(digestOf(token))) ?? unknown();
}

/** A link to a trace that is gone is answered like an unknown one. */
async function assertTrace({ spans }: TelemetryStore, { scope, trace_id }: OpenShareLink): Promise<void> {
  if ((await spans.list(scope, { trace_id, limit: 1, offset: 0 })).data.decode().length === 0) unknown();
}

/** A full disk must not refuse readers just because an opening cannot be counted. */
async function countOpening({ shareLinks }: ControlStore, { id }: OpenShareLink): Promise<void> {
  try {
    await shareLinks.countOpening(id);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
