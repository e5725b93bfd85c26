/** `npm run gateway`: the local gateway without a window (rulings 2). */
import { parseArgs } from 'node:util';
import { dataFolder } from '../platform/data-folder.ts';
import { startLocalGateway } from './local.ts';
import { startFailure } from './start-failure.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9418' },
    data: { type: 'string', default: dataFolder() },
    project: { type: 'string', default: process.cwd() },
  },
});

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) quit(`--port must be a number from 0 to 65535, not ${values.port}`);

// Before the port is open: whoever sees it answer may ask it to stop.
const asked = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

try {
  const gateway = await startLocalGateway({ port, dataDir: values.data, projectDir: values.project });
  if (gateway.quarantined) {
    process.stderr.write(`The store was damaged. It was set aside in ${gateway.quarantined}, and a new one was begun.\n`);
  }
  process.stdout.write(`Glasshouse is ready at ${gateway.url} (data in ${values.data})\n`);
  await asked;
  // A second signal while draining changes nothing: what was acknowledged is being kept.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
  await gateway.stop();
  process.exit(0);
} catch (error) {
  quit(startFailure(error, port, values.data));
}

function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
