import { GitError } from './git-host.ts';

/** Null when the host answers that the object is missing. */
export async function orMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GitError && error.problem === 'missing') return null;
    throw error;
  }
}
