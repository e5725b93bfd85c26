/** Requests of the authorisation matrix: bodies that are valid up to the lookup of the record, and required queries. */
import { pathOf } from '../../../shared/client.ts';
import type { Route } from '../../../shared/contract/core/route.ts';
import { recordName } from '../record-names.ts';
import type { Target } from './expectation.ts';

type Records = Record<string, string>;

const none = '00000000-0000-4000-8000-000000000000';
const trace = { resource_id: 'a'.repeat(32) };

/** For routes that need more than an empty body. */
const bodies: Record<string, object> = {
  'update-annotation-queue': { description: 'x' },
  'add-annotation-queue-items': { items: [trace] },
  'assign-annotation-queue-items': { item_ids: [none], assigned_to: null },
  'update-annotation-queue-item': { status: 'in_progress' },
  'replace-annotation-queue-rule': { filter: '', sample_percent: 5, max_per_day: 9, paused: true },
  'submit-annotation-queue-review': { status: 'skipped' },
  'change-member': { role: 'read' },
  'update-app': { display_name: 'x' },
  'start-app-git-connect': { provider: 'github' },
  'link-app-repository': { repository: 'a/b', branch: 'c' },
  'preview-alert': { metric: 'cost', threshold: 1, time_window: 5 },
  'mute-alert': { until: '2199-01-01T00:00:00Z' },
  'update-alert': { name: 'x', metric: 'cost', threshold: 1, time_window: 5 },
  'create-alert-channel': { kind: 'slack', name: 'made', address: 'https://hooks.example.com/x' },
  'update-alert-channel': { name: 'renamed' },
  'put-alert-webhook': { url: 'https://hooks.example.com/x' },
  'promote-environment': { source_env_id: none },
  'rollback-environment': { target_version: 1 },
  'report-eval-run-status': { error: 'x' },
  'ingest-eval-trials': { trials: [{ task_id: 'x', status: 'failed' }] },
  'create-share-link': { trace_id: 'f'.repeat(32), hides: { contents: true, attributes: true, costs: true } },
  'change-share-link-settings': { allowed: true },
  'mark-notice': { is_read: true },
  'replace-score-config': { data_type: 'boolean', archived: false },
  mcp: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  'create-worker-turn': { task_prompt: 'look' },
};

const queries: Record<string, Record<string, string>> = {
  'list-app-git-branches': { repository: 'team/owls' },
  'get-experiment-baseline': { experiment_key: 'eval', tree_hash: 'abc' },
  'viewer-span-previews': { ids: 'b'.repeat(16) },
  'get-shared-span-previews': { ids: 'b'.repeat(16) },
  'get-shared-span': { id: 'b'.repeat(16) },
  'viewer-find-spans': { q: 'owls' },
  'viewer-release-file': { path: 'agentmark.json' },
  'get-metrics': { start_date: '2026-01-01T00:00:00Z', end_date: '2026-02-01T00:00:00Z' },
};

/** Without these headers a WebSocket route refuses every caller in the same way. */
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAECAwQFBgcICQoLDA0ODw==',
};

export interface PlannedRequest {
  path: string;
  /** Valid up to the lookup of the record. Null when the route takes none. */
  body: object | null;
  /** Without the credentials. */
  headers: Record<string, string>;
  /** Whether the schema refuses the parameters. */
  isMalformed: boolean;
  params: Record<string, string>;
  /** Ids in the path. */
  ids: string[];
}

/** Null when the route has no such target. @param records by owner */
export function requestFor(route: Route, target: Target, records: Record<'ours' | 'beside' | 'theirs', Records>): PlannedRequest | null {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0 && target !== 'ours') return null;
  if (target === 'mixed' && names.length < 2) return null;
  const idFor = (name: string, index: number): string => {
    const record = recordName(route.id, name);
    if (target === 'malformed') return 'not an id';
    if (target === 'missing') return missingFor(route, name);
    if (target === 'mixed') return records[index === 0 ? 'ours' : 'theirs'][record] ?? none;
    return records[target][record] ?? none;
  };
  const params = Object.fromEntries(names.map((name, index) => [name, idFor(name, index)]));
  const isMalformed = route.params !== undefined && !route.params.safeParse(params).success;
  const body = route.body && !route.takes ? (bodies[route.id] ?? {}) : null;
  const headers = route.wire === 'socket' ? upgrade : {};
  return { path: pathOf(route.path, params, queries[route.id]), body, headers, isMalformed, params, ids: Object.values(params) };
}

const missingFor = ({ params }: Route, name: string): string => {
  const schema = (params as { shape?: Record<string, { safeParse(value: unknown): { success: boolean } }> } | undefined)?.shape?.[name];
  return schema?.safeParse('missing').success ? 'missing' : none;
};
