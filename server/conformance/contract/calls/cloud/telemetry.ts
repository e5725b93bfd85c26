/** Reads across the traces of a team, and refusals by plans and projects. */
import { aRequest, aSpan } from '../../../../../shared/fixtures/otlp.ts';
import { onDamaged, type Trigger, withoutControl } from '../../trigger.ts';
import { logs as aLog } from '../ingest.ts';
import { capped, smallPlan } from './records.ts';

const metrics = { call: 'GET /v1/metrics', query: 'start_date=2026-01-01T00:00:00Z&end_date=2026-02-01T00:00:00Z' } as const;
const aggregations = { call: 'GET /v1/scores/aggregations' } as const;
const byId = { call: 'GET /v1/spans/{spanId}' } as const;
const searches = (['traces', 'spans', 'scores'] as const).map((what) => ({ call: `POST /v1/${what}/search`, body: {} }) as const);
const badFilter = { filters: [{ field: 'colour', operator: 'equals', value: 'red' }] };
const health = ['GET /v1/health/ingestion', 'GET /v1/health/files', 'GET /ready'] as const;

const spans = { call: 'POST /v1/traces', body: aRequest([aSpan()]) } as const;

export const telemetry: Trigger[] = [
  ...[metrics, aggregations, byId, ...searches].map((each): Trigger => ({ ...each, status: 200 })),
  { ...byId, params: { spanId: 'missing' }, status: 404, code: 'span_not_found' },
  ...searches.map((each): Trigger => ({ ...each, body: badFilter, status: 400, code: 'invalid_filter' })),
  ...[metrics, aggregations, byId, ...searches].flatMap((each) => onDamaged({ ...each, status: 503 })),
  ...health.map((call): Trigger => ({ call, status: 200 })),
  ...health.map((call): Trigger => ({ call, at: withoutControl, status: 503 })),
  { call: 'GET /v1/prompts', status: 501, code: 'not_available_on_cloud' },
  { ...spans, at: smallPlan, status: 429, code: 'span_limit_exceeded' },
  { ...spans, at: capped, status: 429, code: 'storage_cap_exceeded' },
  { call: 'POST /v1/logs', body: aLog, at: capped, status: 429, code: 'storage_cap_exceeded' },
];
