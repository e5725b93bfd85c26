/** The report of a run as Markdown, for bench/README.md and the terminal. */
import type { Stage } from '../measure/growth.ts';
import { median, quantile } from '../measure/quantiles.ts';
import type { ReadMeasure } from '../measure/reads.ts';
import { type Format, formats } from '../traffic/formats.ts';
import { type Outcome, percent, ratios, verdicts } from './goals.ts';
import { coldTable, maintenanceTable, sustainedTable } from './limit-tables.ts';
import type { Results } from './results.ts';

export function markdown(results: Results): string {
  const { at, mode, machine } = results;
  return [
    `### ${at.slice(0, 10)}, ${mode}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb.toFixed(0)} GB, ${machine.os}, Node ${machine.node}; load ${machine.load.toFixed(1)} when the run began.`,
    '',
    ...goalTable(results),
    '',
    ...ingestTable(results),
    '',
    ...coldTable(results),
    '',
    ...sustainedTable(results),
    ...growthTable(results),
    '',
    ...readTable(results),
    '',
    ...filterTable(results),
    '',
    ...limitTable(results),
    ...otherTable(results),
    '',
    ...maintenanceTable(results),
  ].join('\n');
}

function goalTable(results: Results): string[] {
  const shown: Record<Outcome, string> = {
    met: 'met',
    'not met': '**not met**',
    'so far': 'so far (run `--full`)',
    'too noisy to say': 'too noisy to say',
  };
  return [
    '| goal | measured | |',
    '|---|---|---|',
    ...verdicts(results).map(({ goal, measured, outcome }) => `| ${goal} | ${measured} | ${shown[outcome]} |`),
  ];
}

function ingestTable(results: Results): string[] {
  const { rounds } = results;
  const raw = rounds.map((round) => round.raw.spansPerS);
  const row = (format: Format): string => {
    const measures = rounds.map(({ gateway }) => gateway[format]);
    const of = (pick: (measure: (typeof measures)[number]) => number): number => median(measures.map(pick));
    const all = ratios(results, format);
    return `| ${[
      format,
      `**${percent(median(all))}** (${percent(Math.min(...all))} to ${percent(Math.max(...all))})`,
      count(of(({ spansPerS }) => spansPerS)),
      [of(({ ackMs }) => ackMs.p50), of(({ ackMs }) => ackMs.p95), of(({ ackMs }) => ackMs.p99)]
        .map((value) => value.toFixed(0))
        .join(' / '),
      of(({ cpuUsPerSpan }) => cpuUsPerSpan).toFixed(0),
      (of(({ cpuUsPerSpan }) => cpuUsPerSpan) / parseCpu).toFixed(1),
      threads(measures.map(({ threadUsPerSpan }) => threadUsPerSpan)),
      of(({ senderUsPerSpan }) => senderUsPerSpan).toFixed(0),
      of(({ otherCpu }) => otherCpu).toFixed(2),
      `${(of(({ peakRss }) => peakRss) / 1e6).toFixed(0)}`,
      of(({ bytesPerSpan }) => bytesPerSpan).toFixed(0),
    ].join(' | ')} |`;
  };
  const stored = rounds.flatMap((round) => formats.map((format) => round.gateway[format].stored));
  const storedRate = median(stored.map(({ spansPerS }) => spansPerS));
  const rawCpu = median(rounds.map((round) => (round.raw.cpuS * 1e6) / round.raw.spans));
  const parseCpu = median(rounds.map((round) => round.parse.cpuUsPerSpan));
  const rawBytes = median(rounds.map((round) => round.raw.bytesPerSpan));
  return [
    `Durable ingest against the raw insert of the same ${count(results.roundSpans)} spans, ${rounds.length} interleaved rounds, medians:`,
    '',
    '| | of raw (range) | spans/s | ack p50 / p95 / p99 ms | CPU µs/span | CPU, JSON.parse = 1 | by thread | sender µs/span | other CPU | peak RSS MB | B/span |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    `| raw insert, FULL | 100 % | ${count(median(raw))} (${count(Math.min(...raw))} to ${count(Math.max(...raw))}) | – | ${rawCpu.toFixed(0)} | ${(rawCpu / parseCpu).toFixed(1)} | – | – | ${median(rounds.map((round) => round.raw.otherCpu)).toFixed(2)} | – | ${rawBytes.toFixed(0)} |`,
    `| JSON.parse alone, on one thread | – | – | – | ${parseCpu.toFixed(1)} | 1 | – | – | – | – | – |`,
    ...formats.map(row),
    '',
    `The rows that the gateway made of these spans, inserted once more by one thread into the same tables and indexes, FULL: ${count(storedRate)} spans/s, ` +
      `${percent(storedRate / median(raw))} of raw, ${median(stored.map(({ cpuUsPerSpan }) => cpuUsPerSpan)).toFixed(0)} µs per span. ` +
      `Of that rate the gateway reaches ${formats.map((format) => `${percent(median(rounds.map((round) => round.gateway[format].spansPerS)) / storedRate)} (${format})`).join(', ')}.`,
  ];
}

/** Linux truncates thread names to fifteen characters. */
const threadNames: Record<string, string> = {
  'glasshouse-writ': 'writer',
  'glasshouse-deco': 'decoder',
  'glasshouse-read': 'readers',
  MainThread: 'HTTP',
  V8Worker: 'compiler and GC',
};

/** `writer 40, decoder 35, HTTP 12`: CPU microseconds per span of each thread. */
function threads(rounds: Record<string, number>[]): string {
  const names = new Set(rounds.flatMap((round) => Object.keys(round)));
  const shown = [...names].map((name) => ({ name: threadNames[name] ?? name, us: median(rounds.map((round) => round[name] ?? 0)) }));
  return shown
    .filter(({ us }) => us >= 1)
    .sort((a, b) => b.us - a.us)
    .map(({ name, us }) => `${name} ${us.toFixed(0)}`)
    .join(', ');
}

function growthTable({ growth }: Results): string[] {
  return [
    'One store that grows (JSON, 16 connections):',
    '',
    '| spans | traces | spans/s | ack p50 / p99 ms | CPU µs/span | RSS after ingest / after reads / peak MB | log B/span | B/span |',
    '|---|---|---|---|---|---|---|---|',
    ...growth.stages.map(({ spans, traces, ingest, rssAfterIngest, rssAfterReads, peakRss, logBytesPerSpan, bytesPerSpan }) => {
      const memory = [rssAfterIngest, rssAfterReads, peakRss].map((bytes) => (bytes / 1e6).toFixed(0)).join(' / ');
      const ack = `${ingest.ackMs.p50.toFixed(0)} / ${ingest.ackMs.p99.toFixed(0)}`;
      return `| ${[count(spans), count(traces), count(ingest.spansPerS), ack, ingest.cpuUsPerSpan.toFixed(0), memory, logBytesPerSpan.toFixed(0), bytesPerSpan.toFixed(0)].join(' | ')} |`;
    }),
    `| at the end, closed | | | | | | | ${growth.bytesPerSpan.toFixed(0)} |`,
  ];
}

/** A store of one size, with its reads. */
type Sized = Pick<Stage, 'spans' | 'reads' | 'filters' | 'limitReads'>;

const sizes = ({ growth, huge }: Results): Sized[] => (huge ? [...growth.stages, huge] : growth.stages);

function readTable(results: Results): string[] {
  return timeTable('read', sizes(results), ({ reads }) => reads);
}

/** Filters by each field and by content, deep pages, counts over everything. */
function limitTable(results: Results): string[] {
  const { unindexed } = results;
  const asked = sizes(results).filter(({ limitReads }) => limitReads.length > 0);
  return [
    ...(asked.length > 0 ? [...timeTable('read at the limit', asked, ({ limitReads }) => limitReads), ''] : []),
    ...(unindexed
      ? [...timeTable('right after a start, nothing indexed', [{ ...unindexed, reads: [], limitReads: [] }], ({ filters }) => filters), '']
      : []),
  ];
}

/** Filtered lists of fifty rows with their exact total. */
function filterTable(results: Results): string[] {
  const { growth } = results;
  const index = growth.stages.map(
    ({ spans, indexS, indexUsPerSpan }) => `${indexS.toFixed(0)} s at ${count(spans)} (${indexUsPerSpan.toFixed(0)} µs/span)`,
  );
  return [
    ...timeTable('filtered list with total', sizes(results), ({ filters }) => filters),
    '',
    `After the last span the index of contents was complete within ${index.join(', ')}.`,
  ];
}

function timeTable(what: string, stages: readonly Sized[], of: (stage: Sized) => readonly ReadMeasure[]): string[] {
  const names = [...new Set(stages.flatMap((stage) => of(stage).map(({ name }) => name)))];
  const readNamed = (name: string, stage: Sized | undefined) => (stage ? of(stage) : []).find((read) => read.name === name);
  const cell = (name: string, stage: Sized): string => {
    const read = readNamed(name, stage);
    const refused = read && read.refused > 0 ? `, ${read.refused} of ${read.calls} × 503` : '';
    return read ? `${read.p50.toFixed(2)} / ${read.p95.toFixed(2)}${refused}` : '–';
  };
  const size = (name: string): string => {
    const read = readNamed(name, stages.at(-1));
    return read ? `${(read.bytes / 1000).toFixed(1)} kB` : '–';
  };
  return [
    `| ${what}, p50 / p95 ms | ${stages.map(({ spans }) => count(spans)).join(' | ')} | response |`,
    `|---|${stages.map(() => '---|').join('')}---|`,
    ...names.map((name) => `| ${name} | ${stages.map((stage) => cell(name, stage)).join(' | ')} | ${size(name)} |`),
  ];
}

function otherTable({ loop, coldStarts, growth }: Results): string[] {
  const of = (pick: (start: (typeof coldStarts)[number]) => number): string => median(coldStarts.map(pick)).toFixed(0);
  return [
    '| event loop of the HTTP process during the largest bodies | longest ms | own CPU time in it ms | p99 ms | list p95 ms meanwhile | ack p50 ms |',
    '|---|---|---|---|---|---|',
    `| no body, only the reads: the machine's own noise | ${loop.control.maxMs.toFixed(1)} | ${loop.control.ownMaxMs.toFixed(1)} | ${loop.control.p99Ms.toFixed(1)} | ${loop.control.listP95.toFixed(1)} | – |`,
    ...loop.bodies.map(
      ({ format, bodyMegabytes, spans, maxMs, ownMaxMs, p99Ms, listP95, ackMs }) =>
        `| ${format}, ${bodyMegabytes.toFixed(1)} MB, ${count(spans)} spans | ${maxMs.toFixed(1)} | ${ownMaxMs.toFixed(1)} | ${p99Ms.toFixed(1)} | ${listP95.toFixed(1)} | ${quantile(ackMs, 0.5).toFixed(0)} |`,
    ),
    '',
    `Cold start on the last store (median of ${coldStarts.length}): port open ${of(({ portMs }) => portMs)} ms, ready ${of(({ readyMs }) => readyMs)} ms, first list ${of(({ firstListMs }) => firstListMs)} ms. ` +
      `While ${growth.mixed.spansPerS} spans/s come in: list p50 ${growth.mixed.list.p50.toFixed(2)} / p95 ${growth.mixed.list.p95.toFixed(2)} ms, acknowledgement p50 ${growth.mixed.ackMs.p50.toFixed(1)} / p99 ${growth.mixed.ackMs.p99.toFixed(1)} ms.`,
  ];
}

const count = (value: number): string => Math.round(value).toLocaleString('en');
