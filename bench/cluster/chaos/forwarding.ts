/** A gateway on a desktop forwards to a fleet whose gateways are killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { readStoredId } from '../../../server/telemetry/sqlite/file/id-codec.ts';
import { telemetryFile } from '../../../server/telemetry/sqlite/store.ts';
import { spawnForwarding } from '../../forward/cloud-process.ts';
import { waitUntilDrained } from '../../forward/outbox-watch.ts';
import { makeScratchFolder, removeFolder } from '../../gateway/scratch-folder.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import { Ledger } from './ledger.ts';
import { chaosRun, compared, statusText, withFleet } from './run.ts';
import { Sender } from './sender.ts';

export const forwarding = chaosRun({
  about: 'a gateway on a desktop forwards to a fleet whose gateways are killed: both have the same spans',
  sizes: { spans: 100_000, every: 5, raw: 5000 },
  quick: { spans: 3000, every: 5, raw: 200 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: 1 }, async (fleet) => {
      const [app] = fleet.apps as [(typeof fleet.apps)[number]];
      const folder = makeScratchFolder('forwarding');
      const local = spawnForwarding(folder, fleet.url, app);
      const stopping = new AbortController();
      try {
        const url = await local.ready;
        const killing = killUntil(stopping.signal, fleet, sizes.every, log);
        const ledger = new Ledger();
        const sender = new Sender({ url: () => url, apps: [app], ledger, seed, spans: sizes.spans });
        await sender.end();
        log(`${sender.sent} spans are in the local gateway`);
        const { seconds } = await waitUntilDrained(folder, local.pid);
        stopping.abort();
        const kills = await killing;
        const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw });
        const different = await differentSpans(fleet, telemetryFile(folder));
        const sets = `${different.local} spans in the local store, ${different.cloud} in the fleet, ${different.missing.length} different`;
        return {
          figures: [...figures, sets, `${kills} kills; drained in ${seconds.toFixed(0)} s; ${statusText(sender)}`],
          problems: [
            ...problems,
            ...(kills === 0 ? ['no gateway was killed while it forwarded'] : []),
            ...different.missing.slice(0, 5).map((key) => `${key} is only in one of the stores`),
          ],
        };
      } finally {
        stopping.abort();
        await local.stop();
        removeFolder(folder);
      }
    }),
});

const firstKillMs = 500;

async function killUntil(signal: AbortSignal, fleet: ChaosFleet, seconds: number, log: (line: string) => void): Promise<number> {
  for (let kills = 0; ; kills++) {
    // A short run is over soon.
    await sleep(kills === 0 ? firstKillMs : seconds * 1000, undefined, { signal }).catch(() => {});
    if (signal.aborted) return kills;
    const number = kills % fleet.taps.length;
    await fleet.cluster.endInstance(number, 'SIGKILL');
    log(`kill ${kills + 1}: gateway ${number}`);
    await fleet.cluster.startInstance(number);
  }
}

async function differentSpans(fleet: ChaosFleet, file: string): Promise<{ local: number; cloud: number; missing: string[] }> {
  const db = new Database(file, { readonly: true });
  const rows = db
    .prepare<[], { trace: unknown; span: unknown }>(
      'SELECT trace.trace_id AS trace, span.span_id AS span FROM span JOIN trace ON trace.id = span.trace WHERE (span.flags & 2) = 0',
    )
    .all();
  db.close();
  const local = new Set(rows.map(({ trace, span }) => `${readStoredId(trace)} ${readStoredId(span)}`));
  const stored = await fleet.rows<{ trace_id: string; span_id: string }>('SELECT trace_id, span_id FROM span FINAL');
  const cloud = new Set(stored.map(({ trace_id, span_id }) => `${trace_id} ${span_id}`));
  return { local: local.size, cloud: cloud.size, missing: [...local.symmetricDifference(cloud)] };
}
