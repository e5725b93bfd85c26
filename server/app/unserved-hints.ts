/** Hints for routes that this gateway does not serve. */
import type { Route } from '../../shared/contract/core/route.ts';

type Unserved = 'not_available_locally' | 'not_available_on_cloud';

/** Local alternatives to routes of the cloud, by route id. */
const localAlternatives: Readonly<Record<string, string>> = {
  'search-traces': 'Use GET /v1/traces?filter= here: it takes the same fields, and GET /v1/filter-schema lists them.',
  'search-spans': 'Use GET /v1/traces?filter= here to find the traces, then GET /v1/traces/{traceId}/spans for their spans.',
  'search-scores': 'Use GET /v1/scores here, with name, source, resource_id or session_id.',
  'get-span': 'Use GET /v1/traces/{traceId}/spans/{spanId} here.',
  'get-score-aggregations': 'Use GET /v1/scores?name= here and sum the scores up, or GET /v1/scores/names for their names.',
  'get-metrics': 'Use GET /v1/traces?filter= here and sum up cost, tokens and latency_ms; the dashboard of the viewer has the charts.',
  'get-ingestion-health': 'Use GET /health here.',
  'get-files-health': 'Use GET /health here.',
  'get-readiness': 'Use GET /health here.',
  'create-comment': 'Use POST /v1/scores here with a reason, which is kept beside the trace.',
  'list-agent-sessions': 'Use GET /v1/sessions here.',
  'get-agent-session': 'Use GET /v1/sessions/{sessionId}/traces here.',
  'ingest-agent-session': 'Send OTLP to POST /v1/traces or POST /v1/logs here: coding agents export both.',
  'start-experiment': 'Run the experiment with the SDK here: it sends its traces to POST /v1/traces, and GET /v1/experiments lists it.',
  'get-experiment-run': 'Use GET /v1/experiments/{experimentId} here.',
};

/** Hints for other routes of the cloud, by tag. */
const localHintsByTag: Readonly<Record<string, string>> = {
  auth: 'Nobody signs in to the local gateway: every request is let in, with no credential.',
  'api-keys': 'The local gateway takes requests without a key.',
  'annotation-queues': 'Use POST /v1/scores here to judge a trace or a span; there are no queues.',
  apps: 'The local gateway has one app: leave the app header out.',
  environments: 'The local gateway has no environments: what it serves is the project folder it was started with.',
  deployments: 'Nothing is deployed to the local gateway: it reads the project folder it was started with.',
};

/** Cloud alternatives to routes of the local gateway, by route id. */
const cloudAlternatives: Readonly<Record<string, string>> = {
  'list-run-traces': 'Use GET /v1/experiments/{experimentId} here for its items, then GET /v1/traces/{traceId}.',
  'viewer-export-otlp': 'Use GET /v1/traces/{traceId} and GET /v1/traces/{traceId}/spans here.',
  'viewer-import-capsule': 'Send the spans as OTLP to POST /v1/traces here.',
};

export function hintOf(route: Pick<Route, 'id' | 'tag'>, code: Unserved): string {
  if (code === 'not_available_on_cloud')
    return cloudAlternatives[route.id] ?? 'Only the local gateway serves this: it is about the machine that it runs on.';
  return (
    localAlternatives[route.id] ??
    localHintsByTag[route.tag] ??
    'Glasshouse Cloud serves this route, for teams; a local gateway has nothing like it.'
  );
}
