/** `npm run cloud`: the gateway for teams, on the embedded store. */
import { ProcessHosting } from '../hosting/process/process-hosting.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { stderrLog } from '../platform/log.ts';
import { Prometheus } from '../platform/prometheus.ts';
import { requestLog } from '../platform/request-log.ts';
import { startCloudGateway } from './cloud.ts';
import { processAgents } from './cloud-agent-runs.ts';
import { readCloudSettings } from './cloud-settings.ts';
import { orQuit, portOf, quit, readCommandLine } from './command-line.ts';
import { tellPorts } from './standard-ports.ts';
import { startFailure } from './start-failure.ts';

const {
  data = '',
  host,
  ...values
} = readCommandLine({
  name: 'npm run cloud --',
  about: 'Runs the gateway for a team over what cloud:bootstrap made (docs/deploy.md). Settings are variables of the environment.',
  options: {
    port: { value: 'PORT', help: 'where it listens; 0 takes any free port', default: '9419' },
    data: { value: 'DIR', help: 'where everything is kept', default: `${dataFolder()}-cloud` },
    host: { value: 'ADDRESS', help: "the address to listen on (all of the machine's)" },
  },
});
const port = orQuit(() => portOf(values.port));
const settings = orQuit(() => readCloudSettings(process.env));

// Before the port is open, because whoever sees it answer may send a signal.
const asked = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

try {
  const { secret, publicUrl, clients, planTable, metrics, logsRequests, runsHandlers, openId, git, alerts, workers, otlpPorts } = settings;
  const prometheus = metrics && new Prometheus();
  const observers = [...(prometheus ? [prometheus] : []), ...(logsRequests ? [requestLog(stderrLog)] : [])];
  const given = { ...(host ? { host } : {}), ...(runsHandlers ? { hosting: new ProcessHosting(data) } : {}) };
  const gateway = await startCloudGateway({
    port,
    dataDir: data,
    secret,
    publicUrl,
    otlpPorts,
    clients,
    planTable,
    observers,
    openId,
    git,
    alerts,
    ...given,
    ...(workers ? { workers: processAgents(data, workers) } : {}),
  });
  const exposed = metrics && (await prometheus?.listen(metrics.host, metrics.port));
  process.stdout.write(`Glasshouse Cloud is ready at ${gateway.url} (data in ${data})\n${tellPorts([], gateway.otlpPorts)}`);
  await asked;
  // A second signal during the drain is ignored, because acknowledged data is being committed.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
  await gateway.stop();
  await exposed?.close();
  process.exit(0);
} catch (error) {
  quit(startFailure(error, port, data));
}
