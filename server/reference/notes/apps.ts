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

const startedDeployment = { data: { deployment_id: ids.deployment, env_version: 7, commit_sha: commit } };
const productionPath = { id: ids.production };
const asyncNote =
  'The answer comes before the work: poll the deployment until its `deployment_status` is no longer `running`. Only one such operation ' +
  'runs in an environment at a time; another is refused with 409.';

export const appNotes = {
  ...notesOn(apps, {
    list: {
      description: 'The apps of the tenant, newest first. Other operations take the id of an app as `X-Service-App-Id`.',
      query: { name: 'support-bot' },
      reply: { data: [app], pagination: page(1) },
    },
    create: {
      description:
        'Creates an app with its default environment, `dev`. Names are unique in a tenant. The plan may limit the number of apps.',
      body: { name: 'support-bot', display_name: 'Support bot' },
      reply: { data: { ...app, commit_sha: null } },
    },
    get: {
      description: 'One app of the tenant: its names, its runtime, and the last deployed commit.',
      path,
      reply: { data: app },
    },
    update: {
      description: 'Changes the given properties and keeps the others; null clears a field.',
      path,
      body: { display_name: 'Help desk' },
      reply: { data: { ...app, display_name: 'Help desk', updated_at: '2026-01-20T08:00:00.000Z', updated_by: ids.person } },
    },
    remove: {
      description: 'Deletes an app with everything in it: telemetry, scores, keys, environments, queues, alerts. This cannot be undone.',
      path,
    },
  }),
  ...notesOn(appGit, {
    get: {
      description:
        'Whether the app has access to a git provider, and which branch it is deployed from. An app without a connection is not an error: ' +
        '`connected` is false.',
      path,
      reply: {
        data: { connected: true, provider: 'github', repository, branch: 'main', installation_id: 48_210_077, providers: ['github'] },
      },
    },
    connect: {
      description:
        'The first step of a connection: send the browser of a person to `authorization_url`. The provider sends it back to the gateway, which ' +
        'completes the connection; then choose a repository. The URL is valid for ten minutes.',
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
      description: 'The repositories that the connection can access. 409 `git_connection_missing` when there is no connection.',
      path,
      reply: { data: [{ full_name: repository, name: 'support-bot', default_branch: 'main' }] },
    },
    branches: {
      description: 'The branches of a repository that the connection can access.',
      path,
      query: { repository },
      reply: { data: ['main', 'next'] },
    },
    link: {
      description:
        'Deploys the app from this branch from now on: the next push to it is the first deployment, or its head with `deploy`. Linking ' +
        'the same branch again changes nothing, but with `deploy` it deploys its head. 409 when another app is linked to it.',
      path,
      body: { repository, branch: 'main' },
      reply: { data: { repository, branch: 'main', branch_id: 'd94f3f01-6f2c-4c6b-8e1d-5a0f9b2c7e34', commit_sha: commit } },
    },
    unlink: {
      description: 'Pushes are no longer deployed. The current deployment stays, and so does the connection to the provider.',
      path,
    },
  }),
  ...notesOn(environments, {
    list: {
      description: 'The environments of the app: the default one first, the others by age.',
      query: { limit: 50 },
      reply: { data: [environment], pagination: page(1) },
    },
    create: {
      description:
        'Creates an environment in which nothing runs yet; promote a deployment to it. With `pr_number` it is a preview. Its keys are created ' +
        'separately, by a person at `api_key_creation_url` or through the operation for API keys.',
      body: { name: 'production' },
      reply: {
        data: {
          ...environment,
          ...{ current_version: null, current_commit_sha: null, latest_deployment_id: null, epoch: 1 },
          api_key_creation_url: `https://glasshouse.acme.example/#/settings/keys?form=new&app=${ids.app}&environment=production`,
        },
      },
    },
    get: {
      description: 'One environment, with the operation that is running in it, if any, and what would be deleted with it.',
      path: productionPath,
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
        'deleted, nor one in which an operation is running: 409.',
      path: productionPath,
    },
    deployments: {
      description: 'The deployments to one environment, newest first.',
      path: productionPath,
      query: { status: 'success' },
      reply: { data: [deployment], pagination: page(1) },
    },
    promote: {
      description: `Deploys what runs in another environment, or the commit of a deployment, to this environment as its next version. The default environment follows its branch and takes no promotions. ${asyncNote}`,
      path: productionPath,
      body: { source_env_id: ids.environment, note: 'Release 7' },
      reply: startedDeployment,
    },
    rollback: {
      description: `Deploys an earlier version again, as a new version with its own number. ${asyncNote}`,
      path: productionPath,
      body: { target_version: 6, note: 'Release 7 answers too late' },
      reply: { data: { ...startedDeployment.data, env_version: 8 } },
    },
  }),
  ...notesOn(deployments, {
    list: {
      description: 'The deployments to the environments of the app by pushes, promotions and rollbacks, newest first.',
      query: { status: 'success' },
      reply: { data: [deployment], pagination: page(1) },
    },
    get: {
      description: 'One deployment: its commit and environment, the status of files and code, and why it failed, if it did.',
      path: { deploymentId: ids.deployment },
      reply: { data: deployment },
    },
  }),
};
