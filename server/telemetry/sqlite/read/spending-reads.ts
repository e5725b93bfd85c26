/** What model calls cost, by project folder, day, model and agent. */
import type { AgentWindows, CostlyPrompt, Spending, SpendingWindow } from '../../../../shared/contract/viewer/spending.ts';
import { LocalDays } from '../../../platform/local-days.ts';
import { countedFrom, type FiveHourWindow, FiveHourWindows, fiveHoursMs } from '../../spending/five-hour-windows.ts';
import { SpendingCount } from '../../spending/spending-count.ts';
import type { SpendingQuery } from '../../spending-reader.ts';
import { readStoredId } from '../file/id-codec.ts';
import { isoOf } from './iso-time.ts';
import type { ReadContext } from './read-context.ts';
import { SpentCalls } from './spent-calls.ts';

const dayMs = 86_400_000;
export const weekMs = 7 * dayMs;
const listedMax = 200;
const promptsMax = 10;

interface PromptRow {
  trace_id: unknown;
  name: number;
  input_preview: string;
}

interface PromptCount {
  trace: number;
  agent: string;
  atMs: number;
  count: SpendingCount;
}

export class SpendingReads {
  readonly #context: ReadContext;
  readonly #calls: SpentCalls;
  readonly #prompt;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#calls = new SpentCalls(context);
    this.#prompt = context.db.prepare<[number], PromptRow>('SELECT trace_id, name, input_preview FROM trace WHERE id = ?');
  }

  of(scope: number, query: SpendingQuery): Spending {
    const days = new LocalDays(query.time_zone);
    const folders = new Map<number, string | null>();
    const [total, byFolder, byDay, byModel, byAgent] = [new SpendingCount(), new Counts(), new Counts(), new Counts(), new Counts()];
    const prompts = new Map<number, PromptCount>();
    const agents = this.#agentNames();
    for (const call of this.#calls.between(scope, query.from_ms, query.to_ms)) {
      const agent = agents(call.service);
      total.add(call);
      byFolder.of(this.#calls.folderOf(call.trace, folders)).add(call);
      byDay.of(days.dayOf(call.atMs)).add(call);
      byModel.of(this.#context.lookup.text(call.model)).add(call);
      byAgent.of(agent).add(call);
      found(prompts, call.trace, () => ({ trace: call.trace, agent, atMs: call.atMs, count: new SpendingCount() })).count.add(call);
    }
    return {
      ...{ from: isoAt(query.from_ms), to: isoAt(query.to_ms), time_zone: query.time_zone, total: total.sums },
      projects: byFolder.byCost().map(([folder, count]) => ({ folder, ...count.sums })),
      days: byDay.inOrder().map(([day, count]) => ({ day: day ?? '', ...count.sums })),
      models: byModel.byCost().map(([model, count]) => ({ model: model ?? '', ...count.sums })),
      agents: byAgent.byCost().map(([agent, count]) => ({ agent: agent ?? '', ...count.sums })),
      left_out: [byFolder, byModel, byAgent].reduce((sum, counts) => sum + counts.leftOut, 0),
      windows: this.#windows(scope, query.now_ms, agents),
      prompts: this.#expensive(prompts, folders),
    };
  }

  #windows(scope: number, nowMs: number, agents: (service: number) => string): AgentWindows[] {
    const all = new Map<string, { hours: FiveHourWindows; week: SpendingCount }>();
    for (const call of this.#calls.between(scope, countedFrom(nowMs), nowMs + 1)) {
      const agent = agents(call.service);
      const own = found(all, agent, () => ({ hours: new FiveHourWindows(), week: new SpendingCount() }));
      own.hours.add(call);
      if (call.atMs >= nowMs - weekMs) own.week.add(call);
    }
    return [...all]
      .filter(([, { week }]) => week.calls > 0)
      .sort(([, a], [, b]) => b.week.picos - a.week.picos)
      .slice(0, listedMax)
      .map(([agent, { hours, week }]) => {
        const [current, highest] = [hours.at(nowMs), hours.highest as FiveHourWindow];
        return {
          agent,
          five_hours: current && windowOf(current.fromMs, current.fromMs + fiveHoursMs, current.count),
          highest: windowOf(highest.fromMs, highest.fromMs + fiveHoursMs, highest.count),
          week: windowOf(nowMs - weekMs, nowMs, week),
        };
      });
  }

  /** Names of agents by the row id of their service. */
  #agentNames(): (service: number) => string {
    const names = new Map<number, string>();
    return (service) => found(names, service, () => agentOf(this.#context.lookup.text(service)));
  }

  #expensive(prompts: ReadonlyMap<number, PromptCount>, folders: Map<number, string | null>): CostlyPrompt[] {
    const { lookup, damageReporter } = this.#context;
    const expensive = [...prompts.values()].filter(({ count }) => count.picos > 0).sort((a, b) => b.count.picos - a.count.picos);
    return expensive.slice(0, promptsMax).flatMap(({ trace, agent, atMs, count }) => {
      const row = damageReporter.read('trace', trace, () => this.#prompt.get(trace));
      if (!row) return [];
      const text = typeof row.input_preview === 'string' ? row.input_preview : '';
      const names = { trace_id: readStoredId(row.trace_id), name: lookup.text(row.name), text };
      return { ...names, folder: this.#calls.folderOf(trace, folders), agent, at: isoAt(atMs), ...count.sums };
    });
  }
}

/** Codex sends a name for each of its programs: `codex_cli_rs`, `codex_exec`. */
const agentOf = (service: string): string => (/^codex[_-]/.test(service) ? 'codex' : service);

const isoAt = (ms: number): string => isoOf(ms * 1000);

const windowOf = (fromMs: number, toMs: number, count: SpendingCount): SpendingWindow => ({
  from: isoAt(fromMs),
  to: isoAt(toMs),
  ...count.sums,
});

/** The value of a key, which is made if there is none. */
function found<K, V>(values: Map<K, V>, key: K, make: () => V): V {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
}

class Counts {
  readonly #counts = new Map<string | null, SpendingCount>();

  of(key: string | null): SpendingCount {
    return found(this.#counts, key, () => new SpendingCount());
  }

  inOrder(): [string | null, SpendingCount][] {
    return [...this.#counts].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1));
  }

  byCost(): [string | null, SpendingCount][] {
    return this.inOrder()
      .sort(([, a], [, b]) => b.picos - a.picos || b.calls - a.calls)
      .slice(0, listedMax);
  }

  get leftOut(): number {
    return Math.max(0, this.#counts.size - listedMax);
  }
}
