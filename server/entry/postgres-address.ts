/** Address of the control store on PostgreSQL, from environment variables. */
import { z } from 'zod';
import type { PostgresAddress } from '../control/postgres/open.ts';
import { withSecretFiles } from './secret-files.ts';

const connectionsDefault = 10;
const connectionsMax = 1000;
const badUrl = 'must be an address such as postgres://user:password@host:5432/database';
const badPool = `must be a number of connections, from 1 to ${connectionsMax}`;

const environment = z.object({
  GLASSHOUSE_POSTGRES_URL: z.url({ protocol: /^postgres(ql)?$/, error: badUrl }).optional(),
  GLASSHOUSE_POSTGRES_POOL: z.coerce.number(badPool).int(badPool).min(1, badPool).max(connectionsMax, badPool).default(connectionsDefault),
});

/** Names of the variables above. */
export const postgresVariables: readonly string[] = Object.keys(environment.shape);

/**
 * Null when the control store is in the data folder.
 * @param environmentVariables variables of the process; empty ones count as absent
 * @throws Error with a line for each invalid variable
 */
export function readPostgresAddress(environmentVariables: Record<string, string | undefined>): PostgresAddress | null {
  const { GLASSHOUSE_POSTGRES_URL, GLASSHOUSE_POSTGRES_URL_FILE, GLASSHOUSE_POSTGRES_POOL } = environmentVariables;
  // Only these: a command may run as a user who may not read the other secrets.
  const variables = withSecretFiles({ GLASSHOUSE_POSTGRES_URL, GLASSHOUSE_POSTGRES_URL_FILE, GLASSHOUSE_POSTGRES_POOL });
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'));
  const { GLASSHOUSE_POSTGRES_URL: url, GLASSHOUSE_POSTGRES_POOL: connections } = read.data;
  return url === undefined ? null : { url, connections };
}
