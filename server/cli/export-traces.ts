import { randomBytes } from 'node:crypto';
import { link, rename, unlink, writeFile } from 'node:fs/promises';
import { pathOf } from '../../shared/client.ts';
import { traceFiles } from '../../shared/contract/tracing/trace-files.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage } from './command.ts';
import { requireGateway } from './local-gateway.ts';
import { printable } from './terminal.ts';

export const exportTraces: Command = {
  summary: 'write traces to a file: a trace archive with scores, or OTLP JSON',
  help: `glasshouse export TRACE... [--otlp] [--out FILE] [--force] [--url URL]

Writes whole traces to one file. A trace archive (.capsule) contains what was received and the scores; any Glasshouse imports
it with \`glasshouse import\`. OTLP JSON contains what was received, for any tool that reads it. Both contain the payloads
unchanged: prompts, answers, and any secrets in them.

  --otlp         OTLP JSON instead of a trace archive
  --out FILE     output file, or - for stdout (trace-ID.capsule in the working directory)
  --force        replace an existing file
${addressHelp}

0: written. 1: there is no such trace, or the file cannot be written. 3: no gateway answers.
`,
  options: { ...addressOptions, otlp: { type: 'boolean' }, out: { type: 'string', short: 'o' }, force: { type: 'boolean' } },
  operands: true,
  execute: async (values, traceIds) => {
    if (traceIds.length === 0) return usage('Name the traces: glasshouse export TRACE...');
    const { url } = await requireGateway(values);
    const route = values['otlp'] ? traceFiles.exportOtlp : traceFiles.exportArchive;
    const response = await fetch(url + pathOf(route.path, {}, { trace_id: traceIds }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw new CommandError(exitCode.failed, printable(messageOf(bytes)));
    const suggestedName = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    const file = textOf(values, 'out') ?? suggestedName ?? 'trace.capsule';
    if (file === '-') process.stdout.write(bytes);
    else {
      await writeTraceFile(file, bytes, values['force'] === true);
      process.stdout.write(`${file}\n`);
    }
    return exitCode.ok;
  },
};

function messageOf(body: Uint8Array): string {
  const { error } = JSON.parse(Buffer.from(body).toString()) as { error?: { message?: string } };
  return error?.message ?? 'The gateway refused it';
}

/** Writes the file atomically, readable by its owner only. */
async function writeTraceFile(file: string, bytes: Uint8Array, isReplacing: boolean): Promise<void> {
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeFile(part, bytes, { mode: 0o600, flag: 'wx' });
    if (isReplacing) await rename(part, file);
    else await link(part, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? `${file} exists already; --force replaces it` : `${file} cannot be written (${code})`;
    throw new CommandError(exitCode.failed, why);
  } finally {
    await unlink(part).catch(() => {});
  }
}
