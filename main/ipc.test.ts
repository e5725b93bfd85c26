import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { desktopChannels } from '../shared/desktop.ts';
import { answerWindow } from './ipc.ts';

type Handler = (event: { senderFrame: unknown }, ...args: unknown[]) => Promise<unknown>;
const { handlers } = vi.hoisted(() => ({ handlers: new Map<string, Handler>() }));
vi.mock('electron', () => ({ ipcMain: { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) } }));

const origin = 'http://127.0.0.1:9418';
const viewer = { origin, parent: null };
const links: string[] = [];

const call = (senderFrame: unknown, channel: string, ...args: unknown[]) => handlers.get(channel)?.({ senderFrame }, ...args);

beforeAll(() =>
  answerWindow(origin, {
    'app-info': () => ({ version: '1.2.3', platform: 'linux', gateway_url: `${origin}/`, secret: 'of the main process' }),
    'reveal-data-folder': () => {
      throw new Error('EACCES /home/someone/private');
    },
    'set-theme': (theme) => ({ theme }),
    'open-external': ({ url }) => ({ opened: links.push(url) > 0 }),
  }),
);

beforeEach(() => {
  links.length = 0;
});

test('every declared channel is answered, and no other', () => {
  expect([...handlers.keys()].sort()).toEqual(Object.keys(desktopChannels).sort());
});

test('the viewer gets the declared answer and nothing else', async () => {
  expect(await call(viewer, 'app-info')).toEqual({ version: '1.2.3', platform: 'linux', gateway_url: `${origin}/` });
  expect(await call(viewer, 'open-external', { url: 'https://example.com' })).toEqual({ opened: true });
});

test.each([
  ['a frame that is gone', null],
  ['another site', { origin: 'https://attacker.example', parent: null }],
  ['another port of this machine', { origin: 'http://127.0.0.1:9419', parent: null }],
  ['the same port under another name', { origin: 'http://localhost:9418', parent: null }],
  ['a name that begins like ours', { origin: `${origin}.attacker.example`, parent: null }],
  ['a sandboxed frame', { origin: 'null', parent: null }],
  ['a frame inside our page', { origin, parent: viewer }],
  ['a file', { origin: 'file://', parent: null }],
])('%s is refused on every channel', async (_, frame) => {
  for (const channel of handlers.keys()) await expect(call(frame, channel, { url: 'https://example.com' })).rejects.toThrow('refused');
  expect(links).toEqual([]);
});

test.each([
  ['app-info', [{}]],
  ['app-info', [undefined]],
  ['reveal-data-folder', ['/etc']],
  ['open-external', []],
  ['open-external', ['https://example.com']],
  ['open-external', [{ url: 1 }]],
  ['open-external', [{ url: ['https://example.com'] }]],
  ['open-external', [{ url: 'https://example.com', activate: true }]],
  ['open-external', [{ url: 'https://example.com' }, 'more']],
  ['open-external', [null]],
])('%s with %j is refused', async (channel, args) => {
  await expect(call(viewer, channel, ...args)).rejects.toThrow('malformed arguments');
  expect(links).toEqual([]);
});

test('a failure reveals no internals to the page', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(call(viewer, 'reveal-data-folder')).rejects.toThrow(/^reveal-data-folder: failed$/);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});
