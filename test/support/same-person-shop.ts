import assert from 'node:assert/strict'
import { anAccount, aPartner, expectOk, type TestApp, waitUntil } from './app.ts'

/** An account with two partners and two incoming webhooks, of leads and of sales. */
export async function aShop(app: TestApp) {
  const { db } = app.services
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const jane = await aPartner(app, account, { firstName: 'Jane' })
  const bob = await aPartner(app, account, { firstName: 'Bob' })
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
  const get = async (path: string) => expectOk(await call('GET', path)).body
  async function aHook(target: string, fields: string[]) {
    const mapping = fields.map((field) => ({ field, path: field }))
    const partnerMatch = { by: 'referralCode', path: 'ref' }
    const body = { name: target, target, mapping, partnerMatch }
    const { body: hook } = expectOk(await call('POST', `/accounts/${account.id}/incoming-webhooks`, body))
    const path = `/incoming-webhooks/${hook.id}`
    const settled = (id: string) =>
      waitUntil(async () => {
        const delivery = await get(`${path}/deliveries/${id}`)
        return delivery.state === 'received' ? null : delivery
      })
    return {
      path,
      id: hook.id,
      read: () => get(path),
      delivery: (id: string) => get(`${path}/deliveries/${id}`),
      async take(payload: object) {
        const sent = await fetch(hook.url, { method: 'POST', body: JSON.stringify(payload) })
        return settled(((await sent.json()) as { deliveryId: string }).deliveryId)
      },
      press: (id: string) => call('POST', `${path}/deliveries/${id}/same-person`),
      /** Presses, and returns the delivery once it names no other person. */
      async same(id: string) {
        const { status } = await this.press(id)
        assert.equal(status, 202)
        return waitUntil(async () => {
          const delivery = await this.delivery(id)
          return delivery.others.length > 0 ? null : delivery
        })
      },
    }
  }
  const leadHook = await aHook('lead', ['externalId', 'email'])
  const saleHook = await aHook('sale', ['externalId', 'leadExternalId', 'email', 'amount'])
  const today = db.now.toISOString().slice(0, 10)
  const attention = async () =>
    (await get(`/accounts/${account.id}/dashboard/${today}..${today}`)).attention.find(
      ({ kind }: { kind: string }) => kind === 'incoming-webhook-conflict',
    )
  const entriesOf = async (saleId: string) =>
    (
      await db.many<{ partnerId: string; amount: number }>`
      select partner_id, sum(amount)::bigint as amount from commission_entries where sale_id = ${saleId}
      group by partner_id having sum(amount) <> 0`
    ).map(({ partnerId, amount }) => [partnerId, amount])
  return { account, jane, bob, call, get, leadHook, saleHook, attention, entriesOf }
}

export type Shop = Awaited<ReturnType<typeof aShop>>
