/** Password option of a command: on the command line, or on stdin, where it is in no process list and no shell history. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { passwordCharsMin } from '../../shared/contract/identity/auth.ts';
import { UsageError } from './command-line.ts';

export const passwordOptions = {
  password: { value: 'P', help: `the password, at least ${passwordCharsMin} characters; - reads it from stdin` },
  'password-stdin': { help: 'read the password from stdin, to its end' },
} as const;

interface PasswordOptions {
  password?: string;
  'password-stdin'?: string;
}

/**
 * The password, undefined for none. One line break at the end of stdin is ignored; on a terminal it is prompted for without echo.
 * @throws UsageError when both options are given, or stdin is empty
 */
export async function passwordOf(
  { password, 'password-stdin': isOnStdin }: PasswordOptions,
  stdin = process.stdin,
): Promise<string | undefined> {
  if (isOnStdin !== undefined && password !== undefined) throw new UsageError('Give --password or --password-stdin, not both.');
  if (isOnStdin === undefined && password !== '-') return password;
  const given = stdin.isTTY ? await prompt(stdin) : (await text(stdin)).replace(/\r?\n$/, '');
  if (given === '') throw new UsageError('There is no password on stdin.');
  if (/[\r\n]/.test(given)) throw new UsageError('A password is one line; stdin has more.');
  return given;
}

async function prompt(stdin: typeof process.stdin): Promise<string> {
  process.stderr.write('Password: ');
  const lines = createInterface({ input: stdin, output: new Writable({ write: (_chunk, _encoding, done) => done() }), terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
