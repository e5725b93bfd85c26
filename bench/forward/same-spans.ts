/** Compares two stores: the same spans and scores, each once, and each span unchanged. */
import Database from 'better-sqlite3';
import { HttpClient } from '../gateway/http-client.ts';

export interface StoreComparison {
  local: number;
  cloud: number;
  missing: number;
  extra: number;
  duplicates: number;
}

/** The SQL for the compared rows of the main database or of the one attached as `cloud`. */
type Rows = (store: 'main' | 'cloud') => string;

const spanIds: Rows = (store) =>
  `SELECT trace_id, span_id FROM ${store}.span JOIN ${store}.trace ON trace.id = span.trace WHERE (span.flags & 2) = 0`;

/** Without ids: the cloud gives scores ids of its own. */
export const scoreValues: Rows = (store) => `SELECT resource_id, name, score, label, reason FROM ${store}.score`;

/** Reads the database files directly, because HTTP returns spans only in pages. */
export function compareStores(localFile: string, cloudFile: string, rows = spanIds): StoreComparison {
  const db = new Database(localFile, { readonly: true });
  try {
    db.prepare('ATTACH ? AS cloud').run(cloudFile);
    const count = (sql: string): number => db.prepare<[], number>(`SELECT count(*) FROM (${sql})`).pluck().get() ?? -1;
    return {
      local: count(rows('main')),
      cloud: count(rows('cloud')),
      missing: count(`${rows('main')} EXCEPT ${rows('cloud')}`),
      extra: count(`${rows('cloud')} EXCEPT ${rows('main')}`),
      duplicates: count(rows('cloud')) - count(`SELECT DISTINCT * FROM (${rows('cloud')})`),
    };
  } finally {
    db.close();
  }
}

export interface Side {
  url: string;
  headers: Record<string, string>;
}

/** @returns how many of the given spans have other contents in the cloud */
export async function compareContents(local: Side, cloud: Side, spans: readonly { trace: string; span: string }[]): Promise<number> {
  const [here, there] = [new HttpClient(local.url), new HttpClient(cloud.url)];
  let different = 0;
  for (const { trace, span } of spans) {
    const path = `/v1/viewer/traces/${trace}/spans/${span}/raw`;
    const [a, b] = await Promise.all([here.send('GET', path, local.headers), there.send('GET', path, cloud.headers)]);
    if (a.status !== 200 || b.status !== 200 || sentOf(a.body) !== sentOf(b.body)) different++;
  }
  here.close();
  there.close();
  return different;
}

/** The sent content, without the time of receipt. */
function sentOf(body: Buffer): string {
  const { span, resource, scope } = (JSON.parse(body.toString()) as { data: Record<string, unknown> }).data;
  return JSON.stringify({ span, resource, scope });
}
