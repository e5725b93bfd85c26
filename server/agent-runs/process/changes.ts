import type { AgentChanges } from '../../control/agent-run-store.ts';
import { type GitPlace, git } from './git.ts';

const filesMax = 500;
const patchCharsMax = 256 * 1024;
/** Diff programs that a repository configures are not run. */
const diffOptions = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];

/** Differences between two commits, within limits; the commits themselves are complete. */
export async function changesBetween(place: GitPlace, from: string, to: string): Promise<AgentChanges> {
  const numstat = await git(place, ['diff', ...diffOptions, '--numstat', '-z', from, to, '--']);
  const files = numstat.split('\0').filter(Boolean).map(asFile);
  const shown = files.slice(0, filesMax);
  // Limits the work of git: large files appear with names and counts only.
  const small = shown
    .filter(({ insertions, deletions }) => (insertions ?? 0) + (deletions ?? 0) <= patchCharsMax / 8)
    .map(({ path }) => path);
  const patch = small.length === 0 ? '' : await patchOf(place, from, to, small);
  const isCut = patch === null || patch.length > patchCharsMax || small.length < files.length;
  return { commit_sha: to, files: shown, patch: (patch ?? '').slice(0, patchCharsMax).replaceAll('\0', '').toWellFormed(), is_cut: isCut };
}

/** Null when it is far too long. */
async function patchOf(place: GitPlace, from: string, to: string, paths: readonly string[]): Promise<string | null> {
  try {
    return await git(place, ['--literal-pathspecs', 'diff', ...diffOptions, '--patch', from, to, '--', ...paths]);
  } catch {
    return null;
  }
}

/** `12\t3\tpath`, with `-` for files that are not text. */
function asFile(line: string): AgentChanges['files'][number] {
  const [insertions = '', deletions = '', ...path] = line.split('\t');
  const countOf = (text: string) => (text === '-' ? null : Number(text));
  return { path: path.join('\t').toWellFormed(), insertions: countOf(insertions), deletions: countOf(deletions) };
}
