/** Makes the scores of the cluster those of the old store: scores may be deleted in between. */
import { hash } from 'node:crypto';
import { scoredKey } from '../../telemetry/clickhouse/loaded/score-keys.ts';
import { ofApp } from '../../telemetry/clickhouse/read/read-context.ts';
import { type SourceScore, scoreSql, type TelemetryCopy } from './copy-telemetry.ts';
import type { SourceApp, TelemetrySource } from './telemetry-source.ts';
import type { TelemetryTarget } from './telemetry-target.ts';

const digestOf = (row: SourceScore): string => {
  const score = Buffer.alloc(8);
  score.writeDoubleBE(row.score);
  const optional = [row.user_id, row.session_id, row.environment, row.environment_version].map((value) => String(value ?? ''));
  const parts = [
    scoredKey(row.resource),
    row.resource_id,
    row.name,
    score.toString('hex'),
    row.label,
    row.reason,
    row.source,
    row.created_ms,
  ];
  return hash('md5', [...parts, ...optional].join('\0'), 'buffer')
    .readBigUInt64BE(0)
    .toString();
};

const columns = [
  ...['resource', 'resource_id', 'name', "leftPad(lower(hex(reinterpretAsUInt64(score))), 16, '0')", 'label', 'reason', 'source'],
  ...['toString(created_ms)', "ifNull(user_id, '')", "ifNull(session_id, '')", "ifNull(environment, '')"],
  "ifNull(toString(environment_version), '')",
];
const digestSql = `toString(halfMD5(concat(${columns.join(`, '\\0', `)})))`;

export interface ScoreDifferences {
  /** Of the app in the old store. */
  scores: number;
  missing: SourceScore[];
  /** Ids that only the cluster has. */
  extra: string[];
  /** Ids whose values differ. */
  changed: string[];
}

const scoresAtOnce = 20_000;

export async function compareScores(source: TelemetrySource, target: TelemetryTarget, app: SourceApp): Promise<ScoreDifferences> {
  const page = source.db.prepare<[number, string], SourceScore>(
    `${scoreSql} AND score.scope = ? AND score.score_id > ? ORDER BY score.score_id LIMIT ${scoresAtOnce}`,
  );
  const result: ScoreDifferences = { scores: 0, missing: [], extra: [], changed: [] };
  for (let after = ''; ; ) {
    const rows = page.all(app.id, after);
    const last = rows.length < scoresAtOnce ? null : (rows.at(-1)?.score_id ?? null);
    comparePage(rows, await storedScores(target, app, after, last), result);
    if (last === null) return result;
    after = last;
  }
}

function comparePage(rows: readonly SourceScore[], there: Map<string, string>, result: ScoreDifferences): void {
  for (const row of rows) {
    result.scores++;
    const digest = there.get(row.score_id);
    there.delete(row.score_id);
    if (digest === undefined) result.missing.push(row);
    else if (digest !== digestOf(row)) result.changed.push(row.score_id);
  }
  result.extra.push(...there.keys());
}

/** Digests by id. @param last of the ids; null for all after the first */
async function storedScores(
  target: TelemetryTarget,
  { tenant_id, app_id }: SourceApp,
  after: string,
  last: string | null,
): Promise<Map<string, string>> {
  const upTo = last === null ? '' : ' AND score_id <= {last:String}';
  const stored = await target.rows<{ score_id: string; digest: string }>(
    `SELECT score_id, ${digestSql} AS digest FROM score FINAL WHERE ${ofApp} AND score_id > {after:String}${upTo}`,
    { tenant_id, app_id, after, ...(last !== null && { last }) },
  );
  return new Map(stored.map(({ score_id, digest }) => [score_id, digest]));
}

export async function repairScores(target: TelemetryTarget, copy: TelemetryCopy, app: SourceApp, found: ScoreDifferences): Promise<void> {
  const { tenant_id, app_id } = app;
  for (const id of found.extra) await target.write({ kind: 'score removal', scope: { tenant_id, app_id }, id });
  const missing = found.missing.toSorted((a, b) => a.id - b.id);
  for (let at = 0; at < missing.length; at += scoresAtOnce) await copy.putScores(missing.slice(at, at + scoresAtOnce));
}
