import type { LiveEvent } from '../../shared/contract/viewer.ts';
import { fail } from '../app/fail.ts';
import { defineModule } from '../app/module.ts';
import { sameScope } from '../platform/scope.ts';

/** Commits come hundreds a second under load; a screen needs to know a few times a second. A lone commit is told at once. */
const gatherMs = 150;
const traceIdsMax = 200;

export const viewerModule = defineModule({
  group: 'viewer',
  needs: ['telemetry', 'ingestLog', 'pricing'],
  build: ({ telemetry, ingestLog, pricing }) => ({
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

    price: (_, { query }) => {
      const offer = pricing.resolve(query.model, query.provider ?? '');
      if (!offer) return { data: null };
      const { input, output, cache_read, cache_write, reasoning, tier } = offer.price;
      const { matched, estimated } = offer;
      return { data: { matched, estimated, input, output, cache_read, cache_write, reasoning, tier_above: tier?.above } };
    },

    ingestLog: ({ scope }, { query }) => ({ data: ingestLog.latest(scope, query.limit, query.search ?? '') }),
  }),
});
