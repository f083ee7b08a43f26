import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Saves and waits for the confirmation. */
export async function save(page: Page) {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('button', { name: 'Dismiss' }).click()
}
