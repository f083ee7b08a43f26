import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { companyDomain } from './public-mail.ts'

const app = await startApp()

test('a domain identifies a company, unless it has public mailboxes', () => {
  for (const [email, domain] of [
    ['lena@acme.com', 'acme.com'],
    [' Lena@Mail.ACME.co.uk ', 'mail.acme.co.uk'],
    ['lena@gmail.com', null],
    ['lena@GMX.de', null],
    ['lena@acme', null],
    ['lena@', null],
    ['acme.com', null],
    ['a@b@acme.com', null],
    ['lena@acme.com%', null],
  ] as const)
    assert.equal(companyDomain(email), domain, email)
})

test('known leads of a company are found by domain and by name, each once, only in the account', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const { token } = account
  const partner = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield' }, { signIn: true })
  const lead = async (its: typeof account, body: object) =>
    expectOk(await app.api('POST', `/accounts/${its.id}/leads`, { token: its.token, body })).body
  const first = await lead(account, { email: 'lena@acme.example', partnerId: partner.id, company: 'Acme % Sons' })
  for (let count = 1; count <= 6; count++)
    await lead(account, { email: `p${count}@acme.example`, company: `Part ${count}` })
  const twin = await aPartner(app, account)
  await lead(account, { email: 'lena@acme.example', partnerId: twin.id })
  const elsewhere = await lead(account, { email: 'lena@acme-berlin.example', company: 'ACME % sons' })
  await lead(account, { email: 'not@notacme.example', firstName: 'x@acme.example' })
  await lead(account, { email: 'public@gmail.com', company: 'Acme x Sons' })
  await lead(other, { email: 'theirs@acme.example', company: 'Acme % Sons' })

  const similar = async (query: string) =>
    expectOk(await app.api('GET', `/accounts/${account.id}/leads/similar?${query}`, { token })).body.items
  const [byDomain, ...more] = await similar('email=New@Acme.example')
  assert.deepEqual([byDomain.by, byDomain.value, byDomain.total, more], ['domain', 'acme.example', 7, []])
  assert.deepEqual(
    byDomain.leads.map(({ displayName }: { displayName: string }) => displayName),
    ['Part 6', 'Part 5', 'Part 4', 'Part 3', 'Part 2'],
  )
  const company = `company=${encodeURIComponent('acme % SONS ')}`
  const [byName] = await similar(company)
  assert.deepEqual(
    [byName.by, byName.value, byName.leads.map(({ id }: { id: string }) => id)],
    ['company', 'acme % SONS', [elsewhere.id, first.id]],
  )
  assert.deepEqual(byName.leads[1], {
    id: first.id,
    displayName: 'Acme % Sons',
    partnerName: 'Jane Whitfield',
    status: 'new',
    createdAt: first.createdAt,
  })
  const both = await similar(`email=a@acme.example&${company}&leadId=${first.id}`)
  assert.deepEqual(
    both.map(({ by, total }: { by: string; total: number }) => [by, total]),
    [
      ['domain', 6],
      ['company', 1],
    ],
  )
  for (const none of ['', 'email=a@gmail.com', 'email=a@nobody.example', 'company=%25', `leadId=x`])
    assert.deepEqual(await similar(none), [], none)
  const path = `/accounts/${account.id}/leads/similar?email=a@acme.example`
  assert.equal((await app.api('GET', path, { token: partner.token })).status, 403)
  assert.equal((await app.api('GET', path, { token: other.token })).status, 404)
})
