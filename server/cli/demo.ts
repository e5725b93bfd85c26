import type { Client } from '../../shared/client.ts';
import { listLink } from '../reports/links.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode } from './command.ts';
import { deletionLines, requestDeletion } from './delete-traces.ts';
import { type DemoData, demoData, demoMark } from './demo/demo-data.ts';
import { postOtlp } from './import-files.ts';
import { requireGateway, withCommandErrors } from './local-gateway.ts';
import { printable } from './terminal.ts';

/** Selects the traces of the demo and no others. */
const demoFilter = `metadata.${demoMark} exists`;

const removeHint = '`glasshouse demo --remove` deletes them again.\n';

export const demo: Command = {
  summary: 'load made-up traces to look around with, and remove them again',
  help: `glasshouse demo [--remove] [--url URL]

Loads made-up traces of the last seven days: a support agent, a research agent and a writer of release notes, with sessions,
errors, scores and an experiment. No model is called and nothing is paid; the costs are what such calls would have cost. If the
demo is already there, nothing is loaded. Where forwarding is on, these traces are forwarded like all others.

  --remove       delete the traces of the demo, with their scores, and nothing else
${addressHelp}

0: loaded, already there, or removed. 1: the gateway refused something. 3: no gateway answers.
`,
  options: { ...addressOptions, remove: { type: 'boolean' } },
  execute: async (values) => {
    const { url, client } = await requireGateway(values);
    const isRemoval = values['remove'] === true;
    const found = await requestDeletion(client, { filter: demoFilter, dry_run: !isRemoval });
    if (isRemoval) return print(found.traces === 0 ? 'The demo is not loaded.\n' : deletionLines(found, false));
    const place = `${listLink(url, 'tags = demo')}\n`;
    if (found.traces > 0) return print(`The demo is already loaded, with ${found.traces} traces.\n${place}${removeHint}`);
    const data = demoData(Date.now());
    await load(url, client, data);
    const { traces, sessions, runs } = data.counts;
    return print(
      `Loaded ${traces} traces, ${sessions} sessions, ${data.scores.length} scores and ${runs} runs of an experiment.\n${place}${removeHint}`,
    );
  },
};

const print = (text: string): number => {
  process.stdout.write(text);
  return exitCode.ok;
};

/** @throws CommandError when any span or score is refused */
async function load(url: string, client: Client, { requests, scores }: DemoData): Promise<void> {
  for (const request of requests) {
    const { error, partialSuccess } = await postOtlp(`${url}/v1/traces`, JSON.stringify(request));
    const refusal = error?.message ?? partialSuccess?.['errorMessage'];
    if (refusal !== undefined) throw new CommandError(exitCode.failed, printable(refusal));
  }
  const { data } = await withCommandErrors(client.scores.createBatch({ body: { scores } }));
  if (data.summary.failed > 0) throw new CommandError(exitCode.failed, `${data.summary.failed} scores were refused.`);
}
