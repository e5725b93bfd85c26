import { type Client, GatewayError } from '../../shared/client.ts';
import type { RouteInput } from '../../shared/contract/core/route.ts';
import type { TraceDeletion, traceDeletions } from '../../shared/contract/tracing/trace-deletions.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode, textOf, usage } from './command.ts';
import { requireGateway } from './local-gateway.ts';
import { printable } from './terminal.ts';

export const deleteTraces: Command = {
  summary: 'delete traces, by id, session, user or filter',
  help: `glasshouse delete [TRACE...] [--session S] [--user U] [--filter F] [--yes] [--url URL]

Counts the traces and deletes nothing, unless you add --yes. Deleting cannot be undone: spans, scores and everything that belongs
to the traces go. What was forwarded stays at its destination. Several conditions must all hold.

  --session S    traces with a span of this session
  --user U       traces with a span of this user
  --filter F     traces that this filter selects, as in the list of the viewer
  --yes          delete them
${addressHelp}

0: counted or deleted. 1: no trace matches, or the gateway refused it. 3: no gateway answers.
`,
  options: {
    ...addressOptions,
    session: { type: 'string' },
    user: { type: 'string' },
    filter: { type: 'string' },
    yes: { type: 'boolean' },
  },
  operands: true,
  execute: async (values, traceIds) => {
    const conditions = { session_id: textOf(values, 'session'), user_id: textOf(values, 'user'), filter: textOf(values, 'filter') };
    const isGiven = Object.values(conditions).some((value) => value !== undefined);
    if (traceIds.length === 0 && !isGiven) return usage('Say which traces: glasshouse delete TRACE..., or --session, --user or --filter');
    if (traceIds.length > 0 && isGiven) return usage('Name traces, or give conditions, not both');
    const { client } = await requireGateway(values);
    const selection = traceIds.length > 0 ? { trace_ids: traceIds } : conditions;
    const isDry = values['yes'] !== true;
    const deletion = await requestDeletion(client, { ...selection, dry_run: isDry });
    if (deletion.traces === 0) throw new CommandError(exitCode.failed, 'No trace matches');
    process.stdout.write(deletionLines(deletion, isDry));
    return exitCode.ok;
  },
};

/** For the terminal. */
export function deletionLines({ traces, spans, state, forwarded }: TraceDeletion, isDry: boolean): string {
  const sum = `${traces} ${traces === 1 ? 'trace' : 'traces'} with ${spans} ${spans === 1 ? 'span' : 'spans'}`;
  const copies = forwarded.map(
    ({ name, traces: sent }) => `${sent} of ${traces} forwarded to ${printable(name)}, where ${sent === 1 ? 'it stays' : 'they stay'}\n`,
  );
  const outcome = state === 'removing' ? 'being deleted' : 'deleted';
  return `${sum} ${isDry ? 'would be deleted; --yes deletes them' : outcome}\n${copies.join('')}`;
}

type DeletionBody = NonNullable<RouteInput<typeof traceDeletions.create>['body']>;

/** @throws CommandError with what the gateway says when it refuses */
export async function requestDeletion(client: Client, body: DeletionBody): Promise<TraceDeletion> {
  try {
    return (await client.traceDeletions.create({ body })).data;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new CommandError(exitCode.failed, printable([error.message, ...Object.values(error.details)].join('. ')));
  }
}
