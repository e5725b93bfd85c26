/** `npm run cloud:bootstrap`. Its last line on stdout is for programs. */
import { readClusterFile } from '../cluster/cluster-file.ts';
import { Duplicate } from '../control/duplicate.ts';
import { isPlan, plans } from '../control/tenant-store.ts';
import { defaultPlan } from '../limits/plan-table.ts';
import { bootstrap, InvalidPassword, WrongPassword } from './bootstrap.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import type { ControlPlace } from './open-control.ts';
import { passwordOf, passwordOptions } from './password-option.ts';
import { readPostgresAddress } from './postgres-address.ts';

const name = 'npm run cloud:bootstrap --';
const newPassword = 'npm run cloud:password -- --data DIR --email E';

const options = readCommandLine({
  name,
  about:
    'Creates a team with its owner, a first app and a key with full access, also while the gateway runs. The last line of the output is\n' +
    'JSON with the ids and the key. If the address has an account already, the password must be that of the account.',
  options: {
    data: { value: 'DIR', help: 'the data folder of the cloud gateway', isNeeded: true },
    email: { value: 'E', help: 'the email address of the owner', isNeeded: true },
    password: { ...passwordOptions.password, isNeeded: true },
    'password-stdin': passwordOptions['password-stdin'],
    tenant: { value: 'NAME', help: 'the name of the team', isNeeded: true },
    plan: { value: 'PLAN', help: `the plan of the team: ${plans.join(', ')}`, default: defaultPlan },
  },
});

const { data: dataDir, email, tenant, plan = defaultPlan } = options;
const hasPassword = options.password !== undefined || options['password-stdin'] !== undefined;
if (!dataDir || !email || !hasPassword || !tenant) quit(`All four are needed: ${name} --data DIR --email E --password P --tenant NAME`);
if (!/^[^\s@]+@[^\s@]+$/.test(email)) quit(`--email must be an address, not ${email}`);
if (!isPlan(plan)) quit(`There is no plan ${plan}: choose ${plans.join(', ')}.`);
const password = (await passwordOf(options).catch(({ message }: Error) => quit(message))) ?? '';

const place = orQuit(() => placeOf(dataDir));
const bootstrapped = await onFolder(dataDir, () => bootstrap({ dataDir, place, email, password, tenant, plan }).catch(refused));
process.stdout.write(`${JSON.stringify(bootstrapped)}\n`);

/** Of the cluster on this machine whose folder it is, else as the settings say. */
function placeOf(folder: string): ControlPlace {
  const cluster = readClusterFile(folder);
  return cluster ? { url: cluster.postgres, connections: 1 } : readPostgresAddress(process.env);
}

function refused(error: unknown): never {
  if (error instanceof Duplicate) quit(`${error.message}. Choose another --tenant.`);
  if (error instanceof WrongPassword) quit(`${error.message}. Use that one, or set a new one first: ${newPassword}`);
  if (error instanceof InvalidPassword) quit(`--password ${error.message}.`);
  throw error;
}
