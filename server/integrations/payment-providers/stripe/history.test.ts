import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInStripe } from '../../../../test/support/stand-ins/stripe.ts'
import { seconds, stripeEvent, stripePayment } from '../../../../test/support/stand-ins/stripe-events.ts'
import { createOutbound } from '../../../platform/http/outbound.ts'
import type { ProviderEvent } from '../provider.ts'
import { stripe } from './adapter.ts'

const shop = await standInStripe()
const outbound = createOutbound({ allowPrivate: false })
after(() => Promise.all([shop.close(), outbound.close()]))
const application = { clientId: null, secretKey: null, webhookSecret: null }
const now = new Date()
const reach = { apiUrl: shop.url, application, outbound, now }
const before = (days: number) => new Date(now.getTime() - days * 86_400_000)

async function historySince(since: Date) {
  const found: ProviderEvent[] = []
  const pages: number[] = []
  let cursor: string | null = null
  do {
    const page: { events: ProviderEvent[]; next: string | null } = await stripe.history!(
      ...([{ restrictedKey: shop.key }, reach, since, cursor] as const),
    )
    found.push(...page.events)
    pages.push(page.events.length)
    cursor = page.next
  } while (cursor !== null)
  return { found, pages }
}

test('what Stripe told since a moment is listed whole, each event as it was delivered', async () => {
  const keep = <E extends { id: string }>(event: E, daysAgo: number): E => {
    const dated = { ...event, created: seconds(before(daysAgo)) }
    shop.store.set(event.id, dated as never)
    return dated
  }
  const charges = Array.from({ length: 120 }, () => stripePayment({ amount: 1000 }).chargeSucceeded!)
  const told = charges.map((event, index) => keep(event, index / 10))
  keep(stripePayment({ amount: 1000 }).chargeSucceeded!, 14)
  keep(stripeEvent('payout.paid', { id: 'po_1', object: 'payout' }), 1)

  const { found, pages } = await historySince(before(13))
  assert.deepEqual(pages, [100, 20])
  assert.deepEqual(found.map(({ id }) => id).sort(), told.map(({ id }) => id).sort())
  const [one] = told
  const listed = found.find(({ id }) => id === one!.id)!
  assert.deepEqual(
    [listed.type, listed.at.getTime() / 1000, listed.livemode, JSON.parse(listed.body).data],
    ['charge.succeeded', one!.created, false, one!.data],
  )
})

test('what is older than Stripe lists is refused, not left out', async () => {
  await assert.rejects(historySince(before(31)), { kind: 'invalid', message: /last 30 days/ })
})
