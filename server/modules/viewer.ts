import type { LiveEvent } from '../../shared/contract/viewer.ts';
import { fail } from '../app/fail.ts';
import { Answer, defineModule } from '../app/module.ts';
import { sameScope } from '../platform/scope.ts';
import type { SpanMedia } from '../telemetry/span-reader.ts';

/** Commits come hundreds a second under load; a screen needs to know a few times a second. A lone commit is told at once. */
const gatherMs = 150;
const traceIdsMax = 200;

export const viewerModule = defineModule({
  group: 'viewer',
  needs: ['telemetry', 'ingestLog'],
  build: ({ telemetry, ingestLog }) => ({
    live:
      ({ scope }) =>
      (send) => {
        let gathered = new Set<string>();
        let span_count = 0;
        let timer: NodeJS.Timeout | null = null;
        const tell = () => {
          timer = null;
          if (span_count === 0) return;
          const trace_ids = [...gathered].slice(0, traceIdsMax);
          send('commit', { trace_ids, span_count, more: gathered.size > traceIdsMax } satisfies LiveEvent);
          gathered = new Set();
          span_count = 0;
          timer = setTimeout(tell, gatherMs);
        };
        const unfollow = telemetry.follow((notice) => {
          if (!sameScope(notice.scope, scope)) return;
          for (const id of notice.trace_ids) if (gathered.size <= traceIdsMax) gathered.add(id);
          span_count += notice.span_count;
          if (timer === null) tell();
        });
        return () => {
          unfollow();
          if (timer) clearTimeout(timer);
        };
      },

    rawSpan: async ({ scope }, { params }) => {
      const found = await telemetry.spans.raw(scope, params.traceId, params.spanId);
      return { data: found ?? fail('span_not_found', `No span ${params.spanId} in trace ${params.traceId}`) };
    },

    media: async ({ scope }, { params: { traceId, spanId, sha256 } }) => {
      const found = await telemetry.spans.media(scope, traceId, spanId, sha256);
      return mediaAnswer(found ?? fail('media_not_found', `No media ${sha256} in span ${spanId} of trace ${traceId}`), sha256);
    },

    ingestLog: ({ scope }, { query }) => ({ data: ingestLog.latest(scope, query.limit, query.search ?? '') }),
  }),
});

/**
 * Bytes that anybody may have written, from the address that also serves the viewer (reliability C23). Pictures, sounds and films that
 * are what they claim to be may be shown; all else, SVG and HTML with it, is a file of no type that a browser can only save.
 */
function mediaAnswer({ bytes, type }: SpanMedia, sha256: string): Answer {
  const isShown = /^(image|audio|video)\//.test(type);
  return new Answer(200, bytes, {
    'Content-Type': type || 'application/octet-stream',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ...(isShown
      ? {}
      : { 'Content-Disposition': `attachment; filename="${sha256.slice(0, 12)}.${type === 'application/pdf' ? 'pdf' : 'bin'}"` }),
    ETag: `"${sha256}"`,
  });
}
