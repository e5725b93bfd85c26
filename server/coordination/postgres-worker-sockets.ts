import type { Pool, QueryResultRow } from 'pg';
import type { Scope } from '../platform/scope.ts';
import { type HeldSocket, holderGoneMs, type SocketHolder, type WorkerSockets } from './worker-sockets.ts';

interface Row extends QueryResultRow {
  tenant_id: string;
  app_id: string;
  instance: string;
  address: string;
  /** A bigint. */
  epoch: string;
  status: string;
}

/** Connections of one gateway may be claimed in another order than they were made: among them, the gateway decides. */
const unlessNewer = `
ON CONFLICT (tenant_id, app_id) DO UPDATE SET instance = excluded.instance, address = excluded.address,
  epoch = greatest(held.epoch, excluded.epoch), status = excluded.status, seen = excluded.seen
WHERE held.instance = excluded.instance OR held.epoch <= excluded.epoch
RETURNING tenant_id, app_id, epoch`;

const claim = `
INSERT INTO worker_socket AS held (tenant_id, app_id, instance, address, epoch, status, seen)
VALUES ($1, $2, $3, $4, nextval('worker_socket_epoch'), $5, clock_timestamp()) ${unlessNewer}`;

// In order, so that gateways that renew the same rows do not deadlock.
const renew = `
INSERT INTO worker_socket AS held (tenant_id, app_id, instance, address, epoch, status, seen)
SELECT tenant, app, $1, $2, epoch, status, clock_timestamp()
FROM unnest($3::text[], $4::text[], $5::bigint[], $6::text[]) AS mine (tenant, app, epoch, status) ORDER BY tenant, app ${unlessNewer}`;

const gone = `clock_timestamp() - interval '${holderGoneMs} milliseconds'`;
const removeGone = `
DELETE FROM worker_socket WHERE ctid = ANY (ARRAY(SELECT ctid FROM worker_socket WHERE seen < ${gone} FOR UPDATE SKIP LOCKED))`;
const find = `SELECT * FROM worker_socket WHERE tenant_id = $1 AND app_id = $2 AND seen >= ${gone}`;
const release = 'DELETE FROM worker_socket WHERE tenant_id = $1 AND app_id = $2 AND instance = $3 AND epoch <= $4';
const releaseAll = 'DELETE FROM worker_socket WHERE instance = $1';

export class PostgresWorkerSockets implements WorkerSockets {
  readonly #pool: Pool;
  readonly #failureOf: (error: unknown) => unknown;

  /** @param failureOf turns an error of the database into a StorageError; null for one that is a bug */
  constructor(pool: Pool, failureOf: (error: unknown) => unknown) {
    this.#pool = pool;
    this.#failureOf = failureOf;
  }

  async claim({ instance, address }: SocketHolder, scope: Scope, status: unknown): Promise<number | null> {
    const [row] = await this.#query(claim, [scope.tenant_id, scope.app_id, instance, address, JSON.stringify(status)]);
    return row ? Number(row.epoch) : null;
  }

  async renew({ instance, address }: SocketHolder, held: readonly HeldSocket[]): Promise<{ scope: Scope; epoch: number }[]> {
    const columns = [
      held.map(({ scope }) => scope.tenant_id),
      held.map(({ scope }) => scope.app_id),
      held.map(({ epoch }) => epoch),
      held.map(({ status }) => JSON.stringify(status)),
    ];
    const rows = await this.#query(renew, [instance, address, ...columns]);
    await this.#query(removeGone, []);
    return rows.map(({ tenant_id, app_id, epoch }) => ({ scope: { tenant_id, app_id }, epoch: Number(epoch) }));
  }

  async find(scope: Scope): Promise<(SocketHolder & HeldSocket) | null> {
    const [row] = await this.#query(find, [scope.tenant_id, scope.app_id]);
    return row
      ? { scope, instance: row.instance, address: row.address, epoch: Number(row.epoch), status: JSON.parse(row.status) as unknown }
      : null;
  }

  async release(instance: string, scope: Scope, epoch: number): Promise<void> {
    await this.#query(release, [scope.tenant_id, scope.app_id, instance, epoch]);
  }

  async releaseAll(instance: string): Promise<void> {
    await this.#query(releaseAll, [instance]);
  }

  async #query(sql: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(sql, values)).rows;
    } catch (error) {
      throw this.#failureOf(error) ?? error;
    }
  }
}
