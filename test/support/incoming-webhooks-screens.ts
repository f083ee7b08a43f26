import type { Page } from '@playwright/test'
import { expect } from './test.ts'

export const list = '/integrations/incoming-webhooks'
export async function postPayload(url: string, payload: object) {
  const body = JSON.stringify(payload)
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(reply.status).toBe(200)
}

export const formNamed = (page: Page, name: string) => page.getByRole('form', { name })
export const pageActions = (page: Page) => page.getByRole('group', { name: 'Page actions' })
export const pressAction = (page: Page, name: string) =>
  pageActions(page).getByRole('button', { name, exact: true }).click()
export const statusMessage = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
export const deliveryRows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')
