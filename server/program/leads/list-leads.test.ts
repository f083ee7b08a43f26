import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { plansInOrder } from '../../../test/support/plans.ts'
import type { Access } from '../access/access.ts'
import { blueprintLinksPage } from '../links/queries.ts'
import { listPartners } from '../partners/list-partners.ts'
import { listLeads } from './list-leads.ts'

const facts = { defaultCurrency: 'usd', timeZone: 'UTC', partnerVisibility: {} }

test('lists by name are read in the order of an index, forwards, backwards and from a cursor', async () => {
  const app = await startApp()
  const { id } = await anAccount(app)
  const access = { as: 'owner', account: { id, ...facts }, subjectId: id, partnerId: null } as unknown as Access
  const cursor = (sort: string) =>
    Buffer.from(JSON.stringify([sort, 'jane', '01900000-0000-7000-8000-000000000000'])).toString('base64url')
  for (const sort of ['name', '-name'])
    for (const query of [
      { sort, limit: 50 },
      { sort, limit: 50, cursor: cursor(sort), uncounted: true as const },
    ]) {
      const what = JSON.stringify(query)
      const leads = await plansInOrder(app.services.db, (tx) => listLeads(tx, access, query))
      assert.match(leads, /Index Scan (Backward )?using leads_by_name/, what)
      const partners = await plansInOrder(app.services.db, (tx) => listPartners(tx, access.account, query))
      assert.match(partners, /Index Scan (Backward )?using partners_by_name/, what)
      const links = await plansInOrder(app.services.db, (tx) => blueprintLinksPage(tx, id, id, query))
      assert.match(links, /Index Scan (Backward )?using partners_by_name/, what)
      for (const plan of [leads, partners, links]) assert.doesNotMatch(plan, /Sort Key: .*lower\(/i, what)
    }
})

test('leads are sorted by the name shown: both parts, one of them, the company, or else the e-mail', async () => {
  const app = await startApp()
  const account = await anAccount(app)
  const { id, token } = account
  const post = (body: object) => app.api('POST', `/accounts/${id}/leads`, { token, body })
  for (const body of [
    { firstName: 'Bea', lastName: 'Zorn', email: 'a@leads.example' },
    { lastName: 'Bea', email: 'b@leads.example' },
    { firstName: 'bea', email: 'c@leads.example' },
    { company: 'Beacon', email: 'd@leads.example' },
    { email: 'beb@leads.example' },
    { phone: '+14155550142' },
  ])
    expectOk(await post(body))
  const { items } = expectOk(await app.api('GET', `/accounts/${id}/leads?sort=name`, { token })).body
  const shown = items.map(({ displayName }: { displayName: string }) => displayName)
  assert.deepEqual(
    shown.map((name: string) => name.toLowerCase()),
    shown.map((name: string) => name.toLowerCase()).sort(),
  )
  assert.equal(shown.length, 6)

  await aPartner(app, account, { firstName: 'Zoe', lastName: null, email: 'zoe@partners.example' })
  await aPartner(app, account, { firstName: null, lastName: null, email: 'amy@partners.example' })
  await aPartner(app, account, { firstName: null, lastName: 'Moss', email: 'x@partners.example' })
  const partners = expectOk(await app.api('GET', `/accounts/${id}/partners?sort=name`, { token })).body.items
  assert.deepEqual(
    partners.map(({ displayName }: { displayName: string }) => displayName),
    ['amy', 'Moss', 'Zoe'],
  )
})

test('a search finds a name as it is written, also with letters that fold in more than one way', async () => {
  const app = await startApp()
  const { id, token } = await anAccount(app)
  for (const company of ['İstanbul Tur', 'ΝΙΚΟΣ', 'Νίκος', 'ÉCLAIR 50%_\\']) {
    const email = `${crypto.randomUUID()}@leads.example`
    const lead = expectOk(await app.api('POST', `/accounts/${id}/leads`, { token, body: { company, email } })).body
    const search = encodeURIComponent(company)
    const { items } = expectOk(await app.api('GET', `/accounts/${id}/leads?search=${search}`, { token })).body
    assert.deepEqual([company, ...items.map((found: { id: string }) => found.id)], [company, lead.id])
    const similar = expectOk(await app.api('GET', `/accounts/${id}/leads/similar?company=${search}`, { token })).body
      .items
    assert.equal(similar[0]?.total, 1, company)
  }
})

test('pages of leads known by long external IDs alone go on', async () => {
  const app = await startApp()
  const account = await anAccount(app)
  const ids = ['一', '二', '三'].map((first) => `${first}${'商'.repeat(254)}`)
  for (const externalId of ids)
    expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token: account.token, body: { externalId } }))
  const path = `/accounts/${account.id}/leads?limit=1&sort=name`
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { items, nextCursor } = expectOk(await app.api('GET', `${path}${cursor}`, { token: account.token })).body
    seen.push(...items.map((lead: { externalId: string }) => lead.externalId))
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  assert.deepEqual(seen.toSorted(), ids.toSorted())
})
