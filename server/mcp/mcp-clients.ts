/** The clients that have connected since the start, per app, so that a user who configures one sees it arrive. */
import type { McpClient } from '../../shared/contract/tracing/mcp.ts';
import { type Scope, scopeKey } from '../platform/scope.ts';

interface Seen {
  name: string;
  version: string;
  /** Of its latest request. */
  userAgent: string;
  firstMs: number;
  lastMs: number;
  callCount: number;
  lastTool: string | null;
}

/** Of one app. The one seen least recently makes room. */
const clientsMax = 20;
const appsMax = 1_000;
const textMax = 100;

/** Revisions since 2026 name the client in every request; those before only in the first. */
const clientKey = 'io.modelcontextprotocol/clientInfo';

export class McpClients {
  /** Apps and their clients, the most recent last. */
  readonly #apps = new Map<string, Seen[]>();

  /** @param message parsed body of a request */
  note(scope: Scope, message: unknown, userAgent: string, nowMs: number): void {
    const key = scopeKey(scope);
    const clients = this.#apps.get(key) ?? [];
    const { method, params } = objectOf(message);
    const seen = clientOf(clients, objectOf(params), userAgent.slice(0, textMax), nowMs);
    if (!seen) return;
    seen.lastMs = nowMs;
    if (method === 'tools/call') {
      seen.callCount++;
      seen.lastTool = textOf(objectOf(params)['name']);
    }
    const others = clients.filter((client) => client !== seen);
    this.#apps.delete(key);
    this.#apps.set(key, [...others, seen].slice(-clientsMax));
    if (this.#apps.size > appsMax) this.#apps.delete(this.#apps.keys().next().value as string);
  }

  /** The latest first. */
  list(scope: Scope): McpClient[] {
    return (this.#apps.get(scopeKey(scope)) ?? []).toReversed().map(published);
  }
}

/** Undefined when the client has never said its name. */
function clientOf(clients: readonly Seen[], params: Record<string, unknown>, userAgent: string, nowMs: number): Seen | undefined {
  const named = objectOf(objectOf(params['_meta'])[clientKey] ?? params['clientInfo']);
  const [name, version] = [textOf(named['name']), textOf(named['version'])];
  if (name === '') return clients.findLast((client) => client.userAgent === userAgent);
  const known = clients.find((client) => client.name === name && client.version === version);
  if (known) known.userAgent = userAgent;
  return known ?? { name, version, userAgent, firstMs: nowMs, lastMs: nowMs, callCount: 0, lastTool: null };
}

const published = ({ name, version, firstMs, lastMs, callCount, lastTool }: Seen): McpClient => ({
  ...{ name, version, call_count: callCount, last_tool: lastTool },
  first_seen_at: new Date(firstMs).toISOString(),
  last_seen_at: new Date(lastMs).toISOString(),
});

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, textMax).toWellFormed() : '');
