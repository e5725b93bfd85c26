/** A program of this folder that cannot start prints one sentence to stderr and exits with 1; `--help` comes first. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runEntry } from '../fixtures/entry-process.ts';

const timeoutMs = 240_000;
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-starts-'));
  // Another user must get as far as the closed folder.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'file'), 'a file');
  for (const name of ['closed', 'empty']) mkdirSync(join(folder, name));
  chmodSync(join(folder, 'closed'), 0o500);
});
afterAll(() => {
  chmodSync(join(folder, 'closed'), 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);

/** Expects a single line on stderr. @param message part of it */
async function refuses(entry: string, args: readonly string[], message: RegExp, uid?: number): Promise<void> {
  const { code, stdout, stderr } = await runEntry(entry, args, uid === undefined ? { cwd: folder } : { cwd: folder, uid });
  expect(stderr, `${entry} ${args.join(' ')}`).toMatch(message);
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  expect([code, stdout]).toEqual([1, '']);
}

const programs: [string, string[]][] = [
  ['gateway.ts', ['--port PORT', '--data DIR', '--project DIR', '(9418)']],
  ['cloud-gateway.ts', ['--port PORT', '--data DIR', '--host ADDRESS', '(9419)']],
  ['cloud-bootstrap.ts', ['--data DIR', '--email E', '--password P', '--tenant NAME', 'at least 12 characters']],
  ['cloud-password.ts', ['--data DIR', '--email E', '--password-stdin']],
  ['cloud-plan.ts', ['--data DIR', '--tenant T', '--plan PLAN']],
  ['cloud-backup.ts', ['--data DIR', '--to DIR', '--check DIR', '--into PLACE', '(7)']],
  ['cloud-migrate.ts', ['--from DIR', '--finish', '--verify']],
];

it.each(programs)('%s shows its options, and refuses unknown ones', { timeout: timeoutMs }, async (entry, shown) => {
  const { code, stdout, stderr } = await runEntry(entry, ['--data', at('empty'), '-h']);
  expect([code, stderr]).toEqual([0, '']);
  for (const part of shown) expect(stdout).toContain(part);
  await refuses(entry, ['--nonsense'], /^There is no option --nonsense; npm run [\w: -]+ --help lists them\.\n$/);
});

const gateways = ['gateway.ts', 'cloud-gateway.ts'];

it.each(gateways)('%s refuses an invalid port, and one that is taken', { timeout: timeoutMs }, async (entry) => {
  await refuses(entry, ['--data', at('empty'), '--port', 'x'], /^--port takes a number from 0 to 65535, not 'x'/);
  const taken = createServer().listen(0);
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await refuses(entry, ['--data', at('empty'), '--port', String(port)], new RegExp(`^Port ${port} is taken\\. Stop what`));
  await new Promise((resolve) => taken.close(resolve));
});

it.each(gateways)('%s refuses an unusable data folder', { timeout: timeoutMs }, async (entry) => {
  await refuses(
    entry,
    ['--port', '0', '--data', at('file')],
    /is a file and cannot be the data folder: choose another folder with --data\./,
  );
  await refuses(entry, ['--port', '0', '--data', at('file/below')], /cannot be used \(ENOTDIR.*move away the file/);
  if (process.platform === 'linux') await refuses(entry, ['--port', '0', '--data', '/proc/glasshouse/data'], /cannot be used \(ENOENT/);
  const uid = isRoot ? nobody : undefined;
  const rights = /cannot be used \(EACCES: permission denied.*give this user permission to write there, or choose another/;
  await refuses(entry, ['--port', '0', '--data', at('closed')], rights, uid);
  await refuses(entry, ['--port', '0', '--data', at('closed/below')], rights, uid);
});

it('the local gateway refuses a project that is not a folder', { timeout: timeoutMs }, async () => {
  const words = (project: string) => ['--port', '0', '--data', at('unused'), '--project', project];
  await refuses('gateway.ts', words(at('nowhere')), /^There is no folder .*nowhere; name another with --project\.\n$/);
  await refuses('gateway.ts', words(at('file')), /file is a file, not a project folder; name another with --project\.\n$/);
  expect(existsSync(at('unused'))).toBe(false);
});

it('the cloud gateway refuses an address that this machine does not have', { timeout: timeoutMs }, async () => {
  const words = (host: string) => ['--port', '0', '--data', at('empty'), '--host', host];
  await refuses(
    'cloud-gateway.ts',
    words('203.0.113.7'),
    /^203\.0\.113\.7 is not an address of this machine: choose another with --host\./,
  );
  await refuses('cloud-gateway.ts', words('no such host'), /choose another address with --host\./);
});

it('an invalid team is refused with the reason, and nothing is created', { timeout: timeoutMs }, async () => {
  const words = (changed: Record<string, string>) =>
    Object.entries({ data: at('team'), email: 'a@b.test', password: 'correct horse', tenant: 'acme', ...changed }).flatMap(
      ([key, value]) => [`--${key}`, value],
    );
  await refuses('cloud-bootstrap.ts', words({ password: 'a long one' }), /^--password must have at least 12 characters\.\n$/);
  await refuses('cloud-bootstrap.ts', words({ email: 'nobody' }), /^--email must be an address/);
  await refuses('cloud-bootstrap.ts', ['--data', at('team')], /^All four are needed/);
  expect(existsSync(at('team'))).toBe(false);
  await refuses('cloud-bootstrap.ts', words({ data: at('file') }), /cannot be used: .*file/);
  await refuses('cloud-bootstrap.ts', words({ data: at('closed') }), /cannot be used: /, isRoot ? nobody : undefined);
  await refuses('cloud-password.ts', ['--data', at('nowhere'), '--email', 'a@b.test'], /^There is no gateway's store in /);
  await refuses('cloud-password.ts', ['--data', at('empty')], /^Both are needed/);
  await refuses('cloud-plan.ts', ['--data', at('nowhere')], /^There is no gateway's store in /);
  await refuses('cloud-plan.ts', ['--tenant', 'acme'], /^The data folder is needed/);
  await refuses('cloud-backup.ts', ['--data', at('nowhere'), '--to', at('copy')], /^There is no store /);
  await refuses('cloud-backup.ts', ['--data', at('empty'), '--into', at('copy'), '--keep', '0'], /^--keep takes a number from 1 to 1000/);
  await refuses('cloud-backup.ts', ['--data', at('empty'), '--into', 'https://host/bucket'], /^There is no store /);
  await refuses('cloud-backup.ts', ['--data', at('empty')], /^Name what to copy and where/);
});

const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;

/** Runs a program with a file system of its own, which is visible to this run only. */
const mounted =
  (options: string, before = 'true') =>
  (entry: string) => {
    const program = join(import.meta.dirname, entry);
    const script = `mount -t tmpfs -o size=1m tmpfs "$1" && ${before} && mount -o remount,${options} "$1" && exec "$0" "$2" --port 0 --data "$1/data"`;
    return spawnSync('unshare', ['-m', 'sh', '-c', script, process.execPath, at('empty'), program], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GLASSHOUSE_SECRET: 's'.repeat(32) },
      timeout: timeoutMs,
    });
  };

it('a read-only disk and a full disk are reported as such', { timeout: timeoutMs }, (context) => {
  if (!canMount) return context.skip('this machine does not allow mounting a file system');
  for (const entry of gateways) {
    const readOnly = mounted('ro')(entry);
    expect([readOnly.status, readOnly.stderr]).toEqual([
      1,
      expect.stringMatching(/^The data folder \S+ cannot be used \(EROFS.*: make it writable, or [^\n]+\n$/),
    ]);
    const readOnlyStore = mounted('ro', 'mkdir "$1/data" && touch "$1/data/telemetry.db"')(entry);
    expect([readOnlyStore.status, readOnlyStore.stderr]).toEqual([
      1,
      expect.stringMatching(/^The data folder \S+ cannot be used \(EROFS[^\n]+\n$/),
    ]);
    const full = mounted('rw', 'mkdir "$1/data" && (cat /dev/zero > "$1/fill" 2>/dev/null || true)')(entry);
    expect([full.status, full.stderr.trimEnd().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^The store in \S+ cannot be used: .*full/)],
    ]);
  }
});
