/** The table of docs/reference/forwarding.md#what-an-answer-means, row by row. */
import { describe, expect, it } from 'vitest';
import { type CloudAnswer, readRetryAfter, verdictOf } from './verdict.ts';

const now = Date.UTC(2026, 0, 15);
const minuteMs = 60_000;

const answer = (status: number, body: unknown = '', more: Partial<CloudAnswer & { kind: 'answered' }> = {}): CloudAnswer => ({
  ...{ kind: 'answered', status, contentType: 'application/json', retryAfter: null, isWhole: true },
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});
const refused = (status: number, code: string, more: object = {}, retryAfter: string | null = null) =>
  answer(status, { error: { code, message: 'because', ...more } }, { retryAfter });
const verdict = (given: CloudAnswer) => verdictOf(given, 'spans', now);

describe('a batch is acknowledged', () => {
  it.each([
    ['nothing said', {}, 0, ''],
    ['a request id', { data: { requestId: 'x' } }, 0, ''],
    ['some refused', { partialSuccess: { rejectedSpans: 3, errorMessage: 'old' } }, 3, 'old'],
    ['some log records refused', { partialSuccess: { rejectedLogRecords: '2', errorMessage: 'when?' } }, 2, 'when?'],
    ['a 64-bit number in text, as proto3 has it', { partialSuccess: { rejectedSpans: '3' } }, 3, ''],
  ])('by a verified success: %s', (_, body, count, message) => {
    expect(verdict(answer(200, body))).toEqual({ do: 'advance', refused: count, message });
  });

  it.each([
    ['a page', answer(200, '<html>', { contentType: 'text/html' })],
    ['a page that calls itself JSON', answer(200, '<html>')],
    ['nothing', answer(200, '')],
    ['JSON that is no answer of OTLP', answer(200, { partialSuccess: 'yes' })],
    ['more than is read', answer(200, {}, { isWhole: false })],
  ])('and by nothing else that says 200: %s', (_, given) => {
    expect(verdict(given)).toMatchObject({ do: 'wait', why: 'portal', blamesBatch: false });
  });

  it.each([201, 202, 204, 206])('nor by %i', (status) => {
    expect(verdict(answer(status, {})).do).not.toBe('advance');
  });
});

describe('scores, which each have a result,', () => {
  const reply = (...messages: string[]) => ({
    data: {
      results: [{ status: 'success', id: 'x' }, ...messages.map((message) => ({ status: 'error', error: { code: 'new', message } }))],
      summary: { total: 1 + messages.length, succeeded: 1, failed: messages.length },
    },
  });
  const ofScores = (given: CloudAnswer) => verdictOf(given, 'scores', now);

  it('are acknowledged when all were accepted', () => {
    expect(ofScores(answer(201, reply()))).toEqual({ do: 'advance', refused: 0, message: '' });
  });
  it.each([207, 400])('are split when some were refused: %i', (status) => {
    expect(ofScores(answer(status, reply('no such resource', 'other')))).toEqual({ do: 'split', message: 'no such resource' });
    expect(ofScores(answer(status, '{"data":', { isWhole: false }))).toEqual({ do: 'split', message: `It answered ${status}` });
  });
  it('are split when the batch was refused', () => {
    expect(ofScores(refused(400, 'invalid_request_body'))).toEqual({ do: 'split', message: 'because' });
  });
  it.each([
    ['the answer to spans', answer(200, {})],
    ['the right status alone', answer(201, {})],
    ['the right status of a page', answer(201, '<html>')],
    ['a count that says otherwise', answer(201, reply('no'))],
    ['more than is read', answer(201, '{"data":', { isWhole: false })],
  ])('are not let go by %s', (_, given) => {
    expect(ofScores(given)).toMatchObject({ do: 'wait', why: 'portal', blamesBatch: false });
  });
  it('are treated like spans after every other answer', () => {
    for (const status of [204, 301, 401, 403, 404, 413, 429, 500, 503])
      expect(ofScores(answer(status)), `${status}`).toEqual(verdict(answer(status)));
  });
});

describe('a failure that a user must resolve pauses forwarding', () => {
  it.each([
    [301, 'address', null],
    [302, 'address', null],
    [307, 'address', null],
    [308, 'address', null],
    [401, 'key', 10 * minuteMs],
    [403, 'permission', 10 * minuteMs],
    [404, 'incompatible', null],
    [405, 'incompatible', null],
    [410, 'incompatible', null],
    [415, 'incompatible', null],
    [418, 'incompatible', null],
    [426, 'incompatible', null],
    [501, 'incompatible', null],
  ])('%i', (status, reason, probeMs) => {
    expect(verdict(answer(status))).toMatchObject({ do: 'pause', reason, probeMs });
  });

  it('an invalid certificate pauses forwarding', () => {
    expect(verdict({ kind: 'untrusted', why: 'self-signed' })).toMatchObject({ do: 'pause', reason: 'certificate', probeMs: null });
  });
});

describe('a temporary failure is retried', () => {
  it.each([408, 425, 502, 503, 504])('%i, without a limit', (status) => {
    expect(verdict(answer(status))).toMatchObject({ do: 'wait', why: 'server_error', blamesBatch: false });
  });
  it.each([500, 505, 507, 599])('%i, and after a while the batch is suspected', (status) => {
    expect(verdict(answer(status))).toMatchObject({ do: 'wait', why: 'server_error', blamesBatch: true });
  });
  it('no answer at all', () => {
    expect(verdict({ kind: 'unreachable', why: 'ECONNRESET' })).toEqual({
      ...{ do: 'wait', why: 'offline', message: 'The connection was cut, ECONNRESET', afterMs: null, blamesBatch: false },
    });
  });
  it('Retry-After is obeyed, up to a quarter of an hour for the pace and an hour for the quota', () => {
    expect(verdict(refused(503, 'service_unavailable', {}, '7'))).toMatchObject({ do: 'wait', afterMs: 7_000 });
    expect(verdict(refused(429, 'rate_limit_exceeded', {}, '30'))).toEqual({ do: 'slow', afterMs: 30_000 });
    expect(verdict(refused(429, 'rate_limit_exceeded', {}, '999999'))).toEqual({ do: 'slow', afterMs: 15 * minuteMs });
    expect(verdict(refused(429, 'rate_limit_exceeded'))).toEqual({ do: 'slow', afterMs: minuteMs });
    for (const code of ['span_limit_exceeded', 'storage_cap_exceeded']) {
      const room = { current: 10, limit: 10 };
      expect(verdict(refused(429, code, room, '60'))).toEqual({ do: 'probe', message: 'because', afterMs: minuteMs, ...room });
      expect(verdict(refused(429, code, {}, '999999'))).toMatchObject({ do: 'probe', afterMs: 60 * minuteMs, current: null });
    }
  });
});

it.each([400, 413])('%i splits the batch', (status) => {
  expect(verdict(refused(status, 'invalid_otlp_payload'))).toEqual({ do: 'split', message: 'because' });
});

it.each([
  ['0', 0],
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Thu, 15 Jan 2026 00:01:00 GMT', minuteMs],
  ['Wed, 14 Jan 2026 00:00:00 GMT', null],
  ['-1', null],
  ['1e9', null],
  ['99999999999', null],
  ['soon', null],
  ['2027', 2_027_000],
  ['', null],
  ['1.5', null],
  [null, null],
])('Retry-After %s', (header, expected) => {
  expect(readRetryAfter(header, now)).toBe(expected);
});
