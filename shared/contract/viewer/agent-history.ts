/** What the coding agents of this machine have recorded of their own sessions. Local gateways only. */
import { z } from 'zod';
import { all } from '../core/envelope.ts';
import { route } from '../core/route.ts';

export const historyAgents = ['claude-code', 'codex', 'gemini', 'pi'] as const;

const agent = z.enum(historyAgents);
export type HistoryAgent = z.output<typeof agent>;

const agentHistory = z
  .object({
    agent,
    folder: z.string().meta({ description: 'Where the agent keeps its sessions. Nothing else of its files is read.' }),
    sessions: z.int().meta({ description: 'How many there are, without those of sub-agents; 0 where the agent is not used.' }),
    bytes: z.int(),
    newest_at: z.iso.datetime().nullable().meta({ description: 'When a session was last written to; null without sessions.' }),
    is_shown: z.boolean().meta({ description: 'Whether its sessions are read, which the user has to ask for.' }),
    state: z.enum(['off', 'reading', 'up-to-date', 'failed']).meta({
      description: '`up-to-date`: what is added is read while the agent runs. `failed`: `problem` says why; it is tried again by itself.',
    }),
    sessions_read: z.int().meta({ description: 'Those that are stored up to their last line.' }),
    traces: z.int().meta({ description: 'What was read became so many traces, one for each prompt.' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the sessions cannot be read or stored, or that they will not be read after a restart; a sentence.' }),
    left_out: z.array(z.string()).meta({ description: 'What could not be read, one sentence each; at most the first files are named.' }),
  })
  .meta({ id: 'AgentHistory' });
export type AgentHistory = z.output<typeof agentHistory>;

const declare = { tag: 'viewer', only: 'local', path: '/v1/viewer/agent-history' } as const;

export const agentHistories = {
  list: route({
    ...declare,
    id: 'viewer-agent-history',
    method: 'GET',
    summary: 'List the coding agents whose session files can be read, and how far they were read',
    permission: 'trace.read',
    reply: all(agentHistory),
    errors: [],
  }),
  show: route({
    ...declare,
    id: 'viewer-agent-history-show',
    method: 'PUT',
    summary: 'Begin to read the sessions of some agents, or stop. What was read stays until it is deleted',
    permission: 'trace.write',
    body: z.object({
      agents: z.array(agent).min(1).max(historyAgents.length),
      is_shown: z.boolean(),
    }),
    reply: all(agentHistory),
    errors: [],
  }),
};
