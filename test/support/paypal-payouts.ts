import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../server/platform/services.ts'
import { advancePayout } from '../../server/program/payouts/process-payout.ts'
import { standInPaypal } from '../fakes/paypal.ts'
import type { PayoutOptions } from '../fakes/paypal-payouts.ts'
import { anAccount, aPartner, expectOk, type TestAccount, type TestApp } from './app.ts'
import { aPayout, getPayout } from './payouts.ts'

type Paypal = Awaited<ReturnType<typeof standInPaypal>>

/** The real outgoing connection with a shorter timeout, so that the outcome of a hanging call is soon unknown. */
const inTime = (outbound: Services['outbound']): Services['outbound'] => ({
  ...outbound,
  provider: (url, request) => outbound.provider(url, { timeoutMs: 400, ...request }),
})

/** Makes PayPal's address this stand-in's. */
export function payBy(services: Services, { url }: Pick<Paypal, 'url'>) {
  const { config } = services
  const providers = { ...config.providers, paypal: { ...config.providers.paypal, apiUrl: url } }
  Object.assign(services, { config: { ...config, providers } })
}

export const connectPaypal = async (
  app: TestApp,
  account: TestAccount,
  { clientId, clientSecret }: Pick<Paypal, 'clientId' | 'clientSecret'>,
  automatic = false,
) =>
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/payout-methods/paypal`, {
      token: account.token,
      body: { clientId, clientSecret, automatic },
    }),
  ).body

export type PaypalPayee = { id: string; token: string; email: string; address: string }

/** A partner without blockers, who is paid by PayPal at this address. */
export async function aPaypalPayee(app: TestApp, account: TestAccount, address?: string): Promise<PaypalPayee> {
  const partner = (await aPartner(app, account, {}, { signIn: true })) as { id: string; token: string; email: string }
  const at = address ?? `paypal.${partner.email}`
  await enterAddress(app, partner, at)
  const year = app.clock.now().getUTCFullYear()
  const body = { approvedPayoutYears: [year, year + 1] }
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  return { ...partner, address: at }
}

export const enterAddress = async (app: TestApp, partner: { id: string; token: string }, email: string) =>
  expectOk(
    await app.api('POST', `/partners/${partner.id}/payout-settings`, {
      token: partner.token,
      body: { kind: 'paypal', email },
    }),
  ).body

/** Installs on one app, each with its own PayPal, of which the last one is called. No worker: tests make every step. */
export function paypalInstalls(app: TestApp) {
  const { services } = app
  Object.assign(services, { outbound: inTime(services.outbound) })

  async function anInstall(payouts: PayoutOptions = {}) {
    const paypal = await standInPaypal({ clock: () => app.clock.now(), payouts })
    test.after(() => paypal.close())
    payBy(services, paypal)
    const account = await anAccount(app)
    await connectPaypal(app, account, paypal)
    const partner = await aPaypalPayee(app, account)
    return { app, paypal, account, partner, services }
  }

  type Install = Awaited<ReturnType<typeof anInstall>>

  async function anApproved({ account, partner }: Pick<Install, 'account' | 'partner'>, amount = 125_50) {
    const due = await aPayout(app, account, partner, amount)
    const { status, body } = await app.api('POST', `/payouts/${due.id}/approve`, { token: account.token })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.method, 'paypal')
    return body.id as string
  }

  const show = ({ account }: Pick<Install, 'account'>, id: string) => getPayout(app, account, id)
  const verb = ({ account }: Pick<Install, 'account'>, id: string, name: string, body?: object) =>
    app.api('POST', `/payouts/${id}/${name}`, { token: account.token, ...(body && { body }) })
  return { anInstall, anApproved, show, verb }
}

/** Runs the payout's job until it is done. */
export async function workOn(services: Services, id: string) {
  for (let turn = 0; turn < 50; turn++) {
    try {
      if ((await advancePayout(services, id)) === 'done') return
      await sleep(200)
    } catch (error) {
      if ((error as Error).name !== 'PaypalError') throw error
    }
  }
  throw new Error('the job comes again and again')
}
