import type { SpanSummary } from '../normalised.ts';
import type { FieldResolver } from './field-resolver.ts';

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

/** Session, user, prompt, environment and dataset run: the fields that group spans beyond their trace. */
export function identityOf(resolver: FieldResolver): Identity {
  const prompt_name = resolver.text('prompt_name');
  const commit_sha = resolver.text('commit_sha');
  return {
    session_id: resolver.text('session_id'),
    session_name: resolver.text('session_name'),
    user_id: resolver.text('user_id'),
    trace_name: resolver.text('trace_name'),
    prompt_name,
    prompt_path: resolver.text('prompt_path'),
    // The version of a prompt in a repository is the commit.
    prompt_version: resolver.text('prompt_version') || (prompt_name === '' ? '' : commit_sha),
    environment: resolver.text('environment'),
    release: resolver.text('release'),
    commit_sha,
    dataset_run_id: resolver.text('dataset_run_id'),
    dataset_run_name: resolver.text('dataset_run_name'),
    dataset_path: resolver.text('dataset_path'),
    dataset_item_name: resolver.text('dataset_item_name'),
    experiment_key: resolver.text('experiment_key'),
    source_tree_hash: resolver.text('source_tree_hash'),
  };
}
