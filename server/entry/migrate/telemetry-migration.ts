/** Makes the telemetry of a cluster that of a data folder, as often as it is called, and compares both. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../platform/scope.ts';
import { partsOf } from '../../telemetry/clickhouse/parameter-lists.ts';
import { ofApp } from '../../telemetry/clickhouse/read/read-context.ts';
import { type ComparedRecords, RecordComparison } from './compare-records.ts';
import { type CostChange, RollupComparison } from './compare-rollups.ts';
import { SpanSumComparison } from './compare-span-sums.ts';
import type { TelemetryCopy } from './copy-telemetry.ts';
import { compareScores, repairScores } from './score-differences.ts';
import { moveDeletedApps, moveSmallTables, moveTags } from './small-tables.ts';
import type { Progress } from './telemetry-progress.ts';
import type { SourceApp, TelemetrySource } from './telemetry-source.ts';
import type { TelemetryTarget } from './telemetry-target.ts';

/** Ids that are named of each kind of difference. */
const namedMax = 5;
const settlePauseMs = 200;

/** What was compared of an app. */
export interface AppCounts extends Scope {
  traces: number;
  /** Compared in this run: earlier ones are compared by the sums of their traces only. */
  spans: number;
  logs: number;
  scores: number;
}

export interface Reconciled {
  apps: AppCounts[];
  /** A sentence for each difference that is left. */
  differences: string[];
  /** A sentence for what is not the same as before, as it must be. */
  notes: string[];
}

interface Parts {
  source: TelemetrySource;
  target: TelemetryTarget;
  copy: TelemetryCopy;
  onCompared(spans: number): void;
  /** Receives a sentence for each app of which something differed, and was copied again. */
  onRepair(sentence: string): void;
}

interface Found extends ComparedRecords {
  traces: number;
  /** Columns of rows of traces that differ, by trace. */
  columns: Map<string, string[]>;
  costs: CostChange;
}

export class TelemetryMigration {
  readonly #parts: Parts;
  readonly #records: RecordComparison;
  readonly #rollups: RollupComparison;
  readonly #spanSums: SpanSumComparison;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = new RecordComparison(parts.source, parts.target);
    this.#rollups = new RollupComparison(parts.source, parts.target);
    this.#spanSums = new SpanSumComparison(parts.source, parts.target);
  }

  /**
   * Moves what is not copied in order: deletions, tags, and small tables. Then compares both sides, copies traces that differ once more, and
   * compares these again. Call it when everything was copied, in one snapshot of the store.
   */
  async reconcile(progress: Progress): Promise<Reconciled> {
    const { source, target } = this.#parts;
    await moveDeletedApps(source, target);
    const result: Reconciled = { apps: [], differences: [], notes: [] };
    for (const app of source.apps()) {
      await moveTags(source, target, app);
      const found = await this.#compare(app, progress.compared);
      await this.#repair(app, found);
      const left = found.different.size + found.conversations.size === 0 ? found : await this.#compareAgain(app, found);
      result.differences.push(...sentencesOf(app, left), ...(await this.#textProblems(app, progress)));
      result.notes.push(...notesOf(app, left), ...this.#damageOf(app));
      const scores = await this.#scores(app, result.differences);
      const { tenant_id, app_id } = app;
      result.apps.push({ tenant_id, app_id, traces: found.traces, spans: found.spans, logs: found.logs, scores });
    }
    await this.#settle();
    for (const table of await moveSmallTables(source, target)) result.differences.push(`The rows of ${table} differ`);
    return result;
  }

  async #compare(app: SourceApp, compared: Progress['compared']): Promise<Found> {
    const { onCompared } = this.#parts;
    const records = compared ? await this.#records.since(app, compared) : await this.#records.all(app, onCompared);
    return this.#withRollups(app, records);
  }

  async #withRollups(app: SourceApp, records: ComparedRecords): Promise<Found> {
    const { traces, different, costs } = await this.#rollups.compare(app);
    const sums = await this.#spanSums.compare(app);
    for (const id of sums) different.set(id, [...(different.get(id) ?? []), 'rows of its spans']);
    const all = records.different.union(new Set(different.keys()));
    return this.#withoutDamaged(app, { ...records, traces, costs, columns: different, different: all });
  }

  /** A trace of which something is damaged cannot be the same on both sides. */
  #withoutDamaged(app: SourceApp, found: Found): Found {
    const { leftOut } = this.#parts.source;
    return {
      ...found,
      different: found.different.difference(leftOut.tracesOf(app)),
      conversations: found.conversations.difference(leftOut.conversationsOf(app)),
    };
  }

  #damageOf(app: SourceApp): string[] {
    const traces = this.#parts.source.leftOut.tracesOf(app);
    return traces.size === 0
      ? []
      : [
          `${nameOf(app)}: ${traces.size} traces have damaged records, which are left out; these traces are not compared: ${[...traces].join(', ')}`,
        ];
  }

  async #compareAgain(app: SourceApp, found: Found): Promise<Found> {
    await moveTags(this.#parts.source, this.#parts.target, app);
    // Those in traces that were removed were copied again as well.
    const conversations = found.conversations.union(this.#records.conversationsIn(app, found.different));
    const records = await this.#records.of(app, [...found.different], [...conversations]);
    return this.#withRollups(app, records);
  }

  /** Removes what the cluster has of these traces, and copies them as a whole. */
  async #repair(app: SourceApp, found: Found): Promise<void> {
    const { source, target, copy, onRepair } = this.#parts;
    const { different, conversations } = found;
    const { tenant_id, app_id } = app;
    for (const sentence of sentencesOf(app, found)) onRepair(`${sentence}: they are copied again`);
    for (const trace_ids of partsOf([...different])) {
      await target.write({ kind: 'deletion', scope: { tenant_id, app_id }, id: randomUUID(), selection: { trace_ids } });
    }
    if (different.size > 0) await this.#settle();
    for (const id of different) await copy.copy({ spans: source.spansOf(app, id), logs: source.logsOf(app, id) });
    for (const id of conversations) await copy.copy({ spans: [], logs: source.logsOfConversation(app, id) });
    await copy.flush();
  }

  /** Waits until what is being deleted in the cluster cannot be read any more. */
  async #settle(): Promise<void> {
    const open = `SELECT (SELECT count() FROM deletion FINAL WHERE state = 'removing') + (SELECT count() FROM erased_app FINAL WHERE is_done = 0) AS rows`;
    while (Number((await this.#parts.target.rows<{ rows: number | string }>(open))[0]?.rows) > 0) await sleep(settlePauseMs);
  }

  /** A long text is known by its hash, which the records have. All are looked for, and those that came since are read. */
  async #textProblems({ tenant_id, app_id }: SourceApp, { textsFrom }: Progress): Promise<string[]> {
    const used = ['record', 'log']
      .map((table) => `SELECT arrayJoin(texts) AS hash FROM ${table} FINAL WHERE ${ofApp}`)
      .join(' UNION DISTINCT ');
    const missing = `SELECT 'missing' AS problem, count() AS texts FROM (${used}) WHERE hash NOT IN (SELECT hash FROM text WHERE ${ofApp})`;
    const damaged = `SELECT 'damaged' AS problem, count() AS texts FROM text
      WHERE ${ofApp} AND ver > {from:UInt64} AND substring(lower(hex(SHA256(text))), 1, 32) != toString(hash)`;
    const query = `${missing} UNION ALL ${damaged}`;
    const found = await this.#parts.target.rows<{ problem: string; texts: number }>(query, { tenant_id, app_id, from: textsFrom });
    const problems = found.filter(({ texts }) => texts > 0);
    return problems.map(({ problem, texts }) => `${nameOf({ tenant_id, app_id })}: ${texts} long texts are ${problem}`);
  }

  async #scores(app: SourceApp, differences: string[]): Promise<number> {
    const { source, target, copy } = this.#parts;
    const found = await compareScores(source, target, app);
    if (found.missing.length + found.extra.length > 0) await repairScores(target, copy, app, found);
    const left = found.missing.length + found.extra.length > 0 ? await compareScores(source, target, app) : found;
    const ids = [...left.missing.map(({ score_id }) => score_id), ...left.extra, ...left.changed];
    if (ids.length > 0) differences.push(`${nameOf(app)}: ${ids.length} scores differ, such as ${some(ids)}`);
    return found.scores;
  }
}

const nameOf = ({ tenant_id, app_id }: Scope): string => `app ${app_id} of team ${tenant_id}`;
const some = (ids: Iterable<string>): string => [...ids].slice(0, namedMax).join(', ');

function notesOf(app: SourceApp, { costs: { traces, before, after } }: Found): string[] {
  const dollars = (sum: number) => `$${sum.toFixed(4)}`;
  return traces === 0
    ? []
    : [
        `${nameOf(app)}: ${traces} traces with log records have the costs of the current prices, ${dollars(after)} instead of ${dollars(before)}`,
      ];
}

function sentencesOf(app: SourceApp, { different, conversations, columns }: Found): string[] {
  const named = [...different].map((id) => (columns.get(id)?.length ? `${id} (${[...new Set(columns.get(id))].join(', ')})` : id));
  return [
    ...(different.size > 0 ? [`${nameOf(app)}: ${different.size} traces differ, such as ${some(named)}`] : []),
    ...(conversations.size > 0
      ? [`${nameOf(app)}: log records of ${conversations.size} conversations differ, such as ${some(conversations)}`]
      : []),
  ];
}
