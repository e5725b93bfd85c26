import { describe, expect, it } from 'vitest';
import { buildTable, type SourceProvider } from './generate-prices.ts';
import { priceTable } from './price-table.ts';

const source = { package: 'p', version: '1', license: 'MIT', date: '2026-06-15', unit: 'USD per million tokens' };
type SourceModel = SourceProvider['models'][number];
const build = (...models: SourceModel[]) => buildTable([{ id: 'acme', models }], source);
const model = (id: string, prices: SourceModel['prices'], match: SourceModel['match'] = { equals: id }): SourceModel => ({
  id,
  match,
  prices,
});
const flat = (input_mtok: number, output_mtok: number) => ({ input_mtok, output_mtok });

describe('building the table', () => {
  it('takes the price of the date and says since when it applies', () => {
    const dated = [
      { prices: flat(1, 2) },
      { constraint: { type: 'start_date' as const, start_date: '2026-06-01' }, prices: flat(3, 4) },
      { constraint: { type: 'start_date' as const, start_date: '2027-01-01' }, prices: flat(5, 6) },
    ];
    expect(build(model('m', dated)).prices.acme?.m).toEqual({ input: 3, output: 4, effective_from: '2026-06-01' });
  });

  it('takes the price that applies for the most hours and marks it', () => {
    const hours = (start_time: string, end_time: string) => ({ type: 'time_of_date' as const, start_time, end_time });
    const byDay = [{ prices: flat(1, 2) }, { constraint: hours('00:30:00Z', '16:30:00Z'), prices: flat(3, 4) }];
    const byNight = [{ prices: flat(1, 2) }, { constraint: hours('22:00:00Z', '02:00:00Z'), prices: flat(3, 4) }];
    expect(build(model('m', byDay)).prices.acme?.m).toEqual({ input: 3, output: 4, varies: true });
    expect(build(model('m', byNight)).prices.acme?.m).toEqual({ input: 1, output: 2, varies: true });
  });

  it('keeps the rates of long requests', () => {
    const tiered = {
      input_mtok: { base: 1, tiers: [{ start: 200_000, price: 2 }] },
      output_mtok: 5,
      cache_read_mtok: 0.1,
      web_searches_kcount: 10,
    };
    const tier = { above: 200_000, input: 2, output: 5, cache_read: 0.1 };
    expect(build(model('m', tiered)).prices.acme?.m).toEqual({ input: 1, output: 5, cache_read: 0.1, tier });
  });

  it('lists other names of a model, without those that resolve to its id anyway', () => {
    const match = {
      or: [{ equals: 'big' }, { equals: 'big-2026-01-01' }, { starts_with: 'grand-' }, { regex: '^big-\\d+$' }, { equals: 'small' }],
    };
    const { prices } = build(model('big', flat(1, 2), match), model('small', flat(3, 4)));
    expect(prices.acme?.big?.also).toEqual(['grand']);
    expect(prices.acme?.small).toEqual({ input: 3, output: 4 });
  });

  it('keeps the context window of a model', () => {
    expect(build({ ...model('m', flat(1, 2)), context_window: 200_000 }).prices.acme?.m).toEqual({
      input: 1,
      output: 2,
      context_window: 200_000,
    });
  });

  it('lists models without a price per token separately', () => {
    const table = build(model('hourly', { audio_hours: 1 }), model('m:free', {}), model('m', flat(1, 2)));
    expect(table.unpriced).toEqual({ acme: ['hourly'] });
    expect(Object.keys(table.prices.acme ?? {})).toEqual(['m']);
  });
});

describe('the table that ships', () => {
  const rows = Object.entries(priceTable.prices).flatMap(([provider, models]) =>
    Object.entries(models).map(([id, row]) => ({ provider, id, row })),
  );

  it('has a licence that allows shipping it', () => {
    expect(priceTable.source).toMatchObject({ license: 'MIT', unit: 'USD per million tokens' });
    expect(priceTable.source.date).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('is sorted, and has no model twice', () => {
    for (const names of [Object.keys(priceTable.prices), ...Object.values(priceTable.prices).map((models) => Object.keys(models))]) {
      expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)));
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    }
    expect(rows.length).toBeGreaterThan(1000);
  });

  it.each(['input', 'output', 'cache_read', 'cache_write', 'reasoning'] as const)('has no %s price in a wrong unit', (key) => {
    const implausible = rows.filter(({ row }) => row[key] !== undefined && !(row[key] >= 0 && row[key] <= 1000));
    expect(implausible).toEqual([]);
  });
});
