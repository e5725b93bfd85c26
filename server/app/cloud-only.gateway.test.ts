/** Routes that only the cloud serves: all are declared, and the local gateway answers them 501 (docs/reference/http-api.md#local-and-cloud). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { describeApi, everyRoute } from './openapi.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.stop());

const queue = '/v1/annotation-queues/{queueId}';
const item = `${queue}/items/{itemId}`;
const git = '/v1/apps/{appId}/git';
const evalRun = '/v1/viewer/eval-runs/{runId}';
const workspace = '/v1/workers/environments/{envId}';

const expectedRoutes: [method: string, path: string, statuses: number[], permission: string, id: string][] = [
  ['POST', '/v1/traces/search', [200], 'trace.read', 'search-traces'],
  ['POST', '/v1/spans/search', [200], 'span.read', 'search-spans'],
  ['GET', '/v1/spans/{spanId}', [200], 'span.read', 'get-span'],
  ['GET', '/v1/scores/aggregations', [200], 'score.read', 'get-score-aggregations'],
  ['POST', '/v1/scores/search', [200], 'score.read', 'search-scores'],
  ['GET', '/v1/metrics', [200], 'metrics.read', 'get-metrics'],
  ['GET', '/v1/health/ingestion', [200, 503], 'public', 'get-ingestion-health'],
  ['GET', '/v1/health/files', [200, 503], 'public', 'get-files-health'],
  ['GET', '/ready', [200, 503], 'public', 'get-readiness'],
  ['GET', '/v1/annotation-queues', [200], 'annotation_queue.read', 'list-annotation-queues'],
  ['POST', '/v1/annotation-queues', [201], 'annotation_queue.write', 'create-annotation-queue'],
  ['GET', queue, [200], 'annotation_queue.read', 'get-annotation-queue'],
  ['PATCH', queue, [200], 'annotation_queue.write', 'update-annotation-queue'],
  ['DELETE', queue, [204], 'annotation_queue.delete', 'delete-annotation-queue'],
  ['GET', `${queue}/items`, [200], 'annotation_queue.read', 'list-annotation-queue-items'],
  ['POST', `${queue}/items`, [201], 'annotation_queue.write', 'add-annotation-queue-items'],
  ['POST', `${queue}/items/assign`, [200], 'annotation_queue.write', 'assign-annotation-queue-items'],
  ['GET', item, [200], 'annotation_queue.read', 'get-annotation-queue-item'],
  ['PATCH', item, [200], 'annotation_queue.write', 'update-annotation-queue-item'],
  ['DELETE', item, [204], 'annotation_queue.delete', 'delete-annotation-queue-item'],
  ['POST', `${item}/reviews`, [201], 'annotation_queue.review', 'submit-annotation-queue-review'],
  ['POST', '/v1/score-configs', [201], 'score_config.write', 'create-score-config'],
  ['PUT', '/v1/score-configs/{name}', [200], 'score_config.write', 'replace-score-config'],
  ['GET', `${queue}/progress`, [200], 'annotation_queue.read', 'get-annotation-queue-progress'],
  ['GET', `${queue}/rules`, [200], 'annotation_queue.read', 'list-annotation-queue-rules'],
  ['POST', `${queue}/rules`, [201], 'annotation_queue.write', 'create-annotation-queue-rule'],
  ['PUT', `${queue}/rules/{ruleId}`, [200], 'annotation_queue.write', 'replace-annotation-queue-rule'],
  ['DELETE', `${queue}/rules/{ruleId}`, [204], 'annotation_queue.write', 'delete-annotation-queue-rule'],
  ['POST', `${queue}/rules/preview`, [200], 'trace.read', 'preview-annotation-queue-rule'],
  ['GET', '/v1/comments', [200], 'comment.read', 'list-comments'],
  ['POST', '/v1/comments', [201], 'comment.write', 'create-comment'],
  ['GET', '/v1/comments/{commentId}', [200], 'comment.read', 'get-comment'],
  // Authors may delete their own; for comments of others the handler checks the permission.
  ['DELETE', '/v1/comments/{commentId}', [204], 'signed-in', 'delete-comment'],
  ['POST', '/v1/auth/login', [200], 'public', 'log-in'],
  ['POST', '/v1/auth/logout', [204], 'signed-in', 'log-out'],
  ['GET', '/v1/auth/me', [200], 'signed-in', 'get-me'],
  // Additive, for the dashboard.
  ['POST', '/v1/auth/join', [200], 'public', 'join-tenant'],
  ['POST', '/v1/auth/tenant', [200], 'signed-in', 'enter-tenant'],
  ['PUT', '/v1/auth/password', [204], 'signed-in', 'change-password'],
  ['GET', '/v1/auth/logins', [200], 'signed-in', 'list-logins'],
  ['DELETE', '/v1/auth/logins', [204], 'signed-in', 'end-other-logins'],
  ['DELETE', '/v1/auth/logins/{loginId}', [204], 'signed-in', 'end-login'],
  ['POST', '/v1/auth/password-resets', [204], 'public', 'request-password-reset'],
  ['PUT', '/v1/auth/password-resets', [204], 'public', 'reset-password'],
  ['POST', '/v1/auth/device', [200], 'public', 'start-device-sign-in'],
  ['POST', '/v1/auth/device/token', [200], 'public', 'finish-device-sign-in'],
  ['POST', '/v1/auth/device/find', [200], 'signed-in', 'find-device-sign-in'],
  ['POST', '/v1/auth/device/approve', [200], 'api_key.insert', 'approve-device-sign-in'],
  ['POST', '/v1/auth/device/deny', [204], 'signed-in', 'deny-device-sign-in'],
  ['GET', '/v1/auth/openid', [302], 'public', 'begin-openid-sign-in'],
  ['GET', '/v1/auth/openid/callback', [302], 'public', 'finish-openid-sign-in'],
  ['GET', '/v1/viewer/members', [200], 'app.read', 'list-members'],
  ['PATCH', '/v1/viewer/members/{userId}', [200], 'app.write', 'change-member'],
  ['DELETE', '/v1/viewer/members/{userId}', [204], 'app.write', 'remove-member'],
  ['DELETE', '/v1/viewer/members/{userId}/logins', [204], 'app.write', 'end-member-logins'],
  ['POST', '/v1/viewer/invitations', [201], 'app.write', 'invite-member'],
  ['GET', '/v1/viewer/invitations', [200], 'app.read', 'list-invitations'],
  ['DELETE', '/v1/viewer/invitations/{invitationId}', [204], 'app.write', 'withdraw-invitation'],
  ['GET', '/v1/viewer/notices', [200], 'comment.read', 'list-notices'],
  ['GET', '/v1/viewer/notices/unread', [200], 'comment.read', 'count-unread-notices'],
  ['PATCH', '/v1/viewer/notices/{noticeId}', [200], 'comment.read', 'mark-notice'],
  ['POST', '/v1/viewer/notices/read', [200], 'comment.read', 'mark-all-notices'],
  ['GET', '/v1/audit-log', [200], 'audit_log.read', 'list-audit-log'],
  ['GET', '/v1/viewer/usage', [200], 'app.read', 'get-usage'],
  ['GET', '/v1/api-keys', [200], 'api_key.read', 'list-api-keys'],
  ['POST', '/v1/api-keys', [201], 'api_key.insert', 'create-api-key'],
  ['DELETE', '/v1/api-keys/{apiKeyId}', [204], 'api_key.delete', 'revoke-api-key'],
  ['GET', '/v1/apps', [200], 'app.read', 'list-apps'],
  ['POST', '/v1/apps', [201], 'app.write', 'create-app'],
  ['GET', '/v1/apps/{appId}', [200], 'app.read', 'get-app'],
  ['PATCH', '/v1/apps/{appId}', [200], 'app.write', 'update-app'],
  ['DELETE', '/v1/apps/{appId}', [204], 'app.delete', 'delete-app'],
  ['GET', git, [200], 'app.read', 'get-app-git-connection'],
  ['POST', `${git}/connect`, [200], 'app.write', 'start-app-git-connect'],
  ['GET', `${git}/repositories`, [200], 'app.read', 'list-app-git-repositories'],
  ['GET', `${git}/branches`, [200], 'app.read', 'list-app-git-branches'],
  ['POST', `${git}/link`, [200], 'app.write', 'link-app-repository'],
  ['DELETE', `${git}/link`, [204], 'app.write', 'unlink-app-repository'],
  ['GET', '/v1/git/callback', [302], 'public', 'finish-app-git-connect'],
  ['POST', '/v1/git/webhooks/{provider}', [202], 'public', 'receive-git-webhook'],
  ['GET', '/v1/alerts', [200], 'alert.read', 'list-alerts'],
  ['POST', '/v1/alerts', [201], 'alert.write', 'create-alert'],
  ['GET', '/v1/alerts/slack-channels', [200], 'alert.read', 'list-slack-channels'],
  ['GET', '/v1/alerts/{alertId}', [200], 'alert.read', 'get-alert'],
  ['PUT', '/v1/alerts/{alertId}', [200], 'alert.write', 'update-alert'],
  ['DELETE', '/v1/alerts/{alertId}', [204], 'alert.delete', 'delete-alert'],
  ['GET', '/v1/alerts/{alertId}/history', [200], 'alert.read', 'list-alert-history'],
  ['GET', '/v1/alerts/{alertId}/series', [200], 'alert.read', 'get-alert-series'],
  ['POST', '/v1/alerts/preview', [200], 'alert.read', 'preview-alert'],
  ['PUT', '/v1/alerts/{alertId}/mute', [200], 'alert.write', 'mute-alert'],
  ['DELETE', '/v1/alerts/{alertId}/mute', [200], 'alert.write', 'unmute-alert'],
  ['PUT', '/v1/alerts/{alertId}/acknowledgement', [200], 'alert.write', 'acknowledge-alert'],
  ['GET', '/v1/alert-channels', [200], 'alert.read', 'list-alert-channels'],
  ['POST', '/v1/alert-channels', [201], 'alert.write', 'create-alert-channel'],
  ['PUT', '/v1/alert-channels/{channelId}', [200], 'alert.write', 'update-alert-channel'],
  ['DELETE', '/v1/alert-channels/{channelId}', [204], 'alert.write', 'delete-alert-channel'],
  ['POST', '/v1/alert-channels/{channelId}/test', [200], 'alert.write', 'test-alert-channel'],
  ['GET', '/v1/alert-destinations/webhooks/{environmentId}', [200], 'alert.read', 'get-alert-webhook'],
  ['PUT', '/v1/alert-destinations/webhooks/{environmentId}', [200], 'alert.write', 'put-alert-webhook'],
  ['DELETE', '/v1/alert-destinations/webhooks/{environmentId}', [204], 'alert.write', 'delete-alert-webhook'],
  ['POST', '/v1/alert-destinations/webhooks/{environmentId}/test', [200], 'alert.write', 'test-alert-webhook'],
  ['GET', '/v1/alert-destinations/slack', [200], 'alert.read', 'get-alert-slack'],
  ['PUT', '/v1/alert-destinations/slack', [200], 'alert.write', 'put-alert-slack'],
  ['DELETE', '/v1/alert-destinations/slack', [204], 'alert.write', 'delete-alert-slack'],
  ['POST', '/v1/alert-destinations/slack/test', [200], 'alert.write', 'test-alert-slack'],
  ['GET', '/v1/alerts/{alertId}/deliveries', [200], 'alert.read', 'list-alert-deliveries'],
  ['GET', '/v1/deployments', [200], 'deployment.read', 'list-deployments'],
  ['GET', '/v1/deployments/{deploymentId}', [200], 'deployment.read', 'get-deployment'],
  ['GET', '/v1/retention', [200], 'environment.read', 'get-retention'],
  ['PUT', '/v1/retention', [200], 'trace.delete', 'replace-retention'],
  ['POST', '/v1/retention/preview', [200], 'trace.delete', 'preview-retention'],
  ['POST', '/v1/share-links', [201], 'share_link.write', 'create-share-link'],
  ['GET', '/v1/share-links', [200], 'trace.read', 'list-share-links'],
  ['DELETE', '/v1/share-links/{linkId}', [204], 'share_link.write', 'revoke-share-link'],
  ['GET', '/v1/share-links/settings', [200], 'trace.read', 'get-share-link-settings'],
  ['PUT', '/v1/share-links/settings', [200], 'app.write', 'change-share-link-settings'],
  ['GET', '/v1/shared-trace', [200], 'public', 'get-shared-trace'],
  ['GET', '/v1/shared-trace/spans', [200], 'public', 'get-shared-span-previews'],
  ['GET', '/v1/shared-trace/span', [200], 'public', 'get-shared-span'],
  ['GET', '/v1/environments', [200], 'environment.read', 'list-environments'],
  ['POST', '/v1/environments', [201], 'environment.write', 'create-environment'],
  ['GET', '/v1/environments/{id}', [200], 'environment.read', 'get-environment'],
  ['DELETE', '/v1/environments/{id}', [204], 'environment.delete', 'delete-environment'],
  ['GET', '/v1/environments/{id}/deployments', [200], 'deployment.read', 'list-environment-deployments'],
  ['POST', '/v1/environments/{id}/promote', [202], 'environment.promote', 'promote-environment'],
  ['POST', '/v1/environments/{id}/rollback', [202], 'environment.promote', 'rollback-environment'],
  ['POST', '/v1/evals/escalations', [201], 'eval.write', 'create-eval-escalation'],
  ['POST', '/v1/evals/runs', [201], 'eval.write', 'create-eval-run'],
  ['GET', '/v1/evals/runs/{runId}', [200], 'eval.read', 'get-eval-run'],
  ['POST', '/v1/evals/runs/{runId}/status', [200], 'eval.write', 'report-eval-run-status'],
  ['POST', '/v1/evals/runs/{runId}/trials', [201], 'eval.write', 'ingest-eval-trials'],
  // Additive, for the dashboard.
  ['GET', '/v1/viewer/eval-runs', [200], 'eval.read', 'viewer-list-eval-runs'],
  ['GET', '/v1/viewer/environments/{id}/changes', [200], 'template.read', 'viewer-release-changes'],
  ['GET', '/v1/viewer/environments/{id}/changes/file', [200], 'template.read', 'viewer-release-file'],
  ['GET', evalRun, [200], 'eval.read', 'viewer-eval-run'],
  ['GET', `${evalRun}/tasks`, [200], 'eval.read', 'viewer-list-eval-tasks'],
  ['GET', `${evalRun}/trials`, [200], 'eval.read', 'viewer-list-eval-trials'],
  ['GET', `${evalRun}/escalations`, [200], 'eval.read', 'viewer-list-eval-escalations'],
  ['POST', '/v1/workers/runs', [202], 'worker.run', 'create-worker-run'],
  ['GET', '/v1/workers/runs', [200], 'worker.read', 'list-worker-runs'],
  ['GET', '/v1/workers/runs/{runId}', [200], 'worker.read', 'get-worker-run'],
  // Additive, for the live thread in the dashboard.
  ['GET', '/v1/workers/runs/{runId}/output', [200], 'worker.read', 'list-worker-output'],
  ['GET', '/v1/workers/runs/{runId}/changes', [200], 'worker.read', 'get-worker-changes'],
  ['POST', '/v1/workers/runs/{runId}/cancel', [202], 'worker.run', 'cancel-worker-run'],
  ['POST', '/v1/workers/environments', [202], 'worker.run', 'create-worker-environment'],
  ['GET', '/v1/workers/environments', [200], 'worker.read', 'list-worker-environments'],
  ['GET', workspace, [200], 'worker.read', 'get-worker-environment'],
  ['DELETE', workspace, [204], 'worker.run', 'close-worker-environment'],
  ['POST', `${workspace}/turns`, [202], 'worker.run', 'create-worker-turn'],
  ['GET', `${workspace}/turns`, [200], 'worker.read', 'list-worker-turns'],
  ['POST', '/v1/agents/sessions', [201, 200], 'agent.write', 'ingest-agent-session'],
  ['GET', '/v1/agents/sessions', [200], 'agent.read', 'list-agent-sessions'],
  ['GET', '/v1/agents/sessions/{sessionId}', [200], 'agent.read', 'get-agent-session'],
  ['GET', '/v1/agents/blob/{sha256}', [200, 304], 'agent.read', 'get-agent-blob'],
  // Additive: experiments that a worker runs.
  ['POST', '/v1/experiments', [202], 'worker.run', 'start-experiment'],
  ['GET', '/v1/experiments/{experimentId}/run', [200], 'experiment.read', 'get-experiment-run'],
  ['POST', '/v1/experiments/{experimentId}/cancel', [200], 'worker.run', 'cancel-experiment'],
  ['GET', '/v1/viewer/worker', [200], 'worker.read', 'get-worker'],
  ['GET', '/v1/viewer/worker/evals', [200], 'worker.run', 'list-worker-evals'],
  ['GET', '/v1/connect', [101], 'worker.connect', 'connect-worker'],
];

const declared = everyRoute.filter(({ only }) => only === 'cloud');
const inBraces = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

it('exactly the listed routes are declared for the cloud only', () => {
  const rows = declared.map(({ method, path, status = [200], permission, id }) => [method, inBraces(path), status, permission, id]);
  const byId = (list: unknown[][]) => list.toSorted((a, b) => (String(a[4]) < String(b[4]) ? -1 : 1));
  expect(byId(rows)).toEqual(byId(expectedRoutes));
});

describe('on a local gateway', () => {
  it.each(expectedRoutes)('%s %s is 501 with a hint, whatever is sent', async (method, path) => {
    for (const id of ['x', 'a%2Fb', '7f000000-0000-4000-8000-000000000001']) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{"not":', headers: { 'Content-Type': 'application/json' } };
      const response = await gateway.fetch(`${path.replace(/\{\w+\}/g, id)}?limit=none`, { method, ...body });
      const { error } = (await response.json()) as { error: { code: string; message: string; hint: string } };
      expect([response.status, error.code]).toEqual([501, 'not_available_locally']);
      expect([error.message.includes(method), error.hint.length > 0]).toEqual([true, true]);
    }
  });

  it.each([
    ...['PUT /v1/annotation-queues', 'PATCH /v1/alerts/x', 'POST /v1/metrics/x', 'GET /v1/traces/search/x', 'DELETE /v1/environments'],
    ...['PATCH /v1/comments/x', 'GET /v1/apps/x/git/link', 'GET /v1/agents', 'GET /v1/health', 'POST /v1/connect', 'GET /v1/evals/runs'],
  ])('%s is no route anywhere and answers 404', async (line) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await gateway.fetch(path, { method });
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([404, 'not_found']);
  });

  it('capabilities are false for each of them', async () => {
    const { endpoints } = await gateway.client.platform.capabilities();
    const keys = ['score_analytics', 'search', 'span_detail', 'metrics', 'annotation_queues', 'comments', 'api_keys', 'apps', 'alerts'];
    for (const key of [...keys, 'deployments', 'environments', 'evals', 'workers', 'agents', 'connect', 'experiment_runs'])
      expect(endpoints[key], key).toBe(false);
  });
});

describe('the OpenAPI document', () => {
  const { paths } = describeApi() as {
    paths: Record<string, Record<string, { responses: Record<string, unknown>; requestBody?: object }>>;
  };

  it('has all of them but the WebSocket, with every status they may answer', () => {
    expect(paths['/v1/connect']).toBeUndefined();
    for (const [method, path, statuses] of expectedRoutes.filter(([, , , , id]) => id !== 'connect-worker')) {
      const operation = paths[path]?.[method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {}), `${method} ${path}`).toEqual(
        expect.arrayContaining([...statuses.map(String), '501']),
      );
    }
  });

  it('describes every body as an object with properties, because some tools read nothing else', () => {
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const schema = (requestBody as { content?: Record<string, { schema: { type?: string; properties?: object } }> })?.content?.[
          'application/json'
        ]?.schema;
        if (schema && !('$ref' in schema))
          expect([schema.type, typeof schema.properties], `${method} ${path}`).toEqual(['object', 'object']);
      }
    }
  });
});
