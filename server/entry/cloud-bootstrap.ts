/** `npm run cloud:bootstrap` (rulings 2). Its last line on stdout is what programs read. */
import { parseArgs } from 'node:util';
import { Duplicate } from '../control/duplicate.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import { AnotherPassword, bootstrap } from './bootstrap.ts';

const usage = 'npm run cloud:bootstrap -- --data DIR --email E --password P --tenant NAME';
const newPassword = 'npm run cloud:password -- --data DIR --email E';

const { values } = parseArgs({
  options: { data: { type: 'string' }, email: { type: 'string' }, password: { type: 'string' }, tenant: { type: 'string' } },
});
const { data: dataDir, email, password, tenant } = values;

if (!dataDir || !email || !password || !tenant) quit(`All four are needed: ${usage}`);
if (!/^[^\s@]+@[^\s@]+$/.test(email)) quit(`--email must be an address, not ${email}`);

try {
  process.stdout.write(`${JSON.stringify(await bootstrap({ dataDir, email, password, tenant }))}\n`);
} catch (error) {
  if (error instanceof Duplicate) quit(`${error.message}. Choose another --tenant.`);
  if (error instanceof AnotherPassword) quit(`${error.message}. Give that one, or set a new one first: ${newPassword}`);
  if (error instanceof StorageError) quit(`The store in ${dataDir} cannot be used: ${error.message}`);
  throw error;
}

function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
