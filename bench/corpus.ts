/**
 * `npm run corpus -- --dir ../shared/corpus`: replays recorded exports of real libraries through a fresh gateway, in three orders, and
 * compares everything that it then shows with what a correct gateway should show. Exits with 0 only when all of it matches.
 */
import { parseArgs } from 'node:util';
import { type Capture, conflictFreeGroups, readCaptures } from './corpus/captures.ts';
import { checkReplay } from './corpus/check-replay.ts';
import { Comparison } from './corpus/comparison.ts';
import { arrange, type Mode, modes, replay } from './corpus/replay.ts';
import { report } from './corpus/report.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '../shared/corpus' },
    /** Only captures whose name contains this. */
    only: { type: 'string', default: '' },
    /** Only this mode. */
    mode: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});

async function run(captures: Capture[], mode: Mode, comparison: Comparison): Promise<void> {
  const folder = makeScratchFolder('corpus');
  const gateway = spawnGateway(folder);
  try {
    const client = new HttpClient(await gateway.ready);
    const replayed = await replay(client, arrange(captures, mode, values.seed), mode);
    await checkReplay(client, captures, replayed, mode, comparison);
    client.close();
  } finally {
    await gateway.stop();
    removeFolder(folder);
  }
}

const captures = readCaptures(values.dir, values.only);
if (captures.length === 0) throw new Error(`No capture in ${values.dir} has "${values.only}" in its name`);
const comparison = new Comparison();
for (const mode of modes.filter((name) => name.startsWith(values.mode))) {
  process.stdout.write(`${captures.length} captures, ${mode}\n`);
  for (const group of conflictFreeGroups(captures)) await run(group, mode, comparison);
}
process.stdout.write(`${report(comparison, values.verbose)}\n`);
process.exitCode = comparison.differences.length === 0 ? 0 : 1;
