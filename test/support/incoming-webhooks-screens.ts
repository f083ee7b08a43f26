import type { Page } from '@playwright/test'
import { ok } from './app.ts'
import { anOwner, type Person, type Site } from './journey.ts'
import { expect, test } from './test.ts'

export let site: Site
export let owner: Person & { id: string }

/** Gives each test of the calling file an owner. */
export function prepareIncomingWebhooks() {
  test.beforeEach(async ({ site: shared }) => {
    site = shared
    owner = await anOwner(site)
  })
}

export const api = async (method: string, path: string, body?: object) =>
  ok(await site.api(method, path, { token: owner.token, body })).body

export const list = '/integrations/incoming-webhooks'
export async function send(url: string, payload: object, status = 202) {
  const body = JSON.stringify(payload)
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(reply.status).toBe(status)
}

export const form = (page: Page, name: string) => page.getByRole('form', { name })
export const actions = (page: Page) => page.getByRole('group', { name: 'Page actions' })
export const press = (page: Page, name: string) => actions(page).getByRole('button', { name, exact: true }).click()
export const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
export const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')
