import type { Page } from '@playwright/test'
import { expect } from './test.ts'

export const daysFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
/** 'Jan 1, 2024', as the screens write days. */
export const shownDay = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const said = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true })
export const figure = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('div')
    .filter({ has: page.getByRole('term').getByText(label, { exact: true }) })
    .last()
/** The block of one sale, in any layout of the window. */
export const saleOn = (page: Page, text: string) =>
  panel(page, 'Sales').locator('[id^="sale-"]').filter({ hasText: text })

export async function chooseIn(page: Page, label: string, name: string) {
  const field = page.getByRole('combobox', { name: label, exact: true })
  await field.fill(name)
  await page.getByRole('option', { name }).click()
  await expect(field).toHaveValue(new RegExp(name))
}

export async function fromMenu(page: Page, menu: RegExp | string, item: string) {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Removes the messages that browsers themselves log for every refused answer. */
export const withoutRefusals = (complaints: string[]) =>
  complaints.filter((text) => !text.includes('Failed to load resource'))
