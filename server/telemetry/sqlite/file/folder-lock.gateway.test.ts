/** Data folder lock: one owner, whatever the spelling of the path, and released as soon as the owner's process ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUse, type LockOwner, StartRefusal } from '../../../platform/start-refusal.ts';
import { type FolderLock, folderInUse, lockFolder } from './folder-lock.ts';

const hangMs = 60_000;
const source = JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'));
let parentFolder: string;
let folder: string;
const held: FolderLock[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  parentFolder = mkdtempSync(join(tmpdir(), 'glasshouse-lock-'));
  folder = join(parentFolder, 'data');
});

afterEach(() => {
  for (const lock of held.splice(0)) lock.release();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(parentFolder, { recursive: true, force: true });
});

async function hold(where = folder, program = 'the local gateway'): Promise<FolderLock> {
  const lock = await lockFolder(where, program);
  held.push(lock);
  return lock;
}

const refusal = (where = folder): Promise<unknown> => hold(where).catch((error: unknown) => error);

/** A process that holds the folder until it is killed. */
async function holdElsewhere(): Promise<ChildProcess> {
  const script = `import(${source}).then(async ({ lockFolder }) => {
    (await lockFolder(${JSON.stringify(folder)}, 'the other gateway')).listensOn(4242);
    console.log('held');
    setInterval(() => {}, 1000);
  })`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

const owner = (): LockOwner => JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as LockOwner;

describe('within one process', () => {
  it('a second owner is refused, also through a link or another spelling, until the first releases the lock', async () => {
    const first = await hold();
    first.listensOn(9418);
    symlinkSync(folder, join(parentFolder, 'link'));
    for (const where of [folder, join(parentFolder, 'link'), `${parentFolder}/./data/`, `${parentFolder}/x/../data`]) {
      const refused = await refusal(where);
      expect(refused).toBeInstanceOf(FolderInUse);
      expect((refused as FolderInUse).owner).toMatchObject({ program: 'the local gateway', pid: process.pid, port: 9418 });
    }
    first.release();
    expect(existsSync(join(folder, 'owner.json'))).toBe(false);
    await hold();
  });

  it('a refused attempt does not release the first lock, and a second release does not release the next lock', async () => {
    const first = await hold();
    await refusal();
    expect(await folderInUse(folder)).toBeInstanceOf(FolderInUse);
    const child = await tryElsewhere();
    expect(child).toBe('FolderInUse');
    first.release();
    await hold();
    first.release();
    expect(await tryElsewhere()).toBe('FolderInUse');
  });

  it('another thread is refused as well', async () => {
    await hold();
    const code = `import(${source}).then(({ lockFolder }) => lockFolder(${JSON.stringify(folder)}, 'a thread'))
      .then(() => 'held', (error) => error.constructor.name).then((outcome) => require('node:worker_threads').parentPort.postMessage(outcome))`;
    const thread = new Worker(code, { eval: true });
    expect((await once(thread, 'message'))[0]).toBe('FolderInUse');
    await thread.terminate();
    expect(await tryElsewhere()).toBe('FolderInUse');
  });

  it('of many simultaneous attempts one succeeds', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => hold()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

/** Result in another process: `held`, or the name of the error. */
async function tryElsewhere(): Promise<string> {
  const script = `import(${source}).then(({ lockFolder }) => lockFolder(${JSON.stringify(folder)}, 'another'))
    .then(() => 'held', (error) => error.constructor.name).then((outcome) => process.stdout.write(outcome))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [outcome] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return outcome.toString();
}

describe('between processes', () => {
  it('the refusal names folder, program, process, machine, port and time in one sentence', { timeout: hangMs }, async () => {
    const child = await holdElsewhere();
    const { message } = (await refusal()) as FolderInUse;
    const { since } = owner();
    expect(message).toBe(
      `The data folder ${folder} is in use by the other gateway (process ${child.pid} on ${hostname()}, port 4242, running since ${since}): ` +
        'stop that one, open http://localhost:4242, or choose another folder with --data.',
    );
    expect(Math.abs(Date.parse(since) - Date.now())).toBeLessThan(hangMs);
    expect(((await folderInUse(folder)) as FolderInUse).message).toBe(message);
  });

  it('a folder is free as soon as its owner was killed, whatever files it left there', { timeout: hangMs }, async () => {
    for (let round = 0; round < 5; round++) {
      await kill(await holdElsewhere());
      expect(owner()).toMatchObject({ program: 'the other gateway', port: 4242 });
      expect(await folderInUse(folder)).toBeNull();
      const mine = await hold();
      expect(owner()).toMatchObject({ program: 'the local gateway', pid: process.pid, port: null });
      mine.release();
    }
  });

  it('the record of a killed owner is not shown for an owner that has written none', { timeout: hangMs }, async () => {
    await kill(await holdElsewhere());
    const left = readFileSync(join(folder, 'owner.json'));
    await hold();
    writeFileSync(join(folder, 'owner.json'), left);
    expect(await refusal()).toMatchObject({ owner: null, message: expect.stringContaining('in use by another process') });
    writeFileSync(join(folder, 'owner.json'), JSON.stringify({ ...owner(), program: 'x\u001b[2J', pid: process.pid }));
    expect(await refusal()).toMatchObject({ owner: null });
  });

  it('an owner on another machine is named, without an address that could not be opened', async () => {
    await hold();
    const remoteOwner = { program: 'the cloud gateway', pid: 1, host: 'far-away', port: 9419, since: '2026-01-01T00:00:00Z' };
    writeFileSync(join(folder, 'owner.json'), JSON.stringify(remoteOwner));
    expect(((await refusal()) as FolderInUse).message).toMatch(/process 1 on far-away, port 9419.*: stop that one, or choose/);
  });
});

describe('the lock files', () => {
  it('are one empty file and one that names the owner, both private to the user', async () => {
    const first = await hold();
    expect(readdirSync(folder).sort()).toEqual(['lock.db', 'owner.json']);
    expect(statSync(join(folder, 'lock.db')).size).toBe(0);
    if (process.platform !== 'win32')
      for (const name of ['.', 'lock.db', 'owner.json']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    first.release();
    expect(readdirSync(folder)).toEqual(['lock.db']);
  });

  it('that are not a lock are named in the refusal', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'lock.db'), 'not a database, but something of somebody else'.repeat(100));
    expect(await refusal()).toBeInstanceOf(StartRefusal);
    expect(await refusal()).toMatchObject({ message: expect.stringMatching(/cannot be locked .*lock\.db.*: delete that file/) });
  });
});
