/** Entry of all threads. Loads only the code of the thread's role, because each thread has its own copy. */
import { workerData } from 'node:worker_threads';
import type { BodyTask } from '../app/body-thread.ts';
import type { RedactionTask } from '../forwarding/redaction-thread.ts';
import type { HistoryTask } from '../history/background/history-thread.ts';
import type { DecodeTask } from '../ingest/decode-thread.ts';
import type { TemplateTask } from '../project/mdx/template-thread.ts';
import type { RowsTask } from '../project/rows-thread.ts';
import type { EncodeTask } from '../telemetry/clickhouse/write/encode-thread.ts';
import type { WriteTask as ClickHouseWriteTask } from '../telemetry/clickhouse/write/write-thread.ts';
import type { CheckTask } from '../telemetry/sqlite/file/check-thread.ts';
import type { CopyTask, ReadTask } from '../telemetry/sqlite/read/read-thread.ts';
import type { WriteTask } from '../telemetry/sqlite/write/write-messages.ts';

const task = workerData as
  | BodyTask
  | DecodeTask
  | WriteTask
  | ReadTask
  | EncodeTask
  | ClickHouseWriteTask
  | CopyTask
  | RowsTask
  | TemplateTask
  | RedactionTask
  | CheckTask
  | HistoryTask;

switch (task.role) {
  case 'body':
    (await import('../app/body-thread.ts')).runBodyThread();
    break;
  case 'decode':
    (await import('../ingest/decode-thread.ts')).runDecodeThread(task);
    break;
  case 'rows':
    (await import('../project/rows-thread.ts')).runRowsThread();
    break;
  case 'template':
    (await import('../project/mdx/template-thread.ts')).runTemplateThread();
    break;
  case 'redact':
    (await import('../forwarding/redaction-thread.ts')).runRedactionThread();
    break;
  case 'history':
    (await import('../history/background/history-thread.ts')).runHistoryThread(task);
    break;
  case 'write':
    (await import('../telemetry/sqlite/write/write-thread.ts')).runWriteThread(task);
    break;
  case 'read':
    (await import('../telemetry/sqlite/read/read-thread.ts')).runReadThread(task);
    break;
  case 'encode':
    (await import('../telemetry/clickhouse/write/encode-thread.ts')).runEncodeThread();
    break;
  case 'clickhouse-write':
    (await import('../telemetry/clickhouse/write/write-thread.ts')).runWriteThread(task);
    break;
  case 'clickhouse-read':
    (await import('../telemetry/clickhouse/read/copy-thread.ts')).runCopyThread(task);
    break;
  case 'check':
    (await import('../telemetry/sqlite/file/check-thread.ts')).runCheckThread(task);
    break;
}
