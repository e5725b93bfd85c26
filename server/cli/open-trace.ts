import { spawn } from 'node:child_process';
import { traceLink } from '../reports/links.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode, usage } from './command.ts';
import { requireGateway, withCommandErrors } from './local-gateway.ts';

export const openTrace: Command = {
  summary: 'show a trace in the browser',
  help: `glasshouse open TRACE [--url URL] [--print]

Shows the trace in the browser: $BROWSER, or the default browser of the system.

${addressHelp}
  --print        print the address without opening it

0: shown. 1: there is no such trace, or no browser. 3: no gateway answers.
`,
  options: { ...addressOptions, print: { type: 'boolean' } },
  operands: true,
  execute: async (values, [traceId, ...more]) => {
    if (traceId === undefined || more.length > 0) return usage('Name one trace: glasshouse open TRACE');
    const { url, client } = await requireGateway(values);
    const { data } = await withCommandErrors(client.traceViewer.outline({ params: { traceId } }));
    const link = traceLink(url, data.id);
    process.stdout.write(`${link}\n`);
    if (!values['print']) await openInBrowser(link);
    return exitCode.ok;
  },
};

/**
 * Starts the browser without a shell, so that nothing in the address is interpreted.
 * @throws CommandError when there is none
 */
export function openInBrowser(link: string): Promise<void> {
  const [program, ...args] = opener();
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, link], { detached: true, stdio: 'ignore' });
    child.once('error', () => reject(new CommandError(exitCode.failed, `${program} cannot be started. Open the address above yourself.`)));
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

function opener(): [string, ...string[]] {
  const chosen = process.env['BROWSER'];
  if (chosen) return [chosen];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
