import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aContextCall, aPart, aWindow } from '../../../shared/fixtures/context-window.ts';
import { bandsOf, heaviestParts, partGroups, partName } from './context-parts.ts';
import { areaColumns, costColumns, labelledCalls, prunedTokens, rangeWith, scaleOf, tickText, tokenColumns } from './context-plot.ts';

const whole = { from: 0, to: 1 };
/** Part 0 is rewritten to 3, 1 stays, 2 is dropped and 4 enters. */
const parts = [
  aPart({ origin: 'system', name: '', label: 'You lead.' }),
  aPart({ label: 'a', tokens: 500, calls: 2, cost: 0.5 }),
  aPart({ name: 'web_search', label: 'b', tokens: 40 }),
  aPart({ origin: 'system', name: '', entered: 1 }),
  aPart({ name: 'scout', label: 'c', entered: 1 }),
];
const changed = aContextCall([3, 1, 4], {
  ...{ tokens: [110, 500, 90], compared_with: 0, entered: [3, 4], dropped: [0, 2], rewritten: [{ from: 0, to: 3 }] },
});
const window = aWindow([aContextCall([0, 1, 2], { tokens: [100, 500, 40] }), changed], { parts });
const bands = bandsOf(window, new Set(['scout']));

describe('the columns', () => {
  it('stack the parts in the order of the prompt, with what entered apart', () => {
    const [first, second] = tokenColumns(window, bands, whole);
    expect(first?.pieces.map(({ tone, low, high }) => [tone, low, high])).toEqual([
      ['system', 0, 100],
      ['result1', 100, 600],
      ['result2', 600, 640],
    ]);
    expect(second?.pieces.map(({ tone, part }) => [tone, part])).toEqual([
      ['entered', 3],
      ['result1', 1],
      ['entered', 4],
    ]);
  });

  it('begin with what was not recorded, and stay as high as what was reported', () => {
    const [column] = tokenColumns(aWindow([aContextCall([0], { other_tokens: 30 })]), bands, { from: 0, to: 0 });
    expect(column).toMatchObject({
      total: 130,
      pieces: [
        { tone: 'other', low: 0, high: 30, part: null },
        { low: 30, high: 130 },
      ],
    });
    const [bare] = tokenColumns(aWindow([aContextCall([], { input_tokens: 70 })]), bands, { from: 0, to: 0 });
    expect(bare).toMatchObject({ total: 70, pieces: [] });
  });

  it('show what a break added to the cost', () => {
    const loss = { tokens: 9, is_estimate: false, cost: 0.3, pause_ms: 1 };
    const [plain, broken] = costColumns(aWindow([aContextCall([0]), aContextCall([0], { cost: 0.4, cache_loss: loss })]), whole);
    expect(plain?.pieces.map(({ tone }) => tone)).toEqual(['cost']);
    expect(broken?.pieces.map(({ tone, high }) => [tone, Number(high.toFixed(6))])).toEqual([
      ['cost', 0.1],
      ['lost', 0.4],
    ]);
  });

  it('are merged for an area without losing the highest, each band once', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 400 }), (tokens, count) => {
        const calls = tokens.map((size) => aContextCall([0, 1, 0], { tokens: [size, 1, size] }));
        const columns = tokenColumns(aWindow(calls, { parts }), bands, { from: 0, to: calls.length - 1 });
        const area = areaColumns(columns, count);
        expect(area.length).toBeLessThanOrEqual(count);
        expect(Math.max(...area.map(({ total }) => total))).toBe(Math.max(...columns.map(({ total }) => total)));
        for (const { pieces, total } of area) {
          expect(new Set(pieces.map(({ tone }) => tone)).size).toBe(pieces.length);
          expect(pieces.at(-1)?.high).toBe(total);
        }
      }),
    );
  });
});

describe('the scale', () => {
  it('goes up to the limit where the prompts come near it, and fits the prompts otherwise', () => {
    expect(scaleOf(118_000, 200_000)).toEqual({ top: 200_000, ticks: [50_000, 100_000, 150_000, 200_000], hasLimit: true });
    expect(scaleOf(220_000, 200_000)).toMatchObject({ top: 220_000, hasLimit: true });
    const small = scaleOf(9_000, 200_000);
    expect(small.hasLimit).toBe(false);
    expect(small.top).toBeGreaterThan(9_000);
    expect(scaleOf(0, null).ticks.every(Number.isFinite)).toBe(true);
  });

  it('has a few round ticks within itself', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (most) => {
        const { top, ticks } = scaleOf(most, null);
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThanOrEqual(4);
        expect(ticks.at(-1)).toBeLessThanOrEqual(top * (1 + 1e-9));
      }),
    );
    expect(['50.0 k', '$0.300', '1.25 M', '200 k', '$10'].map(tickText)).toEqual(['50 k', '$0.3', '1.25 M', '200 k', '$10']);
  });
});

it('figures below the columns never overlap, and the chosen call always has its own', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(399), fc.double({ min: 0.5, max: 90, noNaN: true }), (count, at, step) => {
      const calls = Array.from({ length: count }, () => aContextCall([0]));
      const chosen = at % count;
      const labelled = labelledCalls(calls, { from: 0, to: count - 1 }, chosen, step);
      expect(labelled).toContain(chosen);
      for (const [index, call] of labelled.entries())
        if (index > 0) expect((call - (labelled[index - 1] as number)) * step).toBeGreaterThanOrEqual(Math.min(40, step));
    }),
  );
});

it('a range follows the chosen call by as little as it must', () => {
  expect(rangeWith({ from: 10, to: 20 }, 15)).toEqual({ from: 10, to: 20 });
  expect(rangeWith({ from: 10, to: 20 }, 22)).toEqual({ from: 12, to: 22 });
  expect(rangeWith({ from: 10, to: 20 }, 3)).toEqual({ from: 3, to: 13 });
});

describe('the parts of a call', () => {
  it('entered, were rewritten or stayed, which adds up to what was sent; or were dropped', () => {
    const groups = partGroups(window, 1);
    expect(groups.map(({ kind, tokens, parts: grouped }) => [kind, tokens, grouped.map(({ part, calls }) => [part, calls])])).toEqual([
      ['entered', 90, [[4, 1]]],
      ['dropped', 40, [[2, 1]]],
      ['rewritten', 110, [[3, 1]]],
      ['stayed', 500, [[1, 2]]],
    ]);
    const sent = groups.filter(({ kind }) => kind !== 'dropped').reduce((sum, { tokens }) => sum + tokens, 0);
    expect(sent).toBe(changed.input_tokens);
    expect(prunedTokens(window, changed)).toBe(40);
  });

  it('have a name and say what they are', () => {
    expect(parts.map((part) => Object.values(partName(part)).join(' | '))).toEqual([
      'System prompt | ',
      'a | fetch_page result',
      'b | web_search result',
      'System prompt | ',
      'c | scout result',
    ]);
    expect(partName(aPart({ origin: 'tool_definitions', items: 14 })).name).toBe('14 tool definitions');
    expect(partName(aPart({ name: '', label: '' }))).toEqual({ name: 'Empty result', note: 'result of a tool' });
    expect(partName(aPart({ origin: 'document', name: 'a.pdf' }))).toEqual({ name: 'a.pdf', note: 'document' });
  });

  it('have a band each: of their tool, of their kind, or of the agent that handed them over', () => {
    expect(bands.toneOf).toEqual(['system', 'result1', 'result2', 'system', 'handedOver']);
    expect(bands.legend.map(({ name }) => name)).toEqual([
      'System prompt',
      'Handed over by agents',
      'fetch_page results',
      'web_search results',
    ]);
    const many = ['a', 'b', 'c', 'd'].map((name, index) => aPart({ name, tokens: 100 - index }));
    expect(bandsOf(aWindow([], { parts: many }), new Set()).toneOf).toEqual(['result1', 'result2', 'result3', 'results']);
  });

  it('are ranked by cost, or by tokens over all calls where nothing has a price', () => {
    const ranked = (more: Parameters<typeof aWindow>[1]) => heaviestParts({ ...window, ...more });
    expect(ranked({})).toMatchObject({ isOfCost: true, rows: [{ part: 1, share: 0.5, calls: 2 }, ...parts.slice(1).map(() => ({}))] });
    const free = ranked({ parts: parts.map((part) => ({ ...part, cost: null })) });
    expect(free.isOfCost).toBe(false);
    expect(free.rows[0]).toMatchObject({ part: 1, share: 1000 / 1340 });
    expect(free.rows.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });
});
