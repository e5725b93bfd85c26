/** A script of ours in its own process: one task in, one result out. The measured and the measuring never share a heap. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function runHelper<Task, Result>(script: URL, task: Task): Promise<Result> {
  const child = startHelper(script);
  return new Promise<Result>((resolve, reject) => {
    child.once('message', (result) => {
      child.disconnect();
      resolve(result as Result);
    });
    child.once('exit', (code) => reject(new Error(`${fileURLToPath(script)} ended with ${code} before it answered`)));
    child.send(task as object);
  });
}

export const startHelper = (script: URL): ChildProcess => fork(fileURLToPath(script), { serialization: 'advanced' });

/** In the helper: does the one task it is given. */
export function serveTask<Task, Result>(work: (task: Task) => Result | Promise<Result>): void {
  process.once('message', async (task) => {
    const result = await work(task as Task);
    process.send?.(result);
  });
}
