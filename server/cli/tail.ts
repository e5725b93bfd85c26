import { setTimeout as after } from 'node:timers/promises';
import type { TraceItem } from '../../shared/contract/tracing/traces.ts';
import type { LiveEvent } from '../../shared/contract/viewer/viewer.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, exitCode, textOf } from './command.ts';
import { type GatewayInfo, requireGateway, withCommandErrors } from './local-gateway.ts';
import { readEvents } from './read-events.ts';
import { coloured, printable } from './terminal.ts';

/** Only this many traces, the newest, are followed. */
const tracesMax = 200;
const pauseMs = 1000;

export const tail: Command = {
  summary: 'print traces as they arrive',
  help: `glasshouse tail [--filter FILTER] [--json] [--url URL]

Prints a line for each trace that arrives or changes, until Ctrl-C: start, status, duration, cost, tokens, name, id.
Colours are used on terminals only (NO_COLOR is respected); control characters in names are escaped.
Follows the newest ${tracesMax} traces. When the connection to the gateway is lost, it waits and reconnects.

  --filter FILTER  only traces that match, as in the viewer: 'status = ERROR', 'model contains gpt and cost > 0.01'
  --json         one JSON object per line, as the API returns it
${addressHelp}

0: ended by Ctrl-C or because its output was closed. 1: the filter is invalid. 3: no gateway answers.
`,
  options: { ...addressOptions, filter: { type: 'string' }, json: { type: 'boolean' } },
  execute: async (values) => {
    const gateway = await requireGateway(values);
    const filter = textOf(values, 'filter');
    const list = () =>
      withCommandErrors(gateway.client.traces.list({ query: { limit: tracesMax, ...(filter === undefined ? {} : { filter }) } }));
    // Traces that exist already are not printed; and an invalid filter fails at once.
    const shown = new Map((await list()).data.map((trace) => [trace.id, contentOf(trace)]));
    const line = values['json'] ? (trace: TraceItem) => JSON.stringify(trace) : lineOf;
    const printChanges = async ({ trace_ids, more }: Change) => {
      for (const trace of (await list()).data.toReversed()) {
        if (!(more || trace_ids.includes(trace.id)) || shown.get(trace.id) === contentOf(trace)) continue;
        shown.set(trace.id, contentOf(trace));
        process.stdout.write(`${line(trace)}\n`);
      }
    };
    process.once('SIGINT', () => process.exit(exitCode.ok));
    process.stderr.write(`glasshouse: following ${gateway.url}\n`);
    for (;;) await followOnce(gateway, printChanges);
  },
};

type Change = Pick<LiveEvent, 'trace_ids' | 'more'>;

async function followOnce({ url }: GatewayInfo, printChanges: (event: Change) => Promise<void>): Promise<void> {
  try {
    const response = await fetch(`${url}/v1/viewer/live`);
    // Print what arrived while there was no connection.
    await printChanges({ trace_ids: [], more: true });
    for await (const { event, data } of readEvents(response)) if (event === 'commit') await printChanges(JSON.parse(data) as LiveEvent);
  } catch {}
  process.stderr.write('glasshouse: the connection to the gateway was lost; waiting to reconnect\n');
  await after(pauseMs);
}

/** The content of a trace's line; an unchanged line is not printed again. */
const contentOf = ({ status, latency_ms, cost, tokens, name }: TraceItem): string =>
  JSON.stringify([status, latency_ms, cost, tokens, name]);

const colourOf = { OK: 'green', ERROR: 'red', UNSET: 'dim' } as const;

function lineOf({ id, name, status, start, latency_ms, cost, tokens }: TraceItem): string {
  const duration = latency_ms < 1000 ? `${Math.round(latency_ms)}ms` : `${(latency_ms / 1000).toFixed(1)}s`;
  const columns = [duration.padStart(8), (cost > 0 ? `$${cost.toFixed(4)}` : '-').padStart(9), `${tokens} tok`.padStart(11)];
  return [
    coloured('dim', new Date(start).toTimeString().slice(0, 8)),
    coloured(colourOf[status], status.padEnd(5)),
    ...columns,
    printable(name, 60),
    coloured('dim', printable(id, 128)),
  ].join('  ');
}
