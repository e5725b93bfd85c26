import { randomUUID } from 'node:crypto';
import type { ExperimentDraft, ExperimentRun } from '../../../shared/contract/evaluation/experiment-runs.ts';
import { fail, failForNow } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { fromProject, treeOf, type Wording } from '../../app/project-failure.ts';
import type { StoredRun } from '../../control/experiment-run-store.ts';
import type { Scope } from '../../platform/scope.ts';
import { promptNameOf } from '../../project/mdx/prompt-name.ts';
import { filesOf, type TemplateReader } from '../../project/mdx/template-reader.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import { type ConnectionRegistry, JobFailure } from '../../workers/connection-registry.ts';
import type { RunOrder } from '../../workers/experiment-runs.ts';

const wording: Wording = {
  field: 'prompt',
  illegal: 'invalid_request_body',
  unreadable: 'template_parse_error',
  tooLarge: 'payload_too_large',
};
/** A worker has the names of its evals at hand and computes nothing. */
const evalsSilenceMs = 10_000;
const retrySeconds = 5;

export const experimentRunsModule = defineModule({
  group: 'experimentRuns',
  needs: ['workers', 'experimentRuns', 'project', 'templates'],
  build: ({ workers, experimentRuns, project, templates }) => ({
    start: async ({ scope, principal }, { body }) => {
      const order = await orderOf(project, templates, scope, body);
      const run = await translateJobFailure(() => experimentRuns.start(principal.actor, scope, order));
      return new Answer(202, { data: withoutPromptName(run) });
    },

    get: async ({ scope }, { params: { experimentId } }) => {
      return { data: withoutPromptName((await experimentRuns.find(scope, experimentId.toLowerCase())) ?? missing(experimentId)) };
    },

    cancel: async ({ scope, principal }, { params: { experimentId } }) => {
      const id = experimentId.toLowerCase();
      const outcome = await experimentRuns.cancel(principal.actor, scope, id);
      if (outcome === 'ended') fail('run_already_terminal', 'The run has ended already');
      return { data: withoutPromptName((await experimentRuns.find(scope, id)) ?? missing(experimentId)) };
    },

    worker: async ({ scope }) => ({ data: await workers.status(scope) }),

    evals: async ({ scope }) => ({ data: await translateJobFailure(() => evalsOf(workers, scope)) }),
  }),
});

const missing = (id: string): never => fail('experiment_not_found', `No experiment ${id} was started here`);

const withoutPromptName = ({ prompt_name: _, ...run }: StoredRun): ExperimentRun => run;

/** Job with the current text of the prompt. */
async function orderOf(project: ProjectFiles, templates: TemplateReader, scope: Scope, draft: ExperimentDraft): Promise<RunOrder> {
  const dataset = draft.dataset.endsWith('.jsonl') ? draft.dataset : `${draft.dataset}.jsonl`;
  const [all, commit_sha] = await fromProject(wording, () => Promise.all([project.datasets(scope), project.commit(scope)]));
  if (!all.some(({ name }) => name === dataset)) fail('dataset_not_found', `There is no dataset ${draft.dataset}`);
  const prompt = draft.prompt === undefined ? null : await promptOf(project, templates, scope, draft.prompt);
  const experiment_key = draft.experiment_key ?? (prompt ? `./${prompt.path}` : dataset);
  const name = draft.name ?? `${dataset.replace(/\.jsonl$/, '')} ${randomUUID().slice(0, 6)}`;
  const { evals, concurrency, row_limit = null } = draft;
  return { name, dataset, prompt, evals: [...new Set(evals)], concurrency, row_limit, experiment_key, commit_sha };
}

async function promptOf(project: ProjectFiles, templates: TemplateReader, scope: Scope, path: string): Promise<RunOrder['prompt']> {
  const tree = await treeOf(wording, () => templates.read(scope, filesOf(project, scope), path));
  const text = await fromProject(wording, () => project.text(scope, path));
  if (tree === null || text === null) fail('template_not_found', `No template ${path}`);
  return { path, name: promptNameOf(text), ast: JSON.parse(tree, withoutPositions) as unknown };
}

/** A job must fit into a frame, and half of a tree is the positions of its nodes in the text. */
const withoutPositions = (key: string, value: unknown): unknown => (key === 'position' ? undefined : value);

async function evalsOf(workers: ConnectionRegistry, scope: Scope): Promise<string[]> {
  const id = randomUUID();
  const { result } = await workers.dispatch(scope, { id, request: { type: 'get-evals' }, silenceMs: evalsSilenceMs });
  try {
    const names: unknown = JSON.parse(String(result));
    if (Array.isArray(names) && names.every((name): name is string => typeof name === 'string')) return names;
  } catch {}
  throw new JobFailure('reported', id, 'The worker answered with no list of names');
}

/** Turns the failure of a job into an answer. */
async function translateJobFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    const { errorKind, message, jobId } = error;
    if (errorKind === 'no_worker')
      return failForNow('worker_not_connected', `${message}. Start one with \`glasshouse worker\`.`, retrySeconds);
    if (errorKind === 'overloaded' || errorKind === 'stopping') return failForNow('service_unavailable', message, retrySeconds, { jobId });
    return fail('worker_job_failed', message, { jobId });
  }
}
