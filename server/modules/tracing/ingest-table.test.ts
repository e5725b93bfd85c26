/**
 * The table of docs/reference/ingest.md#cases as a whole: each of its rows is proved by a test of this folder, or it is said here where
 * and why not.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync(`${import.meta.dirname}/../../../docs/reference/ingest.md`, 'utf8');
const [, cases = ''] = /^## Cases\n([\s\S]*?)^## /m.exec(page) ?? [];
const rows = [...cases.matchAll(/^\| (\d+) \|/gm)].map(([, row]) => Number(row));

/** Rows that no test of this folder can prove. */
const elsewhere: Readonly<Record<number, string>> = {
  35: 'rate limits belong to the cloud gateway, which knows tenants',
  36: 'span quotas belong to the cloud gateway, which knows plans',
  37: 'storage caps belong to the cloud gateway, which knows plans',
  41: 'kill -9 needs a process of its own: `npm run test:crash`, and bench/kills.crash.test.ts in CI',
  42: 'a power cut needs a disk that drops unsynced writes; open.ts reads back synchronous=FULL, and its test says so',
  49: 'credentials belong to the cloud gateway; on one’s own machine row 48 holds',
  50: 'permissions belong to the cloud gateway',
};

const proved = new Set(
  globSync('ingest*.test.ts', { cwd: import.meta.dirname })
    .filter((file) => file !== 'ingest-table.test.ts')
    .flatMap((file) => [...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(/^describe\('row (\d+): /gm)])
    .map(([, row]) => Number(row)),
);

it('has no row that is neither proved here nor accounted for', () => {
  expect(rows).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
  expect(rows.filter((row) => !proved.has(row) && !(row in elsewhere))).toEqual([]);
});

it('has each row that is proved or accounted for', () => {
  expect([...proved, ...Object.keys(elsewhere).map(Number)].filter((row) => !rows.includes(row))).toEqual([]);
});

it('excuses no row that is proved', () => {
  expect(Object.keys(elsewhere).filter((row) => proved.has(Number(row)))).toEqual([]);
});
