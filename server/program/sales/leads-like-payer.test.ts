import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCaller } from '../../../test/support/api.ts'
import { anAccount, aPartner, startApp } from '../../../test/support/app.ts'
import { aConnectedShop } from '../../../test/support/leads.ts'
import { pagesRead } from '../../../test/support/plans.ts'
import { newId } from '../../platform/database/ids.ts'
import { leadsLikePayers } from '../leads/similar-leads.ts'
import { leadsOfPayers } from './leads-like-payer.ts'

const app = await startApp()
const { db } = app.services

async function aSellingAccount() {
  const account = await anAccount(app)
  const { get, post } = createCaller(app, account.token)
  const partner = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield' }, { signIn: true })
  const shop = await aConnectedShop(db, account.id)
  const aLead = (fields: object, partnerId: string | null = partner.id) =>
    post(`/accounts/${account.id}/leads`, { partnerId, ...fields })
  /** A payment that matched no lead with a partner. */
  async function aSale(fields: { email?: string; customer?: string; leadId?: string; saleDate?: string } = {}) {
    const id = newId()
    const { email = null, customer = null, leadId = null, saleDate = db.now.toISOString().slice(0, 10) } = fields
    await db.run`
      insert into sales (id, account_id, lead_id, provider, shop_id, external_id, customer_id, payer_email, amount, gross_amount,
        currency, account_currency, sale_date, created_at)
      values (${id}, ${account.id}, ${leadId}, 'stripe', ${shop}, ${`pi_${id.slice(-8)}`}, ${customer}, ${email}, 100, 100, 'usd', 'usd',
        ${saleDate}, ${db.now})`
    return id
  }
  type Found = { items: { id: string; reasons: string[]; referredLater: boolean; partnerName: string }[] }
  const like = async (sale: string): Promise<Found['items']> => (await get(`/sales/${sale}/similar-leads`)).items
  const reasons = async (sale: string) => (await like(sale)).map(({ id, reasons }) => [id, ...reasons])
  return { account, partner, shop, aLead, aSale, like, reasons, get, post }
}

test('leads are listed by the strongest reason, in the order in which payments are matched', async () => {
  const { account, shop, aLead, aSale, like, reasons } = await aSellingAccount()
  const sameDomain = await aLead({ email: 'sam@acme.example', firstName: 'Sam' })
  const tagged = await aLead({ email: 'lena+trial@acme.example' })
  const same = await aLead({ email: 'lena@acme.example', firstName: 'Lena' })
  const external = await aLead({ externalId: 'cus_Lena' })
  const customer = await aLead({ email: 'boss@other.example' })
  await db.run`
    insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
    values (${account.id}, ${shop}, 'cus_Lena', ${customer.id}, ${db.now})`
  await aLead({ email: 'len@acme.example.org' })
  await aLead({ email: 'nobody@acme.example' }, null)
  const sale = await aSale({ email: 'lena@acme.example', customer: 'cus_Lena' })
  assert.deepEqual(await reasons(sale), [
    [customer.id, 'customer'],
    [external.id, 'external-id'],
    [same.id, 'email'],
    [tagged.id, 'mailbox'],
    [sameDomain.id, 'domain'],
  ])
  const [first] = await like(sale)
  assert.deepEqual(first, {
    id: customer.id,
    displayName: 'boss',
    email: 'boss@other.example',
    partnerId: customer.partnerId,
    partnerName: 'Jane Whitfield',
    status: 'new',
    reasons: ['customer'],
    referredLater: false,
    createdAt: customer.createdAt,
  })
  // the other way round: the payer has a tag, the lead has none
  const other = await aSale({ email: 'lena+billing@acme.example' })
  assert.deepEqual(new Set((await reasons(other)).slice(0, 2).map(([id]) => id)), new Set([tagged.id, same.id]))
})

test('people of a public mail provider are not taken for colleagues', async () => {
  const { aLead, aSale, reasons } = await aSellingAccount()
  await aLead({ email: 'someone@gmail.com' })
  const tagged = await aLead({ email: 'lena+shop@gmail.com' })
  assert.deepEqual(await reasons(await aSale({ email: 'lena@gmail.com' })), [[tagged.id, 'mailbox']])
})

test('the lead of the sale, which has no partner, is compared by phone, name and company', async () => {
  const { aLead, aSale, reasons } = await aSellingAccount()
  const payer = { firstName: 'Lena', lastName: 'Brandt', phone: '+49 30 901820', company: 'Acme % Sons' }
  const company = await aLead({ email: 'a@one.example', company: 'ACME % sons' })
  const name = await aLead({ email: 'b@two.example', firstName: 'lena', lastName: 'BRANDT' })
  const phone = await aLead({ phone: '004930901820' })
  await aLead({ email: 'c@three.example', company: 'Acme x Sons', firstName: 'Lena', lastName: 'Brandtner' })
  const own = await aLead({ ...payer, phone: undefined, externalId: 'own' }, null)
  await db.run`update leads set phone_e164 = '+4930901820' where id = ${own.id}`
  assert.deepEqual(await reasons(await aSale({ leadId: own.id })), [
    [phone.id, 'phone'],
    [name.id, 'name'],
    [company.id, 'company'],
  ])
})

test('only leads that a sale can be credited to are listed, ten at most, those referred in time first', async () => {
  const { account, aLead, aSale, like, post } = await aSellingAccount()
  const rejected = await aLead({ email: 'lena@acme.example' })
  await post(`/leads/${rejected.id}/status`, { status: 'rejected', reason: 'spam' })
  const late = await aLead({ email: 'kim@acme.example' })
  const early = await aLead({ email: 'kim+early@acme.example', firstName: 'Kim' })
  await db.run`update leads set attributed_at = ${'2026-01-01'}, created_at = ${'2026-01-01'} where id = ${early.id}`
  await db.run`update leads set email = 'kim@acme.example' where id = ${early.id}`
  for (let count = 0; count < 12; count++) await aLead({ email: `p${count}@acme.example` })
  const found = await like(await aSale({ email: 'kim@acme.example', saleDate: '2026-01-02' }))
  assert.deepEqual(
    found.slice(0, 2).map(({ id, referredLater }) => [id, referredLater]),
    [
      [early.id, false],
      [late.id, true],
    ],
  )
  assert.equal(found.length, 10)
  assert.ok(found.every(({ id }) => id !== rejected.id))
  assert.deepEqual(await like(await aSale()), [])
  assert.deepEqual(await like(await aSale({ email: 'stranger@elsewhere.example', customer: 'cus_X' })), [])
  const other = await aSellingAccount()
  assert.deepEqual(await other.like(await other.aSale({ email: 'kim@acme.example' })), [])
  const path = `/sales/${await aSale({ email: 'kim@acme.example' })}/similar-leads`
  assert.equal((await app.api('GET', path, { token: other.account.token })).status, 404)
  assert.equal((await app.api('GET', path, { token: account.token })).status, 200)
})

test('among thousands of leads and sales, a payer is found by indexes', async () => {
  const { account, partner, shop, aSale, get } = await aSellingAccount()
  await db.run`
    insert into leads (id, account_id, partner_id, company, email, phone_e164, external_id, source, status, created_on, created_at, updated_at)
    select gen_random_uuid(), ${account.id}, ${partner.id}, 'Firm ' || n % 100, 'kim' || n || case n % 9 when 0 then '+shop' else '' end || '@firm' || n || '.example',
      '+49301' || n, 'ext_' || n, 'api', 'new', ${db.now}, ${db.now}, ${db.now}
    from generate_series(1, 5000) n`
  await db.run`
    insert into sales (id, account_id, provider, shop_id, external_id, customer_id, amount, gross_amount, currency, account_currency,
      sale_date, created_at)
    select gen_random_uuid(), ${account.id}, 'stripe', ${shop}, 'pi_bulk' || n, 'cus_' || n, 100, 100, 'usd', 'usd', ${db.now}, ${db.now}
    from generate_series(1, 5000) n`
  await db.run`analyze leads, sales`
  const paid = { at: db.now, until: db.now, referredBy: db.now }
  const nothing = { key: 'a', shopId: null, customerId: null, emails: [], phoneE164: null, name: '', company: '', paid }
  const known = { shopId: shop, customerId: 'ext_7', emails: ['kim9@gmail.com'], phoneE164: '+493018' }
  const read = await pagesRead(db, (tx) => leadsLikePayers(tx, account.id, [{ ...nothing, ...known }]))
  const { pages } = read
  const answer = read.answer.get('a') ?? []
  assert.deepEqual(new Set(answer.flatMap(({ reasons }) => reasons)), new Set(['external-id', 'phone']))
  assert.ok(pages[0]! < 40, `${pages} pages`)
  const colleagues = ['a', 'b', 'c'].map((key) => ({ ...nothing, key, company: 'Firm 9' }))
  const [alone, together] = [
    await pagesRead(db, (tx) => leadsLikePayers(tx, account.id, colleagues.slice(0, 1))),
    await pagesRead(db, (tx) => leadsLikePayers(tx, account.id, colleagues)),
  ]
  assert.equal(together.pages[0], alone.pages[0], 'a company of several payers is searched once')
  assert.deepEqual([alone.answer.get('a')?.length, together.answer.get('c')], [10, alone.answer.get('a')])
  const id = await aSale({ email: 'kim9@firm9.example', customer: 'cus_4321x' })
  const [first] = (await get(`/sales/${id}/similar-leads`)).items
  assert.deepEqual([first.email, first.reasons], ['kim9+shop@firm9.example', ['mailbox']])
  const searched = async (search: string) => (await get(`/accounts/${account.id}/sales?search=${search}`)).total
  assert.deepEqual([await searched('cus_4321'), await searched('CUS_4321X'), await searched('us_4321')], [2, 1, 0])
})

test('partners read neither the payer of a sale nor its page at the provider, nor similar leads', async () => {
  const { account, partner, aLead, aSale, get } = await aSellingAccount()
  const lead = await aLead({ email: 'lena@acme.example' })
  const id = await aSale({ email: 'lena@acme.example', customer: 'cus_Lena', leadId: lead.id })
  await db.run`update sales set partner_id = ${partner.id} where id = ${id}`
  const whole = (await get(`/leads/${lead.id}/sales`)).items[0]
  assert.equal(whole.providerUrl, `https://dashboard.stripe.com/payments/${whole.externalId}`)
  const theirs = createCaller(app, partner.token)
  const [seen] = (await theirs.get(`/leads/${lead.id}/sales`)).items
  assert.deepEqual([seen.payerEmail, seen.providerCustomerId, seen.providerUrl], [null, null, null])
  const file = await app.api('GET', `/leads/${lead.id}/sales.csv`, { token: partner.token })
  assert.doesNotMatch(JSON.stringify(file.body), /stripe\.com|acme\.example|cus_/)
  assert.equal((await app.api('GET', `/sales/${id}/similar-leads`, { token: partner.token })).status, 403)
  const [line] = (await get(`/accounts/${account.id}/revenue-lines`)).items
  assert.deepEqual(
    [line.payerEmail, line.providerCustomerId, line.providerUrl],
    ['lena@acme.example', 'cus_Lena', whole.providerUrl],
  )
  // test mode has pages of its own
  await db.run`update provider_shops set livemode = false where id = (select shop_id from sales where id = ${id})`
  assert.match((await get(`/sales/${id}`)).providerUrl, /stripe\.com\/test\/payments\/pi_/)
})

test('unattributed sales name the likeliest lead of each payer, in the same number of statements for a whole page', async () => {
  const { account, aLead, aSale, get } = await aSellingAccount()
  const tagged = await aLead({ email: 'lena+trial@acme.example' })
  await aLead({ email: 'sam@acme.example' })
  const late = await aLead({ email: 'kim@firm.example' })
  await db.run`update leads set attributed_at = ${'2026-03-01'} where id = ${late.id}`
  const [lena, kim, nobody] = [
    await aSale({ email: 'lena@acme.example' }),
    await aSale({ email: 'kim@firm.example', saleDate: '2026-01-02' }),
    await aSale({ email: 'x@elsewhere.example' }),
  ]
  type Listed = { id: string; likelyLead: { id: string; reasons: string[]; partnerName: string } | null }
  const listed = async (query: string) => {
    const { items }: { items: Listed[] } = await get(`/accounts/${account.id}/sales?${query}`)
    return new Map(items.map(({ id, likelyLead: likely }) => [id, likely && [likely.id, ...likely.reasons]]))
  }
  const found = await listed('unattributed=true')
  assert.deepEqual(
    [lena, kim, nobody].map((id) => found.get(id)),
    [[tagged.id, 'mailbox'], null, null],
  )
  assert.deepEqual([...(await listed('')).values()], [undefined, undefined, undefined])
  const statements = async (ids: string[]) => {
    const { pages } = await pagesRead(db, (tx) => leadsOfPayers(tx, account as never, ids))
    return pages.length
  }
  assert.equal(await statements([lena, kim, nobody]), await statements([lena]))
})
