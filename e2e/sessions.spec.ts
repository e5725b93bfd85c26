/** The list of sessions, and one session as a conversation over time. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable } from './screen-checks.ts';

let gateway: TestGateway;
const hour = 3_600_000;
const session = 'night shift/1';
const start = Date.now() - 5 * hour;

test.beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      ...aRun({ name: 'first turn', startMs: start, session, ask: 'Where is the Comet?', reply: 'Behind the moon.' }),
      ...aRun({ name: 'second turn', startMs: start + 60_000, session, ask: 'And now?', reply: 'Still there.' }),
      ...aRun({ name: 'third turn', startMs: start + 3 * hour + 60_000, session, ask: 'Any news?', failed: true }),
      ...aRun({ name: 'elsewhere', startMs: start, session: 'other' }),
    ]),
  );
});
test.afterEach(() => gateway.stop());

test('a session is opened from the list as a conversation, with long pauses collapsed', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions`);
  await page
    .getByRole('row', { name: /night shift/ })
    .getByRole('link')
    .click();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.getByText('Where is the Comet?')).toBeVisible();
  await expect(conversation.getByText('Behind the moon.')).toBeVisible();
  await expect(conversation.getByText(/3 hours later/)).toBeVisible();
  await expect(page.getByRole('region', { name: /^Turn \d/ })).toHaveCount(3);
  await expect(page.getByText('elsewhere')).toHaveCount(0);
  await expect(page.getByText('3 turns, 1 failed', { exact: true })).toBeVisible();
});

test('one key selects the failed turn, another opens its trace, and Back returns to it', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
  await expect(page.getByRole('region', { name: 'Turn 3: third turn' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page).toHaveURL(/turn=/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'third turn', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('region', { name: 'Turn 3: third turn' })).toBeInViewport();
});

test('a turn that arrives while the session is open is added', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
  await expect(page.getByRole('region', { name: /^Turn \d/ })).toHaveCount(3);
  await gateway.ingest(aRequest(aRun({ name: 'fourth turn', startMs: Date.now(), session, ask: 'Good night' })));
  await page.keyboard.press('End');
  await expect(page.getByRole('region', { name: 'Turn 4: fourth turn' }).getByText('Good night')).toBeVisible();
});

test('a running turn has no duration, and neither has its session', async ({ page }) => {
  const [, root] = aRun({ name: 'slow turn', startMs: Date.now(), session: 'live' });
  await gateway.ingest(aRequest([{ ...root, endTimeUnixNano: '0' }]));
  await page.goto(`${gateway.url}/#/sessions/live`);
  const turn = page.getByRole('region', { name: 'Turn 1: slow turn' });
  await expect(turn.getByTitle('Still running')).toHaveText('—');
  await expect(page.getByText('1 turn', { exact: true })).toBeVisible();
  await expect(page.locator('dl')).not.toContainText(/Active time|Duration/);
  await gateway.ingest(aRequest([root as object]));
  await expect(turn).toContainText('900 ms');
  await expect(page.locator('dl')).toContainText('Active time900 ms');
});

test('a search lists the turns with its words and where they are; a key goes from one to the next', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
  await expect(page.getByRole('region', { name: /^Turn \d/ })).toHaveCount(3);
  const turns = page.getByRole('navigation', { name: 'Turns' }).getByRole('button');
  await page.keyboard.press('/');
  await page.keyboard.type('moon');
  await page.keyboard.press('Enter');
  await expect(turns).toHaveCount(1);
  await expect(turns.locator('mark')).toHaveText('moon');
  await expect(page.getByText('1 turn found')).toBeVisible();
  await page.keyboard.press('n');
  await expect(turns.first()).toHaveAttribute('aria-current', 'true');
  await page.reload();
  await expect(turns).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await expect(turns).toHaveCount(3);
});

test('a failed turn says why, also where only its root span does', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
  await expect(page.getByRole('region', { name: 'Turn 3: third turn' }).getByText('the index is away')).toBeVisible();
});

test('a failed turn says why after one small request, however many of its steps failed', async ({ page }) => {
  const [chat, root] = aRun({ name: 'many failures', startMs: start, session: 'storm', failed: true });
  const { traceId, spanId } = root as { traceId: string; spanId: string };
  const steps = Array.from({ length: 600 }, (_, at) =>
    aSpan({ traceId, parentSpanId: spanId, name: 'lookup', startMs: start + 1 + at, status: 'ERROR', statusMessage: `no answer ${at}` }),
  );
  await gateway.ingest(aRequest([chat as object, root as object, ...steps]));
  const asked = page.waitForRequest(/v1\/spans\?.*status=ERROR/);
  await page.goto(`${gateway.url}/#/sessions/storm`);
  await expect(page.getByRole('region', { name: 'Turn 1: many failures' }).getByText('the index is away')).toBeVisible();
  expect(Number(new URL((await asked).url()).searchParams.get('limit'))).toBeLessThanOrEqual(20);
});

test('a running turn is kept in view, until the reader scrolls up', async ({ page }) => {
  const turnAt = (name: string, minutes: number) =>
    aRun({ name, startMs: Date.now() - minutes * 60_000, session: 'live', ask: name, reply: 'word '.repeat(200) });
  const before = Array.from({ length: 12 }, (_, at) => turnAt(`turn ${at}`, 20 - at));
  const runningTurn = (name: string) => {
    const [chat, root] = turnAt(name, 0);
    return [chat as object, { ...root, endTimeUnixNano: '0' }];
  };
  await gateway.ingest(aRequest([...before.flat(), ...runningTurn('slow turn')]));
  await page.goto(`${gateway.url}/#/sessions/live`);
  const turn = (number: number) => page.getByRole('region', { name: new RegExp(`^Turn ${number}:`) });
  await expect(page.getByRole('button', { name: 'Following' })).toBeVisible();
  await expect(turn(13)).toBeInViewport();
  await gateway.ingest(aRequest(runningTurn('slower turn')));
  await expect(turn(14)).toBeInViewport();
  await page.getByRole('region', { name: 'Conversation' }).hover();
  await page.mouse.wheel(0, -3000);
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
  await gateway.ingest(aRequest(runningTurn('slowest turn')));
  await expect(page.getByRole('button', { name: 'Paused. 1 new turn' })).toBeVisible();
  await expect(turn(15)).not.toBeInViewport();
  await page.keyboard.press('f');
  await expect(turn(15)).toBeInViewport();
});

test('keys act on the turn that is followed', async ({ page }) => {
  const turnAt = (name: string, minutes: number) => aRun({ name, startMs: Date.now() - minutes * 60_000, session: 'live', ask: name });
  const [chat, root] = turnAt('slow turn', 0);
  const [first, second] = [turnAt('first turn', 20), turnAt('second turn', 19)];
  await gateway.ingest(aRequest([...first, ...second, chat as object, { ...root, endTimeUnixNano: '0' }]));
  await page.goto(`${gateway.url}/#/sessions/live`);
  await expect(page.getByRole('button', { name: 'Following' })).toBeVisible();
  const current = page.getByRole('navigation', { name: 'Turns' }).locator('[aria-current=true]');
  await expect(current).toHaveText(/^3\D/);
  await page.keyboard.press('c');
  const idOf = (span: object | undefined) => (span as { traceId: string }).traceId;
  await expect(page).toHaveURL(new RegExp(`a=${idOf(second[0])}&b=${idOf(root)}`));
  await page.goBack();
  await expect(current).toHaveText(/^3\D/);
  await page.keyboard.press('k');
  await expect(current).toHaveText(/^2\D/);
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
});

test('a search loads no more of a session than leads to what it found, and says how far it is', async ({ page }) => {
  const turns = Array.from({ length: 900 }, (_, i) =>
    aRun({ name: `turn of ${i}`, startMs: start + i * 2000, session: 'long', ask: `Ask ${i === 10 ? 'sodium' : i === 850 ? 'argon' : i}` }),
  );
  await gateway.ingest(aRequest(turns.flat()));
  const pages: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.searchParams.get('session_id') === 'long' && !url.searchParams.has('filter')) pages.push(url.searchParams.get('offset') ?? '');
  });
  await page.goto(`${gateway.url}/#/sessions/long?q=sodium`);
  await expect(page.getByText('1 turn found')).toBeVisible();
  const listed = page.getByRole('navigation', { name: 'Turns' }).getByRole('button');
  await expect(listed).toHaveCount(1);
  expect(pages).toEqual(['0']);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/session_id=long.*offset=[2-9]/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('textbox', { name: 'Search the session' }).fill('argon');
  await expect(page.getByText(`1 turn found, loading 200 of 900`)).toBeVisible();
  release();
  await expect(page.getByText('1 turn found', { exact: true })).toBeVisible();
  await expect(listed).toHaveText(/^851\D/);
});

test('a session of hundreds of turns renders only a few at a time', async ({ page }) => {
  const turns = Array.from({ length: 300 }, (_, i) =>
    aRun({ name: `turn of ${i}`, startMs: start + i * 2000, session: 'long', ask: `Ask ${i}` }),
  );
  await gateway.ingest(aRequest(turns.flat()));
  await page.goto(`${gateway.url}/#/sessions/long`);
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.getByText('Ask 0', { exact: true })).toBeVisible();
  expect(await page.getByRole('region', { name: /^Turn \d/ }).count()).toBeLessThan(40);
  await expect(page.getByText('300 turns', { exact: true })).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(conversation.getByText('Ask 299', { exact: true })).toBeVisible({ timeout: 5000 });
  }).toPass();
});

/** As the viewer writes numbers. */
const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const prompt = `You help customers of a kettle shop. ${'Be exact about dates and sums. '.repeat(2000)}`;
const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

interface Turn {
  name: string;
  at: number;
  input: object[];
  output: string;
  failedTools?: number;
}

/** A turn whose root carries the messages, as an agent framework sends it. */
function aTurn({ name, at, input, output, failedTools = 0 }: Turn) {
  const traceId = aTraceId();
  const root = aSpanId();
  const tool = { traceId, parentSpanId: root, name: 'issue_refund', startMs: at + 10, status: 'ERROR' as const };
  return [
    aChat({
      ...{ traceId, spanId: root, name, startMs: at, durationMs: 900 },
      attributes: {
        'session.id': 'kettle',
        'gen_ai.input.messages': JSON.stringify(input),
        'gen_ai.output.messages': JSON.stringify([message('assistant', output)]),
      },
    }),
    ...Array.from({ length: failedTools }, () => aSpan(tool)),
  ];
}

const question = 'My kettle arrived with a cracked lid. Can I get a refund?';
const longHistory = `Here is my whole order history. ${'Order 31877: a toaster, returned. '.repeat(540)}The last order.`;
const kettle = [
  { name: 'asks', at: start, input: [message('system', prompt), message('user', question)], output: 'You are within the 30 days.' },
  { name: 'asks again', at: start + 240_000, input: [message('system', prompt), message('user', question)], output: 'You can.' },
  {
    ...{ name: 'sends history', at: start + 480_000, output: 'I have started a refund.', failedTools: 2 },
    input: [message('system', prompt), message('user', question), message('assistant', 'You can.'), message('user', longHistory)],
  },
];

const turn = (page: Page, number: number) => page.getByRole('region', { name: new RegExp(`^Turn ${number}: `) });

test('a session hides only history: what is asked again is shown, and what is cut says so', async ({ page }) => {
  await gateway.ingest(aRequest(kettle.flatMap(aTurn)));
  await page.goto(`${gateway.url}/#/sessions/kettle`);
  await expect(turn(page, 1).getByText(question)).toBeVisible();
  await expect(page.getByText('3 turns, 1 with errors inside', { exact: true })).toBeVisible();
  await expect(turn(page, 1)).toContainText(`System prompt, ${grouped(prompt.length)} characters. It is the same in all 3 turns.`);
  await expect(page.getByText(/^System prompt/)).toHaveCount(1);
  await expect(turn(page, 2).getByText(question)).toBeVisible();
  await expect(turn(page, 2)).toContainText('Same question as turn 1, asked again 4 min later');
  const third = turn(page, 3);
  await expect(third).toContainText('2 errors inside');
  await expect(third.getByText(question)).toHaveCount(0);
  await third.getByRole('button', { name: '2 earlier messages sent along' }).click();
  await expect(third.getByText(question)).toBeVisible();
  await expect(third).toContainText(`${grouped(1200)} of ${grouped(longHistory.length)} characters are shown`);
  await expect(third.getByText('The last order.')).toHaveCount(0);
  await third.getByRole('button', { name: 'Open the whole' }).click();
  await expect(third.getByText('The last order.')).toBeVisible();
  await page.keyboard.press('e');
  await page.keyboard.press('o');
  await page.keyboard.press('o');
  await expect(third.getByText('The last order.')).toHaveCount(0);
  await page.keyboard.press('o');
  await expect(third.getByText('The last order.')).toBeVisible();
});

test('a turn that changes the system prompt says so', async ({ page }) => {
  const changed = {
    ...kettle[0],
    name: 'other prompt',
    at: start + 600_000,
    input: [message('system', 'Be brief.'), message('user', 'Now?')],
  };
  await gateway.ingest(aRequest([...kettle, changed as Turn].flatMap(aTurn)));
  await page.goto(`${gateway.url}/#/sessions/kettle`);
  await page.getByRole('navigation', { name: 'Turns' }).getByRole('button', { name: /Now\?/ }).click();
  await expect(turn(page, 4)).toContainText(`The system prompt changed here: 9 characters, before ${grouped(prompt.length)}.`);
  await page.keyboard.press('Home');
  await expect(turn(page, 1)).toContainText(`System prompt, ${grouped(prompt.length)} characters.`);
  await expect(page.getByText('It is the same in all')).toHaveCount(0);
  await turn(page, 1).getByRole('button', { name: 'Open the whole' }).click();
  expect(await turn(page, 1).getByRole('region', { name: 'System prompt' }).innerText()).toContain(prompt.slice(-500).trim());
});

test('sessions are accessible', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions`);
  await expect(page.getByRole('row', { name: /night shift/ })).toBeVisible();
  await expectReadable(page);
  await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
  await expect(page.getByText('Any news?')).toBeVisible();
  await page.keyboard.press('e');
  await expectReadable(page);
});
