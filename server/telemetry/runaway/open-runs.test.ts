import { describe, expect, it } from 'vitest';
import { type RunawayRule, runawayRules, runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { ARun } from '../../fixtures/a-run.ts';
import { createPricing } from '../../ingest/cost/pricing.ts';
import { decodeJson } from '../../ingest/otlp/decode-json.ts';
import { BatchBuilder } from '../../ingest/prepare/prepare.ts';
import { OpenRuns, type RunChange, type RunState } from './open-runs.ts';
import type { Thresholds } from './run-watch.ts';

const pricing = createPricing();
const defaults = Object.fromEntries(runawayRules.map((rule) => [rule, runawayThresholds[rule].default])) as unknown as Thresholds;
const app = { tenant_id: 'acme', app_id: 'shop' };

const watch = (options: { thresholds?: Partial<Thresholds>; runsMax?: number } = {}): OpenRuns =>
  new OpenRuns({
    thresholds: () => ({ ...defaults, ...options.thresholds }),
    window: (model) => pricing.contextWindow(model, ''),
    ...(options.runsMax === undefined ? {} : { runsMax: options.runsMax }),
  });

/** The change that a commit of these spans is. */
function changeOf(spans: object[], received_ms: number, { trace = 1, cost = 0 }: { trace?: number; cost?: number } = {}): RunChange {
  const builder = new BatchBuilder(pricing, received_ms);
  for (const span of decodeJson(Buffer.from(JSON.stringify(aRequest(spans, { service: 'sourcing' })))).spans) builder.add(span);
  const steps = builder.finish().spans;
  return {
    scope: 1,
    trace,
    app,
    traceId: `trace-${trace}`,
    steps,
    cost,
    isOver: steps.some(({ parent_id }) => parent_id === null),
    received_ms,
  };
}

/** Numbers from a seed: the same in each run of the test. */
function randomFrom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

/** A run that gets somewhere: other arguments and results each time, some failures, prompts that grow and are cut again. */
function* normalSteps(run: ARun, random: Random): Generator<object> {
  let prompt = 1000;
  for (;;) {
    prompt = random(20) === 0 ? 1500 : prompt + random(900);
    yield run.chat(prompt);
    const calls = 1 + random(3);
    for (let call = 0; call < calls; call++) {
      const tool = ['search', 'read_file', 'convert_currency', 'check_status'][random(4)] as string;
      const status = random(12) === 0 ? 'ERROR' : 'OK';
      yield run.tool(tool, { query: `${tool} ${random(10_000)}` }, `result ${random(1_000_000)}`, { status });
    }
  }
}

/** The steps of a runaway, each with the cost of the run so far, and whether the threshold is crossed with it. */
type Planted = { spans: object[]; cost?: number; crossed: boolean; waitMs?: number };

/** `mayBeEarly`: where earlier steps of the run count too, the crossing is not exactly known. */
const planted: Record<string, { rules: RunawayRule[]; mayBeEarly?: true; steps(run: ARun, random: Random): Generator<Planted> }> = {
  'equal calls': {
    rules: ['repeated_calls'],
    *steps(run, random) {
      const name = ['convert_currency', 'search', 'fetch'][random(3)] as string;
      const args = { from: 'EUR', to: 'USD', amount: random(100) };
      // Keys in another order are the same arguments; up to two model calls between them.
      for (let count = 1; ; count++) {
        for (let call = random(3); call > 0; call--) yield { spans: [run.chat(1000 + random(10))], crossed: count > 10 };
        const sent = random(2) === 0 ? args : Object.fromEntries(Object.entries(args).reverse());
        yield { spans: [run.tool(name, sent, 'rate limited')], crossed: count >= 10 };
      }
    },
  },
  'a loop without progress': {
    rules: ['loop', 'repeated_calls'],
    *steps(run, random) {
      const period = 2 + random(6);
      const round = Array.from({ length: period }, (_, at) => ({ name: `tool_${at}`, args: { part: at }, result: `same ${at}` }));
      for (let count = 1; ; count++)
        for (const [at, { name, args, result }] of round.entries()) {
          if (random(2) === 0) yield { spans: [run.chat(1000 + random(10))], crossed: count > 5 };
          yield { spans: [run.tool(name, args, result)], crossed: count > 5 || (count === 5 && at === period - 1) };
        }
    },
  },
  'a cost that rises': {
    rules: ['cost', 'cost_rate'],
    mayBeEarly: true,
    *steps(run, random) {
      const perStep = 0.05 + random(100) / 100;
      let [cost, steps] = [0, 0];
      for (;;) {
        cost += perStep;
        steps++;
        // More than two dollars a minute over at least a minute, or twenty dollars.
        const perMinute = (perStep * 60_000) / 1200;
        const isFast = perMinute > 2.2 && steps * 1200 > 61_200;
        yield { spans: [run.chat(1000 + random(10))], cost, crossed: cost >= 20 || isFast, waitMs: 1000 };
      }
    },
  },
  'a context that swells': {
    rules: ['context_growth'],
    *steps(run, random) {
      let tokens = 2000 + random(10_000);
      let calls = 1;
      for (;;) {
        yield { spans: [run.chat(tokens, { model: 'gpt-4o' })], crossed: tokens >= 0.8 * 128_000 && calls >= 4 };
        if (random(2) === 0)
          yield { spans: [run.tool('read_file', { path: `f${random(1e6)}` }, `${random(1e6)}`)], crossed: tokens >= 0.8 * 128_000 };
        tokens += 500 + random(9000);
        calls++;
      }
    },
  },
  'a storm of errors': {
    rules: ['errors'],
    mayBeEarly: true,
    *steps(run, random) {
      for (let failed = 1; ; failed++) {
        yield {
          spans: [run.tool(`tool_${random(5)}`, { at: random(1e6) }, null, { status: 'ERROR', statusMessage: `${random(1e6)}` })],
          crossed: failed >= 8,
        };
        if (failed % 5 === 0) yield { spans: [run.chat(900 + random(50))], crossed: failed >= 8 };
      }
    },
  },
};

/** Sends the steps in commits of random size. @returns the steps after the crossing until the run was found, and by which rule */
function stepsUntilFound(name: string, seed: number): { late: number; rules: RunawayRule[] } {
  const random = randomFrom(seed);
  const run = new ARun();
  const runs = watch();
  const normal = normalSteps(run, random);
  for (let count = random(40); count > 0; count--) expect(runs.add(changeOf([normal.next().value], run.nowMs))).toBeNull();
  let late = 0;
  for (const { spans, cost = 0, crossed, waitMs = 0 } of (planted[name] as (typeof planted)[string]).steps(run, random)) {
    const state = runs.add(changeOf(spans, run.wait(waitMs).nowMs, { cost }));
    if (state) return { late: crossed ? late : -1, rules: state.signs.map(({ rule }) => rule) };
    if (crossed) late++;
    if (late > 20) break;
  }
  return { late: Number.POSITIVE_INFINITY, rules: [] };
}

const signsOf = (state: RunState | null) => state?.signs.map(({ rule, subject, value }) => [rule, subject, value]);

describe('planted runaways', () => {
  // With the silent tools below, 200 in all.
  for (const name of Object.keys(planted))
    it(`34 runs with ${name} are found within 5 steps of the threshold`, () => {
      for (let seed = 1; seed <= 34; seed++) {
        const { late, rules } = stepsUntilFound(name, seed);
        expect.soft(late, `${name}, seed ${seed}: ${rules}`).toBeLessThanOrEqual(5);
        if (!planted[name]?.mayBeEarly) expect.soft(late, `${name}, seed ${seed}: ${rules}`).toBeGreaterThanOrEqual(0);
        expect.soft(planted[name]?.rules, `seed ${seed}`).toEqual(expect.arrayContaining(rules.slice(0, 1)));
      }
    });

  it('30 tools that fell silent are found within 10 s of the threshold', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = randomFrom(seed);
      const run = new ARun();
      const runs = watch();
      runs.add(changeOf([run.chat(1000), run.runningTool('fetch')], run.nowMs));
      const begun = run.nowMs + random(200_000);
      if (begun > run.nowMs) runs.add(changeOf([run.chat(1200)], begun));
      const found: number[] = [];
      for (let now = begun; now < begun + 400_000 && found.length === 0; now += 5000)
        if (runs.look(now).length > 0) found.push(now - begun);
      expect(found[0]).toBeGreaterThanOrEqual(300_000);
      expect(found[0]).toBeLessThanOrEqual(310_000);
    }
  });

  it('200 runs that get somewhere are not found', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomFrom(seed + 1000);
      const run = new ARun();
      const runs = watch();
      const steps = normalSteps(run, random);
      for (let step = 0; step < 150; step++)
        expect(signsOf(runs.add(changeOf([steps.next().value], run.nowMs))), `seed ${seed}`).toBeUndefined();
    }
  });
});

describe('a watched run', () => {
  it('is found with the spans of one commit in any order', () => {
    const run = new ARun();
    const calls = Array.from({ length: 12 }, (_, at) => run.tool('search', { part: at % 2 }, `same ${at % 2}`)).reverse();
    expect(signsOf(watch().add(changeOf(calls, run.nowMs)))).toEqual([['loop', 'search', 6]]);
  });

  it('may poll: other results are progress', () => {
    const [run, runs] = [new ARun(), watch()];
    for (let at = 0; at < 29; at++) expect(runs.add(changeOf([run.tool('check_status', { job: 7 }, `${at} %`)], run.nowMs))).toBeNull();
    expect(signsOf(runs.add(changeOf([run.tool('check_status', { job: 7 }, '29 %')], run.nowMs)))).toEqual([
      ['repeated_calls', 'check_status', 30],
    ]);
  });

  it('may call the same tool many times where arguments are not recorded', () => {
    const [run, runs] = [new ARun(), watch()];
    for (let at = 0; at < 200; at++) expect(runs.add(changeOf([run.tool('search', null, null)], run.nowMs))).toBeNull();
  });

  it('has no silent tool any more when the tool answers', () => {
    const [run, runs] = [new ARun(), watch({ thresholds: { silence: 10 } })];
    const running = run.runningTool('fetch');
    runs.add(changeOf([running], run.nowMs));
    expect(signsOf(runs.look(run.nowMs + 12_000)[0] ?? null)).toEqual([['silence', 'fetch', 10]]);
    const answered = aSpan({ spanId: String(running['spanId']), parentSpanId: 'c0'.repeat(8), startMs: run.nowMs, durationMs: 13_000 });
    expect(signsOf(runs.add(changeOf([answered], run.nowMs + 13_000)))).toEqual([]);
  });

  it('needs memory for so many runs only, and none for their steps', () => {
    const runs = watch({ runsMax: 3 });
    const all = Array.from({ length: 5 }, () => new ARun());
    for (let step = 0; step < 9; step++)
      for (const [trace, run] of all.entries()) runs.add(changeOf([run.tool('search', {}, 'none')], run.nowMs, { trace }));
    const last = all.map((run, trace) => runs.add(changeOf([run.tool('search', {}, 'none')], run.nowMs, { trace })) !== null);
    expect(last).toEqual([false, false, false, false, false]);
    const [run] = all as [ARun];
    for (let step = 0; step < 1000; step++) runs.add(changeOf([run.tool(`tool_${step}`, { step }, 'none')], run.nowMs, { trace: 0 }));
    expect(runs.needsAttention).toBe(false);
  });

  it('that an earlier process found ends, however often it was looked at', () => {
    const runs = watch();
    const resumed = (trace: number) => ({ scope: 1, trace, app, traceId: `trace-${trace}` });
    const startMs = Date.now();
    for (const trace of [1, 2]) runs.resume(resumed(trace), startMs);
    for (const atMs of [2_000, 4_000]) expect(runs.look(startMs + atMs).filter(({ isOver }) => isOver)).toEqual([]);
    expect(runs.add(changeOf([new ARun(startMs).end()], startMs + 5_000))).toMatchObject({ trace: 1, isOver: true });
    expect(runs.look(startMs + 11 * 60_000)).toMatchObject([{ trace: 2, isOver: true }]);
    expect(runs.needsAttention).toBe(false);
  });

  it('says nothing more when its trace is gone', () => {
    const runs = watch({ runsMax: 2 });
    for (const trace of [1, 2, 3]) {
      const run = new ARun();
      const calls = Array.from({ length: 10 }, () => run.tool('check_status', { id: 1 }, 'running'));
      expect(runs.add(changeOf(calls, run.nowMs, { trace }))).not.toBe(null);
    }
    // The first one was forgotten, and its end not reported yet.
    runs.forget(({ trace }) => trace < 3);
    expect(runs.look(Date.now() + 11 * 60_000)).toMatchObject([{ trace: 3, isOver: true }]);
  });

  it('ends when it is forgotten, so that its signs do not stay for ever', () => {
    const runs = watch({ runsMax: 1 });
    const [first, second] = [new ARun(), new ARun()];
    for (let step = 0; step < 10; step++) runs.add(changeOf([first.tool('search', {}, 'none')], first.nowMs));
    runs.add(changeOf([second.tool('search', {}, 'none')], second.nowMs, { trace: 2 }));
    expect(runs.look(second.nowMs)).toMatchObject([{ trace: 1, isOver: true, isNews: true }]);
    expect(runs.needsAttention).toBe(false);
  });
});
