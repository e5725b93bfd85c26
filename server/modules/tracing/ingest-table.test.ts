/**
 * The table of docs/reference/ingest.md#cases as a whole: each of its rows is covered by a test of this folder, or listed here with the
 * reason.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync(`${import.meta.dirname}/../../../docs/reference/ingest.md`, 'utf8');
const [, cases = ''] = /^## Cases\n([\s\S]*?)^## /m.exec(page) ?? [];
const rows = [...cases.matchAll(/^\| (\d+) \|/gm)].map(([, row]) => Number(row));

/** Rows that no test of this folder can cover. */
const exceptions: Readonly<Record<number, string>> = {
  35: 'rate limits belong to the cloud gateway, which knows tenants',
  36: 'span quotas belong to the cloud gateway, which knows plans',
  37: 'storage caps belong to the cloud gateway, which knows plans',
  41: 'kill -9 needs a process of its own: `npm run test:crash`, and bench/kills.crash.test.ts in CI',
  42: 'a power cut needs a disk that drops unsynced writes; open.ts reads back synchronous=FULL, and its test says so',
  49: 'credentials belong to the cloud gateway; row 48 is about the local gateway',
  50: 'permissions belong to the cloud gateway',
};

const covered = new Set(
  globSync('ingest*.test.ts', { cwd: import.meta.dirname })
    .filter((file) => file !== 'ingest-table.test.ts')
    .flatMap((file) => [...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(/^describe\('row (\d+): /gm)])
    .map(([, row]) => Number(row)),
);

it('has no row that is neither covered here nor an exception', () => {
  expect(rows).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
  expect(rows.filter((row) => !covered.has(row) && !(row in exceptions))).toEqual([]);
});

it('has each row that is covered or an exception', () => {
  expect([...covered, ...Object.keys(exceptions).map(Number)].filter((row) => !rows.includes(row))).toEqual([]);
});

it('has no exception that is covered', () => {
  expect(Object.keys(exceptions).filter((row) => covered.has(Number(row)))).toEqual([]);
});
