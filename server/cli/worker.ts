import { version } from '../platform/version.ts';
import { configuredAddress } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage } from './command.ts';
import { printable } from './terminal.ts';
import { WorkerConnection } from './worker/connection.ts';
import { WorkerGateway } from './worker/gateway.ts';
import { loadHandler } from './worker/handler.ts';
import { runJob } from './worker/run-job.ts';

export const worker: Command = {
  summary: 'connect to a cloud gateway and run the jobs that the dashboard starts',
  help: `glasshouse worker --handler FILE [--url URL] [--key KEY]

Connects to a cloud gateway and runs the jobs of its key's app: prompts, experiments over datasets, and the names of evals.
FILE is a JavaScript or TypeScript module that exports \`runPrompt\` and, optionally, \`evals\`; docs/worker.md has an example.
A lost connection is opened again after 1 s, then after growing delays of up to a minute. Each app has one connected worker:
a newer one replaces the older, which ends.

  --handler FILE  the handler module
  --url URL       address of the gateway (GLASSHOUSE_URL)
  --key KEY       a key of the app with the permissions worker.connect, template.read, trace.write and score.write
                  (GLASSHOUSE_API_KEY; other users of this machine can see options, but not the environment)

0: ended by SIGTERM or Ctrl-C, or replaced by another worker. 1: refused by the gateway. 2: invalid usage.
`,
  options: { handler: { type: 'string' }, url: { type: 'string' }, key: { type: 'string' } },
  execute: async (values) => {
    const url = configuredAddress(values) ?? usage('Set the address of the gateway with GLASSHOUSE_URL or --url.');
    const key = textOf(values, 'key') ?? process.env['GLASSHOUSE_API_KEY'] ?? usage('Set an API key with GLASSHOUSE_API_KEY or --key.');
    const handler = await loadHandler(textOf(values, 'handler') ?? usage('Name the handler module with --handler FILE.'));
    const gateway = new WorkerGateway(url, key);
    const log = (line: string) => void process.stderr.write(`glasshouse: ${printable(line)}\n`);
    const connection = new WorkerConnection({
      url,
      key,
      headers: { 'x-service-sdk-version': version, 'x-service-adapter': 'glasshouse-worker', 'x-service-language': 'typescript' },
      log,
      runJob: async (jobId, request, sendFrame, signal) => {
        log(`${request.type} ${jobId} started`);
        await runJob({ handler, gateway }, jobId, request, sendFrame, signal);
        log(`${request.type} ${jobId} ${signal.aborted ? `aborted: ${String(signal.reason)}` : 'done'}`);
      },
    });
    const end = await connection.run(stopSignal());
    if (end.kind === 'refused') throw new CommandError(exitCode.failed, printable(`the gateway refuses this worker: ${end.why}`));
    log(end.kind === 'replaced' ? 'another worker of this app has taken over' : 'stopped');
    // The handler may have left resources open, which would keep the process alive.
    process.exit(exitCode.ok);
  },
};

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
