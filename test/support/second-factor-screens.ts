import type { Page } from '@playwright/test'
import { PASSWORD } from './app.ts'
import { type Site, startSite } from './journey.ts'
import { test } from './test.ts'

export let site: Site

/** Starts a site for the calling file at a host name, which passkeys need. */
export function prepareSecondFactor() {
  test.beforeAll(async () => {
    const started = await startSite()
    site = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
  })
  test.afterAll(() => site.end())
}

export const regionNamed = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export async function startSignIn(page: Page, email: string) {
  await page.goto(`${site.url}/auth/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signOut(page: Page) {
  await page.evaluate(() => localStorage.removeItem('tributary.session'))
}
