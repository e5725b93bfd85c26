/**
 * Deletes half of a gateway's traces by a filter, and looks for what is left of them in every answer and in the bytes of every file
 * (bench/deletion). `--spans 100000` is the number of spans before.
 */
import { parseArgs } from 'node:util';
import { runDeletion } from '../deletion/run-deletion.ts';
import type { Occurrences } from '../deletion/stored-bytes.ts';
import type { Verdict } from './scenario.ts';

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const list = ({ counts, places }: Occurrences) =>
  [...Object.entries(counts).map(([name, count]) => `${count} ${name}`), ...(places.length > 0 ? [`in ${places.join(', ')}`] : [])].join(
    ', ',
  );
const isClean = ({ counts, places }: Occurrences) => places.length === 0 && (counts['other words'] ?? 0) > 0;

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({ args: options, options: { spans: { type: 'string', default: '10000' } } });
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const result = await runDeletion({ spans: Number(values.spans), log });
  const { expected, counted, before, after, stopped, found, different, lostAtDestination } = result;
  for (const line of [...found, ...different, ...lostAtDestination].slice(0, 20)) log(line);
  return [
    { ok: JSON.stringify(counted) === JSON.stringify(expected), what: `counted ${JSON.stringify(counted)}` },
    {
      ok: true,
      what: `no request finds them after ${seconds(result.removedMs)}, all overwritten after ${seconds(result.doneMs)}, compacted in ${seconds(result.compactedMs)}: ${megabytes(result.bytes.before)} to ${megabytes(result.bytes.after)}`,
    },
    { ok: found.length === 0, what: `${found.length} of ${result.sought} reads find something of them` },
    { ok: different.length === 0, what: `${different.length} of ${result.compared} reads answer otherwise than without them` },
    { ok: before.places.length > 0, what: `before, the files hold ${list(before)}` },
    { ok: isClean(after), what: `after, they hold ${list(after)}` },
    { ok: isClean(stopped), what: `after a stop, they hold ${list(stopped)}` },
    { ok: lostAtDestination.length === 0, what: `${lostAtDestination.length} forwarded traces are missing at their destination` },
  ];
}
