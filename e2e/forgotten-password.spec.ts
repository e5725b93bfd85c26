/** A new password by e-mail, in the browser against a real cloud gateway and a real mail server. */
import { expect } from '@playwright/test';
import { addMember } from '../server/fixtures/add-member.ts';
import { type MailServer, startMailServer } from '../server/fixtures/mail-server.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { signIn } from './cloud-page.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let mail: MailServer;
let cloud: TestCloud;

test.beforeAll(async () => {
  mail = await startMailServer();
  cloud = await startTestCloud({ mail: mail.settings });
});
test.afterAll(async () => {
  await cloud.stop();
  await mail.stop();
});

test('a forgotten password is replaced once, by a link that is pasted into the tab that asked for it', async ({ page }) => {
  const errors = watchConsole(page);
  const email = 'forgetful@acme.test';
  await addMember(cloud, cloud.tenant, email, 'read');
  await page.goto(`${cloud.url}/#/traces`);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email').fill(email);
  const arriving = mail.next();
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Look into your mailbox' })).toBeFocused();
  const [hash = ''] = (await arriving).text.match(/#\/reset-password\?\S+/) ?? [];

  const open = (link: string) => page.evaluate((next) => window.location.assign(next), link);
  await open('#/reset-password?email=forgetful%40acme.test');
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
  await open(hash);
  const change = async () => {
    await page.getByLabel('New password').fill('remembered from now on');
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('alert')).toHaveText('The password must have at least 12 characters.');
  await expectReadable(page);
  await change();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeFocused();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signIn(page, { email, password: 'remembered from now on' });
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();

  await open(hash);
  await change();
  await expect(page.getByRole('alert')).toHaveText(/^This link was used or has expired/);
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  expect(errors.filter((error) => !/40[04]/.test(error))).toEqual([]);
});
