import type { Payout } from '#contract/payouts.ts'
import type { fakeWise } from '../fakes/wise.ts'
import { aPartner, expectOk, type TestAccount, type TestApp } from './app.ts'

type Wise = Awaited<ReturnType<typeof fakeWise>>

/** Details that every bank in the tests accepts. */
export const bankDetails = (fields: Record<string, unknown> = {}) => ({
  legalType: 'PRIVATE',
  name: 'Pia Tern',
  routingNumber: '021000021',
  accountNumber: '123456789',
  accountType: 'CHECKING',
  address: { country: 'us', state: 'ny', city: 'New York', addressLine: '1 Broad Street', zipCode: '10004' },
  ...fields,
})

/** Details in Brazil, for which Wise defines the fields; `fields` replaces some. */
export const inBrazil = (fields: Record<string, string> = {}, more: Record<string, unknown> = {}) => ({
  ...{ kind: 'local-bank', country: 'BR', currency: 'brl', type: 'brazil' },
  fields: {
    ...{ legalType: 'PRIVATE', accountHolderName: 'Ana Souza', cpf: '12345678909', bankCode: '260' },
    ...{ branchCode: '0001', accountNumber: '8877665-1', accountType: 'CHECKING' },
    ...{ 'address.country': 'BR', 'address.state': 'SP', 'address.city': 'São Paulo' },
    ...{ 'address.firstLine': 'Rua Augusta 1', 'address.postCode': '01305-000' },
    ...fields,
  },
  ...more,
})

/** A partner who has signed in, entered payout details and is approved for this year: no blocker. */
export async function aPayee(app: TestApp, account: TestAccount, fields: Record<string, unknown> = {}) {
  const partner = await aPartner(app, account, fields, { signIn: true })
  expectOk(
    await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() }),
  )
  const body = { approvedPayoutYears: [app.clock.now().getUTCFullYear()] }
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  return partner as { id: string; token: string; email: string }
}

/** Books an amount, in minor units, that is due at once. */
export const bookDue = async (app: TestApp, account: TestAccount, partner: { id: string }, amount: number) =>
  expectOk(
    await app.api('POST', `/partners/${partner.id}/adjustments`, {
      token: account.token,
      body: { amount, reason: 'Agreed' },
    }),
  ).body

export const requestRefresh = async (app: TestApp, account: TestAccount) =>
  expectOk(await app.api('POST', `/accounts/${account.id}/payouts/refresh`, { token: account.token })).body

export const getBalance = async (app: TestApp, account: TestAccount, partner: { id: string }) =>
  expectOk(await app.api('GET', `/partners/${partner.id}/balance`, { token: account.token })).body

export const listPayouts = async (app: TestApp, account: TestAccount, partner: { id: string }): Promise<Payout[]> =>
  expectOk(await app.api('GET', `/partners/${partner.id}/payouts?limit=100`, { token: account.token })).body.items

export const getPayout = async (app: TestApp, account: TestAccount, id: string): Promise<Payout> =>
  expectOk(await app.api('GET', `/payouts/${id}`, { token: account.token })).body

/** Owes the partner this amount, and returns it as their one unapproved payout. */
export async function aPayout(app: TestApp, account: TestAccount, partner: { id: string }, amount: number) {
  await bookDue(app, account, partner, amount)
  await requestRefresh(app, account)
  const found = (await listPayouts(app, account, partner)).find(({ status }) => ['due', 'open'].includes(status))
  if (!found) throw new Error('no payout has appeared')
  return found
}

/** Connects Wise with its business profile; `settings` as of PUT auto-payout-settings. */
export const connectWise = async (
  app: TestApp,
  account: TestAccount,
  wise: Wise,
  settings: Record<string, unknown> = {},
) =>
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, {
      token: account.token,
      body: { enabled: false, wiseToken: wise.token, wiseProfileId: String(wise.businessId), ...settings },
    }),
  ).body
