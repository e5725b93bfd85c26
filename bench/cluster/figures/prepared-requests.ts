/** Requests as a gateway prepares them for the store, without the gateway. */
import { createPricing } from '../../../server/ingest/cost/pricing.ts';
import { decodeJson } from '../../../server/ingest/otlp/decode-json.ts';
import { pack } from '../../../server/ingest/prepare/pack.ts';
import { BatchBuilder } from '../../../server/ingest/prepare/prepare.ts';
import type { Scope } from '../../../server/platform/scope.ts';
import type { PackedRequest } from '../../../server/telemetry/store-requests.ts';
import type { AgentStream } from '../../traffic/agent-stream.ts';
import { encode } from '../../traffic/formats.ts';
import { agentService, type Span } from '../../traffic/span.ts';

const pricing = createPricing();

export interface PreparedRequest {
  request: PackedRequest;
  spans: number;
}

export function prepared(scope: Scope, spans: readonly Span[]): PreparedRequest {
  const builder = new BatchBuilder(pricing, Date.now(), null);
  for (const span of decodeJson(encode(spans, agentService, 'json')).spans) builder.add(span);
  return { request: { kind: 'batch', scope, batch: pack(builder.finish()), allowance: null }, spans: spans.length };
}

/** The next requests of a stream, each with about `spansPerRequest` spans. */
export function* preparedRequests(scope: Scope, stream: AgentStream, spans: number, spansPerRequest: number): Generator<PreparedRequest> {
  for (let made = 0; made < spans; ) {
    const batch: Span[] = [];
    while (batch.length < spansPerRequest) batch.push(...stream.next());
    made += batch.length;
    yield prepared(scope, batch);
  }
}
