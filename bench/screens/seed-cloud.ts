/** Fills a test cloud with the data of a team: people, keys, releases, a triggered alert, and a queue with one reviewed item. */
import { setTimeout as after } from 'node:timers/promises';
import { aDevice } from '../../server/fixtures/a-device.ts';
import { runEnded } from '../../server/fixtures/agent-run-stand.ts';
import { scriptedAgents } from '../../server/fixtures/scripted-runtime.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../server/fixtures/test-cloud.ts';
import type { MailSettings } from '../../server/mail/mail-settings.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { questions, runExperiment } from './seed-experiment.ts';

export interface SeededCloud {
  cloud: TestCloud;
  environment: string;
  alert: string;
  queue: string;
  /** An experiment that is still running. */
  experiment: string;
  evalRun: string;
  workspace: string;
  /** A task without a workspace. */
  run: string;
  /** A trace with a link, and the token of the link. */
  shared: string;
  shareToken: string;
  /** The code of a machine that is to be linked. */
  code: string;
}

const roundMs = 500;
const alertWaitMs = 90_000;

/** For the screens of a gateway that sends e-mail. Nothing listens there. */
const mail: MailSettings = {
  ...{ host: '127.0.0.1', port: 9, security: 'optional', login: null },
  from: { name: '', address: 'glasshouse@acme.test' },
};

export async function seedCloud(): Promise<SeededCloud> {
  const cloud = await startTestCloud({ mail, alerts: { times: { roundMs } }, codingAgents: scriptedAgents() });
  const { tenant } = cloud;
  for (const [at, question] of questions.entries()) await cloud.ingest(tenant, aRequest(anAnswer(question, at)));
  const environment = await release(tenant);
  await addKeys(tenant);
  await addPeople(cloud);
  const alert = await addAlerts(tenant, environment);
  const queue = await addQueue(tenant);
  const experiment = await runExperiment(cloud);
  const evalRun = await addEvals(tenant);
  await addAgentSession(tenant);
  const tasks = await startTasks(tenant);
  await administer(cloud);
  const links = await addLinks(tenant);
  return {
    cloud,
    environment,
    alert,
    queue,
    experiment,
    evalRun,
    ...tasks,
    ...links,
    code: (await aDevice(cloud)).user_code,
  };
}

/** Two links to one trace, one of which is revoked. */
async function addLinks({ owner }: TestTenant): Promise<Pick<SeededCloud, 'shared' | 'shareToken'>> {
  const [trace] = (await owner.traces.list({ query: { name: 'answer a customer' } })).data;
  const shared = trace?.id ?? '';
  const body = { trace_id: shared, hides: { contents: false, attributes: true, costs: true } };
  await owner.shareLinks.revoke({ params: { linkId: (await owner.shareLinks.create({ body })).data.id } });
  const { url } = (await owner.shareLinks.create({ body })).data;
  return { shared, shareToken: url.slice(url.lastIndexOf('/') + 1) };
}

function anAnswer(question: string, at: number): object[] {
  const traceId = aTraceId();
  const spanId = aSpanId();
  const startMs = Date.now() - 60_000 * (at + 1);
  const isFailed = at % 2 === 1;
  return [
    aSpan({
      traceId,
      spanId,
      name: 'answer a customer',
      startMs,
      durationMs: 2400,
      attributes: { 'gen_ai.operation.name': 'invoke_agent' },
    }),
    aChat({
      ...{ traceId, parentSpanId: spanId, startMs: startMs + 20, durationMs: 2100, model: 'gpt-4o-mini' },
      ...{ ask: question, reply: 'See the handbook.' },
      ...(isFailed ? { status: 'ERROR' as const, statusMessage: 'rate limited by the provider' } : {}),
    }),
  ];
}

/** Two promotions and a rollback. */
async function release({ owner }: TestTenant): Promise<string> {
  const { data: production } = await owner.environments.create({ body: { name: 'production' } });
  await owner.environments.create({ body: { name: 'staging' } });
  await owner.environments.create({ body: { name: 'pr-214', pr_number: 214 } });
  const [home] = (await owner.environments.list({})).data;
  await owner.retention.replace({ body: { keep_days: 365, environments: [{ environment_id: production.id, keep_days: 730 }] } });
  const params = { id: production.id };
  for (const note of ['The refund prompt', 'Shorter answers']) {
    await owner.environments.promote({ params, body: { source_env_id: home?.id ?? '', note } });
    await waitUntilPromoted(owner, production.id);
  }
  await owner.environments.rollback({ params, body: { target_version: 1, note: 'They were too short' } });
  await waitUntilPromoted(owner, production.id);
  return production.id;
}

async function waitUntilPromoted(owner: TestTenant['owner'], id: string): Promise<void> {
  while ((await owner.environments.get({ params: { id } })).data.in_flight_saga_id !== null) await after(50);
}

async function addKeys({ owner }: TestTenant): Promise<void> {
  const sdk = ['trace.write', 'template.read', 'score.write'] as const;
  await owner.apiKeys.create({ body: { name: 'support-bot, production', permissions: [...sdk], environment_name: 'production' } });
  await owner.apiKeys.create({ body: { name: 'pull requests', permissions: [...sdk], environment_kinds: ['preview'] } });
  await owner.apiKeys.create({ body: { name: 'nightly export', permissions: ['trace.read', 'span.read'] } });
}

/** Two members, and one open invitation. */
async function addPeople({ tenant: { owner, user_id, app_id }, as }: TestCloud): Promise<void> {
  const invite = async (email: string, name: string, role: 'admin' | 'write' | 'read') =>
    (await owner.members.invite({ body: { email, name, role } })).data.code;
  const { data: traces } = await owner.traces.list({ query: { limit: 2 } });
  const asked = `@[Owner](user:${user_id}) is this the old refund rule? The handbook says 30 days since March.`;
  for (const code of [await invite('mira@acme.test', 'Mira', 'admin'), await invite('jonas@acme.test', 'Jonas', 'write')]) {
    const { data } = await as(null).auth.join({ body: { code, password: 'as long as it must be' } });
    for (const { id: resource_id } of traces) await as(data.token, app_id).comments.create({ body: { resource_id, body: asked } });
  }
  const [newest] = (await owner.notices.list({})).data;
  if (newest) await owner.notices.mark({ params: { noticeId: newest.id }, body: { is_read: true } });
  await invite('auditor@partner.test', 'Auditor', 'read');
}

/** What the audit log shows first: a new role, a revoked key, and somebody who tries to sign in. */
async function administer({ tenant: { owner }, as }: TestCloud): Promise<void> {
  const jonas = (await owner.members.list()).data.find(({ name }) => name === 'Jonas');
  if (jonas) await owner.members.change({ params: { userId: jonas.id }, body: { role: 'admin' } });
  const { data: key } = await owner.apiKeys.create({ body: { name: 'laptop of Jonas', permissions: ['trace.read'] } });
  await owner.apiKeys.revoke({ params: { apiKeyId: key.id } });
  await as(null)
    .auth.login({ body: { email: 'mira@acme.test', password: 'not that of Mira' } })
    .catch(() => undefined);
}

/** One of them is triggered, because half of the calls failed. */
async function addAlerts({ owner, user_id: owner_id }: TestTenant, environment_id: string): Promise<string> {
  const { data: alert } = await owner.alerts.create({
    body: { name: 'Calls of models fail', metric: 'error_rate', threshold: 5, time_window: 30, use_webhook: true },
  });
  await owner.alerts.create({
    body: { name: 'Slow answers', metric: 'latency', threshold: 4000, time_window: 15, use_slack: true, environment_id },
  });
  const channel = async (body: Parameters<typeof owner.alertChannels.create>[0]['body']) =>
    (await owner.alertChannels.create({ body })).data.id;
  const channel_ids = [
    await channel({ kind: 'pagerduty', name: 'On call', address: '0123456789abcdef0123456789abcdef' }),
    await channel({ kind: 'teams', name: 'Support team', address: 'https://prod-1.westeurope.logic.azure.com/workflows/sample' }),
    await channel({ kind: 'email', name: 'Mira by e-mail', address: 'mira@acme.test' }),
  ];
  const budget = { name: 'Budget of the hour', metric: 'cost', threshold: 20, time_window: 60 } as const;
  await owner.alerts.create({ body: { ...budget, use_webhook: true, channel_ids, owner_id } });
  const until = Date.now() + alertWaitMs;
  while (Date.now() < until) {
    if ((await owner.alerts.get({ params: { alertId: alert.id } })).data.status === 'triggered') break;
    await after(roundMs);
  }
  return alert.id;
}

/** Eval runs: one finished, one in progress, one failed, and one pending. */
async function addEvals({ client }: TestTenant): Promise<string> {
  const createRun = async (name: string) => (await client.evals.createRun({ body: { name, experiment_key: 'refunds' } })).data.id;
  const [finished, running, failed] = [
    await createRun('nightly, main'),
    await createRun('nightly, pr-214'),
    await createRun('nightly, pr-212'),
  ];
  await createRun('weekly, main');
  const traces = (await client.traces.list({})).data;
  const trialsOf = (passes: (task: number) => boolean) =>
    questions.flatMap((question, task) =>
      [0, 1, 2].map((trial_index) => {
        const status = passes(task) ? ('passed' as const) : trial_index === 2 ? ('error' as const) : ('failed' as const);
        const cost_usd = 0.004 + task / 1000;
        const measured = { score: status === 'passed' ? 0.9 : 0.2, duration_ms: 1800 + task * 300, cost_usd };
        return {
          task_id: question,
          trial_index,
          status,
          trace_id: traces[task]?.id ?? '',
          ...measured,
          ...(status === 'error' && { error: 'The judge timed out' }),
        };
      }),
    );
  await client.evals.addTrials({ params: { runId: finished }, body: { trials: trialsOf((task) => task !== 1) } });
  const card = { accuracy: 0.75, baseline: 0.7, model: 'gpt-4o-mini', by_topic: { refunds: 1, contracts: 0, status: 1, keys: 1 } };
  await client.evals.reportStatus({ params: { runId: finished }, body: { card, costUsd: 0.07 } });
  await client.evals.addTrials({ params: { runId: running }, body: { trials: trialsOf((task) => task < 2).slice(0, 5) } });
  await client.evals.reportStatus({ params: { runId: running }, body: { costUsd: 0.02 } });
  await client.evals.reportStatus({
    params: { runId: failed },
    body: { error: 'The environment could not be built: npm ci exited with 1' },
  });
  return finished;
}

/** A session as a coding agent reports it: a question, a tool call, and an answer. */
async function addAgentSession({ client }: TestTenant): Promise<void> {
  const at = (second: number) => new Date(Date.now() - 300_000 + second * 1000).toISOString();
  const about = { agent: 'claude_code', title: 'Fix the failing build', repo: 'team/owls', branch: 'main', model: 'claude-sonnet-4-5' };
  const call = { tool_name: 'Bash', tool_call_id: 'call-1' };
  await client.agents.ingest({
    body: {
      ...{ ...about, session_id: 'agent-7f3a', started_at: at(0), ended_at: at(42), metadata: { host: 'laptop' } },
      events: [
        { seq: 0, type: 'user', timestamp: at(1), text: 'Why does the build fail since this morning?' },
        { seq: 1, type: 'tool_call', timestamp: at(4), ...call, input: { command: 'npm test' } },
        { seq: 2, type: 'tool_result', timestamp: at(21), ...call, output: '1 failed: rounds half a cent up' },
        {
          ...{
            seq: 3,
            type: 'assistant',
            timestamp: at(40),
            text: 'One test fails: it rounds half a cent up, and the invoice rounds it down.',
          },
          ...{ input_tokens: 4200, output_tokens: 180, cost_usd: 0.016 },
        },
      ],
    },
  });
}

async function addScoreConfigs({ scoreConfigChanges }: TestTenant['owner']): Promise<void> {
  const categories = [
    { label: 'warm', value: 2, color: 'green' as const },
    { label: 'neutral', value: 1, color: 'grey' as const },
    { label: 'cold', value: 0, color: 'red' as const },
  ];
  await scoreConfigChanges.create({ body: { name: 'tone', data_type: 'categorical', categories } });
  const range = { data_type: 'numeric' as const, min: 0, max: 1 };
  await scoreConfigChanges.create({ body: { name: 'helpfulness', description: '0 is useless, 1 solves the problem.', ...range } });
}

async function addQueue({ owner }: TestTenant): Promise<string> {
  await addScoreConfigs(owner);
  const instructions = 'Judge the last answer only. A refusal to answer is helpful where the handbook says nothing.';
  const { data: queue } = await owner.annotationQueues.create({
    body: { name: 'Answers of this week', instructions, score_config_names: ['helpfulness', 'tone'], reviewers_required: 1 },
  });
  const traces = (await owner.traces.list({})).data;
  const items = traces.map(({ id }) => ({ resource_id: id, resource_type: 'trace' as const }));
  const params = { queueId: queue.id };
  await owner.annotationItems.add({ params, body: { items } });
  await owner.annotationQueues.createRule({ params, body: { filter: 'status = ERROR', max_per_day: 50 } });
  const [first] = (await owner.annotationItems.list({ params, query: {} })).data;
  const scores = [{ name: 'helpfulness', score: 0.9, label: '' }];
  if (first)
    await owner.annotationItems.review({ params: { ...params, itemId: first.id }, body: { status: 'completed', scores, seconds: 74 } });
  await assignItems(owner, queue.id);
  return queue.id;
}

/** To the owner and two colleagues, who review the queue. */
async function assignItems(owner: TestTenant['owner'], queueId: string): Promise<void> {
  const params = { queueId };
  const people = (await owner.members.list()).data.filter(({ role }) => role !== 'read').slice(0, 3);
  await owner.annotationQueues.update({ params, body: { reviewer_ids: people.map(({ id }) => id), shares_evenly: true } });
  const open = (await owner.annotationItems.list({ params, query: { status: 'pending' } })).data;
  for (const [at, { id }] of people.entries()) {
    const item_ids = open.slice(at * 2, at * 2 + 2).map((item) => item.id);
    if (item_ids.length > 0) await owner.annotationItems.assign({ params, body: { item_ids, assigned_to: id } });
  }
}

/** A workspace with a thread, a finished one, and a task without a workspace. */
async function startTasks({ owner }: TestTenant): Promise<Pick<SeededCloud, 'workspace' | 'run'>> {
  const open = async (name: string, task_prompt: string) =>
    (await owner.workerEnvironments.create({ body: { name, repo: 'team/owls', task_prompt } })).data;
  const { environment_id: envId, run_id } = await open('Refund answers', 'Answer refunds from the handbook, and say which page it was.');
  await runEnded(owner, run_id);
  for (const task_prompt of ['Now do the same for contracts.', 'wait: run the evaluations over all answers and mend what fails']) {
    const { data } = await owner.workerEnvironments.createTurn({ params: { envId }, body: { task_prompt } });
    if (!task_prompt.startsWith('wait')) await runEnded(owner, data.run_id);
  }
  await runEnded(owner, (await open('Status page', 'Add the status page to what the agent may cite.')).run_id);
  const { data } = await owner.workerRuns.create({ body: { repo: 'team/owls', task_prompt: 'List the prompts that nobody uses.' } });
  return { workspace: envId, run: data.run_id };
}
