import { expect, test } from 'vitest';
import { offerPatience, offerReload } from './broken-page.ts';

function page() {
  const did: string[] = [];
  return { did, reload: () => void did.push('reload'), close: () => void did.push('close') };
}

test.each([
  [0, ['reload']],
  [1, ['close']],
])('a crash is a choice: button %i', async (button, expected) => {
  const broken = page();
  await offerReload('crashed', broken, async ({ detail }) => (detail.includes('crashed') ? button : -1));
  expect(broken.did).toEqual(expected);
});

test.each(['clean-exit', 'killed'])('an end that is no crash (%s) is not asked about', async (reason) => {
  const broken = page();
  await offerReload(reason, broken, () => Promise.reject(new Error('asked')));
  expect(broken.did).toEqual([]);
});

test('a page that hangs is loaded again only when the user says so', async () => {
  const broken = page();
  await offerPatience(broken, async () => 1);
  expect(broken.did).toEqual([]);
  await offerPatience(broken, async () => 0);
  expect(broken.did).toEqual(['reload']);
});
