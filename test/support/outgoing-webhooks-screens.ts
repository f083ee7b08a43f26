import type { Page } from '@playwright/test'
import { fakeReceiver, type Reply } from '../fakes/receiver.ts'
import { prepareOwner } from './owner-fixture.ts'
import { test } from './test.ts'

export let receiver: Awaited<ReturnType<typeof fakeReceiver>>
let reply: Reply

/** Sets how the receiver answers from now on; 200 at the beginning of each test. */
export function receiverAnswers(next: Reply) {
  reply = next
}

/** Gives each test of the calling file an owner, and a receiver for the deliveries. */
export function prepareOutgoingWebhooks() {
  prepareOwner()

  test.beforeEach(async () => {
    receiverAnswers(200)
    receiver = await fakeReceiver(() => reply)
  })

  test.afterEach(() => receiver.close())
}

export const list = '/integrations/outgoing-webhooks'
export const formNamed = (page: Page, name: string) => page.getByRole('form', { name })
export const pageActions = (page: Page) => page.getByRole('group', { name: 'Page actions' })
export const pressAction = (page: Page, name: string) =>
  pageActions(page).getByRole('button', { name, exact: true }).click()
export const statusMessage = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
export const deliveryTable = (page: Page) => page.getByRole('table', { name: 'Deliveries' })
export const panelNamed = (page: Page, event: string) => page.getByRole('region', { name: event, exact: true })
