/** `npm run gateway`: the local gateway without a window. */
import { collectWhenIdle } from '../platform/idle-collect.ts';
import { orQuit, portOf, projectOf, quit, readCommandLine } from './command-line.ts';
import { gatewayProgram, portsOf } from './gateway-program.ts';
import { startLocalGateway } from './local.ts';
import { portsMessage } from './standard-ports.ts';
import { startFailure } from './start-failure.ts';

const { data = '', ...values } = readCommandLine(gatewayProgram);
const port = orQuit(() => portOf(values.port));
const otlpPorts = orQuit(() => portsOf(values['otlp-ports']));
const projectDir = orQuit(() => projectOf(values.project));

// Before the port is open, because a signal may arrive as soon as it answers.
const stopSignal = new Promise<void>((resolve) => {
  // A second signal changes nothing, because acknowledged data is being committed.
  process.on('SIGTERM', resolve);
  process.on('SIGINT', resolve);
});

try {
  const gateway = await startLocalGateway({ port, dataDir: data, projectDir });
  if (gateway.quarantined) {
    process.stderr.write(`The store was damaged. It was moved to ${gateway.quarantined}, and a new one was created.\n`);
  }
  const message = portsMessage(await gateway.listenForOtlp(otlpPorts), gateway.otlpPorts);
  process.stdout.write(`Glasshouse is ready at ${gateway.url} (data in ${data})\n${message}`);
  // What loading the modules left.
  collectWhenIdle();
  await stopSignal;
  await gateway.stop();
  process.exit(0);
} catch (error) {
  quit(startFailure(error, port, data));
}
