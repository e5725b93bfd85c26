/** `glasshouse import claude-code` and the like: sends the sessions on this machine to a gateway like any other spans. */
import { homedir } from 'node:os';
import { readAll } from '../history/read-all.ts';
import { HistoryReport } from '../history/read-file.ts';
import { type HistoryAgent, historyAgents, sessionFolder, sourceOf } from '../history/sources.ts';
import { ReportRefusal, startOf } from '../reports/report.ts';
import { CommandError, exitCode, textOf, usage, type Values } from './command.ts';
import { HistorySender } from './history-sender.ts';
import type { GatewayInfo } from './local-gateway.ts';
import { printable } from './terminal.ts';

const namedFilesMax = 5;

export const isHistoryAgent = (name: string | undefined): name is HistoryAgent => historyAgents.some((agent) => agent === name);

export async function importHistory(agent: HistoryAgent, { url }: GatewayInfo, values: Values): Promise<number> {
  const folder = textOf(values, 'dir') ?? sessionFolder[agent]({ folder: homedir(), environment: process.env });
  const sender = new HistorySender(url);
  const report = new HistoryReport();
  const nowMs = Date.now();
  try {
    const options = { sinceMs: sinceOf(values, nowMs), nowMs };
    for await (const { spans } of readAll(sourceOf(agent, folder), options, report)) await sender.add(spans);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CommandError(exitCode.failed, `The sessions in ${printable(folder)} cannot be read (${code}). Name their folder with --dir.`);
  }
  await sender.finish();
  process.stdout.write(summaryOf(folder, sender, report));
  return sender.refused + sender.tooLarge + report.unreadable.length > 0 ? exitCode.failed : exitCode.ok;
}

function sinceOf(values: Values, nowMs: number): number {
  try {
    return startOf(textOf(values, 'since'), nowMs) ?? 0;
  } catch (error) {
    if (error instanceof ReportRefusal) return usage(printable(error.message));
    throw error;
  }
}

function summaryOf(folder: string, sender: HistorySender, report: HistoryReport): string {
  const { files, olderFiles, damagedLines, longLines, unreadable } = report;
  const read = `${many(sender.sessions.size, 'session')}, ${many(sender.traces.size, 'trace')} and ${many(sender.sent - sender.refused, 'span')}`;
  const skipped = [
    olderFiles > 0 && `${many(olderFiles, 'file')} older than --since`,
    damagedLines > 0 && `${many(damagedLines, 'line')} incomplete or damaged`,
    longLines > 0 && `${many(longLines, 'line')} longer than 16 MiB`,
    sender.tooLarge > 0 && `${many(sender.tooLarge, 'span')} larger than a gateway accepts`,
    sender.refused > 0 && `${many(sender.refused, 'span')} refused by the gateway: ${printable(sender.reason)}`,
    ...unreadable.slice(0, namedFilesMax).map(({ path, why }) => `${printable(path)} cannot be read (${why})`),
    unreadable.length > namedFilesMax && `${many(unreadable.length - namedFilesMax, 'more file')} that cannot be read`,
  ].filter((line) => line !== false);
  const lines = [`${read} imported or already stored, from ${many(files, 'file')} in ${printable(folder)}`];
  return [...lines, ...skipped.map((line) => `skipped: ${line}`), ''].join('\n');
}

const many = (count: number, what: string): string => `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
