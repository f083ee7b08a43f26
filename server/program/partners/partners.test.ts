import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Partner } from '#contract/partners.ts'
import { restrictedReaders } from '#contract/readers.ts'
import { anAccount, anEmail, aPartner, startApp, type TestAccount } from '../../../test/support/app.ts'
import { system } from '../../platform/author.ts'
import { servesSpread } from '../../platform/database/cluster/spread.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { compileSql, sql } from '../../platform/database/sql.ts'
import { getAccountFacts } from '../access/account-facts.ts'
import { count } from '../stats/count.ts'
import { verifyLedger } from '../stats/verify.ts'
import { deletePartner } from './delete-partner.ts'
import { partnerTable } from './queries.ts'

const app = await startApp()

const get = async (token: string, path: string) => (await app.api('GET', path, { token })).body
const put = (token: string, id: string, body: unknown) => app.api('PUT', `/partners/${id}`, { token, body })
const post = (token: string, path: string, body: unknown = {}) => app.api('POST', path, { token, body })

/** Creates partners, each below the one before. */
async function aLine(account: TestAccount, length: number) {
  const line: { id: string }[] = []
  for (let depth = 0; depth < length; depth++)
    line.push(await aPartner(app, account, { parentPartnerId: line.at(-1)?.id ?? null }))
  return line
}

test('a new partner has a code made from the name, inherits the rates and is shown as invited', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 7.5] } })
  const names = { firstName: 'Zoë', lastName: 'Ångström' }
  const first = await aPartner(app, account, names)
  assert.equal(first.referralCode, 'zoe-angstrom')
  assert.equal(first.displayName, 'Zoë Ångström')
  assert.equal(first.commissionSettings, null)
  assert.deepEqual(first.effectiveCommissionSettings, { layerRates: [20, 7.5] })
  assert.equal(first.state, 'invited')
  assert.equal(first.invitationStatus, 'pending')
  assert.deepEqual([first.balanceDue, first.stats.numberOfLeads, first.stats.salesProfit], [0, 0, 0])

  const second = await aPartner(app, account, { ...names, sendInvitation: false })
  assert.equal(second.referralCode, 'zoe-angstrom-2')
  assert.equal(second.invitationStatus, null)
  const nameless = await aPartner(app, account, { firstName: null, lastName: null, email: 'secret.name@mail.example' })
  assert.equal(nameless.displayName, 'secret.name')
  assert.doesNotMatch(nameless.referralCode, /secret/)
  const reserved = await aPartner(app, account, { firstName: 'Admin', lastName: null })
  assert.equal(reserved.referralCode, 'admin-2')
  const spelled = {
    'Łukasz Wałęsa': 'lukasz-walesa',
    'Jörg Weiß': 'jorg-weiss',
    'Søren Ærø': 'soren-aero',
    'Đorđe Đokić': 'dorde-dokic',
    'İlker Işık': 'ilker-isik',
    'Þóra Œuvre': 'thora-oeuvre',
    李小龍: 'partner',
  }
  for (const [name, code] of Object.entries(spelled)) {
    const [firstName, lastName = null] = name.split(' ')
    assert.equal((await aPartner(app, account, { firstName, lastName })).referralCode.replace(/-\d+$/, ''), code)
  }
})

test('one call creates many partners, each with its own result', async () => {
  const account = await anAccount(app)
  const known = await aPartner(app, account)
  const [first, second] = [anEmail(), anEmail()]
  const partners = [
    { firstName: 'Ada', email: first },
    { email: known.email },
    { email: 'no address' },
    'nobody',
    { email: first.toUpperCase() },
    { email: second, commissionSettings: { layerRates: [30] }, sendInvitation: false },
  ]
  const path = `/accounts/${account.id}/partners/bulk`
  const { status, body } = await post(account.token, path, { partners })
  assert.equal(status, 200)
  type Added = { status: number; id: string | null; error: { code: string } | null; invitationUrl: string | null }
  const added: Added[] = body.results
  assert.deepEqual(
    added.map((row) => [row.status, row.error?.code]),
    [
      [201, undefined],
      [409, 'duplicate'],
      [422, 'validation_failed'],
      [422, 'validation_failed'],
      [409, 'duplicate'],
      [201, undefined],
    ],
  )
  assert.match(added[0]!.invitationUrl!, /\/user-setup#token=/)
  assert.equal(added[5]!.invitationUrl, null)
  const { items } = await get(account.token, `/accounts/${account.id}/partners?sort=createdAt`)
  assert.deepEqual(
    items.map(({ email }: { email: string }) => email),
    [known.email, first, second],
  )

  const quiet = await post(account.token, path, { partners: [{ email: anEmail() }], sendInvitation: false })
  assert.equal((await get(account.token, `/partners/${quiet.body.results[0].id}`)).invitationStatus, null)
  assert.equal((await post(account.token, path, { partners: [] })).status, 422)
  assert.equal((await post(account.token, path, { partners: Array(101).fill({ email: first }) })).status, 422)
})

test('one call creates a hundred partners with every possible field', async () => {
  const account = await anAccount(app)
  const partners = Array.from({ length: 100 }, (_, at) => ({
    email: anEmail(),
    firstName: 'Jane',
    lastName: 'Whitfield',
    referralCode: `jane-${at}-of-many`,
    note: 'Met at the fair',
    commissionSettings: { layerRates: Array(10).fill(5) },
    parentPartnerId: null,
    sendInvitation: true,
  }))
  const { status, body } = await post(account.token, `/accounts/${account.id}/partners/bulk`, { partners })
  assert.equal(status, 200)
  assert.deepEqual([...new Set(body.results.map((row: { status: number }) => row.status))], [201])
})

test('an existing e-mail, code or alias is refused in its field', async () => {
  const account = await anAccount(app)
  const one = await aPartner(app, account, { referralCode: 'Harbor-One' })
  assert.equal(one.referralCode, 'harbor-one')
  const sameEmail = await post(account.token, `/accounts/${account.id}/partners`, { email: one.email.toUpperCase() })
  assert.equal(sameEmail.status, 409)
  assert.equal(sameEmail.body.error.code, 'duplicate')
  assert.ok(sameEmail.body.error.fields.email)
  assert.equal(sameEmail.body.error.details.partnerId, one.id)

  assert.equal((await put(account.token, one.id, { referralCode: 'harbor-two' })).body.referralCode, 'harbor-two')
  for (const referralCode of ['harbor-one', 'HARBOR-TWO']) {
    const taken = await post(account.token, `/accounts/${account.id}/partners`, { email: anEmail(), referralCode })
    assert.equal(taken.status, 409, referralCode)
    assert.ok(taken.body.error.fields.referralCode)
  }
  const back = await put(account.token, one.id, { referralCode: 'harbor-one' })
  assert.deepEqual([back.status, back.body.referralCode], [200, 'harbor-one'])
  const other = await anAccount(app)
  assert.equal((await aPartner(app, other, { referralCode: 'harbor-one' })).referralCode, 'harbor-one')
})

test('partners created concurrently with one e-mail become one, and codes never collide', async () => {
  const account = await anAccount(app)
  const email = anEmail()
  const same = await Promise.all(
    Array.from({ length: 4 }, () => post(account.token, `/accounts/${account.id}/partners`, { email })),
  )
  assert.deepEqual(same.map(({ status }) => status).sort(), [201, 409, 409, 409])
  const named = await Promise.all(Array.from({ length: 6 }, () => aPartner(app, account, { firstName: 'Ida' })))
  assert.equal(new Set(named.map((partner) => partner.referralCode)).size, 6)
  assert.equal((await get(account.token, `/accounts/${account.id}/partners?limit=1`)).total, 7)
})

test('a parent is refused if unknown, of another account, below the partner, or too deep', async () => {
  const account = await anAccount(app)
  const line = await aLine(account, 10)
  const foreign = await aPartner(app, await anAccount(app))
  const refusals = [
    await put(account.token, line[0]!.id, { parentPartnerId: line[4]!.id }),
    await put(account.token, line[0]!.id, { parentPartnerId: line[0]!.id }),
    await put(account.token, line[0]!.id, { parentPartnerId: foreign.id }),
    await put(account.token, line[0]!.id, { parentPartnerId: 'no-such-partner' }),
    await post(account.token, `/accounts/${account.id}/partners`, {
      email: anEmail(),
      parentPartnerId: line[9]!.id,
    }),
    await post(account.token, `/partners/${line[9]!.id}/partners`, { email: anEmail() }),
  ]
  for (const { status, body } of refusals) {
    assert.equal(status, 422)
    assert.ok(body.error.fields.parentPartnerId)
  }
  const unknown = refusals[3]!.body.error.fields.parentPartnerId
  assert.equal(refusals[2]!.body.error.fields.parentPartnerId, unknown)
  const top = await aPartner(app, account)
  assert.equal((await put(account.token, line[1]!.id, { parentPartnerId: top.id })).status, 200)
  assert.equal((await put(account.token, top.id, { parentPartnerId: line[0]!.id })).status, 422)
  const above = await aPartner(app, account)
  await aPartner(app, account, { parentPartnerId: above.id })
  assert.equal((await put(account.token, above.id, { parentPartnerId: line[8]!.id })).status, 422)
  assert.equal((await put(account.token, above.id, { parentPartnerId: line[7]!.id })).status, 200)
})

test('concurrent moves never create a circle', async () => {
  const account = await anAccount(app)
  const partners = await Promise.all(Array.from({ length: 5 }, () => aPartner(app, account)))
  for (let round = 0; round < 6; round++) {
    await Promise.all(
      partners.map((partner, index) =>
        put(account.token, partner.id, { parentPartnerId: partners[(index + 1 + (round % 4)) % 5]!.id }),
      ),
    )
    const { items } = await get(account.token, `/accounts/${account.id}/partners`)
    const parents = new Map<string, string | null>(
      items.map((row: { id: string; parentPartnerId: string | null }) => [row.id, row.parentPartnerId]),
    )
    for (const id of parents.keys()) {
      const seen = new Set<string>()
      for (let at: string | null | undefined = id; at; at = parents.get(at)) {
        assert.ok(!seen.has(at), 'a circle')
        seen.add(at)
      }
    }
    for (const { id, stats } of items) {
      const below = items.filter((row: { parentPartnerId: string }) => row.parentPartnerId === id).length
      assert.equal(stats.numberOfPartners, below)
    }
  }
  assert.equal((await get(account.token, `/accounts/${account.id}/partners`)).total, 5)
})

test('a move also moves the number of partners, on the day the partner was created', async () => {
  const account = await anAccount(app)
  const [left, right] = [await aPartner(app, account), await aPartner(app, account)]
  const child = await aPartner(app, account, { parentPartnerId: left.id })
  const of = async (id: string) => (await get(account.token, `/partners/${id}`)).stats.numberOfPartners
  assert.deepEqual([await of(left.id), await of(right.id)], [1, 0])
  await put(account.token, child.id, { parentPartnerId: right.id })
  assert.deepEqual([await of(left.id), await of(right.id)], [0, 1])
  await put(account.token, child.id, { parentPartnerId: null })
  assert.deepEqual([await of(left.id), await of(right.id)], [0, 0])
  const rows = await app.services.db.many`
    select sum(partners)::int as partners from day_stats where account_id = ${account.id} and partner_id = ${NIL}`
  assert.deepEqual(rows, [{ partners: 3 }])
})

test('rates, approval and tax form are set, removed and audited', async () => {
  const account = await anAccount(app)
  const { id } = await aPartner(app, account)
  const year = new Date().getUTCFullYear()
  const set = await put(account.token, id, {
    commissionSettings: { layerRates: [12.3456, 1] },
    approvedPayoutYears: [year, 2024, year],
    taxForm: { kind: 'w-9', receivedOn: '2026-01-31' },
  })
  assert.deepEqual(set.body.commissionSettings, { layerRates: [12.3456, 1] })
  assert.deepEqual(set.body.approvedPayoutYears, [2024, year])
  assert.equal(set.body.approvedForPayouts, true)
  assert.deepEqual(set.body.taxForm, { kind: 'w-9', receivedOn: '2026-01-31', source: 'owner', tinLast4: null })
  const emptied = await put(account.token, id, { commissionSettings: null, taxForm: null, approvedPayoutYears: [] })
  assert.deepEqual(emptied.body.commissionSettings, null)
  assert.deepEqual(emptied.body.effectiveCommissionSettings, { layerRates: [0] })
  assert.deepEqual([emptied.body.taxForm, emptied.body.approvedForPayouts], [null, false])
  assert.equal((await put(account.token, id, {})).status, 200)
  for (const [field, value] of [
    ['state', 'archived'],
    ['state', 'invited'],
    ['approvedPayoutYears', ['2026']],
    ['approvedPayoutYears', [26]],
    ['email', null],
    ['taxForm', { kind: 'w-9', receivedOn: '2026-02-30' }],
    ['accountId', account.id],
  ] as const)
    assert.equal((await put(account.token, id, { [field]: value })).status, 422, field)
  const rows = await app.services.db.many<{ changes: Record<string, unknown> }>`
    select changes from audit where subject_id = ${id} and action = 'partner.updated' order by id`
  assert.deepEqual(Object.keys(rows[0]!.changes).sort(), ['approvedPayoutYears', 'commissionSettings', 'taxForm'])
  assert.equal(rows.length, 2)
})

test('state goes from active to suspended and back, and back from archived', async () => {
  const account = await anAccount(app)
  const invited = await aPartner(app, account)
  await put(account.token, invited.id, { state: 'suspended' })
  assert.equal((await put(account.token, invited.id, { state: 'active' })).body.state, 'invited')
  const { id } = await aPartner(app, account, {}, { signIn: true })
  assert.equal((await get(account.token, `/partners/${id}`)).state, 'active')
  assert.equal((await put(account.token, id, { state: 'suspended', reason: 'odd clicks' })).body.state, 'suspended')
  assert.equal((await put(account.token, id, { state: 'active' })).body.state, 'active')
  assert.equal((await post(account.token, `/partners/${id}/archive`)).body.state, 'archived')
  assert.equal((await post(account.token, `/partners/${id}/archive`)).status, 409)
  assert.equal((await put(account.token, id, { state: 'suspended' })).status, 409)
  assert.equal((await put(account.token, id, { state: 'active' })).body.state, 'active')
})

test('archiving moves sub-partners up or keeps them, and voids the open balance with a reason', async () => {
  const account = await anAccount(app)
  const [top, middle, leaf] = await aLine(account, 3)
  const adjusted = await post(account.token, `/partners/${middle!.id}/adjustments`, {
    amount: 12_50,
    reason: 'welcome',
  })
  const { saleId, layer, rate, kind, status, amount } = adjusted.body
  assert.deepEqual([saleId, layer, rate, kind, status, amount], [null, null, null, 'adjustment', 'due', 12_50])
  const open = await get(account.token, `/partners/${middle!.id}`)
  assert.deepEqual([open.balanceDue, open.stats.salesRevenueShare], [12_50, 0])
  const noReason = await post(account.token, `/partners/${middle!.id}/archive`, { balance: 'void' })
  assert.equal(noReason.status, 422)
  assert.ok(noReason.body.error.fields.reason)
  const archived = await post(account.token, `/partners/${middle!.id}/archive`, { balance: 'void', reason: 'left us' })
  assert.equal(archived.status, 200)
  assert.deepEqual([archived.body.balanceDue, archived.body.stats.numberOfPartners], [0, 0])
  assert.equal((await get(account.token, `/partners/${leaf!.id}`)).parentPartnerId, top!.id)
  assert.equal((await get(account.token, `/partners/${top!.id}`)).stats.numberOfPartners, 2)
  const entries = await app.services.db.many<{ amount: number }>`
    select amount from commission_entries where partner_id = ${middle!.id} order by created_at, id`
  assert.deepEqual(
    entries.map(({ amount }) => amount),
    [12_50, -12_50],
  )
  await post(account.token, `/partners/${top!.id}/archive`, { subPartners: 'keep' })
  assert.equal((await get(account.token, `/partners/${leaf!.id}`)).parentPartnerId, top!.id)
})

test('a partner with a history cannot be deleted, one without can', async () => {
  const account = await anAccount(app)
  const [parent, child] = await aLine(account, 2)
  await post(account.token, `/accounts/${account.id}/leads`, { email: anEmail(), partnerId: parent!.id })
  const refused = await app.api('DELETE', `/partners/${parent!.id}`, { token: account.token })
  assert.equal(refused.status, 409)
  assert.equal(refused.body.error.code, 'in_use')
  const { leads, sales, payouts, subPartners } = refused.body.error.details
  assert.deepEqual({ leads, sales, payouts, subPartners }, { leads: 1, sales: 0, payouts: 0, subPartners: 1 })

  await app.services.db.run`
    insert into clicks (id, account_id, partner_id, day, source, at)
    values (gen_random_uuid(), ${account.id}, ${child!.id}, '2026-01-01', 'embed', now())`
  assert.equal((await app.api('DELETE', `/partners/${child!.id}`, { token: account.token })).status, 204)
  assert.equal((await app.api('GET', `/partners/${child!.id}`, { token: account.token })).status, 404)
  assert.equal((await get(account.token, `/partners/${parent!.id}`)).stats.numberOfPartners, 0)
  assert.equal((await get(account.token, `/accounts/${account.id}/stats`)).numberOfPartners, 1)
})

test('sales of a deleted partner’s former sub-partner are corrected without them', async () => {
  const account = await anAccount(app)
  const [parent, child] = await aLine(account, 2)
  const rules = [{ when: { firstPayments: 1 }, layerRates: [30] }]
  const terms = { rules, otherwise: { layerRates: [10, 5] } }
  await app.api('PUT', `/accounts/${account.id}/terms`, { token: account.token, body: { terms } })
  const lead = await post(account.token, `/accounts/${account.id}/leads`, { email: anEmail(), partnerId: child!.id })
  const sell = (saleDate: string) => post(account.token, `/leads/${lead.body.id}/sales`, { amount: 100_00, saleDate })
  const first = await sell('2026-03-02')
  await put(account.token, child!.id, { parentPartnerId: null })
  assert.equal((await app.api('DELETE', `/partners/${parent!.id}`, { token: account.token })).status, 204)
  // this earlier sale is the customer's first now, so that the other pays a second layer
  assert.equal((await sell('2026-02-02')).status, 201)
  const { items } = await get(account.token, `/sales/${first.body.id}/commissions`)
  const amounts = items.map(({ partnerId, amount }: { partnerId: string; amount: number }) => [partnerId, amount])
  assert.deepEqual(
    amounts.toSorted((a: [string, number], b: [string, number]) => b[1] - a[1]),
    [
      [child!.id, 30_00],
      [child!.id, -20_00],
    ],
  )
  const ofSale = (await verifyLedger(app.services.db)).filter(({ subject }) => subject.includes(first.body.id))
  assert.deepEqual(ofSale, [])
})

test('deleting a partner who never had sub-partners does not search the account’s sales', async (t) => {
  if (await servesSpread(app.services.db)) return t.skip('a cluster explains no statement of a transaction that wrote')
  const account = await anAccount(app)
  const [seller, idle] = [await aPartner(app, account), await aPartner(app, account)]
  const lead = await post(account.token, `/accounts/${account.id}/leads`, { email: anEmail(), partnerId: seller.id })
  await post(account.token, `/leads/${lead.body.id}/sales`, { amount: 100_00 })
  const facts = (await getAccountFacts(app.services.db, [account.id])).get(account.id)!
  await transaction(app.services.db, async (tx) => {
    let plan = ''
    const run: typeof tx.run = async (parts, ...values) => {
      if (parts[0]?.includes('update sales')) {
        const { text, values: given } = compileSql(sql(parts, ...values))
        const { rows } = await tx.client.query({ text: `explain (analyze) ${text}`, values: given, rowMode: 'array' })
        plan = rows.join('\n')
      }
      return tx.run(parts, ...values)
    }
    await deletePartner({ ...tx, run }, system, facts, idle.id)
    assert.match(plan, /Scan.* on sales.*never executed/)
  })
})

test('the list is filtered, searched, sorted and counted', async () => {
  const account = await anAccount(app)
  const ada = await aPartner(app, account, { firstName: 'Ada', lastName: 'Stone', email: 'zz-ada@quarry.example' })
  const bea = await aPartner(app, account, { firstName: 'bea', lastName: null, parentPartnerId: ada.id })
  const cy = await aPartner(app, account, { firstName: null, lastName: null, email: 'cy@quarry.example' })
  await put(account.token, bea.id, { state: 'suspended' })
  await put(account.token, cy.id, { approvedPayoutYears: [new Date().getUTCFullYear()] })
  await transaction(app.services.db, (tx) =>
    count(tx, [{ accountId: account.id, day: '2026-01-01', partnerId: bea.id, revenue: 5_00 }]),
  )
  const found = async (query: string) => {
    const { items, total } = await get(account.token, `/accounts/${account.id}/partners?${query}`)
    assert.equal(total, items.length)
    return items.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await found(''), [cy.id, bea.id, ada.id])
  assert.deepEqual(await found('sort=name'), [ada.id, bea.id, cy.id])
  assert.deepEqual(await found('sort=-salesRevenue').then((ids) => ids[0]), bea.id)
  assert.deepEqual(await found('state=suspended'), [bea.id])
  assert.deepEqual(await found('state=invited,active'), [cy.id, ada.id])
  assert.deepEqual(await found('approved=true'), [cy.id])
  assert.deepEqual(await found('approved=false'), [bea.id, ada.id])
  assert.deepEqual(await found(`parentPartnerId=${ada.id}`), [bea.id])
  assert.deepEqual(await found('parentPartnerId=none'), [cy.id, ada.id])
  assert.deepEqual(await found('search=QUARRY'), [cy.id, ada.id])
  assert.deepEqual(await found('search=ada%20st'), [ada.id])
  assert.deepEqual(await found(`search=${bea.referralCode}`), [bea.id])
  assert.deepEqual(await found('search=%25'), [])
  assert.equal(
    (await app.api('GET', `/accounts/${account.id}/partners?sort=email`, { token: account.token })).status,
    422,
  )
})

test('a partner reads their own record and a reduced version of those below, but no others', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10, 5] } })
  const me = await aPartner(app, account, {}, { signIn: true })
  const child = await aPartner(app, account, {
    parentPartnerId: me.id,
    email: 'sam.secret@hidden.example',
    firstName: null,
    lastName: null,
  })
  const grandchild = await aPartner(app, account, { parentPartnerId: child.id })
  const stranger = await aPartner(app, account)
  await put(account.token, me.id, { taxForm: { kind: 'w-9', receivedOn: '2026-01-31' } })

  const self = await get(me.token, `/partners/${me.id}`)
  assert.equal(self.email, me.email)
  assert.equal(self.taxForm, null)
  assert.deepEqual(self.effectiveCommissionSettings, { layerRates: [10, 5] })
  assert.deepEqual([self.balanceDue, self.stats.salesProfit, self.stats.salesRevenue], [0, null, 0])

  const reduced = await get(me.token, `/partners/${child.id}`)
  assert.equal(reduced.email, 's•••@hidden.example')
  assert.equal(reduced.displayName, 's•••')
  for (const field of [
    'commissionSettings',
    'effectiveCommissionSettings',
    'approvedPayoutYears',
    'approvedForPayouts',
    'balanceDue',
    'taxForm',
  ])
    assert.equal(reduced[field], null, field)
  assert.deepEqual(
    [reduced.stats.salesRevenue, reduced.stats.salesProfit, reduced.stats.salesRevenueShare],
    [null, null, 0],
  )
  assert.equal((await get(me.token, `/partners/${grandchild.id}`)).id, grandchild.id)
  for (const id of [stranger.id, (await aPartner(app, await anAccount(app))).id])
    assert.equal((await app.api('GET', `/partners/${id}`, { token: me.token })).status, 404)
  assert.equal((await app.api('GET', `/accounts/${account.id}/partners`, { token: me.token })).status, 403)
})

test('only the owner reads and writes the note, and no event contains it', async () => {
  const account = await anAccount(app, { invitationsFromPartners: true })
  const WORDS = 'Wavers; ask twice.'
  const hides = (what: string, answer: unknown) => assert.doesNotMatch(JSON.stringify(answer), /Wavers|"note"/, what)

  const me = await aPartner(app, account, { note: WORDS }, { signIn: true })
  const made = await post(account.token, `/partners/${me.id}/partners`, { email: anEmail(), note: WORDS })
  assert.deepEqual([made.status, made.body.note], [201, WORDS])
  const child = made.body
  assert.equal((await get(account.token, `/partners/${me.id}`)).note, WORDS)
  const all = await get(account.token, `/accounts/${account.id}/partners`)
  assert.deepEqual(
    all.items.map((partner: { note: string }) => partner.note),
    [WORDS, WORDS],
  )
  assert.equal((await get(account.token, `/accounts/${account.id}/partners?search=Wavers`)).items.length, 0)

  hides('the partner', await get(me.token, `/partners/${me.id}`))
  hides('the parent', await get(me.token, `/partners/${child.id}`))
  hides("the parent's list", await get(me.token, `/partners/${me.id}/partners`))
  for (const path of [`/partners/${me.id}`, `/accounts/${account.id}/partners`])
    hides('an administrator', await app.api('GET', path, { token: account.admin }))

  const byPartner = await post(me.token, `/partners/${me.id}/partners`, { email: anEmail(), note: 'mine' })
  assert.deepEqual([byPartner.status, Object.keys(byPartner.body.error.fields)], [422, ['note']])
  const invited = await post(me.token, `/partners/${me.id}/partners`, { email: anEmail() })
  assert.equal(invited.status, 201)
  hides('whoever invited', invited.body)
  const corrected = await put(me.token, invited.body.id, { note: 'mine' })
  assert.deepEqual([corrected.status, Object.keys(corrected.body.error.fields)], [422, ['note']])
  const tooLong = await put(account.token, me.id, { note: 'x'.repeat(2001) })
  assert.deepEqual([tooLong.status, Object.keys(tooLong.body.error.fields)], [422, ['note']])

  assert.equal((await put(account.token, me.id, { note: `${WORDS} Twice.` })).body.note, `${WORDS} Twice.`)
  assert.equal((await put(account.token, me.id, { firstName: 'Ida', note: '' })).body.note, null)
  const events = await app.services.db.many<{ type: string; kind: string }>`
    select type, kind, data from events where account_id = ${account.id} and type like 'partner.%' order by id`
  hides('an event', events)
  hides('what is told', await app.services.db.many`select data from told_events where account_id = ${account.id}`)
  const changed = events.filter(({ type }) => type === 'partner.noted' || type === 'partner.updated')
  assert.deepEqual(changed.map(({ type, kind }) => `${type} ${kind}`).toSorted(), [
    'partner.noted recorded',
    'partner.noted recorded',
    'partner.updated public',
  ])
})

test('no partner gets fields that the contract reserves for the owner', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10, 5] } })
  const me = await aPartner(app, account, { note: 'secret', earlierCodes: ['Old_2'] }, { signIn: true })
  const hidden = { parentPartnerId: me.id, note: 'secret', externalId: 'u-2', language: 'de', earlierCodes: ['Old_1'] }
  const child = await aPartner(app, account, hidden, { signIn: true })
  await post(account.token, `/accounts/${account.id}/agreement`, { text: 'Be kind.' })
  assert.equal((await post(child.token, `/partners/${child.id}/acceptances`, { version: 1 })).status, 201)
  const year = new Date().getUTCFullYear()
  const secret = {
    taxForm: { kind: 'w-9', receivedOn: '2026-01-31' },
    payoutMethod: 'manual',
    approvedPayoutYears: [year],
    commissionSettings: { layerRates: [30] },
  }
  for (const { id } of [me, child]) assert.equal((await put(account.token, id, secret)).status, 200)
  const { fields } = restrictedReaders.get(Partner)!
  const asOwner = await get(account.token, `/partners/${child.id}`)
  const [listed] = (await get(me.token, `/partners/${me.id}/partners`)).items
  const answers = [
    ['partner', await get(me.token, `/partners/${me.id}`)],
    ['ancestor', await get(me.token, `/partners/${child.id}`)],
    ['ancestor', listed],
  ] as const
  for (const [reader, answer] of answers)
    for (const [field, readers] of Object.entries(fields)) {
      if (readers.includes(reader)) continue
      assert.ok(asOwner[field] != null, `${field} has something to withhold`)
      assert.ok(answer[field] == null, `${field} leaves to the ${reader}`)
    }
})

test('a partner can neither search nor sort by hidden fields of sub-partners', async () => {
  const account = await anAccount(app)
  const me = await aPartner(app, account, {}, { signIn: true })
  const child = await aPartner(app, account, { parentPartnerId: me.id, email: 'tell-tale@hidden.example' })
  const list = (query: string) => app.api('GET', `/partners/${me.id}/partners?${query}`, { token: me.token })
  assert.deepEqual(
    (await list('')).body.items.map((row: { id: string }) => row.id),
    [child.id],
  )
  assert.equal((await list('search=tell-tale')).body.total, 0)
  assert.equal((await list('search=pia')).body.total, 1)
  assert.equal((await list('approved=true')).status, 422)
  assert.equal((await list('sort=salesRevenue')).status, 422)
  assert.equal((await list('sort=-name')).body.items.length, 1)
  assert.doesNotMatch(JSON.stringify((await list('')).body), /tell-tale/)
})

test('a partner invites if the account allows it, and can correct names and e-mail until acceptance', async () => {
  const account = await anAccount(app)
  const me = await aPartner(app, account, {}, { signIn: true })
  const invite = (body: object) => post(me.token, `/partners/${me.id}/partners`, body)
  assert.equal((await invite({ email: anEmail() })).status, 403)
  await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { invitationsFromPartners: true } })
  const rates = await invite({ email: anEmail(), commissionSettings: { layerRates: [50] }, referralCode: 'mine-alone' })
  assert.equal(rates.status, 422)
  assert.deepEqual(Object.keys(rates.body.error.fields).sort(), ['commissionSettings', 'referralCode'])
  assert.equal((await invite({ email: anEmail(), parentPartnerId: me.id })).status, 422)

  const email = anEmail('new')
  const made = await invite({ email, firstName: 'Lou' })
  assert.equal(made.status, 201)
  assert.equal(made.body.email, email)
  assert.equal(made.body.parentPartnerId, me.id)
  assert.equal(made.body.effectiveCommissionSettings, null)
  const taken = await invite({ email })
  assert.equal(taken.status, 409)
  assert.equal(taken.body.error.details.partnerId, undefined)

  const next = anEmail('next')
  const corrected = await put(me.token, made.body.id, { firstName: 'Lu', email: next })
  assert.deepEqual([corrected.status, corrected.body.firstName, corrected.body.email], [200, 'Lu', next])
  assert.equal((await put(me.token, made.body.id, { referralCode: 'mine-alone' })).status, 422)
  const own = await put(me.token, me.id, { firstName: 'Me' })
  assert.deepEqual([own.status, own.body.error.code], [403, 'forbidden'])
  const invited = await aPartner(app, account, { parentPartnerId: me.id })
  assert.equal((await put(me.token, invited.id, { firstName: 'No' })).status, 403)

  await app.services.db.run`
    insert into user_roles (user_id, type, account_id, partner_id, created_at)
    select user_id, 'partner', account_id, partner_id, now() from invitations where partner_id = ${made.body.id}`
  assert.equal((await put(me.token, made.body.id, { firstName: 'Late' })).status, 403)
  assert.match((await get(me.token, `/partners/${made.body.id}`)).email, /^n•••@/)
})

test('only the owner sets earlier codes; each belongs to one partner, whose own code is none', async () => {
  const account = await anAccount(app)
  const me = await aPartner(
    app,
    account,
    { referralCode: 'me-1', earlierCodes: [' Me_1 ', 'me_1', 'x y'] },
    { signIn: true },
  )
  const other = await aPartner(app, account, { referralCode: 'other-1' })
  const codesOf = async (id: string) => (await get(account.token, `/partners/${id}`)).earlierCodes.toSorted()
  assert.deepEqual(await codesOf(me.id), ['me_1', 'x y'])
  assert.equal((await put(me.token, me.id, { earlierCodes: ['mine'] })).status, 403)
  for (const taken of ['ME_1', 'me-1']) {
    const refused = await put(account.token, other.id, { earlierCodes: ['free', taken] })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [409, ['earlierCodes']])
  }
  assert.deepEqual(await codesOf(other.id), [], 'a refused change takes no code')
  for (const wrong of [[''], ['a,b'], ['admin'], ['x'.repeat(101)], Array(31).fill('x')])
    assert.equal((await put(account.token, other.id, { earlierCodes: wrong })).status, 422)
  assert.equal((await put(account.token, me.id, { referralCode: 'me-2', earlierCodes: ['me-2', 'x y'] })).status, 200)
  assert.deepEqual(await codesOf(me.id), ['me-1', 'x y'])
  assert.equal((await put(account.token, other.id, { earlierCodes: ['me_1'] })).status, 200, 'given up')
})

test('each change of a partner sends an event', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  await put(account.token, partner.id, { lastName: 'Changed' })
  await app.api('DELETE', `/partners/${partner.id}`, { token: account.token })
  const events = await app.services.db.many<{
    type: string
    data: { object: { id: string; email: string }; changes?: object }
  }>`
    select type, data from told_events where account_id = ${account.id} and type like 'partner.%' order by id`
  assert.deepEqual(
    events.map(({ type }) => type),
    ['partner.created', 'partner.updated', 'partner.deleted'],
  )
  assert.ok(events.every(({ data }) => data.object.id === partner.id && data.object.email === partner.email))
  assert.deepEqual(events[1]!.data.changes, { lastName: { old: 'Tern', new: 'Changed' } })
})

test('fields without a column do not compile; the others are written', async () => {
  const account = await anAccount(app)
  const { id } = await aPartner(app, account)
  const second = { id: newId(), accountId: account.id, email: anEmail(), referralCode: 'fox', createdOn: '2026-01-31' }
  await transaction(app.services.db, async (tx) => {
    // @ts-expect-error: a field of a change that no column takes
    await partnerTable.update(tx, { accountId: account.id, id }, { firstName: 'Ida', nickname: 'Fox' })
    const state = { approvedPayoutYears: [], storedState: 'active' as const, keepInGroup: false }
    // @ts-expect-error: likewise of a new partner
    await partnerTable.insert(tx, { ...second, ...state, nickname: 'Fox' })
  })
  const changed = await get(account.token, `/partners/${id}`)
  assert.deepEqual([changed.firstName, changed.lastName], ['Ida', 'Tern'])
  const added = await get(account.token, `/partners/${second.id}`)
  assert.deepEqual([added.email, added.firstName, added.createdAt], [second.email, null, added.updatedAt])
})
