import { setTimeout as after } from 'node:timers/promises';
import type { TraceItem } from '../../shared/contract/tracing/traces.ts';
import type { LiveEvent } from '../../shared/contract/viewer/viewer.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, exitCode, textOf } from './command.ts';
import { asked, type Found, theGateway } from './local-gateway.ts';
import { readEvents } from './read-events.ts';
import { coloured, printable } from './terminal.ts';

/** Traces that began before so many others are not followed. */
const newest = 200;
const pauseMs = 1000;

export const tail: Command = {
  summary: 'print traces as they come',
  help: `glasshouse tail [--filter FILTER] [--json] [--url URL]

Prints a line for each trace that comes or grows, until Ctrl-C: when it began, status, duration, cost, tokens, name, id.
Colours appear on terminals only (NO_COLOR is heeded); control characters in names are shown escaped.
Follows the newest ${newest} traces. When the gateway goes away it waits for it to come back.

  --filter FILTER  only traces that match, as in the viewer: 'status = ERROR', 'model contains gpt and cost > 0.01'
  --json         one JSON object a line, as the API has it
${addressHelp}

0: ended by Ctrl-C or by its reader. 1: the filter is none. 3: no gateway answers.
`,
  options: { ...addressOptions, filter: { type: 'string' }, json: { type: 'boolean' } },
  act: async (values) => {
    const gateway = await theGateway(values);
    const filter = textOf(values, 'filter');
    const list = () => asked(gateway.client.traces.list({ query: { limit: newest, ...(filter === undefined ? {} : { filter }) } }));
    // What is there already is known, not news; and a filter that is none is told at once.
    const shown = new Map((await list()).data.map((trace) => [trace.id, saying(trace)]));
    const line = values['json'] ? (trace: TraceItem) => JSON.stringify(trace) : lineOf;
    const look = async ({ trace_ids, more }: Look) => {
      for (const trace of (await list()).data.toReversed()) {
        if (!(more || trace_ids.includes(trace.id)) || shown.get(trace.id) === saying(trace)) continue;
        shown.set(trace.id, saying(trace));
        process.stdout.write(`${line(trace)}\n`);
      }
    };
    process.once('SIGINT', () => process.exit(exitCode.ok));
    process.stderr.write(`glasshouse: following ${gateway.url}\n`);
    for (;;) await followOnce(gateway, look);
  },
};

type Look = Pick<LiveEvent, 'trace_ids' | 'more'>;

async function followOnce({ url }: Found, look: (event: Look) => Promise<void>): Promise<void> {
  try {
    const response = await fetch(`${url}/v1/viewer/live`);
    // What came while nobody listened.
    await look({ trace_ids: [], more: true });
    for await (const { event, data } of readEvents(response)) if (event === 'commit') await look(JSON.parse(data) as LiveEvent);
  } catch {}
  process.stderr.write('glasshouse: the gateway went away; waiting for it\n');
  await after(pauseMs);
}

/** What a line says of a trace; the same is not said twice. */
const saying = ({ status, latency_ms, cost, tokens, name }: TraceItem): string => JSON.stringify([status, latency_ms, cost, tokens, name]);

const colourOf = { OK: 'green', ERROR: 'red', UNSET: 'dim' } as const;

function lineOf({ id, name, status, start, latency_ms, cost, tokens }: TraceItem): string {
  const took = latency_ms < 1000 ? `${Math.round(latency_ms)}ms` : `${(latency_ms / 1000).toFixed(1)}s`;
  const columns = [took.padStart(8), (cost > 0 ? `$${cost.toFixed(4)}` : '-').padStart(9), `${tokens} tok`.padStart(11)];
  return [
    coloured('dim', new Date(start).toTimeString().slice(0, 8)),
    coloured(colourOf[status], status.padEnd(5)),
    ...columns,
    printable(name, 60),
    coloured('dim', printable(id, 128)),
  ].join('  ');
}
