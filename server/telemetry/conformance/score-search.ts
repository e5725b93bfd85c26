import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Score, score } from '../../../shared/contract/evaluation/scores.ts';
import { filterSchema } from '../../../shared/filter/filter-schema.ts';
import { filterList, parseFilterList } from '../../../shared/filter/parse-json.ts';
import { testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { Search } from '../search-reader.ts';
import { words } from './filter-population.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { NaiveFilter, NaiveLeaf } from './naive-filter.ts';
import { sorted } from './population.ts';
import type { Tenant } from './tenant.ts';

const word = fc.constantFrom('', ...words);
const value = fc.constantFrom(0, 0.5, 1, -1, 2.5, 100);
const moment = fc.nat({ max: 4 }).map((minutes) => new Date(testEpochMs + minutes * 60_000).toISOString());

const aScore: fc.Arbitrary<Score> = fc
  .record({
    id: fc.constant(null).map(() => randomUUID()),
    resource_id: fc.constantFrom('Run:1', 'run:1', 'a0'.repeat(16), 'A0'.repeat(16), 'b0'.repeat(8)),
    name: word,
    score: value,
    label: word,
    reason: word,
    source: fc.constantFrom('api', 'annotation', 'experiment'),
    user_id: word,
    created_at: moment,
  })
  .map(({ user_id, ...rest }) => ({ ...rest, ...(user_id === '' ? {} : { user_id }) }));

const valuesByKind = {
  string: fc.oneof(word, fc.constantFrom('api', 'run', 'a0a0', 'A0'.repeat(16), 'Run:1')),
  numeric: value,
  datetime: moment,
};

const leaf: fc.Arbitrary<NaiveLeaf> = fc.constantFrom(...filterSchema().scores.fields).chain(({ name: field, kind, operators }) =>
  fc.constantFrom(...operators).chain((operator): fc.Arbitrary<NaiveLeaf> => {
    const single: fc.Arbitrary<string | number> = valuesByKind[kind as keyof typeof valuesByKind];
    if (operator === 'in' || operator === 'notIn')
      return fc.array(single, { minLength: 1, maxLength: 3 }).map((list) => ({ field, operator, value: list }));
    if (operator === 'between')
      return fc.tuple(single, single).map((pair) => ({ field, operator, value: pair.sort((a, b) => (a < b ? -1 : 1)) }));
    const isPart = /contains|starts|ends/i.test(operator);
    return (isPart ? single.filter((item) => item !== '') : single).map((item) => ({ field, operator, value: item }));
  }),
);
const randomFilter: fc.Arbitrary<NaiveFilter> = fc.array(
  fc.oneof(
    leaf,
    fc.array(leaf, { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
  ),
  { minLength: 1, maxLength: 3 },
);

/** Straightforward implementation of docs/reference/filters.md#operators. */
function holds({ field, operator, value: wanted }: NaiveLeaf, row: Score): boolean {
  const own = row[field as keyof Score] ?? '';
  const list = (Array.isArray(wanted) ? wanted : [wanted]).map((item) => (typeof own === 'number' ? Number(item) : String(item)));
  const [first = '', second = ''] = list;
  const text = String(own);
  switch (operator) {
    case 'equals':
    case 'in':
      return list.includes(own);
    case 'notEquals':
    case 'notIn':
      return !list.includes(own);
    case 'contains':
      return text.includes(String(first));
    case 'notContains':
      return !text.includes(String(first));
    case 'startsWith':
      return text.startsWith(String(first));
    case 'endsWith':
      return text.endsWith(String(first));
    case 'gt':
      return own > first;
    case 'gte':
      return own >= first;
    case 'lt':
      return own < first;
    case 'lte':
      return own <= first;
    default:
      return own >= first && own <= second;
  }
}

const window = { from: testEpochMs, to: testEpochMs + 3 * 60_000 };
const inWindow = ({ created_at }: Score): boolean => Date.parse(created_at) >= window.from && Date.parse(created_at) <= window.to;

async function found({ store, scope }: Tenant, search: Partial<Search<'scores'>>): Promise<Score[]> {
  const page = { limit: 1000, offset: 0, sort_by: 'created_at', sort_order: 'desc', filter: { clauses: [] } } as const;
  const { data, total } = await store.search.scores(scope, { ...page, window, ...search });
  const rows = z.array(score.strict()).parse(data.decode());
  if (search.limit === undefined) expect(total).toBe(rows.length);
  return rows;
}

export function scoreSearchGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('random filters find the scores that the contract specifies', async ({ tenant, cases }) => {
    const app = tenant();
    const scores = fc.sample(aScore, { numRuns: 150, seed: 5 });
    await app.store.scores.insert(app.scope, scores);
    let hits = 0;
    const check = async (filter: NaiveFilter): Promise<void> => {
      const tree = parseFilterList('scores', filterList.parse(filter));
      const expected = scores.filter((row) =>
        filter.every((entry) => ('or' in entry ? entry.or : [entry]).some((leafOfEntry) => holds(leafOfEntry, row))),
      );
      const ids = (await found(app, { filter: tree })).map(({ id }) => id).sort();
      expect(ids).toEqual(
        expected
          .filter(inWindow)
          .map(({ id }) => id)
          .sort(),
      );
      if (ids.length > 0 && ids.length < scores.length) hits++;
    };
    const numRuns = cases(400);
    await fc.assert(fc.asyncProperty(randomFilter, check), { numRuns });
    // Filters that match nothing prove little.
    expect(hits).toBeGreaterThan(numRuns / 4);
  });

  guarantee('scores are in the requested order, ties by arrival, and pages never overlap', async ({ tenant }) => {
    const app = tenant();
    const scores = fc.sample(aScore, { numRuns: 60, seed: 9 }).map((row) => ({ ...row, name: row.name.replace('😀', 'z') }));
    await app.store.scores.insert(app.scope, scores);
    const inside = scores.filter(inWindow);
    for (const sort_by of ['created_at', 'score', 'name'] as const) {
      for (const sort_order of ['asc', 'desc'] as const) {
        const rows = await found(app, { sort_by, sort_order });
        expect(rows).toEqual(sorted(inside, (row) => row[sort_by], sort_order));
        const pages = await Promise.all([0, 20, 40, 60].map((offset) => found(app, { sort_by, sort_order, limit: 20, offset })));
        expect(pages.flat()).toEqual(rows);
      }
    }
  });
}
