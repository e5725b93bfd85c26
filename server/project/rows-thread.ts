/** The thread that reads datasets. */
import { answerMessages } from '../platform/answer-messages.ts';
import { type RowForm, type RowsRead, rowsOf } from './dataset-rows.ts';

/** Start message of the thread. */
export interface RowsTask {
  role: 'rows';
}

/** Work of the thread. */
export type RowsWork = (request: { bytes: Uint8Array<ArrayBuffer>; form: RowForm }) => RowsRead;

export function runRowsThread(): void {
  const work: RowsWork = ({ bytes, form }) => rowsOf(bytes, form);
  answerMessages(work, (read) => ('bytes' in read ? [read.bytes.buffer] : []));
}
