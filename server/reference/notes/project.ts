import { experimentRuns } from '../../../shared/contract/evaluation/experiment-runs.ts';
import { experiments } from '../../../shared/contract/evaluation/experiments.ts';
import { config } from '../../../shared/contract/projects/config.ts';
import { datasets } from '../../../shared/contract/projects/datasets.ts';
import { prompts } from '../../../shared/contract/projects/prompts.ts';
import { templates } from '../../../shared/contract/projects/templates.ts';
import { notesOn } from '../note.ts';
import { commit, ids, page } from './samples.ts';

const runId = 'a4b8a1de-5c31-4d6a-8d1e-0d3b6f0f6c21';
const datasetName = 'support/tickets';

const summary = {
  id: runId,
  name: 'gpt-4o, shorter system prompt',
  datasetPath: 'support/tickets.jsonl',
  promptName: 'answer-ticket',
  start: '2026-01-15T10:30:00.000Z',
  end: '2026-01-15T10:30:41.000Z',
  itemCount: 25,
  avgLatencyMs: 1870,
  totalCost: 0.104,
  totalTokens: 34_100,
  avgScore: 0.88,
  commitSha: commit,
  createdAt: '2026-01-15T10:30:00.000Z',
};

const run = {
  experiment_id: runId,
  name: 'nightly',
  dataset: 'support/tickets.jsonl',
  prompt: 'answer-ticket.prompt.mdx',
  evals: ['helpful'],
  status: 'running' as const,
  rows_total: 25,
  rows_done: 4,
  rows_failed: 0,
  error: null,
  created_by: ids.person,
  created_at: '2026-01-15T10:30:00.000Z',
  finished_at: null,
};

const importNote =
  'The input of a row is the props of the prompt, or else the input; the expected output is the output. `mapping` chooses other ' +
  'parts by path. Each id is handled separately: 201 when every one became a row, 207 when some did not, and `results` says which.';
const importReply = (source_id: string) => ({ data: { added: 1, results: [{ source_id, status: 'created' as const, line_number: 0 }] } });

export const projectNotes = {
  ...notesOn(config, {
    get: {
      description:
        'The content of the project file with its commit: on a developer’s machine that of the working folder, in the cloud that of the ' +
        'last deployment. 404 where there is no such file.',
      reply: { data: { commit_sha: commit, config: { version: '2.0', scores: { helpful: { type: 'boolean' } } } } },
    },
  }),
  ...notesOn(prompts, {
    list: {
      description:
        'Paths of prompt files, sorted. With `name` those whose front matter has exactly this name, which may be several or none. A cloud ' +
        'gateway requires `name` and otherwise answers 501 `not_available_on_cloud`.',
      query: { name: 'answer-ticket' },
      reply: { data: { paths: ['answer-ticket.prompt.mdx'] } },
    },
  }),
  ...notesOn(templates, {
    get: {
      description:
        'An `.mdx` file as a syntax tree with its imported components inlined, or a `.jsonl` file as rows. Nothing in it is run. Datasets are ' +
        'a bare array, without an envelope, or their lines for clients that accept `application/x-ndjson`. A file that cannot be parsed, or ' +
        'has a tag that is unknown for its kind of prompt, is answered with 400 `template_parse_error`.',
      query: { path: 'answer-ticket.prompt.mdx' },
      reply: { data: { type: 'root', children: [{ type: 'yaml', value: 'name: answer-ticket' }] } },
    },
  }),
  ...notesOn(datasets, {
    list: {
      description: 'The datasets of the project by name: every `.jsonl` file under the templates folder. Their rows are read as templates.',
      query: { limit: 50 },
      reply: { data: [{ name: 'support/tickets.jsonl', row_count: 25, created_at: '2026-01-10T09:00:00.000Z' }], pagination: page(1) },
    },
    append: {
      description:
        'Appends one row; a dataset that does not exist is created. The body is the row itself, without an envelope. Not idempotent: ' +
        'a row that is sent twice is stored twice.',
      path: { datasetName },
      body: { input: { question: 'Where is my order?' }, expected_output: 'It arrives on Saturday.', metadata: { topic: 'delivery' } },
      reply: { data: { line_number: 25 } },
    },
    importTraces: {
      description: `Appends a row for each of up to 100 traces. ${importNote}`,
      path: { datasetName },
      body: { trace_ids: [ids.trace], mapping: { input: '$.props', metadata: { model: '$.spans[0].model' } } },
      reply: importReply(ids.trace),
    },
    importSpans: {
      description: `Appends a row for each of up to 100 spans. ${importNote}`,
      path: { datasetName },
      body: { span_ids: [ids.call] },
      reply: importReply(ids.call),
    },
  }),
  ...notesOn(experiments, {
    list: {
      description:
        'Runs over datasets, newest first. An experiment consists of the traces with its `dataset_run_id`: sending such traces creates it, ' +
        'and it is computed from them and their scores.',
      query: { limit: 50, prompt_name: 'answer-ticket' },
      reply: { data: [summary], pagination: page(1) },
    },
    baseline: {
      description:
        'What a run is compared with: the scores of the newest run with the same `experiment_key`, preferably of the same source tree, by the ' +
        'hash of each item’s input. `resolved` is null and `rows` empty where there is no such run. For gates in continuous integration.',
      query: { experiment_key: 'answer-ticket', tree_hash: '9c2f4e' },
      reply: {
        data: {
          resolved: { runId, treeHash: '9c2f4e', matchedExactCommit: true },
          rows: [{ inputHash: 'a0ebc03bdc71de7b', scorer: 'helpful', score: 1 }],
        },
      },
    },
    get: {
      description: 'One run with each of its items: input, expected and actual output, scores, and the trace to look at.',
      path: { experimentId: runId },
      reply: {
        data: {
          ...summary,
          items: [
            {
              traceId: ids.trace,
              itemName: 'order 4821',
              input: '{"question":"Where is my order?"}',
              expectedOutput: 'It arrives on Saturday.',
              output: 'It should be with you on Saturday.',
              latencyMs: 1930,
              cost: 0.00413,
              tokens: 1364,
              model: 'gpt-4o',
              scores: [{ name: 'helpful', score: 1, label: 'yes', reason: '' }],
            },
          ],
        },
      },
    },
  }),
  ...notesOn(experimentRuns, {
    start: {
      description:
        'Lets the connected worker of the app run a prompt, or its own code, over a dataset. The answer comes before the work: poll the run ' +
        'until its `status` is no longer `running`; its traces appear meanwhile. 503 `worker_not_connected` where no worker is connected.',
      body: { dataset: 'support/tickets', prompt: 'answer-ticket.prompt.mdx', name: 'nightly', evals: ['helpful'], row_limit: 25 },
      reply: { data: run },
    },
    get: {
      description: 'The progress of an experiment run that was started here. Its results are the experiment with the same id.',
      path: { experimentId: runId },
      reply: { data: run },
    },
    cancel: {
      description: 'Tells the worker to stop. Rows that have run stay, and so do their traces. 409 for a run that has ended.',
      path: { experimentId: runId },
      reply: { data: { ...run, status: 'cancelled', finished_at: '2026-01-15T10:30:12.000Z' } },
    },
  }),
};
