import { aRequest, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../ingest/cost/pricing.ts';
import { decodeJson } from '../../ingest/otlp/decode-json.ts';
import type { RawLog } from '../../ingest/otlp/raw-span.ts';
import { BatchBuilder } from '../../ingest/prepare/prepare.ts';
import type { PreparedBatch } from '../../ingest/prepare/prepared.ts';
import type { EnvironmentAttribution } from '../../platform/environment-attribution.ts';

const pricing = createPricing();

/** Default arrival time of batches, a minute after the default start of test spans. */
export const arrivalMs = testEpochMs + 60_000;

/** The batch that a decode thread would make from a request with these spans and log records. */
export function batchOf(
  spans: object[],
  received_ms: number = arrivalMs,
  logs: RawLog[] = [],
  attribution: EnvironmentAttribution | null = null,
): PreparedBatch {
  const { spans: decoded, rejected } = decodeJson(Buffer.from(JSON.stringify(aRequest(spans))));
  if (rejected.length > 0) throw new Error(`The test sends invalid spans: ${rejected.join('; ')}`);
  const builder = new BatchBuilder(pricing, received_ms, attribution);
  for (const span of decoded) builder.add(span);
  for (const log of logs) builder.addLog({ log, turn: null, resource: null });
  return builder.finish();
}
