import { apps } from '../../../shared/contract/identity/apps.ts';
import { appGit } from '../../../shared/contract/projects/app-git.ts';
import { deployments } from '../../../shared/contract/projects/deployments.ts';
import { environments } from '../../../shared/contract/projects/environments.ts';
import { notesOn } from '../note.ts';
import { app, commit, ids, page } from './samples.ts';

const path = { appId: ids.app };
const repository = 'acme/support-bot';

const environment = {
  id: ids.production,
  name: 'production',
  is_default: false,
  is_ephemeral: false,
  current_version: 7,
  current_commit_sha: commit,
  latest_deployment_id: ids.deployment,
  epoch: 8,
  source_pr_number: null,
  hosting_app_name: null,
  created_at: '2026-01-10T08:05:00.000Z',
  created_by_id: ids.person,
  kind: 'production' as const,
};

const deployment = {
  ...{ id: ids.deployment, app_id: ids.app, deployment_status: 'success' as const, deployment_type: 'manual' as const },
  ...{ files_status: 'synced' as const, code_status: 'skipped' as const, branch: 'main', commit_sha: commit },
  ...{ commit_message: 'Name the day of delivery', initiated_by: 'Maya Lindqvist', actor_id: ids.person, failure_reason: null },
  ...{ code_failure_reason: null, deployment_duration_ms: 4210, cache_hit: false, cache_decision_kind: null },
  ...{ cache_decision_detail: null, environment_name: 'production', env_version: 7, environment_epoch: 8, note: 'Release 7' },
  ...{ source_env_id: ids.environment, source_deployment_id: null, aborted_by_deployment_id: null },
  ...{ created_at: '2026-01-15T09:30:00.000Z', completed_at: '2026-01-15T09:30:04.210Z' },
};

const started = { data: { deployment_id: ids.deployment, env_version: 7, commit_sha: commit } };
const inProduction = { id: ids.production };
const goesOn =
  'The answer comes before the work: ask for the deployment until its `deployment_status` is no longer `running`. One such operation runs ' +
  'in an environment at a time; another is refused with 409.';

export const appNotes = {
  ...notesOn(apps, {
    list: {
      description: 'The apps of the tenant, the newest first. The id of an app is what other operations take as `X-Service-App-Id`.',
      query: { name: 'support-bot' },
      reply: { data: [app], pagination: page(1) },
    },
    create: {
      description: 'Makes an app with its default environment, `dev`. Names are unique in a tenant. The plan may limit how many there are.',
      body: { name: 'support-bot', display_name: 'Support bot' },
      reply: { data: { ...app, commit_sha: null } },
    },
    get: {
      description: 'One app of the tenant: its names, what it runs on, and the commit that was deployed last.',
      path,
      reply: { data: app },
    },
    update: {
      description: 'Changes what is sent and leaves the rest; null clears a field.',
      path,
      body: { display_name: 'Help desk' },
      reply: { data: { ...app, display_name: 'Help desk', updated_at: '2026-01-20T08:00:00.000Z', updated_by: ids.person } },
    },
    remove: {
      description:
        'Deletes an app with everything in it: telemetry, scores, keys, environments, queues, alerts. It cannot be brought back.',
      path,
    },
  }),
  ...notesOn(appGit, {
    get: {
      description:
        'Whether the app has access to a git provider, and which branch it is deployed from. An app without a connection is no error: ' +
        '`connected` is false.',
      path,
      reply: { data: { connected: true, provider: 'github', repository, branch: 'main', installation_id: 48_210_077 } },
    },
    connect: {
      description:
        'The first step of a connection: send the browser of a person to `authorization_url`. The provider sends it back to the gateway, which ' +
        'completes the connection; then choose a repository. The address serves for ten minutes.',
      path,
      body: { provider: 'github' },
      reply: {
        data: {
          authorization_url: 'https://github.com/apps/acme-glasshouse/installations/new?state=9f2c',
          state: '9f2c',
          expires_at: '2026-01-15T10:40:00.000Z',
        },
      },
    },
    repositories: {
      description: 'The repositories that the provider lets the connection see. 409 `git_connection_missing` before there is one.',
      path,
      reply: { data: [{ full_name: repository, name: 'support-bot', default_branch: 'main' }] },
    },
    branches: {
      description: 'The branches of a repository that the connection reaches.',
      path,
      query: { repository },
      reply: { data: ['main', 'next'] },
    },
    link: {
      description:
        'Deploys the app from this branch from now on: the next push to it is the first deployment. Linking the same branch again changes ' +
        'nothing. 409 where another app has it.',
      path,
      body: { repository, branch: 'main' },
      reply: { data: { repository, branch: 'main', branch_id: 'd94f3f01-6f2c-4c6b-8e1d-5a0f9b2c7e34', commit_sha: commit } },
    },
    unlink: { description: 'Pushes deploy nothing any more. What is deployed stays, and so does the connection to the provider.', path },
  }),
  ...notesOn(environments, {
    list: {
      description: 'The environments of the app: the default one first, the others by age.',
      query: { limit: 50 },
      reply: { data: [environment], pagination: page(1) },
    },
    create: {
      description:
        'Makes an environment in which nothing runs yet; promote something into it. With `pr_number` it is a preview. Keys are made ' +
        'separately, at `api_key_creation_url` by a person or as an API key.',
      body: { name: 'production' },
      reply: {
        data: {
          ...environment,
          ...{ current_version: null, current_commit_sha: null, latest_deployment_id: null, epoch: 1 },
          api_key_creation_url: 'https://glasshouse.acme.example/#/settings/keys?environment=production',
        },
      },
    },
    get: {
      description: 'One environment, with an operation that is going on in it, and with what would be deleted together with it.',
      path: inProduction,
      reply: {
        data: {
          ...environment,
          updated_at: '2026-01-15T09:30:04.210Z',
          in_flight_saga_id: null,
          cascade_preview: { alert_count: 1, api_key_count: 2, deployment_count: 7, template_snapshot_count: 7 },
        },
      },
    },
    remove: {
      description:
        'Deletes an environment with its alerts, keys, deployments and versions; its telemetry stays. The default environment cannot be ' +
        'deleted, nor one in which an operation is going on: 409.',
      path: inProduction,
    },
    deployments: {
      description: 'What was brought into one environment, the newest first.',
      path: inProduction,
      query: { status: 'success' },
      reply: { data: [deployment], pagination: page(1) },
    },
    promote: {
      description: `Brings what runs in another environment, or what a deployment brought, into this one as its next version. The default environment follows its branch and takes no promotions. ${goesOn}`,
      path: inProduction,
      body: { source_env_id: ids.environment, note: 'Release 7' },
      reply: started,
    },
    rollback: {
      description: `Brings an earlier version back, as a new version with a number of its own. ${goesOn}`,
      path: inProduction,
      body: { target_version: 6, note: 'Release 7 answers too late' },
      reply: { data: { ...started.data, env_version: 8 } },
    },
  }),
  ...notesOn(deployments, {
    list: {
      description: 'What was brought into the environments of the app, the newest first: by pushes, promotions and rollbacks.',
      query: { status: 'success' },
      reply: { data: [deployment], pagination: page(1) },
    },
    get: {
      description: 'One deployment: what it brought where, how far files and code are, and why it failed if it did.',
      path: { deploymentId: ids.deployment },
      reply: { data: deployment },
    },
  }),
};
