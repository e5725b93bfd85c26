import { evals } from '../../../shared/contract/evaluation/evals.ts';
import { workerEnvironments } from '../../../shared/contract/operations/worker-environments.ts';
import { workerRuns } from '../../../shared/contract/operations/worker-runs.ts';
import { workerThreads } from '../../../shared/contract/operations/worker-threads.ts';
import { agents } from '../../../shared/contract/tracing/agents.ts';
import { notesOn } from '../note.ts';
import { commit, ids, key, page } from './samples.ts';

const at = '2026-01-15T10:30:00.000Z';
const repo = 'acme/support-bot';
const url = 'https://glasshouse.acme.example/#/workers/run-5e1';

const evalRun = {
  ...{ id: 'evr_2Yq8', status: 'running' as const, app_id: ids.app, card: null, cost_usd: null, error: null },
  ...{ created_at: at, claimed_at: '2026-01-15T10:30:04.000Z', completed_at: null },
};
const runPath = { runId: evalRun.id };
const escalation = { attempts: 3, task_ids: ['refund-policy'], repo, suggested_next_steps: 'Look at how the tool reports an empty order.' };

const sessionFields = {
  session_id: 'claude-0f3c',
  agent: 'claude-code',
  title: 'Name the day of delivery',
  repo,
  branch: 'main',
  started_at: at,
};
const event = { seq: 0, type: 'user' as const, timestamp: at, text: 'Answers should name the day of delivery.' };
const session = {
  ...sessionFields,
  trace_id: ids.trace,
  event_count: 1,
  created_at: at,
  url: `https://glasshouse.acme.example/#/traces/${ids.trace}`,
};

const task_prompt = 'Make the bot name the day of delivery, with a test.';
const workRun = {
  ...{ run_id: 'run-5e1', environment_id: ids.item, turn_index: 0, status: 'succeeded' as const, task_prompt, repo },
  ...{ work_branch: 'glasshouse/run-5e1', result: 'Done; one test was added.', error: null, cost_usd: 0.41 },
  checkpoint: { commit_sha: commit, files: 2, insertions: 31, deletions: 4 },
  ...{ cancel_requested_at: null, created_at: at, started_at: '2026-01-15T10:30:01.000Z', completed_at: '2026-01-15T10:36:40.000Z', url },
};
const dispatched = { run_id: 'run-5e1', turn_index: 0, url };
const workspace = {
  ...{ id: ids.item, name: 'delivery day', status: 'busy' as const, repo, turn_count: 1, work_branch: null, created_at: at },
  url: 'https://glasshouse.acme.example/#/workers/delivery-day',
};
const runParams = { runId: workRun.run_id };
const workspaceParams = { envId: workspace.id };
const asyncNote = 'The answer comes before the work: poll the run until its `status` is final, or follow it at `url`.';

const evalNotes = notesOn(evals, {
  createRun: {
    description:
      'Starts the run of an evaluation. `plaintext_key` is a key for the program that does the work: it may only report on this run, ' +
      'and it expires with the run.',
    body: { name: 'refund tasks', experiment_key: 'refunds', metadata: { commit } },
    reply: { data: { ...evalRun, status: 'queued', claimed_at: null, plaintext_key: key } },
  },
  getRun: { description: 'The status of one run, and its card once it has succeeded.', path: runPath, reply: { data: evalRun } },
  reportStatus: {
    description:
      'A report of the program that does the work: an empty body claims the run, a `card` completes it, an `error` fails it; `status` says ' +
      'so explicitly. A run that has ended takes no more reports: 409, or 401 for its own key, which has expired too.',
    path: runPath,
    body: { status: 'succeeded', card: { passed: 41, failed: 3 }, costUsd: 1.87 },
    reply: { data: { run_id: evalRun.id, status: 'succeeded' } },
  },
  addTrials: {
    description:
      'Stores results of up to 500 trials. A trial replaces an earlier one of the same task and index, so a request can be repeated. A run ' +
      'that has ended takes none: 409.',
    path: runPath,
    body: { trials: [{ task_id: 'refund-policy', trial_index: 0, status: 'passed', score: 1, trace_id: ids.trace, duration_ms: 8120 }] },
    reply: { data: { added: 1, updated: 0 } },
  },
  escalate: {
    description: 'Escalates to people what a program could not repair by itself. The escalation belongs to the run of the key.',
    body: escalation,
    reply: { data: { id: 'b2f5ff47-4366-4b6b-a533-3d9b3a9d5d6d', run_id: evalRun.id, ...escalation, created_at: at } },
  },
});

const sessionNotes = notesOn(agents, {
  ingest: {
    description:
      'Stores steps of a coding agent: 201 for a new session, 200 for more steps of one. Steps are identified by their `seq`, and the first ' +
      'one with a `seq` is kept, so a part can be sent again. The session also becomes a trace, with a span for each step. Images are sent ' +
      'once and referred to by their hash.',
    body: { ...sessionFields, events: [event] },
    reply: { data: { session_id: sessionFields.session_id, trace_id: ids.trace, events_added: 1, blobs_added: 0, url: session.url } },
  },
  list: {
    description: 'Sessions of coding agents without their steps, newest first.',
    query: { limit: 50 },
    reply: { data: [session], pagination: page(1) },
  },
  get: {
    description: 'One session of a coding agent with all its steps.',
    path: { sessionId: sessionFields.session_id },
    reply: { data: { ...session, events: [event] } },
  },
  blob: {
    description: 'The bytes of an image that a step refers to, with the media type they were sent as. They never change, so cache them.',
    path: { sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
  },
});

const workerNotes = {
  ...notesOn(workerRuns, {
    create: {
      description: `Gives a coding agent one task in a working copy of its own. ${asyncNote}`,
      body: { task_prompt, repo, max_cost_usd: 2 },
      reply: { data: dispatched },
    },
    list: {
      description: 'The tasks of coding agents, newest first. Long texts are cut here.',
      query: { status: 'succeeded' },
      reply: { data: [workRun], pagination: page(1) },
    },
    get: {
      description: 'One task: its prompt, its status, and the message and commit of the agent.',
      path: runParams,
      reply: { data: workRun },
    },
  }),
  ...notesOn(workerEnvironments, {
    create: {
      description: `Opens a persistent workspace with its first task. Later tasks find the work of earlier ones. ${asyncNote}`,
      body: { task_prompt, name: 'delivery day', repo, branch: 'main' },
      reply: { data: { ...dispatched, environment_id: ids.item } },
    },
    list: {
      description: 'Workspaces, newest first, including closed ones.',
      query: { limit: 50 },
      reply: { data: [workspace], pagination: page(1) },
    },
    get: { description: 'One workspace, and whether a task is running in it.', path: workspaceParams, reply: { data: workspace } },
    close: {
      description: 'Closes a workspace: it takes no more tasks. The commits of its tasks stay. 409 while one is running.',
      path: workspaceParams,
    },
    createTurn: {
      description: `Gives a workspace its next task. Only one runs at a time: 409 \`environment_busy\` while one is running. ${asyncNote}`,
      path: workspaceParams,
      body: { task_prompt: 'Now the same for returns.' },
      reply: { data: { ...dispatched, turn_index: 1 } },
    },
    turns: {
      description: 'The tasks of a workspace, in the order in which they were created.',
      path: workspaceParams,
      query: { limit: 50 },
      reply: { data: [workRun], pagination: page(1) },
    },
  }),
  ...notesOn(workerThreads, {
    output: {
      description:
        'The output of the agent from a given position. Send `next` as `after` to continue; when there is nothing new the list is empty, and ' +
        '`status` tells whether to poll again.',
      path: runParams,
      query: { after: 0, limit: 500 },
      reply: {
        data: { status: 'running', lines: [{ seq: 1, at, stream: 'stdout', text: 'Reading src/answer.ts' }], next: 1, url },
      },
    },
    changes: {
      description: 'The changes of a task in the workspace, file by file and as a diff. Long diffs are cut; the commit has everything.',
      path: runParams,
      reply: {
        data: {
          commit_sha: commit,
          files: [{ path: 'src/answer.ts', insertions: 3, deletions: 1 }],
          patch: '--- a/src/answer.ts\n+++ b/src/answer.ts\n@@ -1 +1 @@\n-const day = null;\n+const day = dayOf(order);\n',
          is_cut: false,
          url,
        },
      },
    },
    cancel: {
      description:
        'Requests that a task is cancelled. The agent is stopped soon after the answer; its commits stay. 409 when the task has ended.',
      path: runParams,
      reply: {
        data: {
          ...workRun,
          status: 'running',
          cancel_requested_at: '2026-01-15T10:31:00.000Z',
          completed_at: null,
          checkpoint: null,
          result: null,
        },
      },
    },
  }),
};

export const agentNotes = { ...evalNotes, ...sessionNotes, ...workerNotes };
