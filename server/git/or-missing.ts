import { GitError } from './git-host.ts';

/** Null where the host says that there is no such thing. */
export async function orMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GitError && error.problem === 'missing') return null;
    throw error;
  }
}
