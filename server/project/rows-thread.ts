/** The thread that reads datasets. */
import { answerMessages } from '../platform/answer-messages.ts';
import type { WorkProtocol } from '../platform/thread.ts';
import { type RowForm, rowsOf } from './dataset-rows.ts';

/** Start message of the thread. */
export interface RowsTask {
  role: 'rows';
}

export type RowsProtocol = WorkProtocol<RowsTask, typeof work>;

const work = { read: ({ bytes, form }: { bytes: Uint8Array<ArrayBuffer>; form: RowForm }) => rowsOf(bytes, form) };

export const runRowsThread = (): void => answerMessages(work, { read: (rows) => ('bytes' in rows ? [rows.bytes.buffer] : []) });
