import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { runawayCost, runawayReason } from '../../shared/words/runaway-words.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { runKey } from '../platform/run-key.ts';
import { money } from '../reports/figures.ts';
import { listLink, traceLink } from '../reports/links.ts';
import { addressHelp, addressOf, addressOptions, localPortOf, placeOf } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage, type Values } from './command.ts';
import { describeProbe, type GatewayInfo, probeGateway } from './local-gateway.ts';
import { endProgram } from './program-end.ts';
import { runEnvironment } from './run-environment.ts';
import { RunFollower } from './run-follower.ts';
import { RunCounts, stepLine } from './run-lines.ts';
import { startGateway } from './start-gateway.ts';
import { printable } from './terminal.ts';

/** Sent by a shell or a supervisor. The terminal also sends SIGINT and SIGQUIT to the program itself, which must not get them twice. */
const forwardedSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
const terminalSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

export const run: Command = {
  summary: 'start a program that sends its spans here, and print a link to them',
  help: `glasshouse run [--guard] [--max-cost USD] [--name NAME] [--no-steps] [--url URL] [--no-start] [--data DIR] [--project DIR]
               -- PROGRAM [ARGUMENT...]

Starts PROGRAM with the OpenTelemetry environment set to this machine's gateway: endpoint, protocol, and a resource
attribute that marks every span with this run. Settings for other backends, headers included, are removed. Signals are
forwarded to the program, and its exit code is returned. Messages go to stderr; stdout belongs to the program. Each step of
the run is a line: what ran, how long it took, its tokens, what the run has cost so far. They end with a summary and a link.

  --guard        end the program when the run shows signs of a runaway: the same call again and again, a loop without
                 progress, a series of errors, a cost or a prompt that keeps growing, a tool that fell silent
  --max-cost USD end the program once the run has cost this much
  --name NAME    name of the run, stored as metadata
  --no-steps     print no line for each step
${addressHelp}
  --no-start     fail when no gateway answers. Otherwise one is started, which keeps running when the program ends
  --data DIR     data folder of a gateway that is started
  --project DIR  project folder of a gateway that is started (the working directory)

A program is ended by SIGINT, after ten seconds by SIGTERM, after ten more by SIGKILL. Its trace is kept.
Ends like the program. 124: it was ended by --guard, --max-cost or in the viewer. 125: no gateway is available.
126: the program cannot be started. 127: there is no such program.
`,
  options: {
    ...addressOptions,
    name: { type: 'string' },
    guard: { type: 'boolean' },
    'max-cost': { type: 'string' },
    'no-steps': { type: 'boolean' },
    'no-start': { type: 'boolean' },
    data: { type: 'string', default: dataFolder() },
    project: { type: 'string', default: process.cwd() },
  },
  passesArguments: true,
  operands: true,
  execute: async (values, [program, ...args]) => {
    if (program === undefined) return usage('Name the program: glasshouse run -- PROGRAM [ARGUMENT...]');
    const limits: Limits = { guard: values['guard'] === true, maxCost: maxCostOf(values), showSteps: values['no-steps'] !== true };
    const gateway = await gatewayFor(values);
    const runId = `run-${randomBytes(6).toString('hex')}`;
    const environment = runEnvironment(process.env, gateway.url, runId, textOf(values, 'name'));
    const { end, isEnded } = await runWatched(gateway, runId, limits, (started) => runProgram(program, args, environment, started));
    report(await linkTo(gateway, runId));
    if (isEnded) return exitCode.ended;
    return end.signal === null ? end.code : endWithSignal(end.signal);
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

interface Limits {
  /** End the program at signs of a runaway. */
  guard: boolean;
  /** US dollars. */
  maxCost: number;
  showSteps: boolean;
}

function maxCostOf(values: Values): number {
  const text = textOf(values, 'max-cost');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const cost = Number(text.replace(/^\$/, ''));
  return cost > 0 && Number.isFinite(cost)
    ? cost
    : usage(`--max-cost takes an amount in US dollars, such as 2 or 0.50, not ${printable(text)}`);
}

type RunIt = (started: (child: ChildProcess) => void) => Promise<ProgramEnd>;

/** Runs the program while its steps are watched. @returns also whether it was ended from here */
async function runWatched(
  gateway: GatewayInfo,
  runId: string,
  limits: Limits,
  runIt: RunIt,
): Promise<{ end: ProgramEnd; isEnded: boolean }> {
  const counts = new RunCounts();
  const began = performance.now();
  let program: ChildProcess | null = null;
  let isEnded = false;
  const told = new Set<string>();
  const end = (why: string) => {
    if (isEnded || !program) return;
    isEnded = true;
    report(`${why} The program is being ended; its trace is kept.`);
    endProgram(program);
  };
  const follower = new RunFollower(gateway, runId, {
    steps: (steps, sums) => {
      counts.add(steps);
      if (limits.showSteps) for (const step of steps) report(stepLine(step, sums));
      if (sums.cost >= limits.maxCost) end(`The run has cost ${money(sums.cost)}, and --max-cost is ${money(limits.maxCost)}.`);
    },
    runaway: (found) => {
      const why = [runawayReason(found), runawayCost(found)].filter((text) => text !== '').join(' ');
      if (limits.guard) end(`The run may be running away. ${printable(why)}`);
      else if (!told.has(found.rule)) report(`the run may be running away. ${printable(why)} --guard would end it.`);
      told.add(found.rule);
    },
    stop: () => end('The end of the program was requested in the viewer.'),
  });
  follower.start();
  try {
    const programEnd = await runIt((child) => (program = child));
    return { end: programEnd, isEnded };
  } finally {
    program = null;
    await follower.stop();
    if (follower.sums.spans > 0) report(counts.summary(follower.sums, performance.now() - began));
  }
}

interface ProgramEnd {
  code: number;
  signal: NodeJS.Signals | null;
}

function runProgram(program: string, args: string[], env: NodeJS.ProcessEnv, started: (child: ChildProcess) => void): Promise<ProgramEnd> {
  const child = spawn(program, args, { stdio: 'inherit', env });
  started(child);
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
