import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { compareRuns } from './compare-runs.ts';
import type { RunSpan, StepParts } from './run-span.ts';
import { runSteps } from './run-steps.ts';

type Step = Pick<RunSpan, 'kind' | 'name' | 'given' | 'results'>;
/** Steps one after the other; those of a list ran at the same time. */
type Turn = (Step | Step[])[];

const names = fc.constantFrom('search', 'lookup_order', 'refund', 'convert');
const text = fc.string({ minLength: 1, maxLength: 8 });
const tool = fc
  .record({ name: names, argument: text, result: text })
  .map(({ name, argument, result }): Step => ({ kind: 'tool', name, given: { arguments: argument }, results: { result } }));
const call = fc.record({ messages: text, choice: text, wording: text }).map(
  ({ messages, choice, wording }): Step => ({
    ...{ kind: 'llm', name: 'gpt-4o', given: { model: 'gpt-4o', settings: '{}', prompt: 'Be brief.', messages } },
    results: { choice, wording },
  }),
);
const distinct = (steps: readonly Step[]) => [...new Map(steps.map((step) => [`${step.name} ${step.given.arguments}`, step])).values()];
const turn: fc.Arbitrary<Turn> = fc
  .record({ call, tools: fc.array(tool, { maxLength: 4 }).map(distinct), atOnce: fc.boolean() })
  .map(({ call: first, tools, atOnce }) => [first, ...(atOnce && tools.length > 1 ? [tools] : tools)]);
const agent = fc.record({ name: fc.constantFrom('planner', 'writer'), turns: fc.array(turn, { minLength: 1, maxLength: 4 }) });
const run = fc.array(agent, { minLength: 1, maxLength: 3 });
type Run = (typeof run extends fc.Arbitrary<infer R> ? R : never)[number][];

/** How the same run is recorded another time. */
interface Recording {
  seed: number;
  /** Whether calls at the same time begin in the other order, and whether some calls fail at first. */
  isReversed: boolean;
  retriesEvery: number;
  /** Name of the root. */
  program: string;
}
const recording = fc.record({
  seed: fc.nat(),
  isReversed: fc.boolean(),
  retriesEvery: fc.integer({ min: 2, max: 9 }),
  program: fc.constantFrom('agent', 'agent-v2'),
});

/** The spans of a run. Their ids are the positions of their steps, so that those of two recordings can be compared. */
function recorded(agents: Run, { seed, isReversed, retriesEvery, program }: Recording): RunSpan[] {
  const spans: RunSpan[] = [];
  let now = 0;
  const add = (id: string, parentId: string | null, step: Step, startMs: number, durationMs: number, isFailed = false) => {
    const span = {
      id,
      parentId,
      ...step,
      text: { input: '', output: '' },
      startMs,
      durationMs,
      tokens: 1,
      cost: 0,
      isFailed,
      isRunning: false,
    };
    spans.push(span);
  };
  const take = (id: string, parent: string, step: Step, startMs: number): number => {
    let at = startMs;
    if ((spans.length + seed) % retriesEvery === 0) {
      add(`${id} failed`, parent, { ...step, results: { result: 'failed: 503' } }, at, 5, true);
      at += 6;
    }
    const durationMs = 10 + ((seed + spans.length) % 7);
    add(id, parent, step, at, durationMs);
    return at + durationMs + 1;
  };
  for (const [a, { name, turns }] of agents.entries()) {
    const [id, startMs] = [`agent ${a}`, now];
    for (const [t, steps] of turns.entries()) {
      for (const [s, step] of steps.entries()) {
        if (!Array.isArray(step)) {
          now = take(`${a}/${t}/${s}`, id, step, now);
          continue;
        }
        const order = [...step.entries()];
        if (isReversed) order.reverse();
        const ends = order.map(([i, each], place) => {
          add(`${a}/${t}/${s}/${i}`, id, each, now + place, 30);
          return now + place + 30;
        });
        now = Math.max(...ends) + 1;
      }
    }
    const asked = { kind: 'agent' as const, name, given: { messages: `task ${a}` }, results: { result: 'done' } };
    add(id, 'root', asked, startMs, now - startMs);
  }
  add('root', null, { kind: 'agent', name: program, given: { messages: 'question' }, results: {} }, 0, now);
  return spans;
}

const compared = (a: RunSpan[], b: RunSpan[]) => compareRuns(runSteps(a), runSteps(b));

type Kind = 'prompt' | 'messages' | 'model' | 'settings' | 'arguments' | 'result' | 'order' | 'choice';
const planted = fc.record({
  kind: fc.constantFrom<Kind>('prompt', 'messages', 'model', 'settings', 'arguments', 'result', 'order', 'choice'),
  place: fc.nat(),
  tail: fc.option(fc.array(turn, { maxLength: 3 })),
});

const change = (parts: StepParts, kind: Exclude<Kind, 'order'>): StepParts => ({ ...parts, [kind]: `${parts[kind]} and other words` });
const changedStep = (step: Step, kind: Exclude<Kind, 'order'>): Step =>
  kind in step.given ? { ...step, given: change(step.given, kind) } : { ...step, results: change(step.results, kind) };

/** A copy with one difference, after which the agent may go on in another way; null where the run has no place for it. */
function withDifference(agents: Run, { kind, place, tail }: typeof planted extends fc.Arbitrary<infer P> ? P : never) {
  const places = agents.flatMap(({ turns }, a) =>
    turns.flatMap((steps, t) =>
      steps.flatMap((step, s) => {
        const next = steps[s + 1];
        const isTool = !Array.isArray(step) && step.kind === 'tool';
        const fits =
          kind === 'order'
            ? isTool && next !== undefined && !Array.isArray(next)
            : isTool === ['arguments', 'result'].includes(kind) && !Array.isArray(step);
        return fits ? [{ a, t, s }] : [];
      }),
    ),
  );
  const at = places[place % Math.max(1, places.length)];
  if (!at) return null;
  const copy = structuredClone(agents);
  const { turns } = copy[at.a] as Run[number];
  const steps = turns[at.t] as Turn;
  const length = kind === 'order' ? 2 : 1;
  const planned = (steps.slice(at.s, at.s + length) as Step[]).map(({ given }) => JSON.stringify(given));
  if (kind === 'order') [steps[at.s], steps[at.s + 1]] = [steps[at.s + 1] as Step, steps[at.s] as Step];
  else steps[at.s] = changedStep(steps[at.s] as Step, kind);
  if (tail) turns.splice(at.t + 1, turns.length, ...tail);
  // If such a step comes again later, what was planted may as well be steps that were added before it.
  const later = [steps.slice(at.s + length), ...turns.slice(at.t + 1), ...copy.slice(at.a + 1).flatMap((agent) => agent.turns)].flat(2);
  if (later.some(({ given }) => planned.includes(JSON.stringify(given)))) return null;
  return { run: copy, span: `${at.a}/${at.t}/${at.s}` };
}

describe('the first divergence', () => {
  it('is none for two recordings of one run, whatever ran at the same time, was tried again, or is called', () => {
    fc.assert(
      fc.property(run, recording, recording, (agents, first, second) => {
        const { pairs, divergence } = compared(recorded(agents, first), recorded(agents, second));
        expect([divergence, pairs.filter(({ differences }) => differences.length > 0)]).toEqual([null, []]);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('is the difference that was planted, whatever followed from it', () => {
    fc.assert(
      fc.property(run, recording, recording, planted, (agents, first, second, plan) => {
        const changed = withDifference(agents, plan);
        fc.pre(changed !== null);
        const { pairs, divergence } = compared(recorded(agents, first), recorded(changed?.run ?? [], second));
        const pair = pairs[divergence ?? -1];
        expect([pair?.a?.span.id, pair?.differences[0]]).toEqual([changed?.span, plan.kind]);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('is the first step of which a run has none, unless it is still going on', () => {
    const step = (id: string, startMs: number, more: Partial<RunSpan> = {}): RunSpan => ({
      ...{ id, parentId: 'root', kind: 'tool', name: id, text: { input: '', output: '' }, startMs, durationMs: 1, tokens: 0, cost: 0 },
      ...{ isFailed: false, isRunning: false, given: { arguments: id }, results: { result: id } },
      ...more,
    });
    const root = (isRunning: boolean) => step('root', 0, { parentId: null, kind: 'agent', durationMs: 9, isRunning });
    const whole = [root(false), step('look', 1), step('buy', 2), step('tell', 3)];
    expect(compared(whole, [root(false), step('look', 1), step('tell', 3)])).toMatchObject({
      divergence: 2,
      pairs: [{}, {}, { a: { span: { id: 'buy' } }, b: null, differences: ['missing'] }, { differences: [] }, {}],
    });
    expect(compared(whole, [root(true), step('look', 1)]).divergence).toBeNull();
    expect(compared([root(true), step('look', 1), step('buy', 2, { isRunning: true, results: {} })], whole).divergence).toBeNull();
    const renamed = [step('root', 0, { parentId: null, kind: 'agent', name: 'other', durationMs: 9 }), step('look', 1), step('tell', 3)];
    expect(compared(whole, renamed)).toMatchObject({ divergence: 2, pairs: [{}, {}, { a: { span: { id: 'buy' } } }, {}, {}] });
  });

  it('is found in runs that are deep, circular, empty or have nothing in common', () => {
    const span = (id: number, parent: number | null, name = 'step'): RunSpan => ({
      ...{ id: String(id), parentId: parent === null ? null : String(parent), kind: 'tool', name, text: { input: '', output: '' } },
      ...{ startMs: id, durationMs: 1, tokens: 0, cost: 0, isFailed: false, isRunning: false, given: {}, results: {} },
    });
    const deep = Array.from({ length: 10_000 }, (_, at) => span(at, at === 0 ? null : at - 1));
    expect(compared(deep, deep).divergence).toBeNull();
    expect(compared([span(1, 2), span(2, 1)], [span(1, 2), span(2, 1)])).toMatchObject({ divergence: null });
    expect(compared([], [])).toEqual({ pairs: [], divergence: null });
    const wide = (name: string) => Array.from({ length: 6000 }, (_, at) => span(at, null, `${name} ${at}`));
    expect(compared(wide('a'), wide('b'))).toMatchObject({ divergence: 0 });
    expect(compared(wide('a'), wide('b')).pairs.length).toBe(12_000);
  });
});
