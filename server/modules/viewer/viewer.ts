import type { LiveIntake, LiveRunaways, LiveStop } from '../../../shared/contract/viewer/viewer.ts';
import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import { readId } from '../../ingest/otlp/identifiers.ts';
import { followCommits, followRequests } from './viewer/live.ts';

export const viewerModule = defineModule({
  group: 'viewer',
  needs: ['telemetry', 'liveChanges', 'ingest', 'ingestLog', 'pricing', 'programs'],
  build: ({ telemetry, liveChanges, ingest, ingestLog, pricing, programs }) => ({
    live:
      ({ scope }, { query: { run_id } }) =>
      (send) => {
        const commits = followCommits(liveChanges, scope, (event) => send('commit', event));
        const requests = followRequests(ingestLog, scope, (event) => send('requests', event));
        const sendIntake = () => send('intake', { paused: ingest.isPaused } satisfies LiveIntake);
        const pauses = ingest.followPause(sendIntake);
        sendIntake();
        const runaways = liveChanges.followRunaways(scope, (trace_ids) =>
          send('runaways', { trace_ids: [...trace_ids] } satisfies LiveRunaways),
        );
        const disconnect = run_id === undefined ? null : programs.connect(scope, run_id, () => send('stop', { run_id } satisfies LiveStop));
        return () => {
          commits();
          requests();
          pauses();
          runaways();
          disconnect?.();
        };
      },

    rawSpan: async ({ scope }, { params }) => {
      const found = await telemetry.spans.raw(scope, params.traceId, params.spanId);
      return { data: found ?? fail('span_not_found', `No span ${params.spanId} in trace ${params.traceId}`) };
    },

    place: async ({ scope }, { params: { id } }) => {
      const [trace] = (await telemetry.spans.list(scope, { trace_id: id, limit: 1, offset: 0 })).data.decode();
      if (trace) return { data: { trace_id: trace.trace_id, span_id: null } };
      const [trace_id] = (await telemetry.spans.tracesOf(scope, [id])).decode();
      // Ids are normalised as in ingest, so that all answers agree.
      return { data: trace_id ? { trace_id, span_id: readId(id, 8) } : fail('span_not_found', `No trace and no span ${id}`) };
    },

    price: (_, { query }) => {
      const offer = pricing.resolve(query.model, query.provider ?? '');
      if (!offer) return { data: null };
      const { input, output, cache_read, cache_write, reasoning, tier } = offer.price;
      const { matched, estimated } = offer;
      return { data: { matched, estimated, input, output, cache_read, cache_write, reasoning, tier_above: tier?.above } };
    },

    ingestLog: async ({ scope }, { query }) => ({ data: await ingestLog.latest(scope, query.limit, query.search ?? '') }),
  }),
});
