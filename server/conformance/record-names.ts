/** Path parameters whose name means different records on different routes: the record that is meant, by route id. */
const evalRunRoutes = [
  ...['get-eval-run', 'report-eval-run-status', 'ingest-eval-trials', 'viewer-eval-run', 'viewer-list-eval-tasks'],
  ...['viewer-list-eval-trials', 'viewer-list-eval-escalations'],
];

const records: Record<string, Record<string, string>> = {
  'viewer-place': { id: 'spanId' },
  'get-agent-session': { sessionId: 'agentSessionId' },
  'get-agent-blob': { sha256: 'blobSha256' },
  'get-experiment-run': { experimentId: 'startedId' },
  'cancel-experiment': { experimentId: 'startedId' },
  ...Object.fromEntries(evalRunRoutes.map((id) => [id, { runId: 'evalRunId' }])),
};

export const recordName = (routeId: string, parameter: string): string => records[routeId]?.[parameter] ?? parameter;
