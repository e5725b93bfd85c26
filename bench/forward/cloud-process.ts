/** Starts a cloud, and a local gateway that forwards to it, each as a real process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Bootstrapped } from '../../server/entry/bootstrap.ts';
import { fromSources } from '../../server/fixtures/from-sources.ts';
import { type GatewayProcess, spawnGateway } from '../gateway/gateway-process.ts';

const entries = join(import.meta.dirname, '../../server/entry');
const secret = 'a secret of benchmarks, which is longer than it must be';

/** Creates a tenant in an empty folder. */
export function bootstrapCloud(dataDir: string): Bootstrapped {
  const args = ['--data', dataDir, '--email', 'mira@acme.test', '--password', 'a long password of mira', '--tenant', 'acme'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [fromSources, join(entries, 'cloud-bootstrap.ts'), ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The cloud could not be created: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Bootstrapped;
}

/** Starts the cloud in a folder of `bootstrapCloud`. @param settings environment variables besides the secret */
export const spawnCloud = (dataDir: string, port = 0, settings: NodeJS.ProcessEnv = {}): GatewayProcess =>
  spawnGateway(dataDir, port, { entry: join(entries, 'cloud-gateway.ts'), environment: { GLASSHOUSE_SECRET: secret, ...settings } });

export const spawnForwarding = (dataDir: string, url: string, { api_key, app_id }: Bootstrapped, port = 0): GatewayProcess =>
  spawnGateway(dataDir, port, {
    environment: { GLASSHOUSE_FORWARD_URL: url, GLASSHOUSE_FORWARD_KEY: api_key, GLASSHOUSE_FORWARD_APP: app_id },
  });
