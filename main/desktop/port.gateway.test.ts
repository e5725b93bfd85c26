import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { LocalOptions } from '../../server/entry/local.ts';
import { FolderInUse } from '../../server/entry/start-failure.ts';
import type { Question } from './ask.ts';
import { glasshouseAt, openGateway } from './port.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(port: number, response: RequestListener): Promise<number> {
  const server = createServer(response);
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Takes the port for real, so that a taken one fails as it does for the real starter. */
const start = async ({ port: wanted }: LocalOptions) => {
  const port = await listen(wanted, (_, response) => response.end());
  const noOps = { working: () => 0, pause: () => {}, follow: () => () => {}, followRunaways: () => () => {}, openProject: () => {} };
  const ports = { otlpPorts: { grpc: null, http: null }, listenForOtlp: async () => [] };
  return { url: `http://127.0.0.1:${port}`, port, instance: 'ours', stop: async () => {}, ...noOps, ...ports };
};

const json =
  (body: unknown): RequestListener =>
  (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };

const glasshouseResponse = json({ target: 'local', url: '', endpoints: {}, limits: {}, instance: 'gw_7', version: '0.1.0' });

const options = (port: number): LocalOptions => ({
  port,
  dataDir: '/nowhere',
  projectDir: '/nowhere',
  threadEntry: new URL('file:///nowhere'),
});

/** Presses the button of that name. */
function answering(label: string) {
  const questions: Question[] = [];
  const ask = async (question: Question) => {
    questions.push(question);
    return question.buttons.indexOf(label);
  };
  return { questions, ask };
}

test('a free port is used without a question', async () => {
  const { questions, ask } = answering('Quit');
  const opening = await openGateway(start, options(0), ask);
  expect(opening).toMatchObject({ kind: 'ours', isMoved: false });
  expect(questions).toEqual([]);
});

test('another Glasshouse on the port is named, and can be opened', async () => {
  const port = await listen(0, glasshouseResponse);
  const { questions, ask } = answering('Open that one');
  expect(await openGateway(start, options(port), ask)).toEqual({ kind: 'theirs', port });
  expect(questions).toHaveLength(1);
  expect(questions[0]?.message).toBe(`Port ${port} is taken`);
  expect(questions[0]?.detail).toContain('Another Glasshouse (version 0.1.0, instance gw_7)');
  expect(questions[0]?.buttons).toEqual(['Open that one', 'Use another port', 'Quit']);
});

test('another program is not offered, and is sent one request without a body or cookie', async () => {
  const requests: string[] = [];
  const port = await listen(0, (request, response) => {
    requests.push(
      `${request.method} ${request.url} ${request.headers['content-length'] ?? 'no body'} ${request.headers.cookie ?? 'no cookie'}`,
    );
    response.end('<h1>hello</h1>');
  });
  const { questions, ask } = answering('Quit');
  expect(await openGateway(start, options(port), ask)).toEqual({ kind: 'quit' });
  // It is this process; port-owner.gateway.test.ts tests which systems reveal its name.
  expect(questions[0]?.detail).toMatch(/^(Another program|The program 'node') listens on/);
  expect(questions[0]?.buttons).toEqual(['Use another port', 'Quit']);
  expect(requests).toEqual(['GET /v1/capabilities no body no cookie']);
});

test('another port is a nearby one', async () => {
  const port = await listen(0, glasshouseResponse);
  const next = await listen(port + 1, glasshouseResponse).catch(() => undefined);
  const { ask } = answering('Use another port');
  const opening = await openGateway(start, options(port), ask);
  expect(opening).toMatchObject({ kind: 'ours', isMoved: true });
  const moved = opening.kind === 'ours' ? opening.gateway.port : 0;
  expect(moved).not.toBe(port);
  expect(moved).not.toBe(next);
  expect(moved).toBeLessThanOrEqual(port + 20);
});

test('closing the question quits', async () => {
  const port = await listen(0, glasshouseResponse);
  expect(await openGateway(start, options(port), async () => -1)).toEqual({ kind: 'quit' });
});

const owner = { program: 'the local gateway', pid: 4242, host: 'here', since: '2026-11-23T06:50:12Z' };
const inUse = (port: number | null) => async () => Promise.reject(new FolderInUse('/data', { ...owner, port }));

test.each([
  ['Open it', (port: number) => ({ kind: 'theirs', port })],
  ['Quit', () => ({ kind: 'quit' })],
])('a folder that another gateway has: %s', async (label, expected) => {
  const port = await listen(0, glasshouseResponse);
  const { questions, ask } = answering(label);
  expect(await openGateway(inUse(port), options(9418), ask)).toEqual(expected(port));
  expect(questions).toEqual([
    {
      type: 'warning',
      message: 'Another Glasshouse uses this data folder',
      detail: expect.stringContaining(`The data folder /data is in use by the local gateway (process 4242 on here, port ${port}, `),
      buttons: ['Open it', 'Quit'],
    },
  ]);
});

test('a gateway that cannot be opened is named but not offered', async () => {
  const silent = await listen(0, (_, response) => response.end('no Glasshouse'));
  for (const port of [null, silent]) {
    const { questions, ask } = answering('Quit');
    expect(await openGateway(inUse(port), options(9418), ask)).toEqual({ kind: 'quit' });
    expect(questions.map(({ buttons }) => buttons)).toEqual([['Quit']]);
  }
});

test('a failure for another reason is not reported as a taken port', async () => {
  const { questions, ask } = answering('Quit');
  const broken = async () => Promise.reject(Object.assign(new Error('the data folder is newer'), { code: 'EACCES' }));
  await expect(openGateway(broken, options(9418), ask)).rejects.toThrow('the data folder is newer');
  expect(questions).toEqual([]);
});

test('a port that Windows reserves counts as taken', async () => {
  const reserved = async ({ port }: LocalOptions) =>
    port === 9418 ? Promise.reject(Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' })) : start(options(0));
  const { questions, ask } = answering('Use another port');
  expect(await openGateway(reserved, options(9418), ask)).toMatchObject({ isMoved: true });
  expect(questions).toHaveLength(1);
});

const impostors: [string, RequestListener][] = [
  ['an error', (_, response) => void response.writeHead(404).end('{}')],
  ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://example.com/' }).end()],
  ['the AgentMark server', json({ target: 'local', url: 'http://localhost:9418', endpoints: {} })],
  ['text meant for the dialog', json({ instance: 'x\nOpen https://attacker.example to go on', version: '1' })],
  ['a very long version', json({ instance: 'x', version: '1'.repeat(10_000) })],
  ['silence', () => {}],
  ['a body that does not end', (_, response) => void setInterval(() => response.write(' '), 50).unref()],
  ['a body that floods', (_, response) => void response.end(' '.repeat(2 ** 24))],
];

test.each(impostors)('%s is not taken for a Glasshouse, and not waited for without end', async (_, response) => {
  const port = await listen(0, response);
  expect(await glasshouseAt(port)).toBeNull();
});
