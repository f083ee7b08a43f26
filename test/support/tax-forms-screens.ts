import type { Page } from '@playwright/test'
import { expectOk } from './app.ts'
import { anOwner, aSignedUpPartner, type Person } from './journey.ts'
import type { SharedSite } from './populated-account.ts'

export type Account = Person & { id: string }

const payer = {
  ...{ taxForms: 'required', legalName: 'Harbor Inc.', country: 'US', ein: '12-3456780', phone: '+1 212 555 0100' },
  address: { addressLine: '2 Main Street', zipCode: '04101', city: 'Portland', state: 'ME' },
}

/** An account that requires forms, with a partner. */
export async function aProgram(site: SharedSite, settings: object = payer) {
  const owner: Account = await anOwner(site, { name: 'Harbor Analytics', minimumPayout: 0 })
  const partner: Account = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const send = async (method: string, path: string, body?: object, by: Person = owner) =>
    expectOk(await site.api(method, path, { token: by.token, body })).body
  await send('PUT', `/accounts/${owner.id}/invoicing`, settings)
  return { owner, partner, send }
}

export const taxFormPanel = (page: Page) => page.getByRole('region', { name: 'Tax form' })
