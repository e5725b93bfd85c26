import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cipher, SealedSecrets } from './sealed-secrets.ts';

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-sealed-'));
  path = join(home, 'sealed-secrets.json');
});
afterEach(() => rmSync(home, { recursive: true }));

/** Stands for a system keychain: no other one can open what it sealed. */
function keychain(number: number, isSafe = true): Cipher {
  const xored = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ number));
  return {
    isSafe: async () => isSafe,
    seal: async (text) => xored(Buffer.from(`sealed ${text}`)),
    open: async (sealed) => {
      const text = xored(sealed).toString();
      if (!text.startsWith('sealed ')) throw new Error('of another keychain');
      return text.slice('sealed '.length);
    },
  };
}

const ready = Promise.resolve();
const open = (cipher = keychain(7)) => new SealedSecrets(path, ready, cipher);

test('a secret survives a restart, encrypted in a file that only its owner can read', async () => {
  await open().write('destination-key:work', 'sk_service_secret');
  await open().write('other', 'two');
  expect([await open().read('destination-key:work'), await open().read('other'), await open().read('none')]).toEqual([
    'sk_service_secret',
    'two',
    null,
  ]);
  expect(readFileSync(path, 'utf8')).not.toContain('sk_service_secret');
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(open().isDurable).toBe(true);
});

test('a removed secret is gone from the file too, and others stay', async () => {
  const secrets = open();
  await secrets.write('a', '1');
  await secrets.write('b', '2');
  await secrets.remove('a');
  await secrets.remove('never there');
  expect([await open().read('a'), await open().read('b')]).toEqual([null, '2']);
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')).sealed)).toEqual(['b']);
});

test('without a keychain secrets stay in memory, are reported as not durable, and nothing is written', async () => {
  const secrets = open(keychain(7, false));
  await secrets.write('a', '1');
  expect([await secrets.read('a'), secrets.isDurable, readdirSync(home)]).toEqual(['1', false, []]);
  await secrets.remove('a');
  expect([await secrets.read('a'), await open().read('a')]).toEqual([null, null]);
});

test('a keychain that fails counts as missing', async () => {
  const broken = { ...keychain(7), isSafe: () => Promise.reject(new Error('no bus')) };
  const secrets = open(broken);
  await secrets.write('a', '1');
  expect([await secrets.read('a'), secrets.isDurable, readdirSync(home)]).toEqual(['1', false, []]);
});

test('a secret sealed by another keychain is reported as unreadable and stays in the file', async () => {
  await open().write('a', 'kept');
  const kept = readFileSync(path, 'utf8');
  await expect(open(keychain(9)).read('a')).rejects.toThrow('The keychain of this system cannot decrypt the stored secret');
  expect(readFileSync(path, 'utf8')).toBe(kept);
});

test('the keychain is not used before the app is ready', async () => {
  const calls: string[] = [];
  let setReady = () => {};
  const ready2 = new Promise<void>((resolve) => (setReady = resolve));
  const cipher = { ...keychain(7), isSafe: async () => calls.push('asked') > 0 };
  const secrets = new SealedSecrets(path, ready2, cipher);
  const written = secrets.write('a', '1');
  await Promise.resolve();
  expect(calls).toEqual([]);
  setReady();
  await written;
  expect(calls).toEqual(['asked']);
});

test('a damaged file is reported, and set aside before anything is written', async () => {
  writeFileSync(path, '{"version":1,"sealed":{"a":');
  const secrets = open();
  await expect(secrets.read('a')).rejects.toThrow('damaged');
  await secrets.write('b', '2');
  expect([await secrets.read('a'), await secrets.read('b')]).toEqual([null, '2']);
  const aside = readdirSync(home).find((name) => name.includes('unread'));
  expect(readFileSync(join(home, aside ?? ''), 'utf8')).toContain('"a":');
});
