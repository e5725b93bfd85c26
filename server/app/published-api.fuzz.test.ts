/**
 * Fuzzes a real gateway from the published document, with requests that it describes and many that it forbids. No 5xx, no answer that
 * the document does not declare, nothing accepted that it forbids, and nothing refused that it describes, except by the rules below.
 * `GLASSHOUSE_FUZZ=50000` makes the long run; `GLASSHOUSE_FUZZ_SEED` repeats a run.
 */
import { readdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChat, aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { faultsOf, judge, refusalIn, type Verdict } from '../conformance/published/judge.ts';
import { type PlainAnswer, type PlainHttp, plainHttp } from '../conformance/published/plain-http.ts';
import { type PublishedApi, readPublishedApi } from '../conformance/published/published-api.ts';
import { type PlannedRequest, requestsTo } from '../conformance/published/request-plans.ts';
import type { KnownValues } from '../conformance/published/schema-values.ts';
import { request as anyExport } from '../fixtures/otlp-arbitraries.ts';
import { aProject } from '../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';

const requestsMax = Number(process.env['GLASSHOUSE_FUZZ'] ?? 4000);
const seed = Number(process.env['GLASSHOUSE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const roundSize = 250;
const concurrency = 12;

/** Rules that JSON Schema cannot express: the server refuses what the document allows. Matched with `field: problem`, or with the message. */
const stricter: { code: string; pattern: RegExp }[] = [
  { code: 'invalid_filter', pattern: /./ },
  { code: 'invalid_query_params', pattern: /^end_date: must not be before start_date/ },
  { code: 'invalid_query_params', pattern: /^to: must be after from/ },
  { code: 'invalid_query_params', pattern: /^from: must not be more than \d+ days before the end/ },
  { code: 'invalid_query_params', pattern: /^time_zone: must be a time zone/ },
  { code: 'invalid_query_params', pattern: /^max: goes with period/ },
  { code: 'invalid_request_body', pattern: /^budgets: has two budgets/ },
  // Cursors that were in no answer.
  { code: 'invalid_query_params', pattern: /^(arrived|arrived_after|after): must be a cursor from an earlier answer/ },
  { code: 'invalid_query_params', pattern: /^(start|end)_date: must lie between 1970 and 2200/ },
  // Paths that are legal on every file system (docs/reference/project-files.md#names-and-paths).
  { code: 'invalid_path_params', pattern: /^datasetName: (must|contains|has)/ },
  { code: 'invalid_query_params', pattern: /^path: (must|contains|has)/ },
  { code: 'invalid_request_body', pattern: /contains an unpaired surrogate/ },
  // Addresses that keys are sent to, and the checksum of a key.
  { code: 'invalid_request_body', pattern: /^(url|key): / },
  // Which traces to delete: ids, or conditions, but something.
  { code: 'invalid_request_body', pattern: /^trace_ids: (nothing says which|not together with)/ },
  { code: 'invalid_request_body', pattern: /^add: nothing to add or remove/ },
  // Each rule has a range of its own.
  { code: 'invalid_request_body', pattern: /^threshold: is outside the range of the rule/ },
  // Which runs are compared: ids or a filter.
  { code: 'invalid_query_params', pattern: /^(a: a or a_ids is required|[ab]_ids: cannot be combined with)/ },
  // Names of environments.
  { code: 'invalid_query_params', pattern: /^environment: must not begin or end with white space/ },
  // A prompt that is requested as a kind that it is not, with tags of its own kind.
  { code: 'template_parse_error', pattern: /^Unknown tag <\w+> in an? \w+ prompt\./ },
  // Bodies of other signals, and bodies that are too expensive to parse.
  {
    code: 'invalid_otlp_payload',
    pattern: /^The body has no resource(Spans|Logs)|takes (traces|logs)$|^The body is (refused before it is parsed|not a JSON object$)/,
  },
  { code: 'invalid_request_body', pattern: /^_: is nested deeper than/ },
  // The document says nothing about the headers of a body that it does not describe.
  { code: 'unsupported_media_type', pattern: /^Content-Encoding must be|^This route takes|^The charset must be/ },
];

const project = aProject({
  'agentmark.json': JSON.stringify({ version: '2.0', scores: { helpful: { type: 'boolean' }, length: { type: 'numeric', min: 0 } } }),
  'agentmark/triage.prompt.mdx': '---\nname: triage\ntext_config:\n  model_name: m\n---\n\n<System>Be kind to {props.name}</System>\n',
  'agentmark/part.mdx': '# Part\n',
  'agentmark/rows.jsonl': '{"input":{"q":"owls"}}\n{"input":1}\n',
});
const traceIds = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
const spanIds = ['1', '2', '3'].map((digit) => digit.repeat(16));

let gateway: TestGateway;
let api: PublishedApi;
let http: PlainHttp;
let knownValues: KnownValues;
let filesAround: string[];

beforeAll(async () => {
  gateway = await startTestGateway({ projectDir: project.root });
  http = plainHttp(() => gateway.port);
  await gateway.ingest(aRequest(traceIds.flatMap(aRun)));
  const draft = { resource_id: traceIds[0] ?? '', name: 'helpful', score: 1 };
  const scores = await Promise.all(Array.from({ length: 20 }, () => gateway.client.scores.create({ body: draft })));
  api = await readPublishedApi(gateway.url);
  knownValues = {
    ...{ traceId: traceIds, trace_id: traceIds, trace_ids: [traceIds, [traceIds[0]]], resource_id: [...traceIds, ...spanIds] },
    ...{
      spanId: spanIds,
      span_id: spanIds,
      span_ids: [spanIds],
      sessionId: ['s'],
      session_id: ['s'],
      scoreId: scores.map(({ id }) => id),
      name: ['helpful', 'triage'],
    },
    ...{ runId: ['run'], experimentId: ['run'], dataset_run_id: ['run'], experiment_key: ['key'], user_id: ['u'], model: ['gpt-4o'] },
    ...{ datasetName: ['rows', 'new', 'deep/new'], path: ['triage.prompt.mdx', 'part.mdx', 'rows.jsonl'], sha256: ['0'.repeat(64)] },
    filter: ['cost > 0.01', 'model = gpt-4o and status = OK', '(tags = a or user_id = u)', 'metadata.k exists', 'score__helpful >= 1'],
    fields: ['graph', 'graph,scores', 'scores'],
  };
  filesAround = readdirSync(project.around);
});
afterAll(async () => {
  http.close();
  await gateway.stop();
  project.remove();
});

/** An agent's run with a model call, in a session and a dataset run. */
function aRun(traceId: string, index: number): object[] {
  const spanId = spanIds[index] ?? '';
  const attributes = { 'session.id': 's', 'user.id': 'u', 'agentmark.dataset_run_id': 'run', 'agentmark.experiment_key': 'key' };
  return [aSpan({ traceId, spanId, attributes }), aChat({ traceId, parentSpanId: spanId })];
}

const failures: string[] = [];
const appliedRules = new Set<object>();
const counts = new Map<string, number>();
const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);

const describeRequest = ({ method, target, headers, body }: PlannedRequest): string =>
  `${method} ${target.slice(0, 500)}\n  ${JSON.stringify(headers)}\n  ${body ? JSON.stringify(Buffer.from(body).toString('latin1').slice(0, 500)) : 'no body'}`;

/** Why a request that the document describes was refused, when none of the rules above explains it. */
function unexplained({ operation, refusals }: Verdict, answer: PlainAnswer): string[] {
  const refusal = answer.status === 400 || answer.status === 413 || answer.status === 415 ? refusalIn(answer) : null;
  if (!operation || operation.availability === 'cloud' || refusals.length > 0 || !refusal) return [];
  const [[field, problem] = []] = Object.entries(refusal.details);
  const message = field === undefined ? refusal.message : `${field}: ${problem}`;
  const rule = stricter.find(({ code, pattern }) => code === refusal.code && pattern.test(message));
  if (rule) appliedRules.add(rule);
  return rule ? [] : [`refused, though the document describes it: ${JSON.stringify(refusal)}`];
}

async function sendOne(planned: PlannedRequest, round: number): Promise<void> {
  const verdict = judge(api, planned);
  const answer = await http.send(planned).catch((error: unknown) => String(error));
  if (typeof answer === 'string') {
    failures.push(`no answer: ${answer}\n  seed ${seed}, round ${round}\n  ${describeRequest(planned)}`);
    return;
  }
  count(`${verdict.refusals.length > 0 ? 'refused' : 'described'} ${answer.status}`);
  const faults = [...faultsOf(api, verdict, answer), ...unexplained(verdict, answer)];
  if (faults.length > 0)
    failures.push(
      `${faults.join('; ')}\n  seed ${seed}, round ${round}: ${answer.status} ${answer.body.toString().slice(0, 300)}\n  ${describeRequest(planned)}`,
    );
}

async function sendRound(plans: fc.Arbitrary<PlannedRequest>, round: number): Promise<void> {
  const queue = fc.sample(plans, { seed: seed + round, numRuns: Math.min(roundSize, requestsMax - round * roundSize) }).values();
  const worker = async () => {
    for (const planned of queue) await sendOne(planned, round);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

it(`answers ${requestsMax} requests as the published document says`, { timeout: 300_000 + requestsMax * 100 }, async () => {
  process.stdout.write(`api fuzz: ${requestsMax} requests, repeat with GLASSHOUSE_FUZZ_SEED=${seed}\n`);
  const { instance } = await gateway.client.platform.capabilities();
  const bodies = { 'ingest-traces': anyExport };
  const plans = fc.oneof(
    ...api.operations.map((operation) => ({
      weight: operation.availability === 'cloud' ? 1 : 12,
      arbitrary: requestsTo(api, knownValues, operation, bodies),
    })),
  );
  for (let round = 0; round * roundSize < requestsMax && failures.length < 10; round++) await sendRound(plans, round);
  process.stdout.write(`api fuzz: ${JSON.stringify(Object.fromEntries([...counts].sort()))}\n`);
  expect(failures.join('\n\n')).toBe('');
  // A rule that a long run never needed must be removed.
  if (requestsMax >= 50_000) expect(stricter.filter((rule) => !appliedRules.has(rule))).toEqual([]);
  expect((await gateway.client.platform.capabilities()).instance).toBe(instance);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(readdirSync(project.around), 'nothing is written outside the project').toEqual(filesAround);
  await gateway.restart();
  const db = new Database(telemetryFile(gateway.dataDir), { readonly: true });
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
});
