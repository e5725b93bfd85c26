/** Images of agent sessions. Large ones are in the blob store, if there is one. */
import { and, eq, inArray } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { AgentBlob } from '../agent-session-store.ts';
import type { ControlDatabase, Queries, Reads } from './control-database.ts';
import type { LargeValues } from './large-values.ts';
import { agentBlobs } from './schema/agents.ts';

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(agentBlobs.tenant_id, tenant_id), eq(agentBlobs.app_id, app_id));

export class AgentBlobRows {
  readonly #database: ControlDatabase;
  readonly #values: LargeValues;

  constructor(database: ControlDatabase, values: LargeValues) {
    this.#database = database;
    this.#values = values;
  }

  async find(scope: Scope, sha256: string): Promise<AgentBlob | null> {
    const { media_type, bytes, size } = agentBlobs;
    const mine = and(ofApp(scope), eq(agentBlobs.sha256, sha256));
    const row = await this.#database.queries.select({ media_type, bytes, size }).from(agentBlobs).where(mine).get();
    if (!row) return null;
    const isElsewhere = row.size > 0 && row.bytes.length === 0;
    return { sha256, media_type: row.media_type, bytes: isElsewhere ? await this.#values.get(scope, 'agent', sha256) : row.bytes };
  }

  /** Those that are not stored yet, each once. */
  async newOf(queries: Reads, scope: Scope, blobs: readonly AgentBlob[]): Promise<AgentBlob[]> {
    const first = new Map(blobs.toReversed().map((blob) => [blob.sha256, blob]));
    const known = await queries
      .select({ sha256: agentBlobs.sha256 })
      .from(agentBlobs)
      .where(and(ofApp(scope), inArray(agentBlobs.sha256, [...first.keys()])))
      .all();
    for (const { sha256 } of known) first.delete(sha256);
    return [...first.values()];
  }

  hasLarge(blobs: readonly AgentBlob[]): boolean {
    return blobs.some(({ bytes }) => this.#values.has(bytes));
  }

  /** Before the transaction with their rows. @returns hashes of those that are in the blob store now */
  async putLarge(scope: Scope, blobs: readonly AgentBlob[]): Promise<ReadonlySet<string>> {
    const large = blobs.filter(({ bytes }) => this.#values.has(bytes));
    if (large.length === 0) return new Set();
    const added = await this.newOf(this.#database.queries, scope, large);
    await Promise.all(added.map(({ bytes }) => this.#values.put(scope, 'agent', bytes)));
    return new Set(added.map(({ sha256 }) => sha256));
  }
}

/** @param elsewhere hashes of those that are in the blob store */
export async function addBlobs(
  write: Queries,
  scope: Scope,
  blobs: readonly AgentBlob[],
  created_at: string,
  elsewhere: ReadonlySet<string>,
): Promise<void> {
  for (const { sha256, media_type, bytes } of blobs) {
    const row = { ...scope, sha256, media_type, size: bytes.length, created_at, bytes: Buffer.from(elsewhere.has(sha256) ? [] : bytes) };
    await write.insert(agentBlobs).values(row).run();
  }
}
