/**
 * `npm run cloud:password`: sets a new password for a user, while the gateway runs or not. Ends all logins of the user. A generated password
 * is the last line on stdout.
 */
import { randomBytes } from 'node:crypto';
import type { Actor } from '../control/actor.ts';
import { hashPassword } from '../identity/password.ts';
import { systemClock } from '../platform/clock.ts';
import { passwordProblem } from './bootstrap.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import { hasControl, openControlBeside } from './open-control.ts';
import { passwordOf, passwordOptions } from './password-option.ts';
import { readPostgresAddress } from './postgres-address.ts';

const name = 'npm run cloud:password --';
const by: Actor = { kind: 'system', id: 'password', ip: null };

const options = readCommandLine({
  name,
  about:
    'Sets a new password for a user, also while the gateway runs, and ends all logins of the user. Without a password it generates one and\n' +
    'prints it.',
  options: {
    data: { value: 'DIR', help: 'the data folder of the cloud gateway', isNeeded: true },
    email: { value: 'E', help: 'the email address of the user', isNeeded: true },
    ...passwordOptions,
  },
});

const { data: dataDir, email } = options;
if (!dataDir || !email) quit(`Both are needed: ${name} --data DIR --email E`);
const place = orQuit(() => readPostgresAddress(process.env));
if (!hasControl(dataDir, place)) quit(`There is no gateway's store in ${dataDir}`);
const given = await passwordOf(options).catch(({ message }: Error) => quit(message));
const problem = given === undefined ? null : passwordProblem(given);
if (problem) quit(`--password ${problem}.`);

// Hexadecimal: a password that begins with a hyphen would be taken for an option of the next command.
const password = given ?? randomBytes(15).toString('hex');
await onFolder(dataDir, () => setPassword(dataDir, email));
process.stdout.write(given === undefined ? `${password}\n` : `The password of ${email} is set, and all logins of the user have ended.\n`);

async function setPassword(folder: string, address: string): Promise<void> {
  const control = await openControlBeside(folder, place, systemClock);
  try {
    const user = (await control.users.find(address)) ?? quit(`No user has the address ${address}`);
    await control.users.setPassword(by, user.id, await hashPassword(password));
    await control.sessions.endOthers(by, user.id, '');
  } finally {
    await control.stop();
  }
}
