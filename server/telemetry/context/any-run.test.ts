import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partOrigins } from '../../../shared/contract/tracing/context-terms.ts';
import { type ContextWindow, contextWindows as contract } from '../../../shared/contract/tracing/context-windows.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { contextWindows } from './context-windows.ts';
import { price } from './fixtures/generated-run.ts';
import type { ModelCall } from './model-call.ts';
import { promptParts } from './prompt-parts.ts';
import { PromptTexts } from './prompt-texts.ts';

const text = fc.oneof(fc.constantFrom('ok', 'ok then', '', '😀', '\ud83d', 'line\nline\n'), fc.string({ unit: 'binary', maxLength: 60 }));
const part = fc.record({
  origin: fc.constantFrom(...partOrigins),
  name: fc.constantFrom('', 'search'),
  text,
  callId: fc.constantFrom('', 'call_1', 'call_2'),
  mediaTokens: fc.option(fc.nat(2000)),
});
const tokens = fc.option(fc.nat(20_000));
const call = fc.record({
  agent: fc.constantFrom('', 'lead'),
  model: fc.constantFrom('large', 'small', ''),
  startMs: fc.nat(50),
  durationMs: fc.nat(20),
  isFailed: fc.boolean(),
  input: tokens,
  cached: tokens,
  written: tokens,
  isPriced: fc.boolean(),
  prompt: fc.oneof(fc.array(part, { maxLength: 6 }), fc.constant([])),
  /** How much of the prompt before it begins with. */
  keeps: fc.nat(8),
});

type Made = (typeof call extends fc.Arbitrary<infer C> ? C : never)[];

function windowsOf(made: Made): { windows: ContextWindow[]; sizes: number[] } {
  const texts = new PromptTexts();
  const sizes: number[] = [];
  let before: number[] = [];
  const calls = made
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ prompt: own, keeps, input, cached, written, isPriced, ...facts }, at): ModelCall => {
      const parts = [...own].map((each) => ({ ...each, label: '', items: 1 }));
      const prompt = own.length === 0 ? [] : [...before.slice(0, keeps), ...texts.add(parts)];
      before = prompt;
      sizes.push(prompt.reduce((sum, id) => sum + texts.at(id).bytes, 0));
      return {
        ...{ ...facts, id: String(at), agentId: facts.agent || null, modelKey: facts.model, price: isPriced ? price : null },
        ...{ limitTokens: 8000, firstTokenMs: null, isRunning: false, cost: null, costFactor: 1, prompt },
        ...{ usage: { input, output: null, cached, written }, state: prompt.length === 0 ? 'not_recorded' : 'recorded' },
      };
    });
  return { windows: contextWindows(calls, texts), sizes };
}

it('any run keeps the contract, and no byte, call or reported token is missing or twice', () => {
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 12 }), (made) => {
      const { windows, sizes } = windowsOf(made);
      contract.find.reply.shape.data.parse({ windows, is_whole: true });
      const calls = windows.flatMap((window) => window.calls.map((each) => ({ ...each, window })));
      expect(calls.map(({ span_id }) => span_id).sort()).toEqual(made.map((_, at) => String(at)).sort());
      for (const { window, span_id, parts, entered, dropped, compared_with, tokens: shares, other_tokens, ...facts } of calls) {
        if (facts.prompt !== 'recorded') continue;
        const before = compared_with === null ? [] : (window.calls[compared_with]?.parts ?? []);
        const stayed = before.filter((id) => !dropped.includes(id));
        expect([...stayed, ...entered].sort()).toEqual(parts.toSorted());
        expect(parts.reduce((sum, id) => sum + (window.parts[id]?.bytes ?? 0), 0)).toBe(sizes[Number(span_id)]);
        const total = shares.reduce((sum, each) => sum + each, other_tokens);
        if (facts.input_tokens !== null) expect(total).toBe(facts.input_tokens);
        expect(Math.min(...shares, other_tokens)).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: propertyRuns(500) },
  );
});

/** A run whose prompts are these texts, each a part. */
function runOf(prompts: readonly string[][]): { calls: ModelCall[]; texts: PromptTexts } {
  const texts = new PromptTexts();
  const partsOf = (prompt: readonly string[]) =>
    promptParts({ tool_definitions: '', input_messages: prompt.map((each) => ({ role: 'user', parts: [{ type: 'text', text: each }] })) });
  const calls = prompts.map(
    (prompt, at): ModelCall => ({
      ...{ id: String(at), agentId: null, agent: '', model: '', modelKey: '', price, limitTokens: null, startMs: at, durationMs: 0 },
      ...{ firstTokenMs: null, isFailed: false, isRunning: false, cost: null, costFactor: 1, state: 'recorded' },
      usage: { input: 100_000, output: null, cached: null, written: null },
      prompt: texts.add(partsOf(prompt)),
    }),
  );
  return { calls, texts };
}

it('prompts of 20,000 parts that have little in common are compared, in any order', () => {
  const prompt = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `${at % 7} ${at * seed} words`);
  const { calls, texts } = runOf([prompt(3), prompt(5), prompt(3).reverse()]);
  expect(contextWindows(calls, texts).flatMap((window) => window.calls)).toHaveLength(3);
});

it('comparing the parts of two prompts can be ended', () => {
  const prompt = (seed: number) => ['the same', ...Array.from({ length: 200 }, (_, at) => `${at * seed} ${at + seed} ${at % seed}`)];
  const { calls, texts } = runOf([prompt(3), prompt(5)]);
  let checks = 0;
  const check = () => {
    if (++checks > 500) throw new Error('enough');
  };
  expect(() => contextWindows(calls, texts, check)).toThrow('enough');
});
