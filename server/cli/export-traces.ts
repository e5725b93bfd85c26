import { randomBytes } from 'node:crypto';
import { link, rename, unlink, writeFile } from 'node:fs/promises';
import { pathOf } from '../../shared/client.ts';
import { traceFiles } from '../../shared/contract/tracing/trace-files.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage } from './command.ts';
import { theGateway } from './local-gateway.ts';
import { printable } from './terminal.ts';

export const exportTraces: Command = {
  summary: 'write traces to a file: a trace archive with scores, or OTLP JSON',
  help: `glasshouse export TRACE... [--otlp] [--out FILE] [--force] [--url URL]

Writes whole traces to one file. A trace archive (.capsule) holds what was received and the scores, and opens in any Glasshouse
with \`glasshouse import\`. OTLP JSON holds what was received, for any tool that knows it. Both hold the payloads as they
are: prompts, answers, and whatever secrets stand in them.

  --otlp         OTLP JSON instead of a trace archive
  --out FILE     where to; - for stdout (trace-ID.capsule in the working directory)
  --force        replace a file that is there
${addressHelp}

0: written. 1: there is no such trace, or the file cannot be written. 3: no gateway answers.
`,
  options: { ...addressOptions, otlp: { type: 'boolean' }, out: { type: 'string', short: 'o' }, force: { type: 'boolean' } },
  operands: true,
  act: async (values, traceIds) => {
    if (traceIds.length === 0) return usage('Name the traces: glasshouse export TRACE...');
    const { url } = await theGateway(values);
    const route = values['otlp'] ? traceFiles.exportOtlp : traceFiles.exportArchive;
    const response = await fetch(url + pathOf(route.path, {}, { trace_id: traceIds }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw new CommandError(exitCode.failed, printable(messageOf(bytes)));
    const named = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    const file = textOf(values, 'out') ?? named ?? 'trace.capsule';
    if (file === '-') process.stdout.write(bytes);
    else {
      await put(file, bytes, values['force'] === true);
      process.stdout.write(`${file}\n`);
    }
    return exitCode.ok;
  },
};

function messageOf(body: Uint8Array): string {
  const { error } = JSON.parse(Buffer.from(body).toString()) as { error?: { message?: string } };
  return error?.message ?? 'The gateway refused it';
}

/** Whole or not at all, and for nobody else's eyes. */
async function put(file: string, bytes: Uint8Array, isReplacing: boolean): Promise<void> {
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeFile(part, bytes, { mode: 0o600, flag: 'wx' });
    if (isReplacing) await rename(part, file);
    else await link(part, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? `${file} is there already; --force replaces it` : `${file} cannot be written (${code})`;
    throw new CommandError(exitCode.failed, why);
  } finally {
    await unlink(part).catch(() => {});
  }
}
