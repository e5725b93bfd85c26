/** `npm run cloud:cluster`: a fleet on one machine, to try it. */
import { join } from 'node:path';
import { Cluster } from '../cluster/cluster.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { orQuit, portOf, quit, readCommandLine } from './command-line.ts';

const instancesMax = 16;

const { data = '', ...values } = readCommandLine({
  name: 'npm run cloud:cluster --',
  about:
    'Runs several gateways over one PostgreSQL, one ClickHouse and one S3, behind a proxy, all on this machine (docs/scale.md). ClickHouse comes with\n' +
    'npm run cluster:install. Teams are created with npm run cloud:bootstrap -- --data DIR, also while it runs.',
  options: {
    instances: { value: 'N', help: `the number of gateways, up to ${instancesMax}`, default: '3' },
    port: { value: 'PORT', help: 'the port of the proxy; 0 for any free port', default: '9420' },
    data: { value: 'DIR', help: 'the data folder of the cluster', default: `${dataFolder()}-cluster` },
  },
});
const port = orQuit(() => portOf(values.port));
const instances = Number(values.instances);
if (!Number.isInteger(instances) || instances < 1 || instances > instancesMax)
  quit(`--instances must be a number from 1 to ${instancesMax}.`);

const stopSignal = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

try {
  const root = join(import.meta.dirname, '../..');
  const cluster = await Cluster.start({
    dataDir: data,
    instances,
    port,
    gateway: [process.execPath, '--require', join(root, 'scripts/from-bundle.cjs'), join(root, 'server/entry/cloud-gateway.ts')],
    onOutput: (instance, text) => {
      for (const line of text.split('\n')) if (line !== '') process.stderr.write(`gateway ${instance}: ${line}\n`);
    },
  });
  process.stdout.write(`Glasshouse Cloud is ready at ${cluster.url} (${instances} gateways, data in ${data})\n`);
  await stopSignal;
  await cluster.stop();
  process.exit(0);
} catch (error) {
  quit((error as Error).message);
}
