/** Runs a script in its own process: one task in, one result out, so that measurements do not share a heap with what they measure. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function runHelper<Task, Result>(script: URL, task: Task): Promise<Result> {
  const child = startHelper(script);
  return new Promise<Result>((resolve, reject) => {
    child.once('message', (result) => {
      child.disconnect();
      resolve(result as Result);
    });
    child.once('exit', (code) => reject(new Error(`${fileURLToPath(script)} ended with ${code} before it sent its result`)));
    child.send(task as object);
  });
}

export const startHelper = (script: URL): ChildProcess => fork(fileURLToPath(script), { serialization: 'advanced' });

/** In the helper: runs `work` on the task that it receives. */
export function serveTask<Task, Result>(work: (task: Task) => Result | Promise<Result>): void {
  process.once('message', async (task) => {
    const result = await work(task as Task);
    process.send?.(result);
  });
}
