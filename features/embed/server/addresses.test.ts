import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseReferences } from '#server/integrations/payment-providers/parse-values.ts'
import { transaction } from '#server/platform/database/pool.ts'
import { getAccountFacts } from '#server/program/access/account-facts.ts'
import { namedPartner } from '#server/program/clicks/named-partner.ts'
import { findLeadForPayment, type PaymentReferences } from '#server/program/leads/match-payment.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '#test/support/app.ts'
import { aBlueprint, BROWSER, clickInAddress, requestPath, visitLink } from '#test/support/links.ts'
import { cleanAddress, readArrival } from '../../../embed/address.ts'
import { embeddedBy } from './queries.ts'

// The table of links and values, and whom they credit, is test/fixtures/pages/addresses.tsv: each row goes through every
// door that takes its kind.

const app = await startApp()
const { db } = app.services
const SITE = 'https://shop.example'
const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))

const account = await anAccount(app)
const { token } = account
const call = (method: string, path: string, body: unknown) => app.api(method, path, { token, body })
expectOk(await call('PUT', `/accounts/${account.id}/embed-code`, { config }))
expectOk(await call('PATCH', `/accounts/${account.id}`, { oldLinkParameters: ['aff'] }))
const { publicId } = expectOk(await call('GET', `/accounts/${account.id}`, undefined)).body
const jane = await aPartner(app, account, { referralCode: 'jane', earlierCodes: ['Jane.D!', '54321'] })
const bob = await aPartner(app, account, { referralCode: 'bob-2' })
const blueprint = await aBlueprint(app, account, { destinationUrl: `${SITE}/`, parameterName: 'ref' })
const click = clickInAddress(await visitLink(app, blueprint.key, 'jane'))!
const { apiKey } = expectOk(await call('PUT', `/accounts/${account.id}/api-key`, {})).body
const codes = new Map<unknown, string>([
  [jane.id, 'jane'],
  [bob.id, 'bob-2'],
])
const codeOf = (partnerId: unknown) => codes.get(partnerId) ?? ''

/** Puts this account's own ids in place of those of the table. */
const ours = (text: string) =>
  text
    .replaceAll('160RLxwV_yP-', publicId)
    .replaceAll('k3v9x2pq', blueprint.key)
    .replaceAll('K3V9X2PQ', blueprint.key.toUpperCase())
    .replaceAll('0192f0c1-7a3b-7c11-9a51-3f7c2f0e5a10', click)
    .replaceAll('0192F0C1-7A3B-7C11-9A51-3F7C2F0E5A10', click.toUpperCase())

const rows = readFileSync(new URL('../../../test/fixtures/pages/addresses.tsv', import.meta.url), 'utf8')
  .split('\n')
  .slice(1)
  .filter((line) => line !== '')
  .map((line) => {
    const [where = '', input = '', credits = ''] = line.split('\t')
    return { where, input: ours(input), credits }
  })
const rowsOf = (kind: string) => rows.filter(({ where }) => where === kind)

const sendTo = async (what: string, body: unknown) =>
  app.api('POST', `/embed/${publicId}/${what}`, { body, headers: { origin: SITE, 'user-agent': BROWSER } })
const clickRow = (id: string) =>
  db.maybe<{ partnerId: string; blueprintId: string | null }>`
    select partner_id, blueprint_id from clicks where account_id = ${account.id} and id = ${id}`
const leadRow = (email: string) =>
  db.maybe<{ partnerId: string | null }>`
    select partner_id from leads where account_id = ${account.id} and email = ${email}`
const clicksCount = async () => Number(await db.value`select count(*) from clicks where account_id = ${account.id}`)

test('a link credits its partner through the script, its clicks and its leads, however it was pasted', async () => {
  const { parameters } = (await embeddedBy(db, { accountId: account.id }))!
  for (const { input, credits } of rowsOf('direct')) {
    // as a browser shows it to the script
    const href = URL.canParse(input) ? new URL(input).href : input
    const arrival = readArrival(href, parameters)
    const pageUrl = cleanAddress(href, parameters.names)
    assert.deepEqual(readArrival(pageUrl, parameters)?.codes, arrival?.codes, `${input}: sent whole`)
    const reply = expectOk(await sendTo('clicks', { pageUrl })).body
    const counted = await clickRow(reply.clickId)
    assert.deepEqual([codeOf(counted?.partnerId), Boolean(reply.referralCode)], [credits, credits !== ''], input)
    if (counted) assert.equal(counted.blueprintId, blueprint.id, input)
    const former = { referralCode: arrival?.codes[0], pageUrl: href }
    if (arrival)
      assert.equal(codeOf((await clickRow(expectOk(await sendTo('clicks', former)).body.clickId))?.partnerId), credits)
    for (const form of [{ pageUrl }, { pageUrl: href }, { referralCode: arrival?.codes[0], pageUrl }]) {
      const email = anEmail()
      expectOk(await sendTo('leads', { email, ...form }))
      assert.equal(codeOf((await leadRow(email))?.partnerId), credits, `${input}: lead`)
    }
  }
})

test('a short link reaches its page and counts one click of its partner, however it was pasted', async () => {
  for (const { input, credits } of rowsOf('short')) {
    const before = await clicksCount()
    const { status, location } = await requestPath(app, input)
    if (credits === '404') {
      assert.equal(status, 404, input)
      continue
    }
    const address = new URL(location!)
    assert.equal(status, 302, input)
    assert.equal(address.origin + address.pathname, `${SITE}/`, input)
    assert.equal(address.searchParams.get('ref') ?? '', credits, input)
    assert.equal((await clicksCount()) - before, credits ? 1 : 0, input)
    if (credits) assert.equal(codeOf((await clickRow(address.searchParams.get('click')!))?.partnerId), credits, input)
    if (input.includes('utm_source=x')) assert.equal(address.searchParams.get('utm_source'), 'x', input)
    assert.doesNotMatch(address.search, /partnerblog/)
  }
})

test('a value names its partner wherever an ID or a code is given, or is refused as an unknown one', async () => {
  const facts = (await getAccountFacts(db, [account.id])).get(account.id)!
  for (const { input, credits } of rowsOf('value')) {
    for (const field of ['clickId', 'referralCode']) {
      const email = anEmail()
      const reply = await app.api('POST', '/push/leads', { token: apiKey, body: { email, [field]: input } })
      if (credits) assert.equal(codeOf(expectOk(reply).body.partnerId), credits, `${field} ${input}`)
      else assert.deepEqual([reply.status, Object.keys(reply.body.error.fields)], [422, [field]], `${field} ${input}`)
    }
    const externalId = anEmail()
    const sale = { externalId, email: anEmail(), amount: 1000, referralCode: input }
    const sold = await app.api('POST', '/push/sales', { token: apiKey, body: sale })
    if (credits) assert.equal(codeOf(expectOk(sold).body.partnerId), credits, `sale ${input}`)
    else assert.deepEqual([sold.status, Object.keys(sold.body.error.fields)], [422, ['referralCode']], `sale ${input}`)
    const named = await transaction(db, (tx) => namedPartner(tx, account.id, { referralCode: input })).catch(() => '')
    assert.equal(codeOf(named), credits, `file ${input}`)
    for (const refs of [
      { references: [input] },
      { references: [], clickId: input },
      { references: [], referralCode: input },
    ]) {
      const { match } = await findLeadForPayment(db, facts, refs, db.now)
      const partnerId =
        match && 'makeLead' in match ? match.makeLead.partnerId : (match && (await ownerOf(match.leadId))) || ''
      assert.equal(codeOf(partnerId), credits, `payment ${JSON.stringify(refs)}`)
    }
  }
})

const ownerOf = (leadId: string) => db.value<string>`select partner_id from leads where id = ${leadId}`

test('a number is a code only where a code is asked for', async () => {
  const facts = (await getAccountFacts(db, [account.id])).get(account.id)!
  const pushed = (body: object) =>
    app.api('POST', '/push/leads', { token: apiKey, body: { email: anEmail(), ...body } })
  assert.equal(codeOf(expectOk(await pushed({ referralCode: ' 54321 ' })).body.partnerId), 'jane')
  assert.equal((await pushed({ clickId: '54321' })).status, 422)
  const isPaid = async (refs: Partial<PaymentReferences>) =>
    (await findLeadForPayment(db, facts, { references: [], ...refs }, db.now)).match !== null
  assert.equal(await isPaid({ referralCode: '54321' }), true)
  assert.equal(await isPaid({ references: parseReferences({ referral_code: '54321' }) }), true)
  for (const refs of [
    { references: ['54321'] },
    { clickId: '54321' },
    { references: parseReferences({ click_id: '54321' }) },
  ])
    assert.equal(await isPaid(refs), false, JSON.stringify(refs))
})

test('a page loaded before anybody opens it is no click, and its code comes along', async () => {
  const speculative: Record<string, string>[] = [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ]
  for (const path of [`/r/${blueprint.key}/jane`, `/r/${blueprint.key}/jane/`]) {
    const before = await clicksCount()
    for (const headers of speculative) {
      const { status, location } = await requestPath(app, path, { headers })
      assert.deepEqual([status, location], [302, `${SITE}/?ref=jane`])
    }
    assert.equal(await clicksCount(), before)
    await requestPath(app, path)
    assert.equal(await clicksCount(), before + 1)
  }
})

test('a short link with anything behind its key reaches its page', async () => {
  for (const rest of ['/', '/%E0%A4%A', '/jane%E0%A4%A', '/%F0%9F%92%A5', '?utm_source=x', '/..%2f', '/%00'])
    assert.equal((await requestPath(app, `/r/${blueprint.key}${rest}`)).location?.startsWith(`${SITE}/`), true, rest)
  for (const path of ['/r/', '/r//', '/r/?ref=jane', '/r/%E0%A4%A/jane', '/r/key"/jane'])
    assert.equal((await requestPath(app, path)).status, 404, path)
})
