/** Two gateways that both believe they write for a team, and senders that give them different things to write. */
import { setTimeout as sleep } from 'node:timers/promises';
import { aRequest } from '../../../shared/fixtures/otlp.ts';
import { Random } from '../../traffic/random.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import { chaosRun, compared, sendTo, statusText, withFleet } from './run.ts';
import { headersOf } from './sender.ts';

/** Tables in whose insert an owner is stopped. */
const stops = ['record', 'span', 'trace', 'place', 'text'];
const afterwardsMs = 3_000;

export const stoppedOwner = chaosRun({
  about: 'the gateway that writes for a team is stopped (SIGSTOP) within a commit and continued after another has taken over',
  sizes: { times: 12, seconds: 30, rate: 1000, teams: 6, raw: 5000 },
  quick: { times: 3, seconds: 15, rate: 150, teams: 3, raw: 200 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: sizes.teams }, async (fleet) => {
      const { sender, ledger } = sendTo(fleet, { seed, rate: sizes.rate, timeoutMs: 5_000 });
      const kept: string[] = [];
      let late = 0;
      for (let time = 0; time < sizes.times; time++) {
        await sleep(afterwardsMs);
        const table = stops[time % stops.length] as string;
        const stopped = await stopAt(fleet, table);
        log(`stop ${time + 1} of ${sizes.times}: gateway ${stopped.number} while it inserts into ${table}`);
        await sleep(sizes.seconds * 1000);
        const left = await teamsOf(fleet, stopped.number);
        if (left.length > 0) kept.push(`no other gateway has taken over from gateway ${stopped.number} within ${sizes.seconds} s`);
        // What was on its way arrives first, and then the gateway goes on.
        stopped.release();
        await sleep(500);
        fleet.cluster.signalInstance(stopped.number, 'SIGCONT');
        late += stopped.held();
      }
      await sleep(afterwardsMs);
      await sender.stop();
      const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw });
      return {
        figures: [...figures, `${sizes.times} stops of ${sizes.seconds} s, ${late} inserts came late; ${statusText(sender)}`],
        problems: [...problems, ...kept],
      };
    }),
});

/** Teams that a gateway writes for. */
async function teamsOf(fleet: ChaosFleet, number: number): Promise<string[]> {
  const teams = fleet.apps.map(({ tenant_id }) => tenant_id);
  const owners = await Promise.all(teams.map((team) => fleet.ownerOf(team)));
  return teams.filter((_, index) => owners[index] === number);
}

/** Stops the gateway that is first to insert into a table, and holds its inserts up. */
async function stopAt(fleet: ChaosFleet, table: string): Promise<{ number: number; release(): void; held(): number }> {
  const { promise: number, resolve: found } = Promise.withResolvers<number>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let [chosen, held]: [number | null, number] = [null, 0];
  for (const [tapped, tap] of fleet.taps.entries())
    tap.onInsert = async (insert, moment) => {
      if (chosen === null && insert === table && moment === 'before') {
        chosen = tapped;
        fleet.cluster.signalInstance(tapped, 'SIGSTOP');
        found(tapped);
      }
      if (chosen !== tapped || moment !== 'before') return;
      held++;
      await released;
    };
  return { number: await number, release, held: () => held };
}

const tables = ['record', 'text', 'span', 'place', 'trace'];

export const sameSpan = chaosRun({
  about: 'the same span is sent to all gateways at once, pending, complete, and complete with other contents: one of them wins everywhere',
  sizes: { times: 2000 },
  quick: { times: 60 },
  run: ({ sizes, seed, instances }) =>
    withFleet({ instances, teams: 1 }, async (fleet) => {
      const random = new Random(`same ${seed}`);
      const traces: string[] = [];
      for (let time = 0; time < sizes.times; time++) traces.push(await sendAtOnce(fleet, random));
      await fleet.untilApplied(60_000);
      const before = await shownEverywhere(fleet, traces);
      for (const table of tables) await fleet.run(`OPTIMIZE TABLE ${table} FINAL`);
      const after = await shownEverywhere(fleet, traces);
      const problems = [...before.problems, ...after.problems];
      const changed = [...before.shown].filter(([trace, text]) => after.shown.get(trace) !== text);
      for (const [trace, text] of changed.slice(0, 5)) problems.push(`${trace} was ${text} and is ${after.shown.get(trace)} when merged`);
      const figures = `${sizes.times} spans sent to ${instances} gateways at once: ${problems.length} differ, ${changed.length} changed by merging`;
      return { figures: [figures], problems: problems.slice(0, 20) };
    }),
});

const startUs = Date.UTC(2026, 0, 15, 10) * 1000;
const hourUs = 3_600_000_000;

/** Versions of one span, which begin in different hours, to one gateway each. @returns its trace */
async function sendAtOnce(fleet: ChaosFleet, random: Random): Promise<string> {
  const [traceId, spanId] = [random.hex(32), random.hex(16)];
  const version = (name: string, start: number, isPending: boolean) => ({
    ...{ traceId, spanId, name, kind: 1, startTimeUnixNano: `${start}000` },
    ...{ endTimeUnixNano: isPending ? '0' : `${start + 5000}000`, attributes: [], status: { code: 0 } },
  });
  const versions = random.shuffled([
    version('begun', startUs - hourUs, true),
    version('first', startUs, false),
    version('second', startUs + hourUs, false),
  ]);
  const urls = [...fleet.cluster.instances.values()];
  const headers = headersOf(fleet.apps[0] as (typeof fleet.apps)[number]);
  const sent = versions.map((span, number) =>
    fetch(`${urls[number % urls.length]}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(aRequest([span])) }),
  );
  for (const response of await Promise.all(sent)) {
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`A valid request was answered ${response.status}`);
  }
  return traceId;
}

/** What the gateways and the tables show of each trace; a problem when they differ, or show what did not win. */
async function shownEverywhere(fleet: ChaosFleet, traces: readonly string[]): Promise<{ shown: Map<string, string>; problems: string[] }> {
  const rows = await fleet.rows<{ trace_id: string; span: string[]; listed: string[]; kept: string[] }>(
    `SELECT trace_id, groupArrayIf(name, source = 'span') AS span, groupArrayIf(name, source = 'trace') AS listed,
       groupArrayIf(name, source = 'record') AS kept
     FROM (SELECT trace_id, 'span' AS source, name FROM span FINAL
       UNION ALL SELECT trace_id, 'trace', name FROM trace FINAL
       UNION ALL SELECT trace_id, 'record', JSONExtractString(prepared, 'name') FROM record FINAL) GROUP BY trace_id`,
  );
  const stored = new Map(rows.map(({ trace_id, span, listed, kept }) => [trace_id, JSON.stringify([span, listed, kept])]));
  const shown = new Map<string, string>();
  const problems: string[] = [];
  const urls = [...fleet.cluster.instances.values()];
  for (const trace of traces) {
    const names = await Promise.all(urls.map((url) => nameOf(fleet, url, trace)));
    const [name] = names;
    const expected = JSON.stringify([[name], [name], [name]]);
    if (new Set(names).size !== 1 || (name !== 'first' && name !== 'second')) problems.push(`gateways show ${trace} as ${names}`);
    else if (stored.get(trace) !== expected) problems.push(`${trace} is ${name}; its rows are ${stored.get(trace)}`);
    shown.set(trace, `${names} ${stored.get(trace)}`);
  }
  return { shown, problems };
}

async function nameOf(fleet: ChaosFleet, url: string, trace: string): Promise<string> {
  const response = await fetch(`${url}/v1/traces/${trace}`, { headers: headersOf(fleet.apps[0] as (typeof fleet.apps)[number]) });
  const body = (await response.json()) as { data?: { name: string; spans: { name: string }[] } };
  return body.data ? [...new Set([body.data.name, ...body.data.spans.map(({ name }) => name)])].join(' and ') : String(response.status);
}
