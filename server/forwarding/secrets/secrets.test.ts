/** Secrets on this machine: readable by their owner only, written atomically, and never lost without an error. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../../platform/log.ts';
import { EnvironmentSecrets } from './environment-secrets.ts';
import { FileSecrets } from './file-secrets.ts';
import { destinationKeyOf, SecretStoreError } from './secret-store.ts';

let home: string;
let path: string;
let logged: [string, Record<string, unknown> | undefined][];
const log: Log = { info: (...line) => logged.push(line as never), error: (...line) => logged.push(line as never) };
const open = () => new FileSecrets(path, log);
const key = destinationKeyOf('work');
const secret = 'sk_service_very-secret';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-secrets-'));
  path = join(home, 'data', 'secrets.json');
  logged = [];
});
afterEach(() => {
  chmodSync(home, 0o700);
  rmSync(home, { recursive: true });
});

describe('in a file', () => {
  it('a secret survives a restart, only its owner can read it, and no temporary file is left', async () => {
    expect(await open().read(key)).toBeNull();
    expect(existsSync(path)).toBe(false);
    await open().write(key, secret);
    await open().write('valve-token-key', 'x');
    expect([await open().read(key), await open().read('valve-token-key'), await open().read('none')]).toEqual([secret, 'x', null]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, 'data'))).toEqual(['secrets.json']);
    await open().remove(key);
    await open().remove('never there');
    expect([await open().read(key), await open().read('valve-token-key')]).toEqual([null, 'x']);
    expect(logged).toEqual([]);
  });

  it('any name works, also those of object properties', async () => {
    for (const name of ['constructor', 'toString', '']) {
      expect(await open().read(name)).toBeNull();
      await open().write(name, `of ${name}`);
      expect(await open().read(name)).toBe(`of ${name}`);
    }
  });

  it('concurrent writes lose no secret', async () => {
    const secrets = open();
    const names = Array.from({ length: 50 }, (_, number) => `name ${number}`);
    await Promise.all(names.map((name) => secrets.write(name, name)));
    expect(await Promise.all(names.map((name) => open().read(name)))).toEqual(names);
  });

  it('a file that others can read is restricted to its owner, who is warned without the secrets', async () => {
    await open().write(key, secret);
    chmodSync(path, 0o644);
    expect(await open().read(key)).toBe(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(logged).toEqual([['secrets_file_closed_to_others', expect.objectContaining({ file: path, mode: '644' })]]);
    expect(JSON.stringify(logged)).not.toContain(secret);
  });

  it.each([
    ['half a file', '{"version":1,"secrets":{"a":"secret-in-th'],
    ['nothing', ''],
    ['another shape', '{"version":1,"secrets":{"a":7}}'],
    ['a newer version', '{"version":2,"secrets":{"a":"b"}}'],
  ])('%s is logged to be damaged and stays as it is', async (_, text) => {
    await open().write('x', 'y');
    writeFileSync(path, text);
    const error = await open()
      .read('a')
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SecretStoreError);
    expect(String(error)).toContain(path);
    expect(String(error)).not.toContain('secret-in-th');
    await expect(open().write('a', 'b')).rejects.toBeInstanceOf(SecretStoreError);
    await expect(open().remove('a')).rejects.toBeInstanceOf(SecretStoreError);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('a failed change does not prevent the next one', async () => {
    const secrets = open();
    await secrets.write('a', '1');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, '{');
    await expect(secrets.write('b', '2')).rejects.toBeInstanceOf(SecretStoreError);
    writeFileSync(path, whole);
    await secrets.write('b', '2');
    expect([await secrets.read('a'), await secrets.read('b')]).toEqual(['1', '2']);
  });

  it('a temporary file left by a crash is ignored', async () => {
    await open().write('a', '1');
    writeFileSync(`${path}.new`, '{"version":1,"secrets":{"a":"half');
    expect(await open().read('a')).toBe('1');
    await open().write('a', '2');
    expect(await open().read('a')).toBe('2');
    expect(readdirSync(join(home, 'data'))).toEqual(['secrets.json']);
  });

  it('a link to another file is not followed', async () => {
    const elsewhere = join(home, 'elsewhere');
    writeFileSync(elsewhere, '{"version":1,"secrets":{"a":"b"}}', { mode: 0o600 });
    path = join(home, 'linked.json');
    symlinkSync(elsewhere, path);
    await expect(open().read('a')).rejects.toBeInstanceOf(SecretStoreError);
  });
});

describe('in the environment', () => {
  const withKey = (value: string | undefined) =>
    new EnvironmentSecrets(open(), value === undefined ? {} : { GLASSHOUSE_FORWARD_KEY: value });

  it('the key belongs to the destination from the environment only, and cannot be changed here', async () => {
    const secrets = withKey(` ${secret}\n`);
    const own = destinationKeyOf('env');
    expect([await secrets.read(own), await secrets.read(key)]).toEqual([secret, null]);
    await expect(secrets.write(own, 'other')).rejects.toThrow('GLASSHOUSE_FORWARD_KEY');
    expect(existsSync(path)).toBe(false);
  });

  it('other secrets are in the other store', async () => {
    const secrets = withKey(secret);
    await secrets.write('valve-token-key', 'x');
    expect([await secrets.read('valve-token-key'), await open().read('valve-token-key'), secrets.isDurable]).toEqual(['x', 'x', true]);
  });

  it.each([undefined, '', '  '])('without the variable (%j) all keys are in the other store', async (value) => {
    const secrets = withKey(value);
    const own = destinationKeyOf('env');
    await secrets.write(own, 'kept');
    expect([await secrets.read(own), await open().read(own)]).toEqual(['kept', 'kept']);
    await secrets.remove(own);
    expect(await open().read(own)).toBeNull();
  });
});
