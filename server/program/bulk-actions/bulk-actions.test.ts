import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BulkAction } from '#contract/bulk-actions.ts'
import { noFraudRules } from '#contract/fraud.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { aPayee, aPayout, bookDue } from '../../../test/support/payouts.ts'
import { aEuroAccount, aEuroPayee } from '../../../test/support/sepa.ts'
import type { Traces } from '../../platform/database/declare-tables.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { leadTraces, partnerTraces } from '../privacy/erase.ts'
import { emptyPage, listErasureSteps } from '../privacy/steps.ts'
import { cancelBulkAction } from './bulk-actions.ts'
import { runBulkAction } from './run-bulk-action.ts'

const app = await startApp()
const { services } = app
const MINUTE = 60_000

const begin = async (account: TestAccount, body: object): Promise<BulkAction> =>
  expectOk(await app.api('POST', `/accounts/${account.id}/bulk-actions`, { token: account.token, body })).body
const read = async (account: TestAccount, { id }: { id: string }): Promise<BulkAction> =>
  expectOk(await app.api('GET', `/accounts/${account.id}/bulk-actions/${id}`, { token: account.token })).body
const run = ({ accountId, id }: BulkAction) => runBulkAction(services, { accountId, bulkActionId: id })
const stateOf = async (account: TestAccount, { id }: { id: string }) =>
  expectOk(await app.api('GET', `/partners/${id}`, { token: account.token })).body.state

const post = async (account: TestAccount, path: string, body: object) =>
  expectOk(await app.api('POST', path, { token: account.token, body })).body
const get = async (account: TestAccount, path: string) =>
  expectOk(await app.api('GET', path, { token: account.token })).body
const aLead = (account: TestAccount, body: object = {}) =>
  post(account, `/accounts/${account.id}/leads`, { email: anEmail(), ...body })
type Lead = { id: string }
const reasonsOf = ({ refusals }: BulkAction) => refusals.map(({ id, error }) => [id, error.reason])

async function does(account: TestAccount, body: object) {
  const begun = await begin(account, body)
  await run(begun)
  return read(account, begun)
}

test('suspends many, tells by name who was refused, and is undone for the others', async () => {
  const account = await anAccount(app)
  const [one, two, gone] = [
    await aPartner(app, account),
    await aPartner(app, account),
    await aPartner(app, account, { firstName: 'Ada', lastName: 'Gone' }),
  ]
  expectOk(await app.api('POST', `/partners/${gone.id}/archive`, { token: account.token, body: {} }))
  const foreign = await aPartner(app, await anAccount(app))
  const ids = [one.id, gone.id, foreign.id, two.id, one.id]

  const ended = await does(account, { action: 'suspend-partners', ids, reason: 'Audit' })
  assert.deepEqual([ended.state, ended.total, ended.done, ended.refused], ['done', 4, 2, 2])
  assert.deepEqual(
    ended.refusals.map(({ id, name, error }) => [id, name, error.reason]),
    [
      [gone.id, 'Ada Gone', 'partner_is_archived'],
      [foreign.id, null, 'not_found'],
    ],
  )
  assert.deepEqual([await stateOf(account, one), await stateOf(account, two)], ['suspended', 'suspended'])
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/audit?action=partner.updated`, { token: account.token }),
  ).body
  assert.ok(items.every(({ actor }: { actor: { type: string } }) => actor.type === 'user'))

  await does(account, { action: 'activate-partners', ids: [one.id, two.id] })
  assert.deepEqual([await stateOf(account, one), await stateOf(account, two)], ['invited', 'invited'])
})

test('invites and reminds, and tells what an owner has to pass on by hand', async () => {
  const account = await anAccount(app)
  const [joined, invited] = [await aPartner(app, account, {}, { signIn: true }), await aPartner(app, account)]

  app.clock.advance(2 * MINUTE)
  const invitations = await does(account, { action: 'invite-partners', ids: [joined.id, invited.id] })
  assert.deepEqual(
    [invitations.done, invitations.links, invitations.unsent, invitations.refusals.map(({ id }) => id)],
    [1, 1, 0, [joined.id]],
  )
  app.clock.advance(2 * MINUTE)
  const reminders = await does(account, { action: 'remind-partners', ids: [joined.id, invited.id] })
  assert.deepEqual([reminders.done + reminders.refused, reminders.unsent], [2, reminders.done])
  const again = await does(account, { action: 'remind-partners', ids: [joined.id] })
  assert.equal(again.refusals[0]?.error.reason, 'reminded_this_week')
})

test('takes each once when two processes run it, and goes on after the process died', async () => {
  const account = await anAccount(app)
  const partners = []
  for (let at = 0; at < 6; at++) partners.push(await aPartner(app, account))
  const begun = await begin(account, { action: 'suspend-partners', ids: partners.map(({ id }) => id) })
  await Promise.all([run(begun), run(begun)])
  await run(begun)
  const { done, refused, state } = await read(account, begun)
  assert.deepEqual([done, refused, state], [6, 0, 'done'])
  const { total } = expectOk(
    await app.api('GET', `/accounts/${account.id}/audit?action=partner.updated`, { token: account.token }),
  ).body
  assert.equal(total, 6)
})

test('stops when canceled or when the account is disabled; what was done stays', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const body = { action: 'suspend-partners', ids: [partner.id] }
  const cancel = (begun: BulkAction) =>
    app.api('POST', `/accounts/${account.id}/bulk-actions/${begun.id}/cancel`, { token: account.token })

  const canceled = await begin(account, body)
  assert.equal(expectOk(await cancel(canceled)).body.state, 'canceled')
  await run(canceled)
  assert.equal(await stateOf(account, partner), 'invited')
  assert.equal((await cancel(canceled)).body.error.reason, 'bulk_action_ended')

  const stopped = await begin(account, body)
  await services.db.run`update accounts set disabled_at = now() where id = ${account.id}`
  await run(stopped)
  await services.db.run`update accounts set disabled_at = null where id = ${account.id}`
  assert.equal((await read(account, stopped)).state, 'canceled')
  assert.equal(await stateOf(account, partner), 'invited')
})

test('is another account’s own, and refuses a list that is too long', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const partner = await aPartner(app, account)
  const begun = await begin(account, { action: 'suspend-partners', ids: [partner.id] })
  const at = `/accounts/${other.id}/bulk-actions/${begun.id}`
  assert.equal((await app.api('GET', at, { token: other.token })).status, 404)
  assert.equal((await app.api('POST', `${at}/cancel`, { token: other.token })).status, 404)
  await assert.rejects(transaction(services.db, (tx) => cancelBulkAction(tx, { account: other } as never, begun.id)))
  const ids = Array.from({ length: 1001 }, () => newId())
  const { status, body } = await app.api('POST', `/accounts/${account.id}/bulk-actions`, {
    token: account.token,
    body: { action: 'suspend-partners', ids },
  })
  assert.deepEqual([status, body.error.fields.ids], [422, 'Choose at most 1000'])
})

test('changes the status of many leads as the call for one judges each, with its reason and notes', async () => {
  const account = await anAccount(app)
  const [fresh, lost, gone, erased] = [
    await aLead(account, { firstName: 'Ada' }),
    await aLead(account),
    await aLead(account),
    await aLead(account),
  ]
  await post(account, `/leads/${lost.id}/status`, { status: 'lost', reason: 'spam' })
  const begun = await begin(account, {
    action: 'change-lead-status',
    ids: [fresh, lost, gone, erased].map(({ id }) => id),
    change: { status: 'rejected', reason: 'not-a-fit', note: 'Too small', sharedNote: 'Thank you' },
  })
  expectOk(await app.api('DELETE', `/leads/${gone.id}`, { token: account.token }))
  await services.db.run`update leads set erased_at = now() where id = ${erased.id}`
  await run(begun)
  const ended = await read(account, begun)
  assert.deepEqual(
    [ended.done, reasonsOf(ended)],
    [
      1,
      [
        [lost.id, 'lead_status_not_next'],
        [gone.id, 'not_found'],
        [erased.id, 'erased'],
      ],
    ],
  )
  const changed = await get(account, `/leads/${fresh.id}`)
  assert.deepEqual([changed.status, changed.statusReason, changed.sharedNote], ['rejected', 'not-a-fit', 'Thank you'])
  const { items } = await get(account, `/accounts/${account.id}/audit?action=lead.status-changed`)
  assert.deepEqual(new Set(items.map(({ actor }: { actor: { type: string } }) => actor.type)), new Set(['user']))
})

test('assigns many leads to a partner with their earlier sales, and adds a note to many', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account)
  const [one, two] = [await aLead(account), await aLead(account)]
  await post(account, `/leads/${one.id}/sales`, { amount: 50_00 })
  const ids = [one.id, two.id]
  const assigned = await does(account, {
    action: 'reassign-leads',
    ids,
    change: { partnerId: partner.id, reason: 'Her region', creditEarlierSales: true },
  })
  assert.deepEqual([assigned.done, assigned.refused], [2, 0])
  const { stats } = await get(account, `/partners/${partner.id}`)
  assert.deepEqual([stats.numberOfLeads, stats.salesRevenueShare], [2, 10_00])

  const noted = await does(account, { action: 'add-lead-note', ids, change: { text: 'Call in May', shared: true } })
  assert.equal(noted.done, 2)
  const { items } = await get(account, `/leads/${two.id}/events`)
  assert.ok(items.some(({ text }: { text: string }) => text === 'Call in May'))

  const unknown = await does(account, {
    action: 'reassign-leads',
    ids,
    change: { partnerId: (await aPartner(app, await anAccount(app))).id, reason: 'x' },
  })
  assert.deepEqual(reasonsOf(unknown), [
    [one.id, 'unknown_partner_in_account'],
    [two.id, 'unknown_partner_in_account'],
  ])
})

test('credits many sales, each to the partner of its own lead or to the one chosen for the others', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const [jane, sam] = [await aPartner(app, account), await aPartner(app, account)]
  const likely = await post(account, `/accounts/${account.id}/leads`, { partnerId: jane.id, email: 'a@b.example' })
  const sales: { id: string }[] = []
  for (const amount of [50_00, 30_00, 10_00])
    sales.push(await post(account, `/leads/${(await aLead(account)).id}/sales`, { amount }))
  const [one, two, gone] = sales as [Lead, Lead, Lead]
  await post(account, `/sales/${gone.id}/void`, { reason: 'Twice' })
  const ids = [one, two, gone].map(({ id }) => id)
  const action = {
    ...{ action: 'attribute-sales', ids, change: { partnerId: sam.id, reason: 'Same mailbox' } },
    sales: [{ id: one.id, leadId: likely.id }],
  }
  const ended = await does(account, action)
  assert.deepEqual([ended.done, reasonsOf(ended)], [2, [[gone.id, 'sale_is_void']]])
  const credited = await Promise.all(ids.map(async (id) => (await get(account, `/sales/${id}`)).partnerId))
  assert.deepEqual(credited, [jane.id, sam.id, null])
  const refused = await app.api('POST', `/accounts/${account.id}/bulk-actions`, {
    token: account.token,
    body: { ...action, change: { reason: 'Same mailbox' } },
  })
  assert.deepEqual(refused.body.error.fields, { 'change.partnerId': 'Choose a partner for the sales without a lead' })
})

test('releases many cases and voids the sales of many, with one reason for all', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/fraud-rules`, {
      token: account.token,
      body: { ...noFraudRules, disposableMail: { action: 'hold' } },
    }),
  )
  const partner = await aPartner(app, account)
  const sales: Lead[] = []
  for (const email of ['a@mailinator.com', 'b@mailinator.com', 'c@mailinator.com']) {
    const lead = await post(account, `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
    sales.push(await post(account, `/leads/${lead.id}/sales`, { amount: 50_00 }))
  }
  const { items } = await get(account, `/accounts/${account.id}/cases`)
  const caseOf = ({ id }: Lead) => items.find(({ saleId }: { saleId: string }) => saleId === id).id as string
  const [one, two, three] = sales.map(caseOf) as [string, string, string]
  const change = { reason: 'Known to us' }
  const shown = (id: string, heldAmount: number) => ({ id, heldSales: 1, heldAmount })
  // what a case holds by now was never shown
  for (const action of ['release-cases', 'void-cases']) {
    const unseen = await does(account, {
      action,
      ids: [one, two],
      change,
      cases: [shown(one, 9_00), shown(two, 11_00)],
    })
    assert.deepEqual(reasonsOf(unseen), [
      [one, 'case_changed'],
      [two, 'case_changed'],
    ])
  }
  const cases = [shown(one, 10_00), shown(two, 10_00)]
  const released = await does(account, { action: 'release-cases', ids: [one, two], change, cases })
  assert.deepEqual([released.done, released.refused], [2, 0])
  const voided = await does(account, { action: 'void-cases', ids: [two, three, newId()], change })
  assert.deepEqual([voided.done, voided.refused], [1, 2])
  const statuses = await Promise.all(sales.map(async ({ id }) => (await get(account, `/sales/${id}`)).status))
  assert.deepEqual(statuses, ['completed', 'completed', 'void'])
  const decided = await get(account, `/accounts/${account.id}/cases?state=decided`)
  assert.deepEqual(new Set(decided.items.map(({ reason }: { reason: string }) => reason)), new Set(['Known to us']))
})

test('a release waits for its delay: canceled until then it has done nothing, and afterwards it is done once', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/fraud-rules`, {
      token: account.token,
      body: { ...noFraudRules, disposableMail: { action: 'hold' } },
    }),
  )
  const partner = await aPartner(app, account)
  for (const email of ['d@mailinator.com', 'e@mailinator.com']) {
    const lead = await post(account, `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
    await post(account, `/leads/${lead.id}/sales`, { amount: 50_00 })
  }
  const openIds = async () =>
    (await get(account, `/accounts/${account.id}/cases`)).items.map(({ id }: { id: string }) => id).sort()
  const ids = await openIds()
  const body = { action: 'release-cases', ids, change: { reason: 'Known to us' }, delaySeconds: 10 }
  const cancel = (action: BulkAction) =>
    app.api('POST', `/accounts/${account.id}/bulk-actions/${action.id}/cancel`, { token: account.token, body: {} })

  const undone = await begin(account, body)
  await run(undone)
  app.clock.advance(9_000)
  await run(undone)
  assert.deepEqual(await openIds(), ids)
  const canceled = expectOk(await cancel(undone)).body
  assert.deepEqual([canceled.state, canceled.done], ['canceled', 0])
  app.clock.advance(MINUTE)
  await run(undone)
  assert.deepEqual(await openIds(), ids)

  const kept = await begin(account, body)
  // a second one in its delay finds nothing left
  const again = await begin(account, body)
  app.clock.advance(10_000)
  await Promise.all([run(kept), run(kept)])
  await run(again)
  assert.deepEqual(await openIds(), [])
  assert.deepEqual(
    [await read(account, kept), await read(account, again)].map(({ state, done, refused }) => [state, done, refused]),
    [
      ['done', 2, 0],
      ['done', 0, 2],
    ],
  )
  assert.equal((await cancel(kept)).body.error.reason, 'bulk_action_ended')
  const { items } = await get(account, `/accounts/${account.id}/audit?action=case.decided`)
  assert.equal(items.length, 2)
})

test('credits the earlier sales of many leads only as they were shown', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account)
  const leads = [await aLead(account), await aLead(account), await aLead(account), await aLead(account)]
  const [one, grown, late, none] = leads as [Lead, Lead, Lead, Lead]
  for (const [{ id }, amount] of [
    [one, 50_00],
    [one, 10_00],
    [grown, 30_00],
  ] as const)
    await post(account, `/leads/${id}/sales`, { amount })
  const ids = leads.map(({ id }) => id)
  const shown = await post(account, `/accounts/${account.id}/earlier-sales`, { ids: [...ids, account.id] })
  const before = [
    { id: one.id, sales: { count: 2, amount: 60_00 } },
    { id: grown.id, sales: { count: 1, amount: 30_00 } },
  ]
  assert.deepEqual(shown, { leads: before, sales: { count: 3, amount: 90_00 } })
  for (const { id } of [grown, late]) await post(account, `/leads/${id}/sales`, { amount: 7_00 })
  const change = { partnerId: partner.id, reason: 'Her region', creditEarlierSales: true }
  const action = { action: 'reassign-leads', ids, change, leads: shown.leads }
  const ended = await does(account, action)
  assert.deepEqual(reasonsOf(ended), [
    [grown.id, 'earlier_sales_changed'],
    [late.id, 'earlier_sales_changed'],
  ])
  const { stats } = await get(account, `/partners/${partner.id}`)
  assert.deepEqual([stats.numberOfLeads, stats.salesRevenueShare], [2, 12_00])
  assert.equal((await get(account, `/leads/${none.id}`)).partnerId, partner.id)
  const wrong = { ...action, ids: [one.id] }
  const refused = await app.api('POST', `/accounts/${account.id}/bulk-actions`, { token: account.token, body: wrong })
  assert.deepEqual(refused.body.error.fields, { leads: 'Send only leads that are in ids' })
})

test('marks many payouts as paid, each with its own reference or the common one, and never another amount', async () => {
  const account = await anAccount(app)
  const partners = [await aPayee(app, account), await aPayee(app, account), await aPayee(app, account)]
  const [one, two, grown] = [
    await aPayout(app, account, partners[0]!, 40_00),
    await aPayout(app, account, partners[1]!, 30_00),
    await aPayout(app, account, partners[2]!, 20_00),
  ]
  const ids = [one.id, two.id, grown.id]
  await bookDue(app, account, partners[2]!, 5_00)
  const ended = await does(account, {
    ...{ action: 'mark-payouts-paid', ids, change: { reference: 'Run 7', paidAt: '2026-01-31' } },
    payouts: [
      { id: two.id, reference: 'Wire 12', amount: 30_00 },
      { id: grown.id, amount: 20_00, payAmount: 20_00 },
    ],
  })
  assert.deepEqual([ended.done, reasonsOf(ended)], [2, [[grown.id, 'payout_changed']]])
  const shown = await Promise.all(ids.map((id) => get(account, `/payouts/${id}`)))
  assert.deepEqual(
    shown.map(({ status, externalReference, paidOn }) => [status, externalReference, paidOn]),
    [
      ['paid', 'Run 7', '2026-01-31'],
      ['paid', 'Wire 12', '2026-01-31'],
      [grown.status, null, null],
    ],
  )
  assert.match(ended.refusals[0]!.name!, /^PO-/)

  const foreign = await app.api('POST', `/accounts/${account.id}/bulk-actions`, {
    token: account.token,
    body: { action: 'mark-payouts-paid', ids: [one.id], change: { reference: 'x' }, payouts: [{ id: two.id }] },
  })
  assert.deepEqual([foreign.status, foreign.body.error.fields], [422, { payouts: 'Send only payouts that are in ids' }])
})

test('of payouts in a payment file each says whether the file paid it, and one that does not is refused', async () => {
  const account = await aEuroAccount(app)
  const payouts = []
  for (const amount of [10_00, 20_00, 30_00, 40_00])
    payouts.push(await aPayout(app, account, await aEuroPayee(app, account), amount))
  const ids = payouts.map(({ id }) => id)
  const [silent, paid, removed, due] = ids as [string, string, string, string]
  const filed = { method: 'sepa', ids: [silent, paid, removed] }
  expectOk(await app.api('POST', `/accounts/${account.id}/payment-files`, { token: account.token, body: filed }))
  const ended = await does(account, {
    ...{ action: 'mark-payouts-paid', ids, change: { reference: 'Run 9' } },
    payouts: [
      { id: paid, inFile: 'paid' },
      { id: removed, inFile: 'removed' },
    ],
  })
  assert.deepEqual([ended.done, reasonsOf(ended)], [3, [[silent, 'payout_in_payment_file']]])
  const shown = await Promise.all(ids.map((id) => get(account, `/payouts/${id}`)))
  assert.deepEqual(
    shown.map(({ status, method, externalReference }) => [status, method, externalReference]),
    [
      ['approved', 'sepa', null],
      ['paid', 'sepa', `PO-${payouts[1]!.statementNumber}`],
      ['paid', 'manual', 'Run 9'],
      ['paid', 'manual', 'Run 9'],
    ],
  )
  const again = await does(account, {
    ...{ action: 'mark-payouts-paid', ids: [silent, due], change: { reference: 'Run 9', inFile: 'paid' } },
  })
  assert.deepEqual([again.done, reasonsOf(again)], [1, [[due, 'payout_not_markable']]])
})

test('an action on payouts with amounts of their own runs, however their ids are written', async () => {
  const account = await anAccount(app)
  const { id } = await aPayout(app, account, await aPayee(app, account), 40_00)
  const written = id.toUpperCase()
  const marked = await does(account, {
    ...{ action: 'mark-payouts-paid', ids: [written, 'unknown'], change: { reference: 'Run 7' } },
    payouts: [{ id: written, reference: 'Wire 12' }, { id: 'unknown' }],
  })
  assert.deepEqual([marked.state, marked.done, marked.refused], ['done', 1, 1])
  assert.equal((await get(account, `/payouts/${id}`)).externalReference, 'Wire 12')
})

test('payouts marked as paid today are so on the day that was today for the person, even if their turn comes later', async () => {
  const account = await anAccount(app, { timeZone: 'UTC' })
  const { id } = await aPayout(app, account, await aPayee(app, account), 10_00)
  const begun = await begin(account, { action: 'mark-payouts-paid', ids: [id], change: { reference: 'Run 8' } })
  const today = app.clock.now().toISOString().slice(0, 10)
  app.clock.advance(24 * 60 * MINUTE)
  await run(begun)
  assert.equal(await services.db.value<string>`select paid_on from payouts where id = ${id}`, today)
})

test('moves many partners to a group, and saves the next version of their terms', async () => {
  const account = await anAccount(app)
  const partners = [await aPartner(app, account), await aPartner(app, account)]
  const group = await post(account, `/accounts/${account.id}/groups`, { name: 'Gold' })
  const ids = partners.map(({ id }) => id)
  await does(account, { action: 'move-partners', ids, change: { groupId: group.id, appliesTo: 'new-customers' } })
  const terms = { otherwise: { layerRates: [25, 5] } }
  const saved = await does(account, { action: 'change-partner-terms', ids, change: { terms, note: 'Spring' } })
  assert.deepEqual([saved.done, saved.refused], [2, 0])
  for (const id of ids) {
    const { groupName, commissionSettings } = await get(account, `/partners/${id}`)
    assert.deepEqual([groupName, commissionSettings], ['Gold', { layerRates: [25, 5] }])
    const { version, note, savedBy } = await get(account, `/partners/${id}/terms`)
    assert.deepEqual([version, note, savedBy === null], [1, 'Spring', false])
  }
})

test('a call sent twice with one key starts one action', async () => {
  const account = await anAccount(app)
  const body = { action: 'add-lead-note', ids: [(await aLead(account)).id], change: { text: 'Once' } }
  const sent = () =>
    app.api('POST', `/accounts/${account.id}/bulk-actions`, {
      ...{ token: account.token, body, headers: { 'idempotency-key': 'many-1' } },
    })
  const [first, second] = [await sent(), await sent()]
  assert.deepEqual([first.status, first.body.id], [202, second.body.id])
  await Promise.all([run(first.body), run(second.body)])
  const notes = await services.db.value<number>`
    select count(*) from events where account_id = ${account.id} and type = 'lead.noted'`
  assert.equal(notes, 1)
})

test('a person who loses the right meanwhile does nothing more', async () => {
  const account = await anAccount(app)
  const lead = await aLead(account)
  const begun = await begin(account, { action: 'change-lead-status', ids: [lead.id], change: { status: 'qualified' } })
  await services.db.run`update user_roles set type = 'account-finance' where account_id = ${account.id}`
  await run(begun)
  await services.db.run`update user_roles set type = 'account-owner' where account_id = ${account.id}`
  assert.equal((await read(account, begun)).state, 'canceled')
  assert.equal((await get(account, `/leads/${lead.id}`)).status, 'new')
})

test('each wrong setting is refused at the start, and each action needs its own right', async () => {
  const account = await anAccount(app)
  const lead = await aLead(account)
  const start = async (body: object) => {
    const refused = await app.api('POST', `/accounts/${account.id}/bulk-actions`, {
      token: account.token,
      body: { ids: [lead.id], ...body },
    })
    assert.equal(refused.status, 422)
    return refused.body.error.fields
  }
  assert.deepEqual(await start({ action: 'change-lead-status', change: { status: 'lost' } }), {
    'change.reason': 'Choose a reason',
  })
  assert.deepEqual(await start({ action: 'change-lead-status' }), { change: 'Change is required' })
  assert.deepEqual(await start({ action: 'add-lead-note', change: { text: '' } }), { 'change.text': 'Enter a value' })
  assert.match((await start({ action: 'delete-leads' })).action, /^Use invite-partners, .*void-cases$/)
  await services.db.run`update user_roles set type = 'account-finance' where account_id = ${account.id}`
  for (const [action, change] of [
    ['change-lead-status', { status: 'qualified' }],
    ['change-partner-terms', { terms: null }],
  ]) {
    const { body } = await app.api('POST', `/accounts/${account.id}/bulk-actions`, {
      ...{ token: account.token, body: { action, ids: [lead.id], change } },
    })
    assert.equal(body.error.reason, 'role_not_allowed')
  }
})

test('the settings and refusals of an ended action are emptied with an erased lead, and with its partner', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const lead = await aLead(account, { firstName: 'Ada' })
  const change = { partnerId: partner.id, reason: 'Ada knows her' }
  const given = await does(account, { action: 'reassign-leads', ids: [lead.id], change })
  const noted = await does(account, { action: 'add-lead-note', ids: [lead.id], change: { text: 'Likes tea' } })
  const stored = () => services.db.many<{ id: string; parameters: object | null }>`
    select id, parameters from bulk_actions where account_id = ${account.id} order by id`
  const { db } = services
  const facts = await readAccountFacts(db, account.id)
  const empty = async (traces: Traces) => {
    for (const step of listErasureSteps(traces).filter(({ table }) => table === 'bulk_actions'))
      await transaction(db, (tx) => emptyPage(tx, traces, step, null))
  }
  await empty(await partnerTraces(db, facts, partner.id))
  assert.deepEqual(await stored(), [
    { id: given.id, parameters: null },
    { id: noted.id, parameters: { change: { text: 'Likes tea' } } },
  ])
  await empty(await leadTraces(db, facts, lead.id))
  assert.deepEqual(
    (await stored()).map(({ parameters }) => parameters),
    [null, null],
  )
})

test('an action that is no object is told so', async () => {
  const account = await anAccount(app)
  const readRefusal = async (body: unknown) =>
    (await app.api('POST', `/accounts/${account.id}/bulk-actions`, { token: account.token, body })).body.error
  assert.match((await readRefusal([[[]]])).message, /Send an object/)
  assert.match((await readRefusal({ action: 'sing' })).fields.action, /^Use invite-partners, /)
})
