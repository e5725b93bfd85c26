/** What the thread that reads session files sends, with recorded files that go on. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { editingSession, sessionText } from '../claude-code/fixtures/recorded.ts';
import { agentThread, planningSession, sessionText as rolloutText } from '../codex/fixtures/recorded.ts';
import type { HistoryAgent } from '../sources.ts';
import { HistoryReader } from './history-reader.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-history-'));
  for (const name of ['claude/project', 'codex/2026', 'gemini']) mkdirSync(join(folder, name), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Sent {
  spanId: string;
  name: string;
  endTimeUnixNano: string;
}

const open = () => {
  const folders = {
    'claude-code': join(folder, 'claude'),
    codex: join(folder, 'codex'),
    gemini: join(folder, 'gemini'),
    pi: join(folder, 'pi'),
  };
  return new HistoryReader(folders, join(folder, 'read.jsonl'), 'an installation');
};

/** Everything until nothing is left. */
async function read(agent: HistoryAgent, reader = open()): Promise<Sent[]> {
  const sent: Sent[] = [];
  let stored = 0;
  for (;;) {
    const request = { shown: [agent], stored, notStored: { conflicts: 0, refused: 0 }, dropped: [], skipped: [], waitMs: 0 };
    const { batch, isDone } = await reader.next(request);
    if (batch) {
      stored = batch.number;
      for (const { scopeSpans } of JSON.parse(new TextDecoder().decode(batch.body)).resourceSpans) sent.push(...scopeSpans[0].spans);
    } else if (isDone) {
      reader.save();
      return sent;
    }
  }
}

const minutes = 60_000;
function write(path: string, content: string | Buffer, agoMs: number): void {
  writeFileSync(join(folder, path), content);
  const at = new Date(Date.now() - agoMs);
  utimesSync(join(folder, path), at, at);
}

const ids = (spans: readonly Sent[]) => new Set(spans.map(({ spanId }) => spanId));

it('a turn that was quiet and not closed goes on, and is whole: what was sent with its end is sent once', async () => {
  const lines = sessionText(editingSession).split('\n');
  const path = join('claude/project', `${editingSession}.jsonl`);
  write(path, lines.join('\n'), 60 * minutes);
  const whole = await read('claude-code');
  rmSync(join(folder, 'read.jsonl'));
  // A tool has no result yet.
  const cut = lines.findIndex((line) => line.includes('"tool_use"')) + 1;
  write(path, `${lines.slice(0, cut).join('\n')}\n`, 60 * minutes);
  const before = await read('claude-code');
  write(path, lines.join('\n'), 30 * minutes);
  const after = await read('claude-code');
  const pending = before.filter(({ endTimeUnixNano }) => endTimeUnixNano === '0');
  expect(pending.map(({ name }) => name)).toContain('claude-code');
  const last = new Map([...before, ...after].map((span) => [span.spanId, span]));
  expect([...last.values()].filter(({ endTimeUnixNano }) => endTimeUnixNano === '0')).toEqual([]);
  expect(ids([...last.values()])).toEqual(ids(whole));
  const closed = before.filter(({ endTimeUnixNano }) => endTimeUnixNano !== '0');
  for (const span of closed) expect(whole).toContainEqual(span);
});

const rollout = (thread: string, day = '2026') => join('codex', day, `rollout-2026-11-28T13-34-12-${thread}.jsonl`);

it('of two files with one id the newest is read', async () => {
  mkdirSync(join(folder, 'codex/2025'));
  write(rollout(planningSession, '2025'), rolloutText(planningSession).split('\n').slice(0, 5).join('\n'), 90 * minutes);
  write(rollout(planningSession), rolloutText(planningSession), 60 * minutes);
  expect((await read('codex')).length).toBeGreaterThan(3);
});

it('a file that was compressed keeps its place', async () => {
  write(rollout(planningSession), rolloutText(planningSession), 60 * minutes);
  expect(await read('codex')).not.toEqual([]);
  rmSync(join(folder, rollout(planningSession)));
  write(`${rollout(planningSession)}.zst`, zstdCompressSync(rolloutText(planningSession)), 60 * minutes);
  // The last line may have been half written, so it is read again.
  expect((await read('codex')).map(({ name }) => name)).toEqual(['codex']);
});

it('what was read and not stored when an agent was turned off is sent when it is turned on again', async () => {
  write(rollout(agentThread), rolloutText(agentThread), 60 * minutes);
  const reader = open();
  const request = { stored: 0, notStored: { conflicts: 0, refused: 0 }, dropped: [], skipped: [], waitMs: 0 };
  expect((await reader.next({ ...request, shown: ['codex'] })).batch).not.toBeNull();
  expect((await reader.next({ ...request, shown: [] })).batch).toBeNull();
  expect(await read('codex', reader)).not.toEqual([]);
});

it('a session that is skipped keeps no other from being read, and is named', async () => {
  write(rollout(agentThread), rolloutText(agentThread), 60 * minutes);
  const skipped = [`codex ${agentThread}`];
  const request = { stored: 0, notStored: { conflicts: 0, refused: 0 }, dropped: [], waitMs: 0 };
  const { batch, agents } = await open().next({ ...request, shown: ['codex'], skipped });
  expect(batch).toBeNull();
  expect(agents.find(({ agent }) => agent === 'codex')?.leftOut).toEqual([expect.stringContaining('reading it failed twice')]);
});
