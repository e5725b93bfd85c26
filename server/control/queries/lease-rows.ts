import { and, eq, exists, gt, inArray, lt, lte, notExists, type SQL, sql } from 'drizzle-orm';
import { type Claim, type LeaseStore, leaseMs } from '../lease-store.ts';
import { type ControlDatabase, conflictOn, type Queries, type Reads } from './control-database.ts';
import { leases } from './schema/jobs.ts';

/** Names in one statement. */
const renewedAtOnce = 500;
/** No gateway continues work that it lost so long ago. */
const keptMs = 24 * 60 * 60 * 1000;

/** Has the released leases: a renewal at the same time does not extend it. */
const nobody = '';

const timeIn = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString();

export class LeaseRows implements LeaseStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async claim(name: string, holder: string): Promise<Claim | null> {
    return this.#database.transaction((write, now) => claimLease(write, now, name, holder));
  }

  async renew(holder: string, claims: readonly Claim[]): Promise<Claim[]> {
    const held = new Map<string, number>();
    for (let from = 0; from < claims.length; from += renewedAtOnce) {
      const names = claims.slice(from, from + renewedAtOnce).map(({ name }) => name);
      const mine = and(eq(leases.holder, holder), inArray(leases.name, names));
      const renewed = await this.#database.transaction((write, now) =>
        write
          .update(leases)
          .set({ until: timeIn(now, leaseMs) })
          .where(mine)
          .returning()
          .all(),
      );
      for (const { name, epoch } of renewed) held.set(name, epoch);
    }
    return claims.filter(({ name, epoch }) => held.get(name) === epoch);
  }

  async release(claim: Claim): Promise<void> {
    await this.#database.transaction((write, until) => write.update(leases).set({ until, holder: nobody }).where(isClaim(claim)).run());
  }

  async releaseAll(holder: string): Promise<void> {
    await this.#database.transaction(async (write, until) => {
      await write.update(leases).set({ until, holder: nobody }).where(eq(leases.holder, holder)).run();
      await write
        .delete(leases)
        .where(lt(leases.until, timeIn(until, -keptMs)))
        .run();
    });
  }
}

const isClaim = ({ name, holder, epoch }: Claim) => and(eq(leases.name, name), eq(leases.holder, holder), eq(leases.epoch, epoch));

/** A lease that ends later is from before the clock was set back. */
const latestEnd = (now: string): string => timeIn(now, 3 * leaseMs);
const isLive = (now: string) => and(gt(leases.until, now), lte(leases.until, latestEnd(now)));

const one = { one: sql<number>`1` };

/** Whether a claim is the newest of its name. */
export const isHeld = (reads: Reads, claim: Claim): SQL => exists(reads.select(one).from(leases).where(isClaim(claim)));

/** Whether nobody has a lease of that name. @param name SQL, so that it can be made of columns */
export const isFree = (reads: Reads, now: string, name: SQL): SQL =>
  notExists(
    reads
      .select(one)
      .from(leases)
      .where(and(eq(leases.name, name), isLive(now))),
  );

/** Null while somebody has it. */
export async function claimLease(write: Queries, now: string, name: string, holder: string): Promise<Claim | null> {
  const last = await write.select().from(leases).where(eq(leases.name, name)).get();
  if (last && last.until > now && last.until <= latestEnd(now)) return null;
  const set = { holder, until: timeIn(now, leaseMs), epoch: (last?.epoch ?? 0) + 1 };
  await write
    .insert(leases)
    .values({ name, ...set })
    .onConflictDoUpdate({ target: conflictOn(leases.name), set })
    .run();
  return { name, holder, epoch: set.epoch };
}

/** Removes the lease of work that is over, within the transaction that ends it. */
export const endLease = async (write: Queries, name: string): Promise<void> =>
  void (await write.delete(leases).where(eq(leases.name, name)).run());
