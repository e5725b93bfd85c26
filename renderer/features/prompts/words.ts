/** Texts of prompt versions and their source. */
import type { PromptSource, PromptVersion } from './prompts-query.ts';

export type Deployed = PromptVersion['deployment'];

export const commitOf = (sha: string | null): string => (sha === null || /^0+$/.test(sha) ? 'no commit' : sha.slice(0, 7));

/** Version and commit, such as `v3 · 1a2b3c4`; the commit alone if the environment follows a branch. */
export const versionOf = ({ env_version, commit_sha }: Deployed): string =>
  env_version === null ? commitOf(commit_sha) : `v${env_version} · ${commitOf(commit_sha)}`;

/** First line of the promotion note or the commit message. */
export const reasonFor = ({ note, commit_message }: Deployed): string => (note ?? commit_message ?? '').split('\n')[0] ?? '';

/** Last change of a prompt, for a tooltip. */
export function changeInWords(
  { changed_at, changed_by }: { changed_at: string | null; changed_by: Deployed | null },
  time: (iso: string) => string,
): string {
  if (changed_at === null) return 'Time of the last change is unknown';
  if (changed_by === null) return time(changed_at);
  return [time(changed_at), versionOf(changed_by), reasonFor(changed_by), `by ${changed_by.initiated_by}`].filter(Boolean).join(' · ');
}

export const sourceInWords = (source: PromptSource): string => {
  if (source.kind === 'folder') return source.commit_sha === null ? 'Project folder' : `Project folder at ${commitOf(source.commit_sha)}`;
  return source.deployment === null ? `${source.name}: nothing deployed` : `${source.name} serves ${versionOf(source.deployment)}`;
};
