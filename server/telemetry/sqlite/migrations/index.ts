import { telemetry } from './001-telemetry.ts';
import { spanLog } from './002-span-log.ts';
import { longestSpan } from './003-longest-span.ts';
import { scores } from './004-scores.ts';
import { spanTags } from './005-span-tags.ts';
import { contentWords } from './006-content-words.ts';
import { failedTraces } from './007-failed-traces.ts';
import { misdatedTraces } from './008-misdated-traces.ts';
import { textsInOrder } from './009-texts-in-order.ts';
import { stampsAndUsage } from './010-stamps-and-usage.ts';
import { retention } from './011-retention.ts';
import { forwarding } from './012-forwarding.ts';
import { valve } from './013-valve.ts';
import { appsThatLeft } from './014-apps-that-left.ts';
import { bookkeeping } from './015-bookkeeping.ts';
import { agentTurns } from './016-agent-turns.ts';
import { contentSignatures } from './017-content-signatures.ts';
import { columns } from './018-columns.ts';
import { columnChecksums } from './019-column-checksums.ts';
import { traceDeletions } from './020-trace-deletions.ts';
import { recentTraceTerms } from './021-recent-trace-terms.ts';
import { addedTags } from './022-added-tags.ts';
import { runaways } from './023-runaways.ts';
import { cursorKey } from './024-cursor-key.ts';
import { historyStays } from './025-history-stays.ts';
import { ownSpans } from './026-own-spans.ts';

/** In order; a migration's number is its place, from 1. Forward only: a shipped one is never edited. */
export const migrations: readonly string[] = [
  telemetry,
  spanLog,
  longestSpan,
  scores,
  spanTags,
  contentWords,
  failedTraces,
  misdatedTraces,
  textsInOrder,
  stampsAndUsage,
  retention,
  forwarding,
  valve,
  appsThatLeft,
  bookkeeping,
  agentTurns,
  contentSignatures,
  columns,
  columnChecksums,
  traceDeletions,
  recentTraceTerms,
  addedTags,
  runaways,
  cursorKey,
  historyStays,
  ownSpans,
];
