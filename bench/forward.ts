/**
 * `npm run test:forward -- chaos --spans N`, `-- kills --cycles N`, `-- week --spans N`: forwarding to the cloud loses nothing, whatever happens
 * to the connection and to both gateways. `--seed S` repeats a run.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { percentiles, runChaos } from './forward/run-chaos.ts';
import { runKills } from './forward/run-kills.ts';
import { runWeek } from './forward/run-week.ts';
import type { StoreComparison } from './forward/same-spans.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    spans: { type: 'string' },
    cycles: { type: 'string', default: '100' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const { seed } = values;
const scenario = positionals[0] ?? 'chaos';
print(`forward ${scenario}, --seed ${seed}`);

if (scenario === 'chaos') await chaos();
else if (scenario === 'kills') await kills();
else if (scenario === 'week') await week();
else {
  print(`Unknown forwarding test: ${scenario}`);
  process.exitCode = 2;
}

async function chaos(): Promise<void> {
  const result = await runChaos({ spans: Number(values.spans ?? 200_000), seed, log });
  const { ackMs, fates, scores, different, compared, drainS, peakRss, comparison } = result;
  judge(comparison, different === 0);
  judge(scores, scores.local > 0, 'scores');
  print(`${compared} spans compared completely, ${different} different in the cloud`);
  print(`requests of the sending gateway: ${JSON.stringify(fates)}`);
  print(
    `drained in ${drainS.toFixed(0)} s after the last request was acknowledged; peak RSS of the sending gateway ${(peakRss / 2 ** 20).toFixed(0)} MB`,
  );
  const [alone, forwarding] = [percentiles(ackMs.alone), percentiles(ackMs.forwarding)];
  for (const part of ['p50', 'p95', 'p99'] as const) {
    const more = (forwarding[part] / alone[part] - 1) * 100;
    print(
      `acknowledged ${part}: ${alone[part].toFixed(1)} ms alone, ${forwarding[part].toFixed(1)} ms while forwarding (${more.toFixed(0)} %)`,
    );
  }
}

async function kills(): Promise<void> {
  const { comparison, acknowledged, kills: killed } = await runKills({ cycles: Number(values.cycles), seed, log });
  judge(comparison, comparison.local >= acknowledged);
  print(`${acknowledged} spans acknowledged; the sending gateway was killed ${killed.sender} times, the cloud ${killed.receiver} times`);
}

async function week(): Promise<void> {
  const { comparison, attempts, backlog, drain } = await runWeek({ spans: Number(values.spans ?? 300_000), seed, log });
  judge(comparison, true);
  print(`${backlog} messages in the outbox after seven days without a cloud and ${attempts} attempts to connect`);
  print(
    `drained at ${(backlog / drain.seconds).toFixed(0)} messages/s; peak RSS of the sending gateway ${(drain.peakRss / 2 ** 20).toFixed(0)} MB`,
  );
}

function judge({ local, cloud, missing, extra, duplicates }: StoreComparison, isRight: boolean, noun = 'spans'): void {
  const ok = isRight && missing === 0 && extra === 0 && duplicates === 0 && local === cloud;
  print(
    `${ok ? 'ok' : 'FAILED'}: ${local} ${noun} in the local store, ${cloud} in the cloud; ${missing} missing, ${extra} extra, ${duplicates} duplicates`,
  );
  if (!ok) process.exitCode = 1;
}
