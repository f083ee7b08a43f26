import { standInPaypal } from '../fakes/paypal.ts'
import { deliverPaypalEvent, type PaypalEvent } from '../fakes/paypal-events.ts'
import { expectOk, type startApp, type TestAccount, type TestApp } from './app.ts'
import { connectProvider, startWithProvider } from './payment-providers.ts'

export type TestPaypal = Awaited<ReturnType<typeof standInPaypal>>
type TestConnection = { id: string; webhookUrl: string }

/** The server with PayPal on loopback. */
export async function startWithPaypal(options: Parameters<typeof startApp>[0] = {}) {
  const paypal = await standInPaypal()
  return { app: await startWithProvider('paypal', paypal, options), paypal }
}

export const WEBHOOK_ID = '5GP028458E2496506'

export const connectPaypal = (app: TestApp, account: TestAccount, credentials: object) =>
  connectProvider(app, account, { provider: 'paypal', credentials })

/** A connection of the account to the stand-in, for a webhook made by hand. */
export const aPaypalConnection = async (app: TestApp, account: TestAccount, paypal: TestPaypal) =>
  expectOk(await connectPaypal(app, account, { ...paypal.credentials, webhookId: WEBHOOK_ID })).body as TestConnection

/** Delivers events in this order, signed for the connection's webhook. */
export async function deliverPaypalEvents(paypal: TestPaypal, { webhookUrl }: TestConnection, events: PaypalEvent[]) {
  for (const event of events) {
    const { status, body } = await deliverPaypalEvent(webhookUrl, event, paypal.signer(WEBHOOK_ID))
    if (status !== 200) throw new Error(`answered ${status}: ${body}`)
  }
}
