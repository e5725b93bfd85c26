import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { dataFolder } from '../platform/data-folder.ts';
import { addressHelp, addressOf, addressOptions, localPortOf, placeOf } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage, type Values } from './command.ts';
import { type Found, filterLink, traceLink, whoAnswers, whyNot } from './local-gateway.ts';
import { runEnvironment, runKey } from './run-environment.ts';
import { startGateway } from './start-gateway.ts';
import { printable } from './terminal.ts';

/** Those that a shell or a supervisor sends. The terminal sends SIGINT and SIGQUIT to the program as well; it is not to be told twice. */
const passedOn: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
const fromTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

export const run: Command = {
  summary: 'start a program whose spans come here, and print the link to them',
  help: `glasshouse run [--name NAME] [--url URL] [--no-start] [--data DIR] [--project DIR] -- PROGRAM [ARGUMENT...]

Starts PROGRAM with the OpenTelemetry environment set to this machine's gateway: endpoint, protocol, and a resource
attribute that marks every span with this run. What was set for another backend (headers too) is left out. Signals go
through to the program, and its exit code comes back. What is printed goes to stderr; stdout is the program's.

  --name NAME    what the run is called, kept as metadata
${addressHelp}
  --no-start     fail when no gateway answers. Otherwise one is started, which stays when the program ends
  --data DIR     data folder of a gateway that is started
  --project DIR  project folder of a gateway that is started (the working directory)

Ends as the program does. 125: no gateway could be had. 126: the program cannot be started. 127: there is no such program.
`,
  options: {
    ...addressOptions,
    name: { type: 'string' },
    'no-start': { type: 'boolean' },
    data: { type: 'string', default: dataFolder() },
    project: { type: 'string', default: process.cwd() },
  },
  passesOn: true,
  operands: true,
  act: async (values, [program, ...args]) => {
    if (program === undefined) return usage('Say what to run: glasshouse run -- PROGRAM [ARGUMENT...]');
    const gateway = await gatewayFor(values);
    const runId = `run-${randomBytes(6).toString('hex')}`;
    const environment = runEnvironment(process.env, gateway.url, runId, textOf(values, 'name'));
    const ended = await follow(program, args, environment);
    tell(await linkTo(gateway, runId));
    if (ended.signal === null) return ended.code;
    return endBy(ended.signal);
  },
};

const tell = (line: string): void => void process.stderr.write(`glasshouse: ${line}\n`);

async function gatewayFor(values: Values): Promise<Found> {
  const url = addressOf(values);
  const answering = await whoAnswers(url);
  if (answering.kind === 'glasshouse') return answering.gateway;
  const port = localPortOf(url);
  if (port === null || answering.kind === 'other' || values['no-start']) throw new CommandError(exitCode.runFailed, whyNot(url, answering));
  const { gateway, pid, log } = await startGateway(port, textOf(values, 'data') ?? '', textOf(values, 'project') ?? '');
  tell(`no gateway answered ${placeOf(url)}, so one was started (process ${pid}, log in ${log}). \`kill ${pid}\` ends it.`);
  return gateway;
}

interface Ended {
  code: number;
  signal: NodeJS.Signals | null;
}

function follow(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(program, args, { stdio: 'inherit', env });
  const handlers = passedOn.map((signal) => [signal, () => void child.kill(signal)] as const);
  const ignored = fromTerminal.map((signal) => [signal, () => void (process.stdin.isTTY || child.kill(signal))] as const);
  for (const [signal, handler] of [...handlers, ...ignored]) process.on(signal, handler);
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code === 'ENOENT' ? exitCode.notFound : exitCode.cannotStart;
      reject(new CommandError(code, `${printable(program)} cannot be started (${error.code})`));
    });
    child.once('exit', (code, signal) => {
      for (const [name, handler] of [...handlers, ...ignored]) process.removeListener(name, handler);
      resolve({ code: code ?? 0, signal });
    });
  });
}

/** Its one trace, or the list of those that came. Spans of a program that did not wait for its exporter are lost before they are sent. */
async function linkTo({ url, client }: Found, runId: string): Promise<string> {
  const filter = `metadata.${runKey} = ${runId}`;
  const { data, pagination } = await client.traces
    .list({ query: { filter, limit: 1 } })
    .catch(() => ({ data: [], pagination: { total: 0 } }));
  const first = data[0];
  if (first === undefined) return `no trace came in this run. Those that come later: ${filterLink(url, filter)}`;
  return pagination.total === 1 ? `1 trace: ${traceLink(url, first.id)}` : `${pagination.total} traces: ${filterLink(url, filter)}`;
}

/** Ends this process as its program ended, so that the shell sees the same. */
function endBy(signal: NodeJS.Signals): number {
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}
