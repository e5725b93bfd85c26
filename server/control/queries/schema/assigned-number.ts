import { sql } from 'drizzle-orm';
import { integer } from 'drizzle-orm/sqlite-core';

/**
 * A primary key that the database assigns, in the order of the inserts. Declared as generated so that drizzle leaves it out of inserts:
 * otherwise it inserts null, which PostgreSQL refuses.
 */
export const assignedNumber = () => integer().primaryKey().generatedAlwaysAs(sql`NULL`);
