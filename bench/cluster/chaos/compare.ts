/** Compares what a fleet has stored with what it acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJson } from '../../../server/ingest/otlp/decode-json.ts';
import { TraceTree, type TreeSpan } from '../../../server/telemetry/trace-tree.ts';
import { aRequest } from '../../../shared/fixtures/otlp.ts';
import { Random } from '../../traffic/random.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import { keyOf, type Ledger, type SentSpan } from './ledger.ts';
import { headersOf } from './sender.ts';
import type { SentVersion } from './traffic.ts';

export interface Comparison {
  acknowledged: number;
  stored: number;
  /** What is wrong, some of each kind. */
  problems: string[];
  figures: string;
}

export interface CompareOptions {
  fleet: ChaosFleet;
  ledger: Ledger;
  /** Spans that are read back as received, and whose traces are read over HTTP. */
  rawReads: number;
  seed: string;
  /** Apps that were deleted. */
  without?: ReadonlySet<number>;
}

interface StoredSpan {
  app: string;
  trace_id: string;
  span_id: string;
  isPending: number;
}

const pendingFlag = 1;
const shownOfKind = 5;
const readsAtOnce = 4;
const attemptsMax = 10;

export async function compareStored(options: CompareOptions): Promise<Comparison> {
  const { fleet, ledger, without = new Set<number>() } = options;
  const counts = new Counts();
  const numbers = new Map(fleet.apps.map(({ app_id }, number) => [app_id, number]));
  const expected = new Map([...ledger.spans].filter(([, { app }]) => !without.has(app)));
  const stored = await fleet.rows<StoredSpan>(
    `SELECT app_id AS app, trace_id, span_id, bitAnd(flags, ${pendingFlag}) AS isPending FROM span FINAL`,
  );
  const versions = new Map<SentSpan, SentVersion>();
  for (const { app, trace_id, span_id, isPending } of stored) {
    const key = keyOf(numbers.get(app) ?? -1, trace_id, span_id);
    const span = expected.get(key);
    const version = isPending ? span?.pending : span?.final;
    if (!span || !version) counts.add('invented', key);
    else if (versions.has(span)) counts.add('twice', key);
    else versions.set(span, version);
  }
  for (const [key, span] of expected) {
    const version = versions.get(span);
    if (span.isFinalAcknowledged ? version?.isPending !== false : span.isPendingAcknowledged && !version) counts.add('lost', key);
  }
  await compareRecords(fleet, versions.size, counts);
  const traces = Map.groupBy(versions, ([{ app, trace }]) => `${app} ${trace}`);
  await compareRollUps(fleet, traces, numbers, counts);
  await compareReads(options, [...versions], counts);
  const acknowledged = expected.values().reduce((sum, span) => sum + Number(span.isPendingAcknowledged || span.isFinalAcknowledged), 0);
  const figures = `${acknowledged} spans acknowledged, ${stored.length} stored, ${traces.size} traces; ${counts.text(options.rawReads)}`;
  return { acknowledged, stored: stored.length, problems: counts.problems, figures };
}

class Counts {
  readonly #found = new Map<string, string[]>();

  add(kind: string, what: string): void {
    const found = this.#found.get(kind);
    if (found) found.push(what);
    else this.#found.set(kind, [what]);
  }

  get problems(): string[] {
    return [...this.#found].flatMap(([kind, found]) => found.slice(0, shownOfKind).map((what) => `${kind}: ${what}`));
  }

  text(rawReads: number): string {
    const of = (kind: string) => this.#found.get(kind)?.length ?? 0;
    const rollUps = `${of('roll-up')} roll-ups wrong, ${of('read')} of ${rawReads} spans read back differently`;
    return `${of('lost')} lost, ${of('twice')} twice, ${of('invented')} never sent, ${of('record')} wrong records, ${rollUps}`;
  }
}

/** Each span has one record. */
async function compareRecords(fleet: ChaosFleet, spans: number, counts: Counts): Promise<void> {
  const [{ records, unused, pending } = { records: 0, unused: 0, pending: 0 }] = await fleet.rows<Record<string, number>>(
    `SELECT count() AS records, countIf(span.trace_id = '') AS unused, countIf(span.isPending = 1 AND record.ver >= 9e17 * 5) AS pending
     FROM (SELECT tenant_id, app_id, trace_id, span_id, ver FROM record FINAL) AS record
     LEFT JOIN (SELECT tenant_id, app_id, trace_id, span_id, bitAnd(flags, ${pendingFlag}) AS isPending FROM span FINAL) AS span
     USING (tenant_id, app_id, trace_id, span_id)`,
  );
  if (records !== spans || unused !== 0 || pending !== 0)
    counts.add('record', `${records} records of ${spans} spans, ${unused} without a span, ${pending} completed of pending spans`);
}

const columns = {
  name: 'name',
  status: 'status',
  start_us: 'start_us',
  end_us: 'end_us',
  latency_ns: 'latency_ns',
  longest_ns: 'longest_ns',
  tokens: 'tokens',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  span_count: 'span_count',
  error_count: 'error_count',
  pending_count: 'pending_count',
  session: 'session',
  // Whole picodollars.
  cost: 'round(cost * 1e12)',
  root: 'root_span',
} as const;
type RollUp = Record<keyof typeof columns, string | number>;

async function compareRollUps(
  fleet: ChaosFleet,
  traces: ReadonlyMap<string, readonly [SentSpan, SentVersion][]>,
  numbers: ReadonlyMap<string, number>,
  counts: Counts,
): Promise<void> {
  const selected = Object.entries(columns).map(([name, sql]) => `${sql} AS _${name}`);
  const rows = await fleet.rows<{ app: string; trace_id: string } & Record<string, string | number>>(
    `SELECT app_id AS app, trace_id, ${selected.join(', ')} FROM trace FINAL`,
  );
  const found = new Set<string>();
  for (const row of rows) {
    const key = `${numbers.get(row.app) ?? -1} ${row.trace_id}`;
    const spans = traces.get(key);
    if (!spans) counts.add('roll-up', `${key} has no span`);
    else if (found.has(key)) counts.add('roll-up', `${key} is listed twice`);
    else {
      const right = rollUpOf(spans);
      for (const name of Object.keys(columns) as (keyof RollUp)[]) {
        const shown = row[`_${name}`];
        if (String(shown) !== String(right[name])) counts.add('roll-up', `${key}: ${name} is ${shown}, that of its spans ${right[name]}`);
      }
    }
    found.add(key);
  }
  for (const key of traces.keys()) if (!found.has(key)) counts.add('roll-up', `${key} is not listed`);
}

function rollUpOf(spans: readonly [SentSpan, SentVersion][]): RollUp {
  const tree = new TraceTree<null, string>();
  for (const [span, version] of spans) tree.put(treeSpanOf(span, version));
  const rollUp = tree.rollUp(() => false);
  if (!rollUp) throw new Error('A trace has no spans');
  const { name, session, root, cost } = rollUp;
  return { ...rollUp, name: name ?? '', session: session ?? '', root: root.span_id, cost: Math.round(cost * 1e12) };
}

const treeSpanOf = ({ id, parent, name, session }: SentSpan, version: SentVersion): TreeSpan<null, string> => ({
  ...{ row: null, span_id: id, parent_id: parent, name, session, start_rest_ns: 0, placeholder: false, bookkeeping: false },
  ...{ trace_name: '', user: '', metadata: '', has_input: false, has_output: false },
  ...{ start_us: version.start_us, duration_ns: version.duration_ns, status: version.status, cost: version.cost },
  ...{ pending: version.isPending, generation: version.input_tokens !== null },
  ...{ input_tokens: version.input_tokens, output_tokens: version.output_tokens },
  tokens: version.input_tokens === null ? null : version.input_tokens + (version.output_tokens ?? 0),
});

/** Some spans as they were received, over HTTP, at each gateway in turn. */
async function compareReads(
  { fleet, rawReads, seed }: CompareOptions,
  versions: readonly [SentSpan, SentVersion][],
  counts: Counts,
): Promise<void> {
  const chosen = new Random(`reads ${seed}`).shuffled(versions).slice(0, rawReads);
  const urls = [...fleet.cluster.instances.values()];
  const queue = chosen.entries();
  const reader = async () => {
    for (const [number, [{ app, trace, id }, version]] of queue) {
      const path = `/v1/viewer/traces/${trace}/spans/${id}/raw`;
      const headers = headersOf(fleet.apps[app] as (typeof fleet.apps)[number]);
      const response = await fetchUnrefused(`${urls[number % urls.length]}${path}`, headers);
      const text = await response.text();
      const { data } = (response.status === 200 ? JSON.parse(text) : {}) as { data?: Record<string, object> };
      const [read, sent] = [data ? receivedText(data['resource'], data['scope'], data['span']) : '', sentText(version)];
      if (read !== sent) counts.add('read', `${trace} ${id} (${response.status}): ${read.slice(0, 300)} instead of ${sent.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: readsAtOnce }, reader));
}

/** A gateway that is busy is asked again. */
async function fetchUnrefused(url: string, headers: Record<string, string>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { headers });
    if (response.status !== 503 || attempt === attemptsMax) return response;
    await response.arrayBuffer();
    await sleep(1000);
  }
}

/** Every value of a span and of what is around it, whichever of the spellings of OTLP it is in. */
function receivedText(resource: object | undefined, scope: object | undefined, span: object | undefined): string {
  const request = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] };
  return JSON.stringify(decodeJson(Buffer.from(JSON.stringify(request))).spans);
}

function sentText({ json }: SentVersion): string {
  return JSON.stringify(decodeJson(Buffer.from(JSON.stringify(aRequest([json])))).spans);
}
