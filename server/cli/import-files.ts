import { readFile } from 'node:fs/promises';
import type { Client } from '../../shared/client.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode, usage } from './command.ts';
import { asked, type Found, theGateway } from './local-gateway.ts';
import { otlpRequests } from './otlp-requests.ts';
import { printable } from './terminal.ts';

export const importFiles: Command = {
  summary: 'take in trace archives and OTLP JSON files',
  help: `glasshouse import FILE... [--url URL]

Takes in files that \`glasshouse export\` wrote, and OTLP JSON of other tools, one document or one a line. A trace archive is
judged whole before any of it is stored. What is stored already is not stored again, so a file can be imported twice.

${addressHelp}

0: all was taken in. 1: a file cannot be read or was refused, or spans of it were; the others were taken in. 3: no gateway answers.
`,
  options: addressOptions,
  operands: true,
  act: async (values, files) => {
    if (files.length === 0) return usage('Name the files: glasshouse import FILE...');
    const gateway = await theGateway(values);
    let code: number = exitCode.ok;
    for (const file of files) {
      try {
        const { says, isWhole } = await take(gateway, await bytesOf(file));
        process.stdout.write(`${printable(file)}: ${says}\n`);
        if (!isWhole) code = exitCode.failed;
      } catch (error) {
        if (!(error instanceof CommandError) || error.exitCode === exitCode.noGateway) throw error;
        process.stderr.write(`glasshouse: ${printable(file)}: ${error.message}\n`);
        code = error.exitCode;
      }
    }
    return code;
  },
};

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandError(exitCode.failed, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

interface Taken {
  says: string;
  isWhole: boolean;
}

const take = ({ client, url }: Found, bytes: Buffer): Promise<Taken> =>
  bytes.subarray(0, 6).toString('latin1') === 'SQLite' ? takeArchive(client, bytes) : takeOtlp(url, bytes);

async function takeArchive(client: Client, body: Uint8Array): Promise<Taken> {
  const { data } = await asked(client.traceFiles.importArchive({ body }));
  const { trace_ids, spans_accepted, spans_duplicate, spans_conflicting, scores_accepted, scores_duplicate } = data;
  const known = `${spans_duplicate} spans and ${scores_duplicate} scores were known`;
  const left = spans_conflicting > 0 ? `; ${spans_conflicting} spans were left out: others hold their ids` : '';
  const says = `${trace_ids.length} traces, ${spans_accepted} spans and ${scores_accepted} scores taken in; ${known}${left}`;
  return { says, isWhole: spans_conflicting === 0 };
}

async function takeOtlp(url: string, bytes: Buffer): Promise<Taken> {
  const requests = otlpRequests(bytes.toString());
  if (requests === null) throw new CommandError(exitCode.failed, 'is neither a trace archive nor OTLP JSON');
  let [sent, refused, why] = [0, 0, ''];
  for (const { path, text, count } of requests) {
    const { error, partialSuccess = {} } = await post(url + path, text);
    if (error) throw new CommandError(exitCode.failed, printable(error.message));
    const rejected = Number(partialSuccess['rejectedSpans'] ?? partialSuccess['rejectedLogRecords'] ?? 0);
    if (rejected > 0 && why === '') why = `: ${printable(partialSuccess['errorMessage'] ?? '')}`;
    sent += count;
    refused += rejected;
  }
  const says = `${sent - refused} spans and log records taken in or known${refused > 0 ? `; ${refused} refused${why}` : ''}`;
  return { says, isWhole: refused === 0 };
}

interface Answer {
  error?: { message: string };
  partialSuccess?: Record<string, string>;
}

const post = (address: string, body: string): Promise<Answer> =>
  asked(
    fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).then(
      async (response) => (await response.json()) as Answer,
    ),
  );
