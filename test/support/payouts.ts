import type { Payout } from '#contract/payouts.ts'
import type { fakeWise } from '../fakes/wise.ts'
import { aPartner, ok, type TestAccount, type TestApp } from './app.ts'

type Wise = Awaited<ReturnType<typeof fakeWise>>

/** Details that every bank in the tests accepts. */
export const deposit = (fields: Record<string, unknown> = {}) => ({
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
  ok(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: deposit() }))
  const body = { approvedPayoutYears: [app.clock.now().getUTCFullYear()] }
  ok(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  return partner as { id: string; token: string; email: string }
}

/** Books an amount, in minor units, that is due at once. */
export const owe = async (app: TestApp, account: TestAccount, partner: { id: string }, amount: number) =>
  ok(
    await app.api('POST', `/partners/${partner.id}/adjustments`, {
      token: account.token,
      body: { amount, reason: 'Agreed' },
    }),
  ).body

export const refresh = async (app: TestApp, account: TestAccount) =>
  ok(await app.api('POST', `/accounts/${account.id}/payouts/refresh`, { token: account.token })).body

export const balance = async (app: TestApp, account: TestAccount, partner: { id: string }) =>
  ok(await app.api('GET', `/partners/${partner.id}/balance`, { token: account.token })).body

export const payoutsOf = async (app: TestApp, account: TestAccount, partner: { id: string }): Promise<Payout[]> =>
  ok(await app.api('GET', `/partners/${partner.id}/payouts?limit=100`, { token: account.token })).body.items

export const payout = async (app: TestApp, account: TestAccount, id: string): Promise<Payout> =>
  ok(await app.api('GET', `/payouts/${id}`, { token: account.token })).body

/** Owes the partner this amount, and returns it as their one unapproved payout. */
export async function aPayout(app: TestApp, account: TestAccount, partner: { id: string }, amount: number) {
  await owe(app, account, partner, amount)
  await refresh(app, account)
  const found = (await payoutsOf(app, account, partner)).find(({ status }) => ['due', 'open'].includes(status))
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
  ok(
    await app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, {
      token: account.token,
      body: { enabled: false, wiseToken: wise.token, wiseProfileId: String(wise.businessId), ...settings },
    }),
  ).body
