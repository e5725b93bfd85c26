/**
 * What becomes of every table of telemetry when a team moves to a cluster. A table that is missing here fails a test. Of the control store all tables
 * move as they are.
 */

import { stored } from '../../telemetry/sqlite/file/stored-names.ts';

/**
 * `moved`: read from here, and what it says is compared when it is there: of spans and log records the bytes, of a span's derived columns the sums by
 * trace, of other tables the rows. `rebuilt`: the writer of the cluster makes it again from what is moved; of these only `trace` is compared.
 * `left`: of this machine only.
 */
type Fate = readonly ['moved' | 'rebuilt' | 'left', why: string];

export const telemetryTables: Readonly<Record<string, Fate>> = {
  scope: ['moved', 'as the tenant and app of each row; of a deleted app, that it was deleted'],
  span: ['moved', 'as sent, with the derived columns that it has here; those of spans with log records are derived again'],
  span_log: ['moved', 'as sent'],
  block: ['moved', 'with the spans and log records that are packed into it'],
  chunk: ['moved', 'long texts that a span or log record refers to'],
  document: ['moved', 'with the spans that refer to it'],
  term: ['moved', 'with the spans that refer to it'],
  score: ['moved', 'as it is'],
  usage: ['moved', 'as sums'],
  holding: ['moved', 'as sums'],
  runaway: ['moved', 'as it is'],
  runaway_threshold: ['moved', 'as it is'],
  deletion: ['moved', 'as it is; a deletion that goes on here is over there, because its traces are not moved'],
  deletion_trace: ['moved', 'as traces that are not moved'],
  installation: ['moved', 'as the name of the store that the cluster was filled from'],
  trace: ['rebuilt', 'from its spans and log records, and compared; tags that people added are moved'],
  trace_term: ['rebuilt', 'with the trace'],
  recent_trace_term: ['rebuilt', 'with the trace'],
  session: ['rebuilt', 'from its traces'],
  agent_prompt: ['rebuilt', 'from the log records'],
  agent_log: ['rebuilt', 'from the log records'],
  cursor_key: ['left', 'cursors of lists that are open end with the old gateway'],
  retention: ['left', 'retention by age is for gateways on one machine'],
  deletion_session: ['left', 'work of this file'],
  deletion_score: ['left', 'work of this file'],
  block_use: ['left', 'work of this file'],
  signature: ['left', 'an index of this file'],
  content_change: ['left', 'an index of this file'],
  column_segment: ['left', 'an index of this file'],
  column_chunk: ['left', 'an index of this file'],
  column_posting: ['left', 'an index of this file'],
  column_stale: ['left', 'an index of this file'],
  forward: ['left', 'forwarding is for gateways on one machine'],
  outgoing: ['left', 'forwarding is for gateways on one machine'],
  forwarded: ['left', 'forwarding is for gateways on one machine'],
  [stored.deadLetters]: ['left', 'forwarding is for gateways on one machine'],
  [stored.redactionTokens]: ['left', 'forwarding is for gateways on one machine'],
};
