/** The thread that reads datasets. */
import { parentPort } from 'node:worker_threads';
import { must } from '../platform/assert.ts';
import { collectWhenIdle } from '../platform/idle-collect.ts';
import { type RowForm, type RowsRead, rowsOf } from './dataset-rows.ts';

/** What the thread is started with. */
export interface RowsTask {
  role: 'rows';
}

export interface RowsRequest {
  bytes: Uint8Array<ArrayBuffer>;
  form: RowForm;
}

export function runRowsThread(): void {
  const main = must(parentPort, 'datasets are read in a worker thread');
  const worked = collectWhenIdle();
  main.on('message', ({ bytes, form }: RowsRequest) => {
    const read: RowsRead = rowsOf(bytes, form);
    main.postMessage(read, 'bytes' in read ? [read.bytes.buffer] : []);
    worked();
  });
}
