import { deadLetterLinesMax } from '../../../shared/contract/operations/forwarding.ts';
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { type Forwarding, NameTaken } from '../../forwarding/destinations.ts';
import { DestinationProblem } from '../../forwarding/examine.ts';
import { SecretStoreError } from '../../forwarding/secrets/secret-store.ts';
import type { TraceForwarding as Stored } from '../../telemetry/forward-store.ts';

export const forwardingModule = defineModule({
  group: 'forwarding',
  needs: ['forwarding'],
  build: ({ forwarding }) => {
    const findOrFail = async (name: string) =>
      (await forwarding.find(name)) ?? fail('destination_not_found', `There is no destination ${name}`);
    return {
      list: async () => ({ data: await forwarding.list() }),

      create: async (_, { body }) => {
        await translateErrors(forwarding.create(body));
        return new Answer(201, { data: await findOrFail(body.name) });
      },

      change: async (_, { params: { name }, body }) => {
        await translateErrors(forwarding.change(name, body));
        return { data: await findOrFail(name) };
      },

      remove: async (_, { params: { name } }) => {
        if (!(await translateErrors(forwarding.remove(name)))) await findOrFail(name);
        return new Answer(204, undefined);
      },

      retry: async (_, { params: { name } }) => {
        await findOrFail(name);
        await forwarding.retry(name);
        return { data: await findOrFail(name) };
      },

      deadLetters: async (_, { params: { name }, query: { limit, offset } }) => {
        await findOrFail(name);
        const { data, total } = await forwarding.deadLetters(name, { limit, offset });
        const items = data.decode().map(({ failed_ms, ...item }) => ({ ...item, failed_at: new Date(failed_ms).toISOString() }));
        return { data: items, pagination: { limit, offset, total } };
      },

      exportDeadLetters: async (_, { params: { name } }) => {
        await findOrFail(name);
        const lines = await forwarding.deadLetterLines(name, deadLetterLinesMax);
        const headers = {
          'Content-Type': 'application/x-ndjson',
          'Content-Disposition': `attachment; filename="dead-letters-${name}.otlp.jsonl"`,
        };
        return new Answer(200, lines, headers);
      },

      retryDeadLetters: async (_, { params: { name } }) => {
        await findOrFail(name);
        await forwarding.retryDeadLetters(name);
        return { data: await findOrFail(name) };
      },

      traces: async (_, { params: { name }, body: { trace_ids } }) => {
        await findOrFail(name);
        await forwarding.forwardTraces(name, trace_ids);
        return { data: await statesOf(forwarding, trace_ids) };
      },

      states: async (_, { body: { trace_ids } }) => ({ data: await statesOf(forwarding, trace_ids) }),
    };
  },
});

/** Reports problems of the input by field. */
async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DestinationProblem)
      fail('invalid_request_body', 'Invalid request body', { details: { [error.field]: error.message } });
    if (error instanceof NameTaken) fail('duplicate_destination_name', error.message);
    if (error instanceof SecretStoreError) fail('secrets_unavailable', error.message);
    throw error;
  }
}

async function statesOf(forwarding: Forwarding, traceIds: readonly string[]): Promise<TraceForwarding[]> {
  const { names, found } = await forwarding.states(traceIds);
  return traceIds.flatMap((trace_id, index) => {
    const states = found[index];
    if (!states) return [];
    return {
      trace_id,
      destinations: names.map((name) =>
        stateAt(
          name,
          states.find((state) => state.name === name),
        ),
      ),
    };
  });
}

function stateAt(name: string, state: Stored | undefined): TraceForwarding['destinations'][number] {
  if (!state) return { name, is: 'local', waiting: 0, dead_letters: 0, refused: 0, reason: '', sent_at: null };
  const { waiting, dead_letters, dead_letter_reason, refused, refusal, sent_ms } = state;
  const is = dead_letters > 0 ? 'dead_letter' : waiting > 0 ? 'queued' : refused > 0 ? 'refused' : sent_ms === null ? 'local' : 'sent';
  const sent_at = sent_ms === null ? null : new Date(sent_ms).toISOString();
  return { name, is, waiting, dead_letters, refused, reason: dead_letters > 0 ? dead_letter_reason : refused > 0 ? refusal : '', sent_at };
}
