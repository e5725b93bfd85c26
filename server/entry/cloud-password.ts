/**
 * `npm run cloud:password`: a new password for somebody who forgot theirs, while the gateway runs or not. Whoever may do this has the
 * stores anyway. Its last line on stdout is the password; every login of theirs ends.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Actor } from '../control/actor.ts';
import { controlFile, openSqliteControl } from '../control/drizzle/store.ts';
import { hashPassword } from '../identity/password.ts';
import { systemClock } from '../platform/clock.ts';
import { StorageError } from '../telemetry/storage-error.ts';

const usage = 'npm run cloud:password -- --data DIR --email E';
const by: Actor = { kind: 'system', id: 'password', ip: null };

const { values } = parseArgs({ options: { data: { type: 'string' }, email: { type: 'string' } } });
const { data: dataDir, email } = values;

if (!dataDir || !email) quit(`Both are needed: ${usage}`);
if (!existsSync(controlFile(dataDir))) quit(`There is no gateway's store in ${dataDir}`);

try {
  process.stdout.write(`${await newPassword(dataDir, email)}\n`);
} catch (error) {
  if (error instanceof StorageError) quit(`The store in ${dataDir} cannot be used: ${error.message}`);
  throw error;
}

async function newPassword(folder: string, address: string): Promise<string> {
  const control = openSqliteControl(folder, systemClock);
  try {
    const user = (await control.users.find(address)) ?? quit(`Nobody here has the address ${address}`);
    const password = randomBytes(15).toString('base64url');
    await control.users.setPassword(by, user.id, await hashPassword(password));
    await control.sessions.endOthers(by, user.id, '');
    return password;
  } finally {
    await control.stop();
  }
}

function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
