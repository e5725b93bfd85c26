/** Parameters of paths that share a name and not what it names: which record is meant, by the id of the route. */
const eachEvalRun = ['get-eval-run', 'report-eval-run-status', 'ingest-eval-trials', 'viewer-eval-run', 'viewer-list-eval-tasks'];
const evalRun = [...eachEvalRun, 'viewer-list-eval-trials', 'viewer-list-eval-escalations'];

const meant: Record<string, Record<string, string>> = {
  'viewer-place': { id: 'spanId' },
  'get-agent-session': { sessionId: 'agentSessionId' },
  'get-agent-blob': { sha256: 'blobSha256' },
  'get-experiment-run': { experimentId: 'startedId' },
  'cancel-experiment': { experimentId: 'startedId' },
  ...Object.fromEntries(evalRun.map((id) => [id, { runId: 'evalRunId' }])),
};

export const recordName = (routeId: string, parameter: string): string => meant[routeId]?.[parameter] ?? parameter;
