import type { SpanSummary } from '../normalised.ts';
import type { Evidence } from './evidence.ts';

type Identity = Pick<
  SpanSummary,
  | 'session_id'
  | 'session_name'
  | 'user_id'
  | 'trace_name'
  | 'prompt_name'
  | 'prompt_path'
  | 'prompt_version'
  | 'environment'
  | 'release'
  | 'commit_sha'
  | 'dataset_run_id'
  | 'dataset_run_name'
  | 'dataset_path'
  | 'dataset_item_name'
  | 'experiment_key'
  | 'source_tree_hash'
>;

/** Whose span it is and what it ran: everything that groups spans beyond their trace. */
export function identityOf(evidence: Evidence): Identity {
  const prompt_name = evidence.text('prompt_name');
  const commit_sha = evidence.text('commit_sha');
  return {
    session_id: evidence.text('session_id'),
    session_name: evidence.text('session_name'),
    user_id: evidence.text('user_id'),
    trace_name: evidence.text('trace_name'),
    prompt_name,
    prompt_path: evidence.text('prompt_path'),
    // A prompt kept in a repository has the commit as its version.
    prompt_version: evidence.text('prompt_version') || (prompt_name === '' ? '' : commit_sha),
    environment: evidence.text('environment'),
    release: evidence.text('release'),
    commit_sha,
    dataset_run_id: evidence.text('dataset_run_id'),
    dataset_run_name: evidence.text('dataset_run_name'),
    dataset_path: evidence.text('dataset_path'),
    dataset_item_name: evidence.text('dataset_item_name'),
    experiment_key: evidence.text('experiment_key'),
    source_tree_hash: evidence.text('source_tree_hash'),
  };
}
