/** Wires and starts the services that run coding agents. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { AgentRunDispatcher } from '../agent-runs/agent-dispatcher.ts';
import type { AgentRuntime } from '../agent-runs/agent-runtime.ts';
import { type AgentCommand, agentCommand } from '../agent-runs/process/agent-command.ts';
import type { Isolation } from '../agent-runs/process/containment.ts';
import { ProcessRuntime } from '../agent-runs/process/process-runtime.ts';
import type { OutputLimits } from '../agent-runs/turn-log.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Clock } from '../platform/clock.ts';
import { jsonOf } from '../platform/json.ts';
import type { Log } from '../platform/log.ts';

export interface AgentRunSettings {
  command: AgentCommand;
  repositories: string | null;
  /** Environment variables of the gateway that agents get too. */
  passedVariables: Readonly<Record<string, string>>;
  concurrency: number;
  turnMs: number;
  diskBytes: number;
  memoryBytes: number;
  processes: number;
  isolation: Isolation;
  costMax: number | null;
}

/** Runtime of agents, with its limits. */
export interface CodingAgents {
  runtime: AgentRuntime;
  concurrency: number;
  turnMs: number;
  output?: OutputLimits;
  /** Effective containment, for the log. */
  containment?(): Promise<Record<string, unknown>>;
}

const MiB = 1024 * 1024;
const minuteMs = 60_000;
const endMs = 5000;
const checkMs = 2000;

const command = z.string().transform((text, context): AgentCommand => {
  const read = agentCommand.safeParse(jsonOf(text));
  if (read.success) return read.data;
  context.addIssue({
    code: 'custom',
    message: `must be a JSON array, the program first, such as ["agent","--print"]: ${z.prettifyError(read.error)}`,
  });
  return z.NEVER;
});

const names = z.string().transform((list) => list.split(',').map((name) => name.trim()));

const variables = z.object({
  /** Runtime of coding agents: none, or processes on this machine. */
  GLASSHOUSE_WORKERS: z.enum(['none', 'process']).default('none'),
  GLASSHOUSE_WORKER_COMMAND: command.optional(),
  /** A folder with a folder for each tenant, named by its id, which has its repositories as owner/name. */
  GLASSHOUSE_WORKER_REPOSITORIES: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  /** Comma-separated names of variables: agents need the keys of their models. The gateway's own variables are refused. */
  GLASSHOUSE_WORKER_PASS: names
    .refine(
      (all) => all.every((name) => /^[A-Za-z_]\w*$/.test(name) && !/^GLASSHOUSE_/i.test(name)),
      'must be names of variables that do not begin with GLASSHOUSE_',
    )
    .optional(),
  GLASSHOUSE_WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(100).default(2),
  GLASSHOUSE_WORKER_MINUTES: z.coerce
    .number()
    .positive()
    .max(24 * 60)
    .default(30),
  GLASSHOUSE_WORKER_DISK_MIB: z.coerce.number().int().min(1).default(2048),
  /** Limit for all processes of an agent together, and for each. */
  GLASSHOUSE_WORKER_MEMORY_MIB: z.coerce.number().int().min(64).default(4096),
  GLASSHOUSE_WORKER_PROCESSES: z.coerce.number().int().min(8).default(512),
  /** Containment of agents: as far as available, or none. */
  GLASSHOUSE_WORKER_ISOLATION: z.enum(['auto', 'none']).default('auto'),
  GLASSHOUSE_WORKER_COST_USD: z.coerce.number().positive().optional(),
});

/** Names of the variables above. */
export const codingAgentVariables: readonly string[] = Object.keys(variables.shape);

/**
 * Null without agents.
 * @throws Error with a line for each invalid variable
 */
export function readCodingAgentSettings(
  environment: Record<string, string | undefined>,
  platform: NodeJS.Platform,
): AgentRunSettings | null {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const read = variables.safeParse(set);
  if (!read.success) throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'));
  const { data } = read;
  if (data.GLASSHOUSE_WORKERS === 'none') return null;
  if (platform !== 'linux')
    throw new Error('GLASSHOUSE_WORKERS can be process on Linux only: on other systems, processes that agents leave behind are not found');
  if (!data.GLASSHOUSE_WORKER_COMMAND) throw new Error('GLASSHOUSE_WORKER_COMMAND must be set when GLASSHOUSE_WORKERS is process');
  const passedVariables = (data.GLASSHOUSE_WORKER_PASS ?? []).flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  return {
    command: data.GLASSHOUSE_WORKER_COMMAND,
    repositories: data.GLASSHOUSE_WORKER_REPOSITORIES ?? null,
    passedVariables: Object.fromEntries(passedVariables) as Record<string, string>,
    concurrency: data.GLASSHOUSE_WORKER_CONCURRENCY,
    turnMs: data.GLASSHOUSE_WORKER_MINUTES * minuteMs,
    diskBytes: data.GLASSHOUSE_WORKER_DISK_MIB * MiB,
    memoryBytes: data.GLASSHOUSE_WORKER_MEMORY_MIB * MiB,
    processes: data.GLASSHOUSE_WORKER_PROCESSES,
    isolation: data.GLASSHOUSE_WORKER_ISOLATION,
    costMax: data.GLASSHOUSE_WORKER_COST_USD ?? null,
  };
}

export function processCodingAgents(
  dataDir: string,
  { concurrency, turnMs, diskBytes, memoryBytes, processes, ...settings }: AgentRunSettings,
): CodingAgents {
  const limits = { turnMs, diskBytes, memoryBytes, processes, endMs, checkMs };
  const runtime = new ProcessRuntime(dataDir, { ...settings, limits });
  const containment = async () => {
    const { namespace, isLimited, isNice } = await runtime.containment();
    return { process_namespace: namespace, kernel_limits: isLimited, nice: isNice };
  };
  return { runtime, concurrency, turnMs, containment };
}

interface AgentRunParts {
  control: ControlStore;
  leases: Leases;
  clock: Clock;
  log: Log;
  /** Base URL of the gateway for agents, without a trailing slash. */
  address: string;
}

/** Starts running queued agent runs. Null without agents. */
export async function startAgentRuns(
  codingAgents: CodingAgents | undefined,
  { control, ...parts }: AgentRunParts,
): Promise<AgentRunDispatcher | null> {
  if (!codingAgents) return null;
  const { containment, ...options } = codingAgents;
  if (containment) parts.log.info('worker_containment', await containment());
  const dispatcher = new AgentRunDispatcher({ ...options, ...parts, queue: control.agentRunQueue });
  await dispatcher.open();
  return dispatcher;
}
