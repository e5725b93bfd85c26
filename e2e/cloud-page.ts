/** Signing in. */
import { expect, type Page } from '@playwright/test';

interface Login {
  email: string;
  password: string;
}

/** Opens a page of the dashboard and signs in there. */
export async function enter(page: Page, url: string, login: Login, path = '/traces'): Promise<void> {
  await page.goto(`${url}/#${path}`);
  await signIn(page, login);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
}

/** Fills in the form that is shown. */
export async function signIn(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
