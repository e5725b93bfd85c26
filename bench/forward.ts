/**
 * `npm run test:forward -- chaos --spans N`, `-- kills --cycles N`, `-- week --spans N`: nothing is lost on the way to the cloud, whatever happens
 * to the line and to both ends of it. `--seed S` does the same again.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { percentiles, runChaos } from './forward/run-chaos.ts';
import { runKills } from './forward/run-kills.ts';
import { runWeek } from './forward/run-week.ts';
import type { Sameness } from './forward/same-spans.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    spans: { type: 'string' },
    cycles: { type: 'string', default: '100' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const { seed } = values;
const what = positionals[0] ?? 'chaos';
print(`forward ${what}, --seed ${seed}`);

if (what === 'chaos') await chaos();
else if (what === 'kills') await kills();
else if (what === 'week') await week();
else {
  print(`There is no test of forwarding called ${what}`);
  process.exitCode = 2;
}

async function chaos(): Promise<void> {
  const result = await runChaos({ spans: Number(values.spans ?? 200_000), seed, say });
  const { ackMs, fates, scores, different, looked, drainS, peakRss, sameness } = result;
  judge(sameness, different === 0);
  judge(scores, scores.local > 0, 'scores');
  print(`${looked} spans looked at whole, ${different} read otherwise in the cloud`);
  print(`requests of the sender: ${JSON.stringify(fates)}`);
  print(`drained in ${drainS.toFixed(0)} s after the last was taken; the sender took ${(peakRss / 2 ** 20).toFixed(0)} MB at most`);
  const [alone, forwarding] = [percentiles(ackMs.alone), percentiles(ackMs.forwarding)];
  for (const part of ['p50', 'p95', 'p99'] as const) {
    const more = (forwarding[part] / alone[part] - 1) * 100;
    print(
      `acknowledged ${part}: ${alone[part].toFixed(1)} ms alone, ${forwarding[part].toFixed(1)} ms while forwarding (${more.toFixed(0)} %)`,
    );
  }
}

async function kills(): Promise<void> {
  const { sameness, acknowledged, kills: killed } = await runKills({ cycles: Number(values.cycles), seed, say });
  judge(sameness, sameness.local >= acknowledged);
  print(`${acknowledged} spans acknowledged; the sender was killed ${killed.sender} times, the receiver ${killed.receiver} times`);
}

async function week(): Promise<void> {
  const { sameness, tries, backlog, drained } = await runWeek({ spans: Number(values.spans ?? 300_000), seed, say });
  judge(sameness, true);
  print(`${backlog} waited after seven days without a cloud, in which it was tried ${tries} times`);
  print(
    `drained at ${(backlog / drained.seconds).toFixed(0)} a second; the sender took ${(drained.peakRss / 2 ** 20).toFixed(0)} MB at most`,
  );
}

function judge({ local, cloud, missing, foreign, twice }: Sameness, isRight: boolean, what = 'spans'): void {
  const ok = isRight && missing === 0 && foreign === 0 && twice === 0 && local === cloud;
  print(`${ok ? 'ok' : 'FAILED'}: ${local} ${what} here, ${cloud} in the cloud; ${missing} missing, ${foreign} foreign, ${twice} twice`);
  if (!ok) process.exitCode = 1;
}
