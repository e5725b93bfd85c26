/** `npm run cloud:bootstrap`. Its last line on stdout is for programs. */
import { Duplicate } from '../control/duplicate.ts';
import { isPlan, plans } from '../control/tenant-store.ts';
import { defaultPlan } from '../limits/plan-table.ts';
import { AnotherPassword, bootstrap, UnfitPassword } from './bootstrap.ts';
import { onFolder, quit, readCommandLine } from './command-line.ts';
import { passwordOf, passwordOptions } from './password-words.ts';

const name = 'npm run cloud:bootstrap --';
const newPassword = 'npm run cloud:password -- --data DIR --email E';

const said = readCommandLine({
  name,
  about:
    'Makes a team with its owner, a first app and a key of full access, also while the gateway runs. The last line it prints is JSON with\n' +
    'the ids and the key. Where the address has an account already, the password must be that of the account.',
  options: {
    data: { value: 'DIR', help: 'the data folder of the cloud gateway', isNeeded: true },
    email: { value: 'E', help: 'the address that the owner signs in with', isNeeded: true },
    password: { ...passwordOptions.password, isNeeded: true },
    'password-stdin': passwordOptions['password-stdin'],
    tenant: { value: 'NAME', help: 'what the team is called', isNeeded: true },
    plan: { value: 'PLAN', help: `what the team may use: ${plans.join(', ')}`, default: defaultPlan },
  },
});

const { data: dataDir, email, tenant, plan = defaultPlan } = said;
const hasPassword = said.password !== undefined || said['password-stdin'] !== undefined;
if (!dataDir || !email || !hasPassword || !tenant) quit(`All four are needed: ${name} --data DIR --email E --password P --tenant NAME`);
if (!/^[^\s@]+@[^\s@]+$/.test(email)) quit(`--email must be an address, not ${email}`);
if (!isPlan(plan)) quit(`There is no plan ${plan}: choose ${plans.join(', ')}.`);
const password = (await passwordOf(said).catch(({ message }: Error) => quit(message))) ?? '';

const made = await onFolder(dataDir, () => bootstrap({ dataDir, email, password, tenant, plan }).catch(refused));
process.stdout.write(`${JSON.stringify(made)}\n`);

function refused(error: unknown): never {
  if (error instanceof Duplicate) quit(`${error.message}. Choose another --tenant.`);
  if (error instanceof AnotherPassword) quit(`${error.message}. Give that one, or set a new one first: ${newPassword}`);
  if (error instanceof UnfitPassword) quit(`--password ${error.message}.`);
  throw error;
}
