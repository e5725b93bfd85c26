/** `npm run cloud`: the gateway for teams, on the embedded store (rulings 2). */
import { parseArgs } from 'node:util';
import { ProcessHosting } from '../hosting/process/process-hosting.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { stderrLog } from '../platform/log.ts';
import { Prometheus } from '../platform/prometheus.ts';
import { requestLog } from '../platform/request-log.ts';
import { startCloudGateway } from './cloud.ts';
import { type CloudSettings, readCloudSettings } from './cloud-settings.ts';
import { processWorkers } from './cloud-workers.ts';
import { startFailure } from './start-failure.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9419' },
    data: { type: 'string', default: `${dataFolder()}-cloud` },
    host: { type: 'string' },
  },
});

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) quit(`--port must be a number from 0 to 65535, not ${values.port}`);

const settings = readSettings();

// Before the port is open: whoever sees it answer may ask it to stop.
const asked = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

try {
  const { secret, publicUrl, clients, planTable, metrics, logsRequests, runsHandlers, openId, git, alerts, workers } = settings;
  const prometheus = metrics && new Prometheus();
  const observers = [...(prometheus ? [prometheus] : []), ...(logsRequests ? [requestLog(stderrLog)] : [])];
  const given = { ...(values.host ? { host: values.host } : {}), ...(runsHandlers ? { hosting: new ProcessHosting(values.data) } : {}) };
  const gateway = await startCloudGateway({
    port,
    dataDir: values.data,
    secret,
    publicUrl,
    clients,
    planTable,
    observers,
    openId,
    git,
    alerts,
    ...given,
    ...(workers ? { workers: processWorkers(values.data, workers) } : {}),
  });
  const exposed = metrics && (await prometheus?.listen(metrics.host, metrics.port));
  process.stdout.write(`Glasshouse Cloud is ready at ${gateway.url} (data in ${values.data})\n`);
  await asked;
  // A second signal while draining changes nothing: what was acknowledged is being kept.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
  await gateway.stop();
  await exposed?.close();
  process.exit(0);
} catch (error) {
  quit(startFailure(error, port, values.data));
}

function readSettings(): CloudSettings {
  try {
    return readCloudSettings(process.env);
  } catch (error) {
    return quit((error as Error).message);
  }
}

function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
