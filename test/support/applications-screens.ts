import type { Browser, Page } from '@playwright/test'
import { expectOk } from './app.ts'
import { pageHeading } from './journey.ts'
import { aJoinedOwner, site } from './mailed-site.ts'
import { expect } from './test.ts'

/** An account that pays 20% and lets its partners invite others. */
export async function aProgram(name: string) {
  const owner = await aJoinedOwner(name)
  const body = { defaultCommissionSettings: { layerRates: [20] }, invitationsFromPartners: true }
  expectOk(await site.api('PATCH', `/accounts/${owner.id}`, { token: owner.token, body }))
  return owner
}

/** A page in a stranger's browser, which runs scripts or doesn't. */
export const strangersPage = async (browser: Browser, { scripts }: { scripts: boolean }) =>
  (await browser.newContext({ javaScriptEnabled: scripts })).newPage()

/** Applies on the public page in a browser that runs no script. */
export async function applyInBrowser(
  browser: Browser,
  url: string,
  email: string,
  answer: (page: Page) => Promise<void>,
) {
  const page = await strangersPage(browser, { scripts: false })
  await page.goto(url)
  await answer(page)
  await page.getByLabel('First Name').fill('Rosa')
  await page.getByLabel('Last Name').fill('Quist')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Check your email to confirm your application.')).toBeVisible()
  await page.context().close()
}

export async function choosePassword(page: Page) {
  await expect(pageHeading(page, 'Set up your account')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('copper-meadow-71-sail')
  await page.getByLabel('Confirm Password').fill('copper-meadow-71-sail')
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
}
