import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeIBAN } from 'ibantools'
import type { Payout } from '#contract/payouts.ts'
import { standInPaypal } from '../../../test/fakes/paypal.ts'
import { buildField } from '../../../test/fakes/wise-rules.ts'
import { expectOk, startApp } from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { aPayee, bankDetails, bookDue, getBalance, inBrazil, requestRefresh } from '../../../test/support/payouts.ts'
import { connectPaypal, payBy } from '../../../test/support/paypal-payouts.ts'
import { createInstalls, workOn } from '../../../test/support/wise-payouts.ts'
import { verifyLedger } from '../stats/verify.ts'

// Histories in which another change occurs between any two steps, over all payout methods at once: partners change from
// a bank to PayPal and back. What Wise, PayPal and banks really paid is recorded separately: in the end each partner has
// their earnings, once, and the ledger agrees.

const app = await startApp({ config: { rateLimitFactor: 1000, logLevel: 'silent' } })
const { anInstall } = createInstalls(app)
const NOT_PAID = ['incoming_payment_waiting', 'cancelled', 'funds_refunded', 'charged_back']

// one short history and one long
for (const seed of process.env.SEED ? listSeeds(1) : [7, 4])
  test(`seed ${seed}: whatever changes in between, each is paid what they earned, once`, async () => {
    const trace: string[] = []
    await live(randomFrom(seed), trace).catch((error: Error) => {
      throw new Error(`${error.message}\n${trace.join('\n')}`, { cause: error })
    })
  })

type Payee = { id: string; token: string; earned: number; byHand: number; account: string | null }

async function live(random: Random, trace: string[]) {
  const { below, between, chance, pick, shuffled } = random
  const install = await anInstall({ balance: { USD: 300 } })
  const { account, wise, services } = install
  const paypal = await standInPaypal({ clock: () => app.clock.now(), payouts: { balance: { USD: 200 } } })
  test.after(() => paypal.close())
  payBy(services, paypal)
  await connectPaypal(app, account, paypal)
  const payees: Payee[] = []
  for (const partner of [install.partner, await aPayee(app, account), await aPayee(app, account)])
    payees.push({ ...partner, earned: 0, byHand: 0, account: '123456789' })
  const payeeOf = (partnerId: string) => payees.find(({ id }) => id === partnerId)!
  const at = `/accounts/${account.id}`
  const call = (method: string, path: string, body?: object, token = account.token) =>
    app.api(method, path, { token, ...(body && { body }) })
  const payouts = async (): Promise<Payout[]> => expectOk(await call('GET', `${at}/payouts?limit=100`)).body.items
  const uploaded = new Set<string>()
  const resultsFiles: string[] = []
  let disabled = false
  let numbers = 10_000

  const acts = {
    earn: async () => {
      const payee = pick(payees)
      const amount = between(1, 90) * 50
      await bookDue(app, account, payee, amount)
      payee.earned += amount
    },
    'take back': async () => {
      const payee = pick(payees)
      const amount = between(1, 30) * 50
      await bookDue(app, account, payee, -amount)
      payee.earned -= amount
    },
    details: async () => {
      const payee = pick(payees)
      if (chance(40)) return enterDetails(payee, true)
      const [details, number] = pick([usBank, usBank, euroBank, localBank])(++numbers)
      const path = `/partners/${payee.id}/payout-settings`
      if (chance(15)) wise.fail(pick(['POST *quotes', 'POST *account-requirements']), { status: 500 })
      if (chance(10)) wise.tellForms(() => [{ type: 'pix', title: 'Pix', fields: [buildField('pixKey', 'Pix key')] }])
      const { status, body } = await call('POST', path, details, payee.token)
      wise.calm()
      wise.tellForms(null)
      trace.push(`  ${'kind' in details ? details.kind : 'us-bank'}: ${status} ${body.error?.reason ?? ''}`)
      if (status === 200) payee.account = number
      else
        assert.ok(
          body.error.reason === 'kind_not_offered' || ('kind' in details && [422, 503].includes(status)),
          JSON.stringify(body),
        )
    },
    'no details': async () => {
      const payee = pick(payees)
      await call('DELETE', `/partners/${payee.id}/payout-settings`, undefined, payee.token)
      payee.account = null
    },
    suspend: async () => {
      const state = pick(['suspended', 'active', 'active'])
      expectOk(
        await call('PUT', `/partners/${pick(payees).id}`, { state, ...(state === 'suspended' && { reason: 'Asked' }) }),
      )
    },
    year: async () => {
      const approvedPayoutYears = chance(25) ? [] : [app.clock.now().getUTCFullYear()]
      expectOk(await call('PUT', `/partners/${pick(payees).id}`, { approvedPayoutYears }))
    },
    'another profile': async () => {
      const wiseProfileId = String(pick([wise.businessId, wise.personalId]))
      expectOk(await call('PUT', `${at}/auto-payout-settings`, { wiseProfileId }))
    },
    'by hand': async () => {
      const wiseProfileId = chance(30) ? null : String(wise.businessId)
      expectOk(await call('PUT', `${at}/auto-payout-settings`, { wiseProfileId }))
    },
    approve: async () => {
      await requestRefresh(app, account)
      const ids = (await payouts()).filter(({ status }) => status === 'due' || status === 'open').map(({ id }) => id)
      if (ids.length === 0) return
      const preview = expectOk(await call('POST', `${at}/payouts/approve`, { ids, preview: true })).body
      if (chance(60)) await change()
      const { results } = expectOk(await call('POST', `${at}/payouts/approve`, { ids, preview: false })).body
      trace.push(
        `  ${preview.count} foreseen, ${JSON.stringify(results.map(({ error }: { error: unknown }) => error))}`,
      )
    },
    cancel: async () => {
      const one = await aPayout((payout) => !uploaded.has(payout.id))
      if (!one || (await findOut(one))) return
      trace.push(`  ${one.status}: ${(await call('POST', `/payouts/${one.id}/cancel`)).status}`)
    },
    'mark paid': async () => {
      const one = await aPayout((payout) => !uploaded.has(payout.id))
      if (one && !(await findOut(one))) await markPaid(one)
    },
    'find out': async () => {
      for (const one of await payouts()) await findOut(one)
    },
    retry: async () => {
      const one = await aPayout(({ status }) => status === 'failed' || status === 'awaiting-funding')
      if (one) await call('POST', `/payouts/${one.id}/retry`)
    },
    work: async () => {
      if (chance(30)) wise.fail(pick(['POST *quotes', 'POST /v1/transfers', 'POST *payments']), pick(FAULTS))
      if (chance(30)) paypal.fail(pick(['POST *payouts', 'POST *payouts', 'GET *payouts/*']), pick(FAULTS))
      for (const { id, method } of await payouts())
        if (method === 'wise' || method === 'paypal') await workOn(services, id)
      wise.calm()
      paypal.calm()
    },
    'in PayPal': async () => {
      const { payouts: there } = paypal
      const addresses = [...new Set([...there.batches.values()].map(({ item }) => item.receiver))]
      if (addresses.length === 0) return
      const address = pick(addresses)
      if (chance(30)) there.isNoMember(address)
      else if (chance(40)) there.joins(address)
      else there.refuses(address, pick(['RECEIVER_ACCOUNT_LOCKED', 'RISK_DECLINE', null, null]))
      const back = [...there.batches.values()].filter(({ item }) => item.status === 'UNCLAIMED')
      if (back.length > 0 && chance(40)) there.set(pick(back).id, 'RETURNED')
    },
    'without PayPal': async () => {
      await call('DELETE', `${at}/payout-methods/paypal`)
      if (chance(80)) await connectPaypal(app, account, paypal)
    },
    batch: async () => {
      if (chance(70)) await makeReady()
      await requestRefresh(app, account)
      const { status, body } = await call('GET', `${at}/payouts/csv?format=wise-batch`)
      if (status !== 200) return
      const rows: Record<string, string>[] = readCsv(body).rows.map((row) => ({
        ...row,
        said: chance(75) ? 'completed' : 'cancelled',
      }))
      const inFile = new Map((await payouts()).map((one) => [`PO-${one.statementNumber}`, one]))
      // uploaded at once: completed rows are beyond the owner's control
      for (const row of rows) {
        const one = inFile.get(row.paymentReference!)!
        uploaded.add(one.id)
        const recipient = wise.recipients.get(Number(row.recipientId))!.details as Record<string, string>
        assert.equal(
          recipient.accountNumber ?? recipient.IBAN,
          payeeOf(one.partnerId).account,
          'the file pays a former account',
        )
        assert.equal(Math.round(Number(row.amount) * 100), one.amount)
        if (row.said === 'completed') payeeOf(one.partnerId).byHand += one.amount
      }
      if (chance(60)) await change()
      // payouts cancelled by Wise are paid by hand before their results are applied
      const cancelled = rows.find(({ said }) => said === 'cancelled')
      const paidByHand = cancelled && chance(30) && (await markPaid(inFile.get(cancelled.paymentReference!)!))
      const named = 'status,amount,amountCurrency,recipientId,paymentReference,transferId'
      const lines = shuffled(rows).map((row) =>
        [row.said, row.amount, row.amountCurrency, row.recipientId, row.paymentReference, ++numbers].join(','),
      )
      const csv = [named, ...lines, ''].join('\n')
      await takeIn(csv, true)
      const both = await Promise.all([takeIn(csv), takeIn(csv)])
      assert.equal(both[0] + both[1], rows.length - (paidByHand ? 1 : 0), 'taken in once, each of them')
      assert.equal(await takeIn(csv), 0)
      resultsFiles.push(csv)
      for (const one of inFile.values()) uploaded.delete(one.id)
    },
    'old results': async () => {
      if (resultsFiles.length > 0) assert.equal(await takeIn(pick(resultsFiles)), 0, 'results say nothing twice')
    },
    'move on': async () => {
      const steps = { processing: 'outgoing_payment_sent', bounced_back: 'funds_refunded' } as const
      for (const { id, status } of wise.transfers.values()) {
        if (status in steps) wise.setState(id, steps[status as keyof typeof steps])
        else if (status === 'outgoing_payment_sent' && chance(20)) wise.setState(id, 'bounced_back')
      }
    },
    'top up': async () => {
      wise.topUp('USD', 100)
      paypal.payouts.topUp('USD', 100)
    },
    'switch off': async () => {
      await services.db.run`update accounts set disabled_at = now() where id = ${account.id}`
      disabled = true
      const before = JSON.stringify([...wise.transfers.values()].map(({ status }) => status))
      for (const { id } of await services.db.many<{ id: string }>`select id from payouts`) await workOn(services, id)
      assert.equal(JSON.stringify([...wise.transfers.values()].map(({ status }) => status)), before)
      await services.db.run`update accounts set disabled_at = null where id = ${account.id}`
      disabled = false
    },
    'two at once': async () => {
      const names = [pick(changes), pick(['cancel', 'mark paid', 'work', 'approve', 'retry'] as const)]
      trace.push(`  ${names.join(' and ')}`)
      await Promise.all(names.map((name) => acts[name]()))
    },
  }
  const changes = [
    'earn',
    'take back',
    'details',
    'no details',
    'suspend',
    'year',
    'another profile',
    'by hand',
    'old results',
  ] as const
  async function change() {
    const name = pick(changes)
    trace.push(`  meanwhile ${name}`)
    await acts[name]()
  }
  const aPayout = async (fits: (payout: Payout) => boolean) => {
    const found = (await payouts()).filter(fits)
    return found.length > 0 ? pick(found) : undefined
  }
  /** Enters another bank account, or another address at PayPal. */
  async function enterDetails(payee: Payee, byPaypal: boolean) {
    const accountNumber = String(++numbers)
    const email = `p${accountNumber}@paypal.example`
    const details = byPaypal ? { kind: 'paypal', email } : bankDetails({ accountNumber })
    const path = `/partners/${payee.id}/payout-settings`
    // offered while PayPal is connected
    if ((await call('POST', path, details, payee.token)).status === 200)
      payee.account = byPaypal ? email : accountNumber
  }

  /** The owner looks in PayPal whether an unsure payout was paid, and records it. */
  async function findOut({ id, status }: Payout): Promise<boolean> {
    if (status !== 'processing' && status !== 'awaiting-funding') return false
    const unsure = await services.db.maybe<{ key: string }>`
      select customer_transaction_id as key from payout_attempts
      where payout_id = ${id} and stage = 'open' and state = 'unsure'`
    if (!unsure) return false
    const isPaid = [...paypal.payouts.batches.values()].some(
      ({ item }) => item.senderItemId === unsure.key && item.isOut,
    )
    expectOk(
      await call('POST', `/payouts/${id}/${isPaid ? 'mark-paid' : 'cancel'}`, isPaid ? { reference: 'In PayPal' } : {}),
    )
    return true
  }

  /** Amounts that PayPal has paid to each, and not taken back. */
  async function paidByPaypal(): Promise<Map<Payee, number>> {
    const owners = await services.db.many<{ key: string; partnerId: string }>`
      select a.customer_transaction_id as key, o.partner_id
      from payout_attempts a join payouts o on o.id = a.payout_id where o.account_id = ${account.id}`
    const ownerOf = new Map(owners.map(({ key, partnerId }) => [key, payeeOf(partnerId)]))
    const paid = new Map<Payee, number>()
    for (const { item } of paypal.payouts.batches.values()) {
      if (!item.isOut) continue
      const payee = ownerOf.get(item.senderItemId)!
      paid.set(payee, (paid.get(payee) ?? 0) + Math.round(Number(item.value) * 100))
    }
    return paid
  }

  /** Advances some days and approves all partners: most have an amount that a file may pay. */
  async function makeReady() {
    for (const payee of payees) {
      const approvedPayoutYears = [app.clock.now().getUTCFullYear()]
      await call('PUT', `/partners/${payee.id}`, { state: 'active', approvedPayoutYears })
      await bookDue(app, account, payee, 10_00)
      payee.earned += 10_00
    }
    await services.db.run`
      update payout_settings set changed_at = changed_at - interval '4 days' where account_id = ${account.id}`
  }
  /** The owner pays it from another bank once the product has accepted that. */
  async function markPaid(one: Payout) {
    const { status, body } = await call('POST', `/payouts/${one.id}/mark-paid`, { reference: 'Wire 7' })
    if (status === 200) payeeOf(one.partnerId).byHand += body.amount
    return status === 200
  }
  /** Returns the number of payouts that the results change. */
  const takeIn = async (csv: string, dryRun = false): Promise<number> =>
    expectOk(await call('POST', `${at}/payouts/results`, { csv, dryRun })).body.applied

  async function watch() {
    assert.equal(disabled, false)
    const owners = await services.db.many<{ transferId: string; partnerId: string }>`
      select a.transfer_id, o.partner_id from payout_attempts a join payouts o on o.id = a.payout_id
      where o.account_id = ${account.id} and a.transfer_id is not null and a.method = 'wise'`
    const ownerOf = new Map(owners.map(({ transferId, partnerId }) => [transferId, payeeOf(partnerId)]))
    const byWise = new Map<Payee, number>()
    for (const transfer of wise.transfers.values()) {
      if (NOT_PAID.includes(transfer.status)) continue
      const payee = ownerOf.get(String(transfer.id))!
      byWise.set(payee, (byWise.get(payee) ?? 0) + worth(transfer))
    }
    const byPaypal = await paidByPaypal()
    for (const payee of payees) {
      const { held, due, onHold, inPayout, paid } = await getBalance(app, account, payee)
      assert.equal(held + due + onHold + inPayout + paid, payee.earned, 'what was earned')
      const really = payee.byHand + (byWise.get(payee) ?? 0) + (byPaypal.get(payee) ?? 0)
      assert.ok(really <= paid + inPayout, `${really} was paid where ${paid} is paid and ${inPayout} is being paid`)
    }
  }

  const names = Object.keys(acts) as (keyof typeof acts)[]
  const often: (keyof typeof acts)[] = ['earn', 'approve', 'work', 'batch', 'details', 'move on', 'top up']
  const bag = [
    ...names,
    ...often,
    ...often,
    'earn',
    'earn',
    'earn',
    'approve',
    'approve',
    'work',
    'work',
  ] as typeof names
  for (let step = 0; step < 40; step++) {
    const name = bag[below(bag.length)]!
    trace.push(name)
    await acts[name]()
    await watch()
  }

  trace.push('-- all is well')
  wise.topUp('USD', 100_000)
  paypal.payouts.topUp('USD', 100_000)
  await connectPaypal(app, account, paypal)
  expectOk(await call('PUT', `${at}/auto-payout-settings`, { wiseProfileId: String(wise.businessId) }))
  for (const payee of payees) {
    const approvedPayoutYears = [app.clock.now().getUTCFullYear()]
    expectOk(await call('PUT', `/partners/${payee.id}`, { state: 'active', approvedPayoutYears }))
    await enterDetails(payee, chance(50))
  }
  for (let round = 0; round < 8; round++) {
    await requestRefresh(app, account)
    for (const one of await payouts()) {
      if (one.status === 'due' || one.status === 'open') await call('POST', `/payouts/${one.id}/approve`)
      if (one.status === 'failed' || one.status === 'awaiting-funding') await call('POST', `/payouts/${one.id}/retry`)
      if (one.status === 'approved' && one.method !== 'wise' && one.method !== 'paypal') await markPaid(one)
      await workOn(services, one.id)
    }
    for (const { item } of paypal.payouts.batches.values()) {
      paypal.payouts.joins(item.receiver)
      paypal.payouts.refuses(item.receiver, null)
    }
    await acts['find out']()
    for (const { id, status } of wise.transfers.values())
      if (status === 'processing') wise.setState(id, 'outgoing_payment_sent')
      else if (status === 'bounced_back') wise.setState(id, 'funds_refunded')
    await watch()
  }
  const open = (await payouts()).filter(({ status }) => !['paid', 'sent', 'canceled', 'returned'].includes(status))
  assert.deepEqual(open, [])
  const byPaypal = await paidByPaypal()
  for (const payee of payees) {
    const { due, inPayout, paid } = await getBalance(app, account, payee)
    assert.ok(due <= 0, 'nothing is owed any more')
    let really = payee.byHand + (byPaypal.get(payee) ?? 0)
    const transfers = await services.db.many<{ transferId: string }>`
      select a.transfer_id from payout_attempts a join payouts o on o.id = a.payout_id
      where o.partner_id = ${payee.id} and a.transfer_id is not null and a.method = 'wise'`
    for (const { transferId } of transfers) {
      const transfer = wise.transfers.get(Number(transferId))!
      if (!NOT_PAID.includes(transfer.status)) really += worth(transfer)
    }
    assert.deepEqual([really, really + due], [paid + inPayout, payee.earned], 'both books say the same')
  }
  assert.deepEqual(await verifyLedger(services.db), [])
}

const usBank = (n: number) => [bankDetails({ accountNumber: String(n) }), String(n)] as const

const euroBank = (n: number) => {
  const iban = composeIBAN({ countryCode: 'DE', bban: `37040044${String(n).padStart(10, '0')}` })!
  const address = { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' }
  return [{ kind: 'iban', legalType: 'PRIVATE', name: 'Zoë Müller', iban, address }, iban] as const
}

const localBank = (n: number) => [inBrazil({ accountNumber: String(n) }), String(n)] as const

/** Returns the cents of a transfer's payout: without Wise's own fee in dollars. */
const worth = (transfer: Record<string, unknown>) =>
  Math.round(Number(transfer.targetCurrency === 'USD' ? transfer.targetValue : transfer.sourceValue) * 100)

const FAULTS = [{ status: 500, after: true }, { status: 422 }, { status: 403 }, 'reset-after', 'garbage'] as const
