import { describe, expect, it } from 'vitest';
import { promptChanges } from '../../../shared/contract/tracing/context-terms.ts';
import type { ContextCall, PromptDivergence } from '../../../shared/contract/tracing/context-windows.ts';
import { aContextCall, aPart, aWindow } from '../../../shared/fixtures/context-window.ts';
import { breakOf, breakPlace, breaksOf, changedLines, whatChanged, whatToDo } from './context-breaks.ts';
import { contextNotices } from './context-notices.ts';
import { heaviestParts } from './context-parts.ts';
import { contextVerdicts, worstBreak } from './context-verdicts.ts';

const divergence = (more: Partial<PromptDivergence> = {}): PromptDivergence => ({
  ...{ change: 'time', before: 0, after: 0, byte: 71 },
  text: {
    line: 3,
    character: 71,
    head: 'Cite figures.\nIt is ',
    removed: '09:31',
    added: '09:32',
    tail: '.\nYou lead.\nAsk.',
    is_cut: false,
  },
  ...more,
});
const loss = (cost: number | null, tokens = 48_300): ContextCall['cache_loss'] => ({ tokens, is_estimate: false, cost, pause_ms: 400 });
const later = (more: Partial<ContextCall> = {}) => aContextCall([0, 1], { compared_with: 0, cached_tokens: 90, ...more });
const said = (calls: ContextCall[], more: Parameters<typeof aWindow>[1] = {}) => {
  const window = aWindow(calls, more);
  return contextVerdicts(window, heaviestParts(window)).map(({ label, figure, detail }) => `${label}: ${figure}. ${detail}`);
};

describe('the verdict about the cache', () => {
  it('says where it broke, what was lost and why', () => {
    const broken = later({ divergence: divergence(), cache_loss: loss(0.167), first_token_ms: 4500 });
    expect(said([aContextCall([0]), later(), broken])[0]).toBe(
      'Cache broke at call 3: $0.167 and 4.10 s lost. The time in the system prompt changed.',
    );
    expect(said([aContextCall([0]), later({ cache_loss: loss(null) })])[0]).toBe(
      'Cache broke at call 2: 48.3 k tokens lost. The prompt had not changed: the cache expired.',
    );
  });

  it('adds up several breaks, and leads to the one that cost most', () => {
    const calls = [aContextCall([0]), ...[0.1, 0.3, 0.2].map((cost) => later({ divergence: divergence(), cache_loss: loss(cost) }))];
    const [verdict] = contextVerdicts(aWindow(calls), heaviestParts(aWindow(calls)));
    expect(verdict).toMatchObject({ label: 'Cache broke 3 times', figure: '$0.600 lost', call: 2, isBad: true });
    expect(worstBreak(aWindow(calls))).toBe(2);
    expect(breaksOf(aWindow(calls))).toEqual([1, 2, 3]);
  });

  it('says that it held, that it is off, and that nobody reported it', () => {
    expect(said([aContextCall([0]), later()])[0]).toBe('Cache: Held in all 2 calls. 30 % of all input was read from the cache.');
    expect(said([aContextCall([0]), later({ cached_tokens: 0 })])[0]).toContain('No loss in all 2 calls. Nothing was read from the cache');
    expect(said([aContextCall([0])])[0]).toBe('Cache: One call. There is no previous call to compare it with.');
    const unreported = [aContextCall([0], { cached_tokens: null }), later({ cached_tokens: null, divergence: divergence() })];
    expect(said(unreported)[0]).toBe(
      'Prompt changed at call 2: Not reported. No call reported tokens read from a cache. The time in the system prompt changed.',
    );
  });
});

describe('the other verdicts', () => {
  it('name the part that costs most, or weighs most where nothing has a price', () => {
    const parts = [aPart({ origin: 'system', name: '', calls: 2, cost: 0.1 }), aPart({ calls: 2, cost: 0.38, tokens: 300 })];
    expect(said([aContextCall([0]), later()], { parts })[1]).toBe('Carried through 2 calls: 38 % of the bill. fetch_page result: prices');
    const priceless = parts.map((part) => ({ ...part, cost: null }));
    expect(said([aContextCall([0]), later()], { parts: priceless })[1]).toBe('Carried through 2 calls: 67 % of all input. System prompt');
    expect(said([aContextCall([], { other_tokens: 9, input_tokens: 9 })], { parts: [] })[1]).toContain('Not known');
  });

  it('say how full the window gets, and when it will be full', () => {
    const grown = [40_000, 60_000, 80_000].map((size) => aContextCall([0], { tokens: [size] }));
    expect(said(grown)[2]).toBe('Peak at call 3: 40 % of the window. Grows by 20.0 k a call; full at call 9.');
    expect(said(grown, { limit_tokens: null })[2]).toBe('Peak at call 3: 80.0 k tokens. Grows by 20.0 k a call; the limit is not known.');
    expect(said([aContextCall([0], { tokens: [1000] })])[2]).toBe('Peak at call 1: <1 % of the window. 1.0 k of 200 k tokens.');
    expect(said([aContextCall([], { input_tokens: null })])[2]).toBe('Peak: Not known. No call reported its input tokens.');
  });
});

describe('a break', () => {
  it('is said for every kind of change', () => {
    for (const change of promptChanges) {
      const call = later({ divergence: divergence({ change }) });
      expect(whatChanged(aWindow([call]), call)).toMatch(/^[A-Z].*\.$/);
      expect(whatToDo(aWindow([call]), call)).toMatch(change === 'replaced' ? /^$/ : /^[A-Z].*\.$/);
    }
  });

  it('is none where the prompt changed and the cache was read as before', () => {
    expect(breakOf(later({ divergence: divergence() }))).toBe(null);
    expect(breakOf(later({ divergence: divergence(), cached_tokens: null }))).toBe('changed');
    expect(breakOf(later({ cache_loss: loss(1) }))).toBe('expired');
    expect(breakOf(later({ divergence: divergence(), cache_loss: loss(1) }))).toBe('broke');
  });

  it('has a place in words, and the lines around it', () => {
    const call = later({ divergence: divergence() });
    expect(breakPlace(aWindow([call]), call)).toBe('System prompt, line 3, character 71 of 400');
    expect(breakPlace(aWindow([call]), later({ divergence: divergence({ after: 1, text: null }) }))).toBe('prices (fetch_page result)');
    expect(breakPlace(aWindow([call]), later({ divergence: divergence({ before: null, after: null }) }))).toBe('');
    const text = divergence().text as NonNullable<PromptDivergence['text']>;
    const lines = (by: 'words' | 'lines') =>
      changedLines(text, by).map(
        ({ number, pieces }) => `${number} ${pieces.map(({ kind, text: piece }) => `${kind[0]}[${piece}]`).join('')}`,
      );
    expect(lines('words')).toEqual(['2 s[Cite figures.]', '3 s[It is ]r[09:31]a[09:32]s[.]', '4 s[You lead.…]']);
    expect(lines('lines')).toEqual(['2 s[Cite figures.]', '3 r[It is 09:31.]', '3 a[It is 09:32.]', '4 s[You lead.…]']);
    const wider = { ...text, removed: 'one\ntwo', added: '', tail: '' };
    expect(changedLines(wider, 'words').map(({ number }) => number)).toEqual([2, 3, null]);
  });
});

it('what is missing is said: calls without messages, damaged ones, and calls that were not read', () => {
  const without = aContextCall([], { prompt: 'not_recorded' });
  expect(contextNotices(aWindow([without, without, later()]), true)).toEqual([
    'The messages of calls 1 to 2 were not recorded; shares begin at call 3.',
  ]);
  expect(contextNotices(aWindow([without]), true)).toEqual(['The messages of these calls were not recorded: only their totals are known.']);
  expect(contextNotices(aWindow([later(), aContextCall([], { prompt: 'damaged' })]), false)).toEqual([
    'The messages of call 2 are damaged and cannot be read.',
    'This trace has more calls than are read at once: only the first are here.',
  ]);
});
