import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testClock } from '../fixtures/test-clock.ts';
import { Backoff, type Batch, type FailureState, type Outbox, Sender } from './sender.ts';
import type { CloudAnswer } from './verdict.ts';

const json = { kind: 'answered', contentType: 'application/json', retryAfter: null, isWhole: true } as const;
const accepted: CloudAnswer = { ...json, status: 200, body: '{}' };
const bad: CloudAnswer = { ...json, status: 400, body: '{"error":{"code":"invalid_otlp_payload","message":"no"}}' };
const status = (code: number, retryAfter: string | null = null): CloudAnswer => ({ ...json, status: code, body: '', retryAfter });

const anyBatch = { kind: 'spans' as const, retained: [], body: new Uint8Array() };

/** A sender with an outbox of spans 1 to `count`, and a cloud that answers as `answer` says. @param leaves false for a retained or removed span */
function aSender(count: number, answer: (positions: number[]) => CloudAnswer, leaves = (_position: number) => true) {
  const cloud: number[] = [];
  const deadLetters: number[] = [];
  let at = 0;
  let requests = 0;
  let nowMs = 1_000_000;
  const rests: number[] = [];
  const outbox: Outbox = {
    next: async (messagesMax) => {
      if (at >= count) return null;
      const to = Math.min(at + messagesMax, count);
      return { ...anyBatch, from: at, to, messages: to - at, count: leaving({ from: at, to }).length };
    },
    ack: async ({ to }) => {
      at = to;
    },
    deadLetter: async ({ to }) => {
      deadLetters.push(to);
      at = to;
    },
  };
  const leaving = ({ from, to }: { from: number; to: number }) =>
    Array.from({ length: to - from }, (_, index) => from + 1 + index).filter(leaves);
  const post = async (batch: Batch): Promise<CloudAnswer> => {
    requests++;
    const positions = leaving(batch);
    const reply = answer(positions);
    if (reply.kind === 'answered' && reply.status === 200) cloud.push(...positions);
    return reply;
  };
  const clock = testClock(() => nowMs);
  const sender = new Sender({ outbox, post, clock, sleep: async () => {}, backoff: new Backoff(() => 1) });
  const step = async () => {
    const ms = await sender.step();
    rests.push(ms);
    nowMs += Math.min(ms, 3_600_000);
  };
  return {
    ...{ sender, cloud, deadLetters, rests, step },
    requests: () => requests,
    left: () => count - at,
    /** Steps until the outbox is empty, at most `most` times. */
    drain: async (most = 100_000) => {
      for (let tried = 0; tried < most && (at < count || sender.state.is !== 'up_to_date'); tried++) await step();
    },
    begin: step,
  };
}

const all = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the outbox is sent', () => {
  it('in order, 512 messages at a time, and then the sender waits for new ones', async () => {
    const road = aSender(1300, () => accepted);
    await road.begin();
    expect(road.sender.state).toEqual({ is: 'sending' });
    await road.drain();
    expect(road.cloud).toEqual(all(1300));
    expect(road.requests()).toBe(3);
    expect(road.rests.at(-1)).toBeGreaterThan(1e9);
  });

  it('a message that cannot be accepted is found in 18 more requests, becomes a dead letter, and all others arrive once', async () => {
    for (const position of [1, 2, 255, 256, 257, 511, 512]) {
      const road = aSender(1024, (positions) => (positions.includes(position) ? bad : accepted));
      await road.begin();
      await road.drain();
      expect(road.deadLetters).toEqual([position]);
      expect(road.cloud).toEqual(all(1024).filter((each) => each !== position));
      expect(road.requests()).toBeLessThanOrEqual(2 + 18);
    }
  });

  it('a message that cannot be accepted, among many retained ones, is the only dead letter', async () => {
    for (const position of [1, 300, 512, 600]) {
      const road = aSender(
        1024,
        () => bad,
        (each) => each === position,
      );
      await road.begin();
      await road.drain();
      expect([road.deadLetters, road.cloud, road.left()]).toEqual([[position], [], 0]);
      expect(road.requests()).toBeLessThanOrEqual(1 + 9);
    }
  });

  it('any messages that cannot be accepted become dead letters, any may be retained, and all others arrive once and in order', async () => {
    const some = fc.integer({ min: 1, max: 2000 });
    const lists = fc.tuple(some, fc.uniqueArray(some, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(lists, async ([count, positions, every, mostStay]) => {
        const leaves = (position: number) => (position % every === 0) === mostStay;
        const poison = new Set(positions.filter((position) => position <= count && leaves(position)));
        const road = aSender(count, (sent) => (sent.some((each) => poison.has(each)) ? bad : accepted), leaves);
        await road.begin();
        await road.drain();
        expect(road.deadLetters).toEqual([...poison].sort((a, b) => a - b));
        expect(road.cloud).toEqual(all(count).filter((each) => leaves(each) && !poison.has(each)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('after a failure', () => {
  it('the wait grows up to five minutes, and is short again after a success', async () => {
    let isDown = true;
    const road = aSender(10, () => (isDown ? { kind: 'unreachable', why: 'ECONNREFUSED' } : accepted));
    for (let tried = 0; tried < 12; tried++) await road.step();
    expect(road.rests.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(road.rests.at(-1)).toBe(300_000);
    expect(road.sender.state).toMatchObject({
      is: 'waiting',
      why: 'offline',
      message: 'Nothing accepts connections at this address, ECONNREFUSED',
      since_ms: 1_000_000,
    });
    isDown = false;
    await road.drain();
    expect([road.cloud.length, road.deadLetters]).toEqual([10, []]);
  });

  it.each([401, 403, 404, 302])('%i pauses, and nothing is acknowledged', async (code) => {
    const road = aSender(10, () => status(code));
    for (let tried = 0; tried < 5; tried++) await road.step();
    expect(road.sender.state).toMatchObject({ is: 'paused', since_ms: 1_000_000 });
    expect([road.left(), road.cloud, road.deadLetters]).toEqual([10, [], []]);
  });

  it('while the storage of the cloud is full, single spans are tried, and after a success the others follow', async () => {
    let room = 0;
    const full: CloudAnswer = { ...json, status: 429, retryAfter: '60', body: '{"error":{"code":"span_limit_exceeded","message":"full"}}' };
    const asked: number[] = [];
    const road = aSender(600, (positions) => {
      asked.push(positions.length);
      return positions.length <= room ? accepted : full;
    });
    for (let tried = 0; tried < 3; tried++) await road.step();
    expect(asked).toEqual([512, 1, 1]);
    expect(road.rests).toEqual([60_000, 60_000, 60_000]);
    room = 1000;
    await road.drain();
    expect(road.cloud).toEqual(all(600));
  });

  it('a batch is suspected only after ten server errors, and then the message that causes them is found', async () => {
    const road = aSender(4, (positions) => (positions.includes(3) ? status(500) : accepted));
    for (let tried = 0; tried < 9; tried++) await road.step();
    expect([road.requests(), road.deadLetters]).toEqual([9, []]);
    await road.drain();
    expect([road.cloud, road.deadLetters]).toEqual([[1, 2, 4], [3]]);
  });
});

describe('after a restart', () => {
  const outbox: Outbox = {
    next: async () => ({ ...anyBatch, from: 0, to: 1, messages: 1, count: 1 }),
    ack: async () => {},
    deadLetter: async () => {},
  };
  /** The first wait of a sender that starts again. */
  async function firstRestOf(before: FailureState): Promise<number> {
    const rests: number[] = [];
    const rest = async (ms: number) => {
      rests.push(ms);
      throw new Error('enough');
    };
    const post = async () => accepted;
    await expect(new Sender({ outbox, post, clock: testClock(() => 5_000), sleep: rest, previous: before }).run()).rejects.toThrow(
      'enough',
    );
    return rests[0] ?? -1;
  }

  it('the rest of the wait remains, and a clock that was set back does not extend it', async () => {
    const waiting = { is: 'waiting', why: 'offline', message: '', since_ms: 0 } as const;
    expect(await firstRestOf({ state: { ...waiting, until_ms: 65_000 }, failures: 9 })).toBe(60_000);
    expect(await firstRestOf({ state: { ...waiting, until_ms: 1_000 }, failures: 9 })).toBe(0);
    expect(await firstRestOf({ state: { ...waiting, until_ms: 1e12 }, failures: 9 })).toBeLessThanOrEqual(3_600_000);
    const paused = { is: 'paused', reason: 'certificate', message: '', since_ms: 0, until_ms: null } as const;
    expect(await firstRestOf({ state: paused, failures: 0 })).toBeGreaterThan(1e9);
  });

  it('the stored number of failures determines the next wait', async () => {
    const failures: FailureState[] = [];
    const down = async (): Promise<CloudAnswer> => ({ kind: 'unreachable', why: 'ECONNREFUSED' });
    const parts = { outbox, post: down, clock: testClock(() => 0), sleep: async () => {} };
    const one = new Sender({ ...parts, backoff: new Backoff(() => 1), onFailure: (failure) => failures.push(failure) });
    for (let tried = 0; tried < 3; tried++) await one.step();
    const other = new Sender({ ...parts, backoff: new Backoff(() => 1), previous: failures.at(-1) ?? null });
    expect(await other.step()).toBe(8_000);
  });

  it('a store that cannot be read causes a wait, as an unreachable cloud does', async () => {
    const states: string[] = [];
    const failing: Outbox = { ...outbox, next: async () => Promise.reject(new Error('disk')) };
    const sender: Sender = new Sender({
      ...{ outbox: failing, post: async () => accepted, clock: testClock(() => 0) },
      sleep: async () => {
        states.push(sender.state.is === 'waiting' ? sender.state.why : sender.state.is);
        if (states.length === 2) throw new Error('enough');
      },
    });
    await expect(sender.run()).rejects.toThrow('enough');
    expect(states).toEqual(['store', 'store']);
  });
});
