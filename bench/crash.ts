/**
 * `npm run test:crash -- --cycles N`: kills the gateway under load N times and checks that no acknowledged span is ever lost.
 * `--seed S` repeats the traffic and the times of the kills.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runCrash } from './crash/run-crash.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { quantile } from './measure/quantiles.ts';

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '20' },
    clients: { type: 'string', default: '8' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    /** Folder of the store, which is kept afterwards. It must be empty at the start. */
    data: { type: 'string' },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const dataDir = values.data ?? makeScratchFolder('crash');
const [cycles, clients] = [Number(values.cycles), Number(values.clients)];
print(`crash: ${cycles} cycles, ${clients} clients, --seed ${values.seed}, store in ${dataDir}`);

const began = performance.now();
const result = await runCrash({ cycles, clients, seed: values.seed, dataDir, log: print });
const seconds = ((performance.now() - began) / 1000).toFixed(0);
const [p50, p99] = [quantile(result.readyMs, 0.5), quantile(result.readyMs, 0.99)];

for (const problem of result.problems) print(`PROBLEM ${problem}`);
const ok = result.problems.length === 0;
if (ok && values.data === undefined) removeFolder(dataDir);
print(
  ok
    ? `crash: ok, ${cycles} kills, ${result.ackedSpans} spans acknowledged, 0 lost, 0 duplicated, ${result.traces} traces correct, ` +
        `${result.unanswered} unanswered requests stored completely or not at all, ready again p50 ${p50.toFixed(0)} ms p99 ${p99.toFixed(0)} ms (${seconds} s, seed ${values.seed})`
    : `crash: FAILED with seed ${values.seed}; the store is kept in ${dataDir}`,
);
process.exitCode = ok ? 0 : 1;
