/** Where the parts of a cluster on one machine are, for commands that work beside it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const clusterFile = z.object({
  /** Addresses as in GLASSHOUSE_POSTGRES_URL and GLASSHOUSE_CLICKHOUSE_URL. */
  postgres: z.string(),
  clickhouse: z.string(),
  /** Of the proxy. */
  url: z.string(),
});
export type ClusterFile = z.output<typeof clusterFile>;

const fileOf = (dataDir: string): string => join(dataDir, 'cluster.json');

export const writeClusterFile = (dataDir: string, cluster: ClusterFile): void =>
  writeFileSync(fileOf(dataDir), `${JSON.stringify(cluster, null, 2)}\n`, { mode: 0o600 });

/** Null when the folder is not that of a cluster. @throws Error when the file cannot be read */
export function readClusterFile(dataDir: string): ClusterFile | null {
  return existsSync(fileOf(dataDir)) ? clusterFile.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))) : null;
}
