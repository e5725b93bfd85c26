/** Gateways are killed, one after the other, at each step of a commit in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosFleet } from './chaos-fleet.ts';
import type { Moment } from './clickhouse-tap.ts';
import { chaosRun, compared, sendTo, statusText, withFleet } from './run.ts';

const tables = ['text', 'record', 'span', 'place', 'trace'];
/** The inserts of a commit. After the last one, the entry is in ClickHouse and still in the journal. */
const steps = tables.flatMap((table) => (['before', 'after'] as const).map((moment) => ({ table, moment })));

export const kills = chaosRun({
  about: 'one of the gateways is killed again and again, at each step of a commit in turn',
  sizes: { spans: 500_000, kills: 60, every: 5, teams: 6, raw: 5000 },
  quick: { spans: 4000, kills: 7, every: 5, teams: 4, raw: 200 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: sizes.teams }, async (fleet) => {
      const { sender, ledger } = sendTo(fleet, { seed });
      let atSteps = 0;
      for (let kill = 0; kill < sizes.kills; kill++) {
        await sleep((sizes.every * 1000) / 2);
        // Every third step comes next, so that a short run has some of all kinds.
        const step = steps[(kill * 3) % steps.length] as (typeof steps)[number];
        const number = await killAt(fleet, step, (sizes.every * 1000) / 2);
        if (number !== null) atSteps++;
        const killed = number ?? kill % instances;
        if (number === null) await fleet.cluster.endInstance(killed, 'SIGKILL');
        log(`kill ${kill + 1} of ${sizes.kills}: gateway ${killed}, ${number === null ? 'at any moment' : `${step.moment} ${step.table}`}`);
        await fleet.cluster.startInstance(killed);
      }
      while (sender.sent < sizes.spans) await sleep(100);
      await sender.stop();
      const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw });
      if (atSteps < sizes.kills / 2) problems.push(`only ${atSteps} of ${sizes.kills} kills were at a step of a commit`);
      return { figures: [...figures, `${sizes.kills} kills, ${atSteps} between steps; ${statusText(sender)}`], problems };
    }),
});

/** Kills the gateway that first reaches a step. @returns its number; null when none has within the time */
async function killAt(fleet: ChaosFleet, { table, moment }: { table: string; moment: Moment }, ms: number): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  let isArmed = true;
  for (const [number, tap] of fleet.taps.entries())
    tap.onInsert = async (insert, at) => {
      if (!isArmed || insert !== table || at !== moment) return;
      isArmed = false;
      await fleet.cluster.endInstance(number, 'SIGKILL');
      resolve(number);
      throw new Error('The gateway was killed');
    };
  const timer = setTimeout(() => {
    if (isArmed) resolve(null);
    isArmed = false;
  }, ms);
  const killed = await promise;
  clearTimeout(timer);
  return killed;
}
