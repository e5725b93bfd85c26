import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { QueueRule } from '../../shared/contract/evaluation/queue-rules.ts';
import { testClock } from '../fixtures/test-clock.ts';
import { Encoded } from '../telemetry/encoded.ts';
import type { StatesSearch, TraceState } from '../telemetry/search-reader.ts';
import { type RuleNeeds, RuleRounds, type RuleTimes } from './rule-rounds.ts';

const [minuteMs, hourMs] = [60_000, 3_600_000];
const startMs = Date.UTC(2026, 5, 1, 12);
const scope = { tenant_id: 't', app_id: 'a' };

interface Trace extends TraceState {
  start_ms: number;
}

const emptyApp = () => ({
  nowMs: startMs,
  traces: [] as Trace[],
  rules: [] as QueueRule[],
  /** By rule, in the order of their addition. */
  added: new Map<string, string[]>(),
  reads: [] as StatesSearch[],
  events: [] as string[],
  /** Called before each page of a rule. */
  onRead: () => {},
  /** Longer windows are searched in part. */
  searchedMs: Number.POSITIVE_INFINITY,
  lost: new AbortController(),
  claims: 0,
});
type App = ReturnType<typeof emptyApp>;

/** What the rounds need, in memory. Every filter matches every trace. */
function needsOf(app: App): RuleNeeds {
  const states = async (_: unknown, search: StatesSearch) => {
    const { from, to, offset, limit } = search;
    if (limit > 1) {
      app.reads.push(search);
      app.onRead();
    }
    const found = app.traces.filter(({ start_ms }) => start_ms >= from && start_ms < to).sort((a, b) => a.start_ms - b.start_ms);
    const isPart = to - from > app.searchedMs;
    const seen = isPart ? found.slice(-1) : found;
    const data = Encoded.of<TraceState[]>(seen.slice(offset, offset + limit));
    return { data, total: seen.length, ...(isPart && { totalIsLowerBound: true as const }) };
  };
  const queueRules: RuleNeeds['control']['queueRules'] = {
    listActive: async () => app.rules.map((rule) => ({ scope, rule })),
    fill: async (_by, _scope, { ruleId }, ids) => {
      const known = app.added.get(ruleId) ?? [];
      const max = app.rules.find(({ id }) => id === ruleId)?.max_per_day ?? 0;
      const isKnown = new Set(known);
      const fresh = ids.filter((id) => !isKnown.has(id)).slice(0, max - known.length);
      app.added.set(ruleId, [...known, ...fresh]);
      return { added: fresh.length, isFull: known.length + fresh.length >= max };
    },
    note: async (_scope, { ruleId }, problem) => {
      const looked_at = new Date(app.nowMs).toISOString();
      app.rules = app.rules.map((rule) => (rule.id === ruleId ? { ...rule, problem, looked_at } : rule));
    },
  };
  const claim = async () => {
    app.lost = new AbortController();
    return { claim: { name: 'queue rules', holder: 'me', epoch: ++app.claims }, lost: app.lost.signal };
  };
  const log = { info: () => {}, error: (event: string) => void app.events.push(event) };
  return {
    control: { queueRules },
    search: { states },
    leases: { claim, release: async () => {} },
    clock: testClock(() => app.nowMs),
    log,
  };
}

function anApp(times: RuleTimes = {}) {
  const app = emptyApp();
  const rounds = new RuleRounds(needsOf(app), times);
  const addRule = (change: Partial<QueueRule> = {}): string => {
    const since = new Date(startMs - 48 * hourMs).toISOString();
    const counts = { added: 0, last_added_at: null, looked_at: null, problem: null };
    const fixed = { id: randomUUID(), queue_id: randomUUID(), created_by: 'me', created_at: since, active_since: since };
    const rule = { ...fixed, filter: '', sample_percent: 100, max_per_day: 1e6, paused: false, ...counts, ...change };
    app.rules.push(rule);
    return rule.id;
  };
  const addTrace = (agoMs: number, change: Partial<Trace> = {}): string => {
    const start_ms = app.nowMs - agoMs;
    const trace = { id: randomUUID(), start_ms, end_ms: start_ms + 1, is_running: false, ...change };
    app.traces.push(trace);
    return trace.id;
  };
  const round = async (afterMs = minuteMs) => {
    app.nowMs += afterMs;
    await rounds.round();
  };
  return Object.assign(app, { round, addRule, addTrace, addedBy: (rule: string) => app.added.get(rule) ?? [] });
}

it('adds traces that have ended and were quiet since, each when it is so', async () => {
  const app = anApp({ settledMs: minuteMs });
  const rule = app.addRule();
  const ended = app.addTrace(2 * minuteMs);
  app.addTrace(2 * minuteMs, { id: 'running', is_running: true });
  app.addTrace(2 * minuteMs, { id: 'busy', end_ms: startMs + 30_000 });
  await app.round(0);
  expect(app.addedBy(rule)).toEqual([ended]);
  await app.round(minuteMs);
  expect(app.addedBy(rule)).toEqual([ended]);
  app.traces = app.traces.map((trace) => ({ ...trace, is_running: false }));
  await app.round(minuteMs);
  expect(app.addedBy(rule)).toEqual([ended, 'running', 'busy']);
});

it('new traces come before those of the last day, and the last day is looked at once an hour', async () => {
  const app = anApp();
  const rule = app.addRule();
  const [old, ancient, fresh] = [app.addTrace(20 * hourMs), app.addTrace(25 * hourMs), app.addTrace(5 * minuteMs)];
  await app.round();
  expect(app.addedBy(rule)).toEqual([fresh, old]);
  expect(app.addedBy(rule)).not.toContain(ancient);
  // As if a score had come, so that a filter matches now.
  const late = app.addTrace(3 * hourMs);
  await app.round(30 * minuteMs);
  expect(app.addedBy(rule)).not.toContain(late);
  await app.round(31 * minuteMs);
  expect(app.addedBy(rule)).toContain(late);
});

it('goes over as many traces as there are, also of one millisecond, and keeps its position when a page fails', async () => {
  const app = anApp();
  const rule = app.addRule();
  for (let at = 0; at < 1200; at++) app.addTrace(5 * minuteMs);
  let pages = 0;
  app.onRead = () => {
    if (++pages === 2) throw new Error('disk');
  };
  await app.round();
  expect([app.addedBy(rule).length, app.events, app.rules[0]?.problem]).toEqual([500, ['queue_not_filled'], 'search_failed']);
  await app.round();
  expect([new Set(app.addedBy(rule)).size, app.rules[0]?.problem]).toEqual([1200, null]);
});

it('a backlog is worked off in rounds, from where the last one ended', async () => {
  const app = anApp();
  const rule = app.addRule({ active_since: new Date(startMs - minuteMs).toISOString() });
  await app.round(0);
  for (let at = 0; at < 12_000; at++) app.addTrace(0, { start_ms: startMs + at, end_ms: startMs + at });
  await app.round(3 * minuteMs);
  const first = app.addedBy(rule).length;
  expect(first).toBeGreaterThan(5000);
  for (let more = 0; more < 3; more++) await app.round();
  expect(app.addedBy(rule).length).toBe(12_000);
});

it('a window whose contents cannot be searched to the end is divided until they can', async () => {
  const app = anApp();
  const rule = app.addRule();
  app.searchedMs = 2 * minuteMs;
  for (let minute = 2; minute < 9; minute++) app.addTrace(minute * minuteMs);
  await app.round();
  expect(app.addedBy(rule)).toHaveLength(7);
  app.searchedMs = 1;
  app.addTrace(30_000);
  await app.round(2 * minuteMs);
  expect(app.rules[0]?.problem).toBe('search_incomplete');
});

it('says when traces have become too old to be looked at', async () => {
  const app = anApp();
  app.addRule();
  await app.round();
  await app.round(30 * hourMs);
  expect([app.events, app.rules[0]?.problem]).toEqual([['queue_rule_behind'], 'behind']);
});

it('a rule that fails holds up no other, and one for which there was no time is the first of the next round', async () => {
  const app = anApp({ roundMs: 1000 });
  const [broken, slow, last] = [app.addRule({ filter: 'no such field =' }), app.addRule(), app.addRule()];
  const trace = app.addTrace(5 * minuteMs);
  app.onRead = () => {
    app.nowMs += 2000;
  };
  await app.round();
  expect([broken, slow, last].map(app.addedBy)).toEqual([[], [trace], []]);
  await app.round();
  expect(app.addedBy(last)).toEqual([trace]);
});

it('a rule that has reached its limit reads no more in this round, and a changed one begins anew', async () => {
  const app = anApp();
  const rule = app.addRule({ max_per_day: 3 });
  for (let at = 0; at < 600; at++) app.addTrace(5 * minuteMs + at);
  await app.round();
  expect([app.addedBy(rule).length, app.reads.length]).toEqual([3, 1]);
  const tomorrow = Date.UTC(2026, 5, 2);
  app.rules = app.rules.map((before) => ({ ...before, active_since: new Date(tomorrow).toISOString(), max_per_day: 6 }));
  await app.round(hourMs);
  expect(app.reads).toHaveLength(1);
  const fresh = app.addTrace(0, { start_ms: tomorrow + minuteMs, end_ms: tomorrow + minuteMs });
  await app.round(tomorrow + 10 * minuteMs - app.nowMs);
  expect(app.addedBy(rule).slice(3)).toEqual([fresh]);
});

it('an app without new traces is not read by each rule', async () => {
  const app = anApp();
  for (let at = 0; at < 5; at++) app.addRule({ active_since: new Date(startMs).toISOString() });
  await app.round(5 * minuteMs);
  await app.round(5 * minuteMs);
  expect(app.reads).toEqual([]);
});

it('stops when the lease is lost, and begins with new traces when it is back', async () => {
  const app = anApp();
  const [first, second] = [app.addRule(), app.addRule()];
  const trace = app.addTrace(5 * minuteMs);
  app.onRead = () => app.lost.abort();
  await app.round();
  expect([app.addedBy(first), app.addedBy(second)]).toEqual([[trace], []]);
  app.onRead = () => {};
  await app.round();
  expect([app.addedBy(second), app.claims]).toEqual([[trace], 2]);
});
