/** `npm run cloud:bootstrap` (rulings 2). Its last line on stdout is what programs read. */
import { passwordCharsMin } from '../../shared/contract/auth.ts';
import { Duplicate } from '../control/duplicate.ts';
import { AnotherPassword, bootstrap, ShortPassword } from './bootstrap.ts';
import { onFolder, quit, readCommandLine } from './command-line.ts';

const name = 'npm run cloud:bootstrap --';
const newPassword = 'npm run cloud:password -- --data DIR --email E';

const {
  data: dataDir,
  email,
  password,
  tenant,
} = readCommandLine({
  name,
  about:
    'Makes a team with its owner, a first app and a key of full access, also while the gateway runs. The last line it prints is JSON with\n' +
    'the ids and the key. Where the address has an account already, the password must be that of the account.',
  options: {
    data: { value: 'DIR', help: 'the data folder of the cloud gateway', isNeeded: true },
    email: { value: 'E', help: 'the address that the owner signs in with', isNeeded: true },
    password: { value: 'P', help: `their password, at least ${passwordCharsMin} characters`, isNeeded: true },
    tenant: { value: 'NAME', help: 'what the team is called', isNeeded: true },
  },
});

if (!dataDir || !email || !password || !tenant) quit(`All four are needed: ${name} --data DIR --email E --password P --tenant NAME`);
if (!/^[^\s@]+@[^\s@]+$/.test(email)) quit(`--email must be an address, not ${email}`);

const made = await onFolder(dataDir, () => bootstrap({ dataDir, email, password, tenant }).catch(refused));
process.stdout.write(`${JSON.stringify(made)}\n`);

function refused(error: unknown): never {
  if (error instanceof Duplicate) quit(`${error.message}. Choose another --tenant.`);
  if (error instanceof AnotherPassword) quit(`${error.message}. Give that one, or set a new one first: ${newPassword}`);
  if (error instanceof ShortPassword) quit(`--password must have at least ${passwordCharsMin} characters.`);
  throw error;
}
