/**
 * 20,000 calls that no viewer would make, on every channel: arguments of any shape from our own page, and well-formed calls from
 * frames that are not. None may reach a handler and none may end the process. `FUZZ_SEED` replays a run.
 */
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { type DesktopChannel, desktopChannels } from '../shared/desktop.ts';
import { answerWindow, type DesktopHandlers } from './ipc.ts';

type Handler = (event: { senderFrame: unknown }, ...args: unknown[]) => Promise<unknown>;
const { handlers } = vi.hoisted(() => ({ handlers: new Map<string, Handler>() }));
vi.mock('electron', () => ({ ipcMain: { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) } }));

const origin = 'http://127.0.0.1:9418';
const viewer = { origin, parent: null };
const handled: string[] = [];
const channels = Object.keys(desktopChannels) as DesktopChannel[];
const callsEach = 10_000;
const seed = process.env['FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['FUZZ_SEED']) };

beforeAll(() => {
  const record = (channel: string) => () => handled.push(channel);
  answerWindow(origin, Object.fromEntries(channels.map((channel) => [channel, record(channel)])) as unknown as DesktopHandlers);
});

/** Everything that crosses to the main process, and what a compromised page would try. */
const anything = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
  }),
  fc.record({ url: fc.anything() }, { requiredKeys: [] }),
  fc.record({ url: fc.webUrl(), path: fc.string(), constructor: fc.anything() }),
  fc.constantFrom(
    'SYSTEM',
    'dark\u0000',
    '__proto__',
    '/etc/passwd',
    { __proto__: { url: 'https://example.com' } },
    JSON.parse('{"__proto__":{"url":"x"}}'),
  ),
);

const validArgs: Record<DesktopChannel, unknown[]> = {
  'app-info': [],
  'reveal-data-folder': [],
  'set-theme': ['dark'],
  'open-external': [{ url: 'https://example.com' }],
};

const frame = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    {},
    { origin: 'null', parent: null },
    { origin, parent: viewer },
    { origin: `${origin}/`, parent: null },
  ),
  fc.record({
    origin: fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom('file://', 'http://localhost:9418', 'http://127.0.0.1:94180')),
    parent: fc.constant(null),
  }),
  fc.record({ origin: fc.anything(), parent: fc.anything() }).filter((other) => other.origin !== origin || other.parent !== null),
);

const call = async (senderFrame: unknown, channel: string, args: unknown[]) => {
  const handler = handlers.get(channel);
  if (!handler) throw new Error(`no ${channel}`);
  return handler({ senderFrame }, ...args);
};

test(`${callsEach} calls with arguments that do not fit reach nobody`, async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...channels), fc.array(anything, { maxLength: 4 }), async (channel, args) => {
      if (desktopChannels[channel].input.safeParse(args).success) return;
      count++;
      await expect(call(viewer, channel, args)).rejects.toThrow(/refused, malformed arguments$/);
    }),
    { numRuns: callsEach * 1.6, ...seed },
  );
  expect(count).toBeGreaterThanOrEqual(callsEach);
  expect(handled).toEqual([]);
});

test(`${callsEach} well-formed calls from other frames reach nobody`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...channels), frame, async (channel, from) => {
      await expect(call(from, channel, validArgs[channel])).rejects.toThrow(/refused, this page is not the viewer$/);
    }),
    { numRuns: callsEach, ...seed },
  );
  expect(handled).toEqual([]);
});

test('the same calls from the viewer do reach a handler, so the silence above means something', async () => {
  for (const channel of channels) await call(viewer, channel, validArgs[channel]).catch(() => {});
  expect(handled.sort()).toEqual([...channels].sort());
});
