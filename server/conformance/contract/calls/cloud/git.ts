/** Git connections of apps, and webhooks of git hosts. */
import { type Trigger, withoutControl } from '../../trigger.ts';
import { missing, smallPlan } from './records.ts';

const git = '/v1/apps/{appId}/git' as const;
const connect = { call: `POST ${git}/connect`, body: { provider: 'github' } } as const;
const repositories = { call: `GET ${git}/repositories` } as const;
const branches = { call: `GET ${git}/branches`, query: 'repository=team%2Fowls' } as const;
const link = { call: `POST ${git}/link`, body: { repository: 'team/owls', branch: 'main' } } as const;
const unlink = { call: `DELETE ${git}/link` } as const;
const all = [{ call: `GET ${git}` } as const, connect, repositories, branches, link, unlink];

const callback = { call: 'GET /v1/git/callback', query: 'state={state}&code={code}', headers: { cookie: '{stateCookie}' } } as const;
const event = {
  call: 'POST /v1/git/webhooks/{provider}',
  headers: { 'x-github-event': 'push', 'x-github-delivery': 'one', 'x-hub-signature-256': '{pushSignature}' },
  body: '{push}',
} as const;
const unconfigured = { at: smallPlan, status: 503, code: 'git_connect_not_configured' } as const;

export const gitHosts: Trigger[] = [
  ...all.map((each) => missing(each, 'appId', 'app_not_found')),
  ...[repositories, branches, link].map(
    (each): Trigger => ({ ...each, params: { appId: '{unconnectedAppId}' }, status: 409, code: 'git_connection_missing' }),
  ),
  { ...link, status: 409, code: 'repo_branch_already_linked' },
  { ...event, status: 202 },
  { ...event, headers: { ...event.headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }, status: 401, code: 'unauthorized' },
  { ...callback, status: 302, type: '' },
  { call: `GET ${git}`, status: 200 },
  { ...connect, status: 200 },
  { ...repositories, status: 200 },
  { ...branches, status: 200 },
  { ...link, body: { ...link.body, branch: 'other' }, status: 200 },
  { ...unlink, params: { appId: '{connectedAppId}' }, status: 204, type: '' },
  ...[connect, callback, event].map((each): Trigger => ({ ...each, ...unconfigured })),
  ...[callback, event].map((each): Trigger => ({ ...each, at: withoutControl, status: 503, code: 'storage_unavailable' })),
];
