/** `npm run cloud`: the gateway for teams. */
import { ProcessHosting } from '../hosting/process/process-hosting.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { collectWhenIdle } from '../platform/idle-collect.ts';
import { stderrLog } from '../platform/log.ts';
import { Prometheus } from '../platform/prometheus.ts';
import { requestLog } from '../platform/request-log.ts';
import { startCloudGateway } from './cloud.ts';
import { processCodingAgents } from './cloud-agent-runs.ts';
import { readCloudSettings } from './cloud-settings.ts';
import { orQuit, portOf, quit, readCommandLine } from './command-line.ts';
import { coordinationAt, openControlAt } from './open-control.ts';
import { unknownSettings } from './setting-names.ts';
import { portsMessage } from './standard-ports.ts';
import { startFailure } from './start-failure.ts';

const {
  data = '',
  host,
  ...values
} = readCommandLine({
  name: 'npm run cloud --',
  about: 'Runs the gateway for a team that cloud:bootstrap created (docs/deploy.md). Settings are environment variables.',
  options: {
    port: { value: 'PORT', help: 'the port to listen on; 0 for any free port', default: '9419' },
    data: { value: 'DIR', help: 'the data folder', default: `${dataFolder()}-cloud` },
    host: { value: 'ADDRESS', help: 'the address to listen on (all addresses of the machine)' },
  },
});
const port = orQuit(() => portOf(values.port));
const settings = orQuit(() => readCloudSettings(process.env));

// Before the port is open, because a signal may arrive as soon as it answers.
const stopSignal = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

try {
  const {
    secret,
    previousSecret,
    publicUrl,
    internalUrl,
    clients,
    planTable,
    metrics,
    logsRequests,
    runsHandlers,
    openId,
    mail,
    git,
    alerts,
    codingAgents,
    otlpPorts,
    controlPlace,
    blobPlace,
    openTelemetry,
  } = settings;
  const prometheus = metrics && new Prometheus();
  const observers = [...(prometheus ? [prometheus] : []), ...(logsRequests ? [requestLog(stderrLog)] : [])];
  const optional = { ...(host ? { host } : {}), ...(runsHandlers ? { hosting: new ProcessHosting(data) } : {}) };
  const gateway = await startCloudGateway({
    port,
    dataDir: data,
    openControl: openControlAt(controlPlace, blobPlace),
    openCoordination: coordinationAt(controlPlace),
    openTelemetry,
    secret,
    previousSecret,
    publicUrl,
    internalUrl,
    otlpPorts,
    clients,
    planTable,
    observers,
    openId,
    mail,
    git,
    alerts,
    ...optional,
    ...(codingAgents ? { codingAgents: processCodingAgents(data, codingAgents) } : {}),
  });
  const metricsServer = metrics && (await prometheus?.listen(metrics.host, metrics.port));
  process.stdout.write(`Glasshouse Cloud is ready at ${gateway.url} (data in ${data})\n${portsMessage([], gateway.otlpPorts)}`);
  // A start that is refused says one sentence only.
  for (const variable of unknownSettings(process.env)) stderrLog.info('setting_unknown', { variable });
  // What loading the modules left.
  collectWhenIdle();
  await stopSignal;
  // A second signal during the drain is ignored, because acknowledged data is being committed.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
  await gateway.stop();
  await metricsServer?.close();
  process.exit(0);
} catch (error) {
  quit(startFailure(error, port, data));
}
