import type { Scope } from '../../platform/scope.ts';
import type { AgentPart } from '../agent-session-store.ts';
import type { agentSessions } from './schema/agents.ts';

export type SessionRow = typeof agentSessions.$inferSelect;

/** Merges a part into a session: the first value of a property stays, the start is the earliest and the end the latest. */
export function mergedSession(before: SessionRow | null, { about, trace_id }: AgentPart, scope: Scope, now: string): SessionRow {
  const { session_id, agent } = about;
  const [title = null, repo = null, branch = null] = [about.title, about.repo, about.branch];
  const [commit_sha = null, model = null, user_id = null, metadata = null] = [about.commit_sha, about.model, about.user_id, about.metadata];
  const started_at = iso(about.started_at);
  const ended_at = about.ended_at === undefined ? null : iso(about.ended_at);
  if (!before) {
    const counts = { event_count: 0, event_bytes: 0, revision: 0, created_at: now };
    return {
      ...scope,
      session_id,
      trace_id,
      agent,
      title,
      repo,
      branch,
      commit_sha,
      model,
      user_id,
      started_at,
      ended_at,
      metadata,
      ...counts,
    };
  }
  return {
    ...before,
    ...{ title: before.title ?? title, repo: before.repo ?? repo, branch: before.branch ?? branch },
    ...{ commit_sha: before.commit_sha ?? commit_sha, model: before.model ?? model, user_id: before.user_id ?? user_id },
    metadata: before.metadata ?? metadata,
    started_at: started_at < before.started_at ? started_at : before.started_at,
    ended_at: before.ended_at !== null && (ended_at === null || ended_at < before.ended_at) ? before.ended_at : ended_at,
  };
}

const iso = (moment: string): string => new Date(moment).toISOString();
