/**
 * `npm run cloud:password`: a new password for somebody who forgot theirs, while the gateway runs or not. Whoever may do this has the
 * stores anyway. Its last line on stdout is the password; every login of theirs ends.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Actor } from '../control/actor.ts';
import { controlFile } from '../control/drizzle/store.ts';
import { hashPassword } from '../identity/password.ts';
import { systemClock } from '../platform/clock.ts';
import { onFolder, quit, readCommandLine } from './command-line.ts';
import { openControlBeside } from './control-beside.ts';

const name = 'npm run cloud:password --';
const by: Actor = { kind: 'system', id: 'password', ip: null };

const { data: dataDir, email } = readCommandLine({
  name,
  about: 'Prints a new password for somebody who forgot theirs, also while the gateway runs. Every login of theirs ends.',
  options: {
    data: { value: 'DIR', help: 'the data folder of the cloud gateway', isNeeded: true },
    email: { value: 'E', help: 'the address that they sign in with', isNeeded: true },
  },
});

if (!dataDir || !email) quit(`Both are needed: ${name} --data DIR --email E`);
if (!existsSync(controlFile(dataDir))) quit(`There is no gateway's store in ${dataDir}`);

process.stdout.write(`${await onFolder(dataDir, () => newPassword(dataDir, email))}\n`);

async function newPassword(folder: string, address: string): Promise<string> {
  const control = await openControlBeside(folder, systemClock);
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
