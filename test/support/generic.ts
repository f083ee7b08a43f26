import { createHmac, randomUUID } from 'node:crypto'
import { expectOk, type TestAccount, type TestApp } from './app.ts'
import { connectProvider } from './payment-providers.ts'

// An own system that reports its payments in our format.

export const SECRET = 'a-secret-of-their-own'

export const connectGeneric = (app: TestApp, account: TestAccount, credentials: object) =>
  connectProvider(app, account, { provider: 'generic', credentials })

export const aGenericConnection = async (app: TestApp, account: TestAccount, name = 'Own shop') =>
  expectOk(await connectGeneric(app, account, { name, signingSecret: SECRET })).body as {
    id: string
    webhookUrl: string
  }

type Sent = {
  secret?: string
  encoding?: 'hex' | 'base64'
  header?: string
  body?: string
  prefix?: string
  headers?: Record<string, string>
}

export const signBody = (body: string, { secret = SECRET, encoding = 'hex', prefix = '' }: Sent = {}) =>
  `${prefix}${createHmac('sha256', secret).update(body).digest(encoding)}`

/** Sends a signed event; `body` is sent in its place. */
export async function sendCustomEvent(url: string, event: unknown, how: Sent & { signature?: string | null } = {}) {
  const signed = typeof event === 'string' ? event : JSON.stringify(event)
  const { signature = signBody(signed, how), header = 'X-Signature', body = signed } = how
  const headers = {
    'content-type': 'application/json',
    ...(signature !== null && { [header]: signature }),
    ...how.headers,
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

type Facts = Record<string, unknown>

/** An event of their form. */
export const genericEvent = (type: string, facts: Facts, at = new Date()) => ({
  ...{ id: `event-${randomUUID()}`, type, at: at.toISOString() },
  [type]: facts,
})
export type GenericEvent = ReturnType<typeof genericEvent>

/** A payment, with events that may follow. */
export function genericPayment(facts: Facts = {}) {
  const id = `order-${randomUUID()}`
  const payment = { id, amount: 10_000, currency: 'usd', ...facts }
  const moment = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  return {
    id,
    paid: genericEvent('payment', payment, moment(-1)),
    /** Sends the payment again with changes. */
    corrected: (change: Facts) => genericEvent('payment', { ...payment, ...change }, moment(0)),
    refund(amount: number | undefined, more: Facts = {}) {
      const refund = { id: `refund-${randomUUID()}`, paymentId: id, amount }
      return {
        told: genericEvent('refund', { ...refund, ...more }),
        becomes: (status: string) => genericEvent('refund', { ...refund, status }, moment(1)),
      }
    },
    dispute(amount: number) {
      const dispute = { id: `dispute-${randomUUID()}`, paymentId: id, amount }
      return {
        opened: genericEvent('dispute', { ...dispute, status: 'open' }),
        closed: (status: string, minutes = 1) => genericEvent('dispute', { ...dispute, status }, moment(minutes)),
      }
    },
  }
}
