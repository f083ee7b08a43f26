import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Services } from '../../server/platform/services.ts'
import { ProviderError } from '../../server/program/payouts/methods/method.ts'
import { advancePayout } from '../../server/program/payouts/process-payout.ts'
import { fakeWise } from '../fakes/wise.ts'
import { anAccount, type TestApp } from './app.ts'
import { aPayee, aPayout, connectWise, getPayout } from './payouts.ts'

type WiseOptions = Parameters<typeof fakeWise>[0]

/** The real outgoing connection with a shorter timeout, so that the outcome of a hanging call is soon unknown. */
const inTime = (outbound: Services['outbound']): Services['outbound'] => ({
  ...outbound,
  provider: (url, request) => outbound.provider(url, { timeoutMs: 400, ...request }),
})

/**
 * Installs on one app, each with its own Wise; with two of them the last one is called. No worker: tests make every
 * step.
 */
export function createInstalls(app: TestApp) {
  const outbound = inTime(app.services.outbound)
  const { services } = app

  /** An account with its own Wise, and a partner without blockers. */
  async function anInstall(options: WiseOptions = {}, settings: Record<string, unknown> = {}, currency = 'usd') {
    const wise = await fakeWise({ clock: () => app.clock.now(), ...options })
    test.after(() => wise.close())
    const config = { ...services.config, wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } }
    Object.assign(services, { config, outbound })
    const account = await anAccount(app, { defaultCurrency: currency })
    // before Wise is connected and could check their details
    const partner = await aPayee(app, account)
    await connectWise(app, account, wise, settings)
    return { app, wise, account, partner, services }
  }

  type Install = Awaited<ReturnType<typeof anInstall>>

  async function anApproved({ account, partner }: Install, amount = 125_50) {
    const due = await aPayout(app, account, partner, amount)
    const { status, body } = await app.api('POST', `/payouts/${due.id}/approve`, { token: account.token })
    assert.equal(status, 200, JSON.stringify(body))
    return body.id as string
  }

  const show = ({ account }: Install, id: string) => getPayout(app, account, id)
  const verb = ({ account }: Install, id: string, name: string, body?: object) =>
    app.api('POST', `/payouts/${id}/${name}`, { token: account.token, ...(body && { body }) })
  return { anInstall, anApproved, show, verb }
}

/** Runs the payout's job until it is done. */
export async function workOn(services: Services, id: string) {
  for (let turn = 0; turn < 12; turn++) {
    try {
      if ((await advancePayout(services, id)) === 'done') return
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
    }
  }
  throw new Error('the job comes again and again')
}
