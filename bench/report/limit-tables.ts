/** Tables of the cold rounds, of long runs, and of stores that are maintained or at rest. */
import { coldContenders } from '../measure/cold-rounds.ts';
import { median } from '../measure/quantiles.ts';
import { type Format, formats } from '../traffic/formats.ts';
import type { Results } from './results.ts';

const titles = { ours: 'ours', before: 'the other checkout', agentmark: 'AgentMark (in memory, not durable)' };
const count = (value: number): string => Math.round(value).toLocaleString('en');
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)}`;

export function coldTable({ coldRounds, rounds }: Results): string[] {
  const parse = median(rounds.map((round) => round.parse.cpuUsPerSpan));
  const rows = formats.flatMap((format) => coldContenders.map((name) => coldRow(coldRounds, name, format, parse)));
  const spans = coldRounds.flatMap((round) => Object.values(round).map((measure) => measure.spans))[0] ?? 0;
  return [
    `The first ${count(spans)} spans of a fresh process with an empty folder, no warm-up, ${coldRounds.length} interleaved rounds, medians:`,
    '',
    '| | rate, ours = 1 | spans/s | ack p50 / p99 ms | CPU µs/span | CPU, ours = 1 | CPU, JSON.parse = 1 | other CPU |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.filter((row) => row !== ''),
  ];
}

function coldRow(coldRounds: Results['coldRounds'], name: (typeof coldContenders)[number], format: Format, parse: number): string {
  const pairs = coldRounds.flatMap((round) => {
    const [ours, measure] = [round[`ours ${format}`], round[`${name} ${format}`]];
    return ours && measure ? [{ ours, measure }] : [];
  });
  if (pairs.length === 0) return '';
  const of = (pick: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(pick));
  const cells = [
    `${format}, ${titles[name]}`,
    of(({ ours, measure }) => measure.spansPerS / ours.spansPerS).toFixed(2),
    count(of(({ measure }) => measure.spansPerS)),
    `${of(({ measure }) => measure.ackMs.p50).toFixed(0)} / ${of(({ measure }) => measure.ackMs.p99).toFixed(0)}`,
    of(({ measure }) => measure.cpuUsPerSpan).toFixed(0),
    of(({ ours, measure }) => measure.cpuUsPerSpan / ours.cpuUsPerSpan).toFixed(2),
    (of(({ measure }) => measure.cpuUsPerSpan) / parse).toFixed(1),
    of(({ measure }) => measure.otherCpu).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function sustainedTable({ sustained }: Results): string[] {
  if (!sustained) return [];
  const { minutes, spansPerS, acks, cpuUsPerSpan, indexLagS, indexShare, rss, peakRss, logBytesPerSpan, bytesPerSpan, otherCpu } =
    sustained;
  const cells = [
    count(spansPerS),
    `${acks.p50.toFixed(0)} / ${acks.p99.toFixed(0)} / ${acks.max.toFixed(0)}`,
    cpuUsPerSpan.toFixed(0),
    indexLagS.toFixed(0),
    `${(indexShare * 100).toFixed(0)} %`,
    `${mb(rss)} / ${mb(peakRss)}`,
    logBytesPerSpan.toFixed(0),
    bytesPerSpan.toFixed(0),
    otherCpu.toFixed(2),
  ];
  const refused = acks.failures.length > 0 ? `, refused: ${acks.failures.join('; ')}` : '';
  return [
    `${minutes} minutes of steady ingest (JSON, at half the rate of the rounds, made while it is sent; acknowledgements from when a batch was due)${refused}:`,
    '',
    '| spans/s | ack p50 / p99 / max ms | CPU µs/span | index lag at the end, s | index, of the processor of ingest | RSS / peak MB | log B/span | file B/span | other CPU |',
    '|---|---|---|---|---|---|---|---|---|',
    `| ${cells.join(' | ')} |`,
    '',
  ];
}

export function maintenanceTable({ maintenance, atRest, huge }: Results): string[] {
  const lines: string[] = [];
  if (maintenance) lines.push('| acknowledgements during maintenance of the grown store |', '|---|');
  for (const { ok, what } of maintenance ?? []) lines.push(`| ${what}${ok ? '' : ' **(not met)**'} |`);
  if (maintenance) lines.push('');
  if (atRest) {
    const each = ([name, { rss, cpu }]: [string, { rss: number; cpu: number }]) =>
      `${name} ${mb(rss)} MB, ${(cpu * 100).toFixed(2)} % of a processor`;
    lines.push(`Empty and at rest: ${Object.entries(atRest).map(each).join('; ')}.`, '');
  }
  if (huge) {
    lines.push(
      `The store of ${count(huge.spans)} spans was grown over HTTP with spans made while they were sent, in ${count(huge.ingestS)} s: ` +
        `RSS after ingest / after reads ${mb(huge.rssAfterIngest)} / ${mb(huge.rssAfterReads)} MB, ${huge.bytesPerSpan.toFixed(0)} B/span, ` +
        `${huge.otherCpuDuringReads.toFixed(2)} other CPU during the reads.`,
      '',
    );
  }
  return lines;
}
