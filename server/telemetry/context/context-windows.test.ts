import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { contextWindows } from './context-windows.ts';
import { type GeneratedRun, generatedRun, nameOf, price, sum, tokensOf } from './fixtures/generated-run.ts';
import type { ModelCall } from './model-call.ts';

const runs = propertyRuns(500);
const windowOf = ({ calls, texts }: GeneratedRun) => {
  const windows = contextWindows(calls, texts);
  expect(windows).toHaveLength(1);
  return windows[0] as (typeof windows)[number];
};
const textsOf = ({ prompts }: GeneratedRun, index: number) => (prompts[index] ?? []).map(({ text }) => text);

describe('a generated run', () => {
  it('is sent as what entered and what stayed of the call before, byte for byte', () => {
    fc.assert(
      fc.property(generatedRun, (run) => {
        const { calls, parts } = windowOf(run);
        const known = new Map<number, string>();
        for (const [index, call] of calls.entries()) {
          const sent = textsOf(run, index);
          const entered = new Set(call.entered);
          const before = new Set(calls[index - 1]?.parts);
          expect(call.parts.filter((id) => !entered.has(id)).every((id) => before.has(id))).toBe(true);
          expect([...before].filter((id) => !call.parts.includes(id))).toEqual(call.dropped);
          for (const [at, id] of call.parts.entries()) if (entered.has(id)) known.set(id, sent[at] as string);
          expect(call.parts.map((id) => known.get(id)).join('\0')).toBe(sent.join('\0'));
          expect(sent.map((text) => Buffer.byteLength(text))).toEqual(call.parts.map((id) => parts[id]?.bytes));
        }
      }),
      { numRuns: runs },
    );
  });

  it('shares out every reported token, and no other', () => {
    fc.assert(
      fc.property(generatedRun, (run) => {
        for (const call of windowOf(run).calls) {
          expect(call.tokens.reduce((total, each) => total + each, call.other_tokens)).toBe(call.input_tokens);
          expect(call.tokens.every((tokens) => Number.isInteger(tokens) && tokens >= 0)).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });

  it('has its planted change at its place, and none elsewhere', () => {
    fc.assert(
      fc.property(generatedRun, (run) => {
        const { calls } = windowOf(run);
        const found = calls.flatMap(({ divergence }, index) => (divergence ? [{ index, change: divergence.change }] : []));
        const change = nameOf(run.planted);
        expect(found).toEqual(change ? [{ index: run.at, change }] : []);
        if (!change || change === 'model') return;
        const [before, after] = [textsOf(run, run.at - 1).join('\0'), textsOf(run, run.at).join('\0')];
        let same = 0;
        while (before[same] === after[same]) same++;
        const bytes = Buffer.byteLength(before.slice(0, same).replaceAll('\0', ''));
        expect(calls[run.at]?.divergence?.byte).toBe(bytes);
      }),
      { numRuns: runs },
    );
  });

  it('loses what the cache had and the prompt still has, at the prices of the list', () => {
    fc.assert(
      fc.property(generatedRun, (run) => {
        for (const [index, { cache_loss, divergence, cached_tokens, cache_written_tokens }] of windowOf(run).calls.entries()) {
          if (!divergence) {
            expect(cache_loss).toBeNull();
            continue;
          }
          const expected = lossOf(run, index);
          if (!cache_loss) {
            // What was dropped is estimated, and little was kept.
            expect(expected).toBeLessThan(sum(run.prompts[index] ?? []) * 0.2);
            continue;
          }
          if (cache_loss.is_estimate) expect(Math.abs(cache_loss.tokens - expected)).toBeLessThan(sum(run.prompts[index] ?? []) * 0.2);
          else expect(cache_loss.tokens).toBe(expected);
          expect(cached_tokens).not.toBeNull();
          expect(cache_loss.cost).toBe(costOf(cache_loss.tokens, cache_written_tokens ?? 0));
        }
      }),
      { numRuns: runs },
    );
  });

  it('costs for each part what its calls cost, together', () => {
    fc.assert(
      fc.property(generatedRun, (run) => {
        const { parts, calls } = windowOf(run);
        const micros = parts.reduce((total, { cost }) => total + Math.round((cost ?? 0) * 1e12), 0);
        const expected = calls.reduce((total, { input_tokens, cached_tokens, cache_written_tokens, other_tokens }) => {
          const [input, cached, written] = [input_tokens ?? 0, cached_tokens ?? 0, cache_written_tokens ?? 0];
          expect(other_tokens).toBe(0);
          return total + (input - cached - written) * 3_000_000 + cached * 300_000 + written * 3_750_000;
        }, 0);
        expect(micros).toBe(expected);
      }),
      { numRuns: runs },
    );
  });
});

/** What was left in the cache, as far as the prompt still has it, without what was read. */
function lossOf({ calls, prompts }: GeneratedRun, index: number): number {
  const [before, now] = [calls[index - 1], calls[index]] as [ModelCall, ModelCall];
  const left = (before.usage.cached ?? 0) + (before.usage.written ?? 0);
  const earlier = new Set(prompts[index - 1]?.map(({ text }) => text));
  const isNew = (text: string) => !earlier.has(text);
  const kept = (prompts[index] ?? []).filter(({ text, origin, callId }) => {
    const isRewritten =
      origin === 'system' || origin === 'tool_definitions' || prompts[index - 1]?.some((each) => callId !== '' && each.callId === callId);
    return !isNew(text) || isRewritten;
  });
  return (
    Math.min(
      left,
      kept.reduce((total, part) => total + tokensOf(part), 0),
    ) - (now.usage.cached ?? 0)
  );
}

/** In whole picodollars. */
function costOf(tokens: number, written: number): number {
  const { input, cache_read = 0, cache_write = 0 } = price;
  const [inputRate, readRate, writeRate] = [input, cache_read, cache_write].map((rate) => BigInt(rate * 1e6)) as [bigint, bigint, bigint];
  const again = BigInt(Math.min(tokens, written));
  const picodollars = again * (writeRate - readRate) + (BigInt(tokens) - again) * (inputRate - readRate);
  return Number(picodollars) / 1e12;
}
