import { expect, test } from 'vitest';
import { offerReload, offerWait } from './broken-page.ts';

function page() {
  const calls: string[] = [];
  return { calls, reload: () => void calls.push('reload'), close: () => void calls.push('close') };
}

test.each([
  [0, ['reload']],
  [1, ['close']],
])('after a crash the user decides: button %i', async (button, expected) => {
  const broken = page();
  await offerReload('crashed', broken, async ({ detail }) => (detail.includes('crashed') ? button : -1));
  expect(broken.calls).toEqual(expected);
});

test.each(['clean-exit', 'killed'])('an end that is no crash (%s) is not asked about', async (reason) => {
  const broken = page();
  await offerReload(reason, broken, () => Promise.reject(new Error('asked')));
  expect(broken.calls).toEqual([]);
});

test('a page that hangs is loaded again only when the user says so', async () => {
  const broken = page();
  await offerWait(broken, async () => 1);
  expect(broken.calls).toEqual([]);
  await offerWait(broken, async () => 0);
  expect(broken.calls).toEqual(['reload']);
});
