import type { Locator, Page } from '@playwright/test'

// A day on which an owner pays their partners: each task appears once, with the amount waiting for it.

export const year = new Date().getUTCFullYear()

export const names = [
  'Ida Moreau',
  'Tomás Herrera',
  'Jane Whitfield',
  'Aisha Bello',
  'Noah Bennett',
  'Zoë Ångström-Featherstonehaugh',
]

export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
export const tab = (page: Page, name: string) => page.getByRole('tab', { name })
export const now = (page: Page) => page.getByRole('region', { name: 'What you can do now' })
export const item = (page: Page, text: string) => now(page).getByRole('listitem').filter({ hasText: text })
export const foot = (page: Page) => page.locator('tfoot tr')
export const countOf = (one: Locator) => one.locator('span[aria-hidden]').innerText()
