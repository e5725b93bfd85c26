/** Fills the cloud of a test with what a team leaves behind: people, keys, releases, an alert that speaks, and a queue half worked. */
import { setTimeout as after } from 'node:timers/promises';
import { scriptedWorkers } from '../../server/fixtures/scripted-runtime.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../server/fixtures/test-cloud.ts';
import { runEnded } from '../../server/fixtures/worker-stand.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';

export interface FurnishedCloud {
  cloud: TestCloud;
  environment: string;
  alert: string;
  queue: string;
  workspace: string;
}

const questions = ['What is the refund window?', 'Who signs contracts?', 'Where is the status page?', 'How are keys rotated?'];
const roundMs = 500;
const alertWaitMs = 90_000;

export async function furnishCloud(): Promise<FurnishedCloud> {
  const cloud = await startTestCloud({ alerts: { roundMs }, workers: scriptedWorkers() });
  const { tenant } = cloud;
  for (const [at, question] of questions.entries()) await cloud.ingest(tenant, aRequest(anAnswer(question, at)));
  const environment = await release(tenant);
  await addKeys(tenant);
  await addPeople(cloud);
  const alert = await addAlerts(tenant, environment);
  const queue = await addQueue(tenant);
  return { cloud, environment, alert, queue, workspace: await giveTasks(tenant) };
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
  const params = { id: production.id };
  for (const note of ['The refund prompt', 'Shorter answers']) {
    await owner.environments.promote({ params, body: { source_env_id: home?.id ?? '', note } });
    await settled(owner, production.id);
  }
  await owner.environments.rollback({ params, body: { target_version: 1, note: 'They were too short' } });
  await settled(owner, production.id);
  return production.id;
}

async function settled(owner: TestTenant['owner'], id: string): Promise<void> {
  while ((await owner.environments.get({ params: { id } })).data.in_flight_saga_id !== null) await after(50);
}

async function addKeys({ owner }: TestTenant): Promise<void> {
  const sdk = ['trace.write', 'template.read', 'score.write'] as const;
  await owner.apiKeys.create({ body: { name: 'support-bot, production', permissions: [...sdk], environment_name: 'production' } });
  await owner.apiKeys.create({ body: { name: 'pull requests', permissions: [...sdk], environment_kinds: ['preview'] } });
  await owner.apiKeys.create({ body: { name: 'nightly export', permissions: ['trace.read', 'span.read'] } });
}

/** Two who have come, and one who has not yet. */
async function addPeople({ tenant: { owner }, as }: TestCloud): Promise<void> {
  const invited = async (email: string, name: string, role: 'admin' | 'write' | 'read') =>
    (await owner.members.invite({ body: { email, name, role } })).data.code;
  for (const code of [await invited('mira@acme.test', 'Mira', 'admin'), await invited('jonas@acme.test', 'Jonas', 'write')])
    await as(null).auth.join({ body: { code, password: 'as long as it must be' } });
  await invited('auditor@partner.test', 'Auditor', 'read');
}

/** One of them speaks, because half of the calls failed. */
async function addAlerts({ owner }: TestTenant, environment_id: string): Promise<string> {
  const { data: alert } = await owner.alerts.create({
    body: { name: 'Calls of models fail', metric: 'error_rate', threshold: 5, time_window: 30, use_webhook: true },
  });
  await owner.alerts.create({
    body: { name: 'Slow answers', metric: 'latency', threshold: 4000, time_window: 15, use_slack: true, environment_id },
  });
  await owner.alerts.create({ body: { name: 'Budget of the hour', metric: 'cost', threshold: 20, time_window: 60, use_webhook: true } });
  const until = Date.now() + alertWaitMs;
  while (Date.now() < until) {
    if ((await owner.alerts.get({ params: { alertId: alert.id } })).data.status === 'triggered') break;
    await after(roundMs);
  }
  return alert.id;
}

async function addQueue({ owner }: TestTenant): Promise<string> {
  const instructions = 'Judge the last answer only. A refusal to answer is helpful where the handbook says nothing.';
  const { data: queue } = await owner.annotationQueues.create({
    body: { name: 'Answers of this week', instructions, score_config_names: ['helpfulness', 'tone'], reviewers_required: 1 },
  });
  const traces = (await owner.traces.list({})).data;
  const items = traces.map(({ id }) => ({ resource_id: id, resource_type: 'trace' as const }));
  const params = { queueId: queue.id };
  await owner.annotationItems.add({ params, body: { items } });
  const [first] = (await owner.annotationItems.list({ params, query: {} })).data;
  const scores = [{ name: 'helpfulness', score: 0.9, label: '' }];
  if (first) await owner.annotationItems.review({ params: { ...params, itemId: first.id }, body: { status: 'completed', scores } });
  return queue.id;
}

/** A workspace with a thread, one at work, and a task by itself. */
async function giveTasks({ owner }: TestTenant): Promise<string> {
  const open = async (name: string, task_prompt: string) =>
    (await owner.workerEnvironments.create({ body: { name, repo: 'team/owls', task_prompt } })).data;
  const { environment_id: envId, run_id } = await open('Refund answers', 'Answer refunds from the handbook, and say which page it was.');
  await runEnded(owner, run_id);
  for (const task_prompt of ['Now do the same for contracts.', 'wait: run the evaluations over all answers and mend what fails']) {
    const { data } = await owner.workerEnvironments.createTurn({ params: { envId }, body: { task_prompt } });
    if (!task_prompt.startsWith('wait')) await runEnded(owner, data.run_id);
  }
  await runEnded(owner, (await open('Status page', 'Add the status page to what the agent may cite.')).run_id);
  await owner.workerRuns.create({ body: { repo: 'team/owls', task_prompt: 'List the prompts that nobody uses.' } });
  return envId;
}
