import { expect, it } from 'vitest';
import { parseFilterText } from '../../../../shared/filter/parse-text.ts';
import { StorageError } from '../../storage-error.ts';
import { type Candidate, searchContents } from './content-search.ts';
import type { ReadContext } from './read-context.ts';

const rows = Array.from({ length: 150 }, (_, index): Candidate => ({ trace_id: `trace ${index}` }));
/** No word narrows it, so that the database is not asked. */
const filter = parseFilterText('traces', 'input NOT contains "x"');

const search = (test: (ids: readonly string[]) => void) =>
  searchContents({} as ReadContext, {
    scope: { tenant_id: 'tenant', app_id: 'app' },
    filter,
    next: async (after) => (after ? [] : rows),
    sizes: async (of) => of.map(({ trace_id }) => ({ trace_id, span_count: 1 })),
    test: async (ids) => {
      test(ids);
      return { holds: () => true, isComplete: true };
    },
    wanted: 50,
  });

const slow = () => {
  throw new StorageError('slow', 'The read took too long');
};

it('a copy that takes too long on a busy machine is made in parts, and no row is missing', async () => {
  expect(await search((ids) => ids.length > 3 && slow())).toEqual({ rows, isComplete: true });
});

it('a trace that takes too long by itself is left out, which is told', async () => {
  const others = rows.filter(({ trace_id }) => trace_id !== 'trace 7');
  expect(await search((ids) => ids.includes('trace 7') && slow())).toEqual({ rows: others, isComplete: false });
});

it('other failures are those of the search', async () => {
  const failure = new StorageError('io', 'The database cannot be reached');
  await expect(
    search(() => {
      throw failure;
    }),
  ).rejects.toBe(failure);
});
