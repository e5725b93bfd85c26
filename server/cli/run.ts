import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { dataFolder } from '../platform/data-folder.ts';
import { runKey } from '../platform/run-key.ts';
import { listLink, traceLink } from '../reports/links.ts';
import { addressHelp, addressOf, addressOptions, localPortOf, placeOf } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage, type Values } from './command.ts';
import { describeProbe, type GatewayInfo, probeGateway } from './local-gateway.ts';
import { runEnvironment } from './run-environment.ts';
import { startGateway } from './start-gateway.ts';
import { printable } from './terminal.ts';

/** Sent by a shell or a supervisor. The terminal also sends SIGINT and SIGQUIT to the program itself, which must not get them twice. */
const forwardedSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
const terminalSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

export const run: Command = {
  summary: 'start a program that sends its spans here, and print a link to them',
  help: `glasshouse run [--name NAME] [--url URL] [--no-start] [--data DIR] [--project DIR] -- PROGRAM [ARGUMENT...]

Starts PROGRAM with the OpenTelemetry environment set to this machine's gateway: endpoint, protocol, and a resource
attribute that marks every span with this run. Settings for other backends, headers included, are removed. Signals are
forwarded to the program, and its exit code is returned. Messages go to stderr; stdout belongs to the program.

  --name NAME    name of the run, stored as metadata
${addressHelp}
  --no-start     fail when no gateway answers. Otherwise one is started, which keeps running when the program ends
  --data DIR     data folder of a gateway that is started
  --project DIR  project folder of a gateway that is started (the working directory)

Ends like the program. 125: no gateway is available. 126: the program cannot be started. 127: there is no such program.
`,
  options: {
    ...addressOptions,
    name: { type: 'string' },
    'no-start': { type: 'boolean' },
    data: { type: 'string', default: dataFolder() },
    project: { type: 'string', default: process.cwd() },
  },
  passesArguments: true,
  operands: true,
  execute: async (values, [program, ...args]) => {
    if (program === undefined) return usage('Name the program: glasshouse run -- PROGRAM [ARGUMENT...]');
    const gateway = await gatewayFor(values);
    const runId = `run-${randomBytes(6).toString('hex')}`;
    const environment = runEnvironment(process.env, gateway.url, runId, textOf(values, 'name'));
    const programEnd = await runProgram(program, args, environment);
    report(await linkTo(gateway, runId));
    if (programEnd.signal === null) return programEnd.code;
    return endWithSignal(programEnd.signal);
  },
};

const report = (line: string): void => void process.stderr.write(`glasshouse: ${line}\n`);

async function gatewayFor(values: Values): Promise<GatewayInfo> {
  const url = addressOf(values);
  const probe = await probeGateway(url);
  if (probe.kind === 'glasshouse') return probe.gateway;
  const port = localPortOf(url);
  if (port === null || probe.kind === 'other' || values['no-start']) throw new CommandError(exitCode.runFailed, describeProbe(url, probe));
  const { gateway, pid, log } = await startGateway(port, textOf(values, 'data') ?? '', textOf(values, 'project') ?? '');
  report(`no gateway answered ${placeOf(url)}, so one was started (process ${pid}, log in ${log}). \`kill ${pid}\` stops it.`);
  return gateway;
}

interface ProgramEnd {
  code: number;
  signal: NodeJS.Signals | null;
}

function runProgram(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<ProgramEnd> {
  const child = spawn(program, args, { stdio: 'inherit', env });
  const handlers = forwardedSignals.map((signal) => [signal, () => void child.kill(signal)] as const);
  const terminalHandlers = terminalSignals.map((signal) => [signal, () => void (process.stdin.isTTY || child.kill(signal))] as const);
  for (const [signal, handler] of [...handlers, ...terminalHandlers]) process.on(signal, handler);
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code === 'ENOENT' ? exitCode.notFound : exitCode.cannotStart;
      reject(new CommandError(code, `${printable(program)} cannot be started (${error.code})`));
    });
    child.once('exit', (code, signal) => {
      for (const [name, handler] of [...handlers, ...terminalHandlers]) process.removeListener(name, handler);
      resolve({ code: code ?? 0, signal });
    });
  });
}

/** A link to the trace of the run, or to the list if there are several. Spans are lost if the program did not wait for its exporter. */
async function linkTo({ url, client }: GatewayInfo, runId: string): Promise<string> {
  const filter = `metadata.${runKey} = ${runId}`;
  const { data, pagination } = await client.traces
    .list({ query: { filter, limit: 1 } })
    .catch(() => ({ data: [], pagination: { total: 0 } }));
  const first = data[0];
  if (first === undefined) return `no trace arrived during this run. Later ones: ${listLink(url, filter)}`;
  return pagination.total === 1 ? `1 trace: ${traceLink(url, first.id)}` : `${pagination.total} traces: ${listLink(url, filter)}`;
}

/** Ends this process by the signal that ended the program, so that the shell sees the same. */
function endWithSignal(signal: NodeJS.Signals): number {
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}
