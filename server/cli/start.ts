import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { dataFolder } from '../platform/data-folder.ts';
import { type Command, CommandError, exitCode, textOf, type Values } from './command.ts';
import { openInBrowser } from './open-trace.ts';
import { gatewayCommand } from './start-gateway.ts';

/** Passed to the gateway unchanged: it applies the defaults and reports invalid values. */
const passedOn = ['port', 'data', 'project', 'otlp-ports'] as const;

export const start: Command = {
  summary: 'start the gateway and its viewer',
  help: `glasshouse start [--port PORT] [--data DIR] [--project DIR] [--otlp-ports PORTS] [--open]

Runs the gateway of this machine until Ctrl+C: send spans to it, and open its address in a browser.

  --port PORT          the port to listen on; 0 for any free port (9418)
  --data DIR           the data folder (${dataFolder()})
  --project DIR        the folder whose prompts and datasets are served (the current one)
  --otlp-ports PORTS   also accept OTLP on the standard ports: on, off, or GRPC,HTTP (off)
  --open               show the viewer in the browser: $BROWSER, or the default browser of the system

0: it was stopped. 1: it cannot start.
`,
  options: {
    ...{ port: { type: 'string' }, data: { type: 'string' }, project: { type: 'string' } },
    ...{ 'otlp-ports': { type: 'string' }, open: { type: 'boolean' } },
  },
  execute: runGateway,
};

async function runGateway(values: Values): Promise<number> {
  if (process.env['GLASSHOUSE_APP'])
    throw new CommandError(exitCode.failed, 'This command came with the desktop app, which runs the gateway: open the app.');
  const [program, ...programArgs] = gatewayCommand();
  const args = passedOn.flatMap((name) => {
    const value = textOf(values, name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const child = spawn(program, [...programArgs, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  // A terminal sends Ctrl+C to both, a supervisor its signal to this process only.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      // Windows sends Ctrl+C to both as well, and has no signals: this would end the gateway in the middle of its work.
      if (process.platform !== 'win32') child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    const url = /ready at (http:\/\/\S+)/.exec(line)?.[1];
    if (url && values['open']) openInBrowser(url).catch((error: CommandError) => process.stderr.write(`glasshouse: ${error.message}\n`));
  });
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new CommandError(exitCode.failed, `${program} cannot be started.`)));
    child.once('close', (code) => resolve(code ?? exitCode.failed));
  });
}
