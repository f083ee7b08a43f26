import assert from 'node:assert/strict'
import fc from 'fast-check'
import { processImport } from '../../server/integrations/imports/run-import.ts'
import { verifyPayments } from '../../server/integrations/payment-providers/verify-payments.ts'
import { dayIn } from '../../server/platform/time/days.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { anAccount, anEmail, aPartner, expectOk, type TestAccount, type TestApp } from './app.ts'
import { numberOfRuns } from './model-test.ts'
import { workOff } from './payment-providers.ts'

type Shop<Event> = {
  app: TestApp
  account: TestAccount
  /** The partner who referred the buyers. */
  partner: { id: string }
  /** Sends events to the connection in this order. */
  deliver(events: Event[]): Promise<void>
  /** Deletes the connection and makes it again; absent if other tests need it unchanged. */
  reconnect?(): Promise<void>
}

type Connection = { id: string; webhookUrl: string }

/** A shop with its stories: its account connects a provider, and two partners in a line refer its buyers. */
export async function aShop<Event>(
  app: TestApp,
  connect: (account: TestAccount) => Promise<Connection>,
  send: (url: string, event: Event) => Promise<{ status: number; body: unknown }>,
) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] } })
  const parent = await aPartner(app, account)
  const partner = await aPartner(app, account, { parentPartnerId: parent.id })
  let connection = await connect(account)
  async function deliver(events: Event[]) {
    for (const event of events) {
      const { status, body } = await send(connection.webhookUrl, event)
      assert.equal(status, 200, String(body))
    }
  }
  async function reconnect() {
    const body = { connectionId: connection.id }
    expectOk(
      await app.api('DELETE', `/accounts/${account.id}/payment-providers/disconnect`, { token: account.token, body }),
    )
    connection = await connect(account)
  }
  const stories = createStories({ app, account, partner, deliver, reconnect })
  return { ...stories, account, parent, partner, deliver, reconnect, connection: () => connection }
}

/** A fixed seed, for the same orders in every run. */
const SEED = 20_261_121

/** Stories of buyers that apply to every payment provider. */
export function createStories<Event>({ app, account, partner, deliver, reconnect }: Shop<Event>) {
  const { db } = app.services
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })

  /** `since`: the moment of its referral; its partner gets no credit for anything earlier. */
  const aLead = async (email = anEmail('buyer'), since?: Date) => {
    const lead: { id: string; email: string } = expectOk(
      await call('POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email }),
    ).body
    if (since) await db.run`update leads set attributed_at = ${since} where id = ${lead.id}`
    return lead
  }
  const salesOf = async (leadId: string) => expectOk(await call('GET', `/leads/${leadId}/sales`)).body.items

  /** Returns the final state, which must not depend on the order of events. */
  async function digest(leadId: string) {
    const sales = await db.many<{ id: string }>`
      select id, amount, tax_amount, gross_amount, refunded_amount, status, disputed, partner_id, is_test from sales
      where ${leadId} in (lead_id, test_lead_id) order by amount, id`
    const entries = await db.many`
      select e.layer, sum(e.amount) as left, s.amount as sale from commission_entries e join sales s on s.id = e.sale_id
      where s.lead_id = ${leadId} group by e.layer, s.id, s.amount order by s.amount, s.id, e.layer`
    return JSON.stringify({ sales: sales.map(({ id, ...sale }) => sale), entries })
  }

  async function deliverAndBook(events: (Event | null)[]) {
    await deliver(events.filter((event) => event !== null))
    await workOff(app)
  }

  async function tellAll(sent: Event[], pace: Pace) {
    if (pace === 'one by one') for (const event of sent) await deliverAndBook([event])
    else if (pace === 'reconnected') {
      const half = Math.floor(sent.length / 2)
      await deliver(sent.slice(0, half))
      await reconnect?.()
      await deliver(sent.slice(half))
      await workOff(app)
    } else {
      await deliver(sent)
      await workOff(app, { atOnce: pace === 'at once' })
    }
  }
  const paces: Pace[] = ['one by one', 'in a row', 'at once', ...(reconnect ? (['reconnected'] as const) : [])]

  /**
   * Delivers the same story in a few orders, in `most` in the slow tests, with repeats; each must satisfy `expected`.
   */
  async function inEveryOrder(
    tell: (email: string) => (Event | null)[],
    expected: (sales: Record<string, unknown>[]) => void,
    most = 25,
  ) {
    const length = tell('nobody@buyer.example').filter(Boolean).length
    const places = Array.from({ length }, (_, index) => index)
    const orders = fc
      .shuffledSubarray(places, { minLength: length })
      .chain((order) => fc.tuple(fc.constant(order), fc.array(fc.constantFrom(...places), { maxLength: 3 })))
    let first: string | undefined
    await fc.assert(
      fc.asyncProperty(orders, fc.constantFrom(...paces), async ([order, repeats], pace) => {
        const lead = await aLead()
        const events = tell(lead.email).filter((event) => event !== null)
        await tellAll(
          [...order, ...repeats].map((index) => events[index]!),
          pace,
        )
        const found = await digest(lead.id)
        first ??= found
        assert.equal(found, first)
        expected(JSON.parse(found).sales)
      }),
      { seed: SEED, numRuns: Math.min(most, numberOfRuns(4)) },
    )
    assert.deepEqual(await verifyLedger(db), [])
    assert.deepEqual((await verifyPayments(db)).differences, [])
  }

  /**
   * Has a payment of 100.00 only from a file, as one from before the connection, and delivers these events about it; the
   * sale must then be `expected`.
   */
  async function fromFile(
    { externalId, email = anEmail('buyer') }: { externalId: string; email?: string },
    events: Event[],
    expected: { refunded: number; status: string },
  ) {
    await aLead(email)
    const csv = `External ID,Email,Amount,Date\n${externalId},${email},100.00,${dayIn('UTC', new Date())}`
    const { id: importId } = expectOk(
      await call('POST', `/accounts/${account.id}/imports`, { kind: 'sales', csv, dryRun: false }),
    ).body
    await processImport(app.services, { importId })
    // payments in test mode are no sales of files
    const setMode = (isLive: boolean) =>
      db.many<{ isLive: boolean }>`
        update provider_shops s set livemode = ${isLive} from provider_shops was
        where s.account_id = ${account.id} and was.id = s.id returning was.livemode as is_live`
    await deliver(events)
    const [was] = await setMode(true)
    await workOff(app)
    await setMode(was!.isLive)
    const sales = await db.many`
      select provider, refunded_amount as refunded, status from sales
      where account_id = ${account.id} and payer_email = ${email}`
    assert.deepEqual(sales, [{ provider: 'import', ...expected }])
    assert.deepEqual(await verifyLedger(db), [])
    assert.deepEqual((await verifyPayments(db)).differences, [])
  }

  return { call, aLead, salesOf, digest, deliverAndBook, inEveryOrder, fromFile }
}

type Pace = 'one by one' | 'in a row' | 'at once' | 'reconnected'
