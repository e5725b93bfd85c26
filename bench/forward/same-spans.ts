/** Holds two stores against each other: the same spans, each once, and each as it was sent. */
import Database from 'better-sqlite3';
import { HttpClient } from '../gateway/http-client.ts';

export interface Sameness {
  local: number;
  cloud: number;
  missing: number;
  foreign: number;
  twice: number;
}

const ids = (store: string) =>
  `SELECT trace_id, span_id FROM ${store}.span JOIN ${store}.trace ON trace.id = span.trace WHERE (span.flags & 2) = 0`;

/** Reads the files: every span counts, not those of a page. */
export function compareStores(localFile: string, cloudFile: string): Sameness {
  const db = new Database(localFile, { readonly: true });
  try {
    db.prepare('ATTACH ? AS cloud').run(cloudFile);
    const count = (sql: string): number => db.prepare<[], number>(`SELECT count(*) FROM (${sql})`).pluck().get() ?? -1;
    return {
      local: count(ids('main')),
      cloud: count(ids('cloud')),
      missing: count(`${ids('main')} EXCEPT ${ids('cloud')}`),
      foreign: count(`${ids('cloud')} EXCEPT ${ids('main')}`),
      twice: count(ids('cloud')) - count(`SELECT DISTINCT * FROM (${ids('cloud')})`),
    };
  } finally {
    db.close();
  }
}

export interface Side {
  url: string;
  headers: Record<string, string>;
}

/** @returns how many of some spans read otherwise there than here */
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

/** What was sent, and not when it came. */
function sentOf(body: Buffer): string {
  const { span, resource, scope } = (JSON.parse(body.toString()) as { data: Record<string, unknown> }).data;
  return JSON.stringify({ span, resource, scope });
}
