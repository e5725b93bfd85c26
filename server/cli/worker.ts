import { version } from '../platform/version.ts';
import { givenAddress } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage } from './command.ts';
import { printable } from './terminal.ts';
import { WorkerGateway } from './worker/gateway.ts';
import { loadHandler } from './worker/handler.ts';
import { WorkerLine } from './worker/line.ts';
import { runJob } from './worker/run-job.ts';

export const worker: Command = {
  summary: 'connect to the cloud gateway and run what the dashboard starts',
  help: `glasshouse worker --handler FILE [--url URL] [--key KEY]

Connects to a cloud gateway and does the jobs of its key's app: prompts, experiments over datasets, and the names of evals.
FILE is a module of JavaScript or TypeScript that exports \`runPrompt\` and, if it likes, \`evals\`; docs/worker.md has an example.
The connection is kept: a lost one is made again, after 1 s, later each time up to a minute. One worker is connected for an
app: a newer one takes the place of the older, which ends.

  --handler FILE  the module
  --url URL       where the gateway is (GLASSHOUSE_URL)
  --key KEY       a key of the app with the permissions worker.connect, template.read, trace.write and score.write
                  (GLASSHOUSE_API_KEY, which others on this machine do not see as they see an option)

0: ended by SIGTERM or Ctrl-C, or another worker has taken over. 1: the gateway will not have it. 2: asked wrongly.
`,
  options: { handler: { type: 'string' }, url: { type: 'string' }, key: { type: 'string' } },
  act: async (values) => {
    const url = givenAddress(values) ?? usage('Say where the gateway is with GLASSHOUSE_URL or --url.');
    const key = textOf(values, 'key') ?? process.env['GLASSHOUSE_API_KEY'] ?? usage('Give a key with GLASSHOUSE_API_KEY or --key.');
    const handler = await loadHandler(textOf(values, 'handler') ?? usage('Name the module that does the work with --handler FILE.'));
    const gateway = new WorkerGateway(url, key);
    const tell = (line: string) => void process.stderr.write(`glasshouse: ${printable(line)}\n`);
    const line = new WorkerLine({
      url,
      key,
      headers: { 'x-service-sdk-version': version, 'x-service-adapter': 'glasshouse-worker', 'x-service-language': 'typescript' },
      tell,
      work: async (jobId, request, say, signal) => {
        tell(`${request.type} ${jobId} begins`);
        await runJob({ handler, gateway }, jobId, request, say, signal);
        tell(`${request.type} ${jobId} ${signal.aborted ? `was given up: ${String(signal.reason)}` : 'is done'}`);
      },
    });
    const end = await line.run(untilTold());
    if (end.kind === 'refused') throw new CommandError(exitCode.failed, printable(`the gateway will not have this worker: ${end.why}`));
    tell(end.kind === 'replaced' ? 'another worker of this app has taken over' : 'stopped');
    // What the handler keeps open is no reason to stay.
    process.exit(exitCode.ok);
  },
};

function untilTold(): AbortSignal {
  const told = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => told.abort());
  return told.signal;
}
