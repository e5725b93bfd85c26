/** All reports. */
import { annotate } from './annotate.ts';
import { compareTraces } from './compare-traces.ts';
import { costSummary } from './cost-summary.ts';
import { filterHelp } from './filter-help.ts';
import { findErrors } from './find-errors.ts';
import { findTraces } from './find-traces.ts';
import { lastRun } from './last-run.ts';
import type { Report } from './report.ts';
import { showSession } from './show-session.ts';
import { showSpan } from './show-span.ts';
import { showTrace } from './show-trace.ts';

export const reports: readonly Report[] = [
  lastRun,
  findTraces,
  showTrace,
  showSpan,
  showSession,
  findErrors,
  compareTraces,
  costSummary,
  filterHelp,
  annotate,
];
