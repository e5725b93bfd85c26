import { readFile } from 'node:fs/promises';
import type { Client } from '../../shared/client.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode, usage } from './command.ts';
import { importHistory, isHistoryAgent } from './import-history.ts';
import { type GatewayInfo, requireGateway, withCommandErrors } from './local-gateway.ts';
import { otlpRequests } from './otlp-requests.ts';
import { printable } from './terminal.ts';

export const importFiles: Command = {
  summary: 'import trace archives, OTLP JSON files, and the history of coding agents',
  help: `glasshouse import FILE... [--url URL]
       glasshouse import claude-code|codex|gemini|pi [--since AGE] [--dir FOLDER] [--url URL]

Imports files of \`glasshouse export\`, and OTLP JSON of other tools, as one document or one per line. All of a trace archive
is validated before any of it is stored. Nothing is stored twice, so a file can be imported again.

claude-code, codex, gemini and pi read the sessions that these agents keep on this machine: their session files, and no other file of theirs.
Prompts become traces, and sessions sessions. Import again to add what is new. Name a file that is called codex ./codex.

  --since AGE    only turns since: 24h, 30d, or an ISO time (all)
  --dir FOLDER   the folder of the sessions (~/.claude/projects, ~/.codex/sessions, ~/.gemini/tmp or ~/.pi/agent/sessions, or where
                 $CLAUDE_CONFIG_DIR, $CODEX_HOME, $GEMINI_CLI_HOME, $PI_CODING_AGENT_DIR or $PI_CODING_AGENT_SESSION_DIR say)
${addressHelp}

0: everything was imported. 1: a file cannot be read, or it or some of its spans were refused; the rest was imported. 3: no gateway answers.
`,
  options: { ...addressOptions, since: { type: 'string' }, dir: { type: 'string' } },
  operands: true,
  execute: async (values, files) => {
    if (files.length === 0) return usage('Name the files: glasshouse import FILE...');
    const [source] = files;
    if (isHistoryAgent(source)) {
      if (files.length > 1) return usage(`Import the history of an agent by itself: glasshouse import ${source}`);
      return importHistory(source, await requireGateway(values), values);
    }
    if (values['since'] !== undefined || values['dir'] !== undefined) return usage('--since and --dir are for the history of an agent.');
    const gateway = await requireGateway(values);
    let code: number = exitCode.ok;
    for (const file of files) {
      try {
        const { summary, isComplete } = await importFile(gateway, await bytesOf(file));
        process.stdout.write(`${printable(file)}: ${summary}\n`);
        if (!isComplete) code = exitCode.failed;
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

interface ImportOutcome {
  summary: string;
  isComplete: boolean;
}

const importFile = ({ client, url }: GatewayInfo, bytes: Buffer): Promise<ImportOutcome> =>
  bytes.subarray(0, 6).toString('latin1') === 'SQLite' ? importArchive(client, bytes) : importOtlp(url, bytes);

async function importArchive(client: Client, body: Uint8Array): Promise<ImportOutcome> {
  const { data } = await withCommandErrors(client.traceFiles.importArchive({ body }));
  const { trace_ids, spans_accepted, spans_duplicate, spans_conflicting, scores_accepted, scores_duplicate } = data;
  const known = `${spans_duplicate} spans and ${scores_duplicate} scores were already stored`;
  const left = spans_conflicting > 0 ? `; ${spans_conflicting} spans were left out: their ids belong to other spans` : '';
  const summary = `${trace_ids.length} traces, ${spans_accepted} spans and ${scores_accepted} scores imported; ${known}${left}`;
  return { summary, isComplete: spans_conflicting === 0 };
}

async function importOtlp(url: string, bytes: Buffer): Promise<ImportOutcome> {
  const requests = otlpRequests(bytes.toString());
  if (requests === null) throw new CommandError(exitCode.failed, 'is neither a trace archive nor OTLP JSON');
  let [sent, refused, why] = [0, 0, ''];
  for (const { path, text, count } of requests) {
    const { error, partialSuccess = {} } = await postOtlp(url + path, text);
    if (error) throw new CommandError(exitCode.failed, printable(error.message));
    const rejected = Number(partialSuccess['rejectedSpans'] ?? partialSuccess['rejectedLogRecords'] ?? 0);
    if (rejected > 0 && why === '') why = `: ${printable(partialSuccess['errorMessage'] ?? '')}`;
    sent += count;
    refused += rejected;
  }
  const summary = `${sent - refused} spans and log records imported or already stored${refused > 0 ? `; ${refused} refused${why}` : ''}`;
  return { summary, isComplete: refused === 0 };
}

interface Answer {
  error?: { message: string };
  partialSuccess?: Record<string, string>;
}

/** Sends OTLP JSON. */
export const postOtlp = (address: string, body: string): Promise<Answer> =>
  withCommandErrors(
    fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).then(
      async (response) => (await response.json()) as Answer,
    ),
  );
