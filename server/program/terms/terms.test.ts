import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aBlueprint } from '../../../test/support/links.ts'

const app = await startApp()

const paying = (...layerRates: number[]) => ({
  rules: [],
  otherwise: { layerRates },
  maxPerCustomer: null,
  maxPerMonth: null,
})

const call = async (account: TestAccount, method: string, path: string, body?: object) => {
  const answer = await app.api(method, path, { token: account.token, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

test('an account’s terms begin with its rates, and every change is a version', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const path = `/accounts/${account.id}/terms`
  const first = await call(account, 'GET', path)
  assert.deepEqual([first.own, first.version, first.inForce.source], [paying(10), 2, 'account'])
  const note = 'Agreed with Elena'
  const second = await call(account, 'PUT', path, {
    terms: { otherwise: { layerRates: [20, 5] } },
    appliesTo: 'new-customers',
    note,
    replaces: 2,
  })
  assert.deepEqual(
    [second.own, second.version, second.appliesTo, second.note],
    [paying(20, 5), 3, 'new-customers', note],
  )
  assert.equal(second.savedBy, 'Nora Wind')
  // no customer was referred before
  assert.equal(second.olderCustomersDiffer, false)
  const shown = await call(account, 'GET', `/accounts/${account.id}`)
  assert.deepEqual(shown.defaultCommissionSettings, { layerRates: [20, 5] })

  const late = await app.api('PUT', path, { token: account.token, body: { terms: paying(30), replaces: 2 } })
  assert.deepEqual(
    [late.status, late.body.error.reason, late.body.error.details],
    [409, 'terms_changed_meanwhile', { version: 3 }],
  )
  const none = await app.api('PUT', path, { token: account.token, body: { terms: null } })
  assert.deepEqual([none.status, Object.keys(none.body.error.fields)], [422, ['terms']])
  const { items } = await call(account, 'GET', `${path}/history`)
  assert.deepEqual(
    items.map((one: { version: number; terms: object; appliesTo: string }) => [one.version, one.terms, one.appliesTo]),
    [
      [3, paying(20, 5), 'new-customers'],
      [2, paying(10), 'all-sales'],
      [1, paying(0), 'all-sales'],
    ],
  )
  const { items: audit } = await call(account, 'GET', `/accounts/${account.id}/audit?action=terms`)
  assert.deepEqual([audit.length, audit[0].action, audit[0].changes.terms.new], [1, 'terms.saved', paying(20, 5)])
})

test('a change may use the former name of Notify Partners, but not both', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const save = (body: object) =>
    app.api('PUT', `/accounts/${account.id}/terms`, { token: account.token, body: { terms: paying(20), ...body } })
  const both = await save({ tellPartners: true, notifyPartners: false })
  assert.deepEqual([both.status, both.body.error.fields], [422, { tellPartners: 'Send only notifyPartners' }])
  assert.equal((await save({ tellPartners: true })).status, 200)
  const saved = await app.services.db.many<{ notified: boolean }>`
    select tell_partners as notified from terms_log where account_id = ${account.id} order by number`
  assert.deepEqual(saved.map(({ notified }) => notified).slice(-1), [true])
})

test('a partner reads the terms in force; older customers keep theirs and the screen says so', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, recurringMonths: 12 })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, {
    partnerId: partner.id,
    email: 'old@buyer.example',
  })
  await call(account, 'PUT', `/accounts/${account.id}/terms`, { terms: paying(40), appliesTo: 'new-customers' })
  const path = `/partners/${partner.id}/terms`
  const read = await app.api('GET', path, { token: partner.token })
  assert.deepEqual(read.body, {
    ...{ own: null, version: null, appliesTo: null, savedAt: null, savedBy: null, note: null },
    inForce: {
      ...{ source: 'account', sourceId: account.id, sourceName: 'Northwind', version: 3 },
      terms: paying(40),
      recurringMonths: 12,
    },
    olderCustomersDiffer: true,
  })
  assert.equal((await app.api('PUT', path, { token: partner.token, body: { terms: paying(100) } })).status, 403)
  assert.equal((await app.api('GET', `${path}/history`, { token: partner.token })).status, 403)

  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
  const entries = await call(account, 'GET', `/sales/${sale.id}/commissions`)
  assert.equal(entries.items[0].amount, 10_00, 'the customer came before the change')
  const next = await call(account, 'POST', `/accounts/${account.id}/leads`, {
    partnerId: partner.id,
    email: 'new@buyer.example',
  })
  const renewed = await call(account, 'POST', `/leads/${next.id}/sales`, { amount: 100_00 })
  assert.equal((await call(account, 'GET', `/sales/${renewed.id}/commissions`)).items[0].amount, 40_00)
})

test('a link’s and a partner’s own terms come before the account’s, and null takes them away', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const link = await aBlueprint(app, account)
  const partner = await aPartner(app, account)
  for (const [path, source] of [
    [`/link-blueprints/${link.id}/terms`, 'link'],
    [`/partners/${partner.id}/terms`, 'partner'],
  ] as const) {
    const before = await call(account, 'GET', path)
    assert.deepEqual([before.own, before.version, before.inForce.source], [null, 0, 'account'])
    const own = await call(account, 'PUT', path, { terms: paying(30) })
    assert.deepEqual([own.own, own.version, own.inForce.source], [paying(30), 1, source])
    const again = await call(account, 'PUT', path, { terms: paying(30), appliesTo: 'new-customers' })
    assert.equal(again.version, 1, 'nothing changed')
    const gone = await call(account, 'PUT', path, { terms: null })
    assert.deepEqual([gone.own, gone.version, gone.inForce.source], [null, 2, 'account'])
  }
})

/** Rates written through `commissionSettings`, by every subject that has them. */
const writers = [
  {
    kind: 'account',
    make: (account: TestAccount) => `/accounts/${account.id}`,
    method: 'PATCH',
    field: 'defaultCommissionSettings',
  },
  {
    kind: 'partner',
    make: async (account: TestAccount) => `/partners/${(await aPartner(app, account)).id}`,
    method: 'PUT',
    field: 'commissionSettings',
  },
  {
    kind: 'link',
    make: async (account: TestAccount) => `/link-blueprints/${(await aBlueprint(app, account)).id}`,
    method: 'PUT',
    field: 'commissionSettings',
  },
] as const

const proRule = { name: 'Pro', when: { products: ['prod_pro'] }, layerRates: [50] }

for (const { kind, make, method, field } of writers) {
  test(`percentages equal to those shown replace rules, amounts, caps and a narrower reach of the ${kind}’s terms`, async () => {
    const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
    const path = await make(account)
    for (const { terms, appliesTo } of [
      { terms: { otherwise: { layerAmounts: [50_00] } }, appliesTo: 'all-sales' },
      { terms: { rules: [proRule], otherwise: { layerRates: [20] } }, appliesTo: 'all-sales' },
      { terms: { otherwise: { layerRates: [20] }, maxPerCustomer: 5_00 }, appliesTo: 'all-sales' },
      { terms: { otherwise: { layerRates: [20] }, maxPerMonth: 5_00 }, appliesTo: 'all-sales' },
      { terms: { otherwise: { layerRates: [30, 5] } }, appliesTo: 'new-customers' },
    ]) {
      const saved = await call(account, 'PUT', `${path}/terms`, { terms, appliesTo })
      const { [field]: shown } = await call(account, 'GET', path)
      const written = await call(account, method, path, { [field]: shown })
      assert.deepEqual(written[field], shown)
      const after = await call(account, 'GET', `${path}/terms`)
      assert.deepEqual(
        [after.own, after.version, after.appliesTo],
        [paying(...shown.layerRates), saved.version + 1, 'all-sales'],
      )
      const { items } = await call(account, 'GET', `/accounts/${account.id}/audit?action=terms`)
      assert.deepEqual(
        [items[0].changes.version, items[0].changes.terms.new],
        [{ old: saved.version, new: saved.version + 1 }, after.own],
        'the activity has what the percentages don’t show',
      )
      await call(account, method, path, { [field]: shown })
      assert.equal((await call(account, 'GET', `${path}/terms`)).version, after.version, 'equal terms are no version')
      const again = await call(account, 'GET', `/accounts/${account.id}/audit?action=terms`)
      assert.equal(again.items.length, items.length)
    }
  })

  test(`a change that leaves the percentages out keeps the ${kind}’s terms`, async () => {
    const account = await anAccount(app)
    const path = await make(account)
    const terms = { rules: [proRule], otherwise: { layerRates: [20] }, maxPerCustomer: 5_00 }
    const { version } = await call(account, 'PUT', `${path}/terms`, { terms, appliesTo: 'new-customers' })
    await call(account, method, path, kind === 'partner' ? { firstName: 'Renamed' } : { name: 'Renamed' })
    assert.equal((await call(account, 'GET', `${path}/terms`)).version, version)
  })
}

/** Returns the referrer's commission for a sale of 100.00. */
async function paidFor(account: TestAccount, leadId: string, more = {}) {
  const sale = await call(account, 'POST', `/leads/${leadId}/sales`, { amount: 100_00, ...more })
  const { items } = await call(account, 'GET', `/sales/${sale.id}/commissions`)
  return items.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
}

test('an owner who writes the percentages they see is paid for by nothing else from then on', async () => {
  const account = await anAccount(app, { payoutDelay: 0 })
  const partner = await aPartner(app, account)
  const { id: old } = await call(account, 'POST', `/accounts/${account.id}/leads`, {
    partnerId: partner.id,
    email: 'old@buyer.example',
  })
  const save = (of: string, terms: object | null, appliesTo = 'all-sales') =>
    call(account, 'PUT', `${of}/terms`, { terms, appliesTo })
  const ofAccount = `/accounts/${account.id}`
  const ofPartner = `/partners/${partner.id}`
  const rates = (...layerRates: number[]) => ({ defaultCommissionSettings: { layerRates } })

  await save(ofAccount, { otherwise: { layerAmounts: [50_00] } })
  assert.equal(await paidFor(account, old), 50_00)
  await call(account, 'PATCH', ofAccount, rates(0))
  assert.equal(await paidFor(account, old), 0, 'a flat amount')

  await save(ofAccount, { rules: [proRule], otherwise: { layerRates: [20] } })
  const pro = { lines: [{ productId: 'prod_pro', amount: 100_00 }] }
  assert.equal(await paidFor(account, old, pro), 50_00)
  await call(account, 'PATCH', ofAccount, rates(20))
  assert.equal(await paidFor(account, old, pro), 20_00, 'a rule')

  await save(ofAccount, { otherwise: { layerRates: [20] }, maxPerCustomer: 5_00 })
  await call(account, 'PATCH', ofAccount, rates(20))
  assert.equal(await paidFor(account, old), 20_00, 'a cap')

  await call(account, 'PATCH', ofAccount, rates(10))
  await save(ofAccount, { otherwise: { layerRates: [30] } }, 'new-customers')
  assert.equal(await paidFor(account, old), 10_00)
  await call(account, 'PATCH', ofAccount, rates(30))
  assert.equal(await paidFor(account, old), 30_00, 'a narrower reach')

  await call(account, 'PATCH', ofAccount, rates(10))
  await save(ofPartner, { otherwise: { layerRates: [40] } })
  await save(ofPartner, null, 'new-customers')
  assert.equal(await paidFor(account, old), 40_00)
  await call(account, 'PUT', ofPartner, { commissionSettings: null })
  assert.equal(await paidFor(account, old), 10_00, 'own terms taken away from new customers alone')
})
