import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { workOff } from '../../../demo/drain-jobs.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
} from '../../../test/support/app.ts'
import { anApplicant, hiddenIn, openProgram, sendForm, visitPage } from '../../../test/support/applications.ts'
import { partnerPeople } from '../../../test/support/partner-people.ts'
import { aPayee, aPayout, getBalance, getPayout } from '../../../test/support/payouts.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { confirmToken } from '../applications/application-link.ts'

const DAY = 86_400_000
const app = await startApp()

const today = () => dayIn('UTC', app.clock.now())
const call = async (token: string, method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await app.api(method, path, { token, body })
  return { status, answer, said: answer?.error ? `${status} ${answer.error.reason ?? answer.error.code}` : `${status}` }
}
const publish = ({ id, token }: TestAccount, body: Record<string, unknown>) =>
  call(token, 'POST', `/accounts/${id}/agreement`, body)
const accept = (partner: { id: string; token: string }, version: number, token = partner.token) =>
  call(token, 'POST', `/partners/${partner.id}/acceptances`, { version })
const acceptances = async (account: TestAccount, partner: { id: string }) =>
  expectOk(await app.api('GET', `/partners/${partner.id}/acceptances`, { token: account.token })).body.items

test('versions are published one after another, never edited, and counted for the account alone', async () => {
  const account = await anAccount(app, { name: 'Northwind', timeZone: 'UTC' })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const path = `/accounts/${account.id}/agreement`
  assert.equal((await call(account.token, 'GET', path)).status, 404)
  assert.equal((await accept(partner, 1)).status, 404)
  const text = '# Rules\n\nBe kind.'
  const { answer: first } = await publish(account, { text })
  assert.deepEqual(
    [first.version, first.text, first.textHash, first.changes, first.requiredFrom, first.accepted, first.waiting],
    [1, text, createHash('sha256').update(text).digest('hex'), null, null, 0, 1],
  )
  assert.equal((await publish(account, { text })).said, '409 agreement_unchanged')
  assert.equal((await publish(account, { text: 'Be kinder.' })).said, '422 changes_required')
  const changed = { text: 'Be kinder.', changes: 'Kinder.' }
  assert.equal((await publish(account, { ...changed, requiredFrom: addDays(today(), 13) })).status, 422)
  const requiredFrom = addDays(today(), 14)
  const { answer: second } = await publish(account, { ...changed, requiredFrom })
  assert.deepEqual([second.version, second.requiredFrom], [2, requiredFrom])

  const own = await call(partner.token, 'GET', path)
  assert.deepEqual([own.answer.version, own.answer.accepted, own.answer.waiting], [2, null, null])
  assert.deepEqual([own.answer.publishedBy, own.answer.acceptance], [null, null])
  const { answer } = await call(account.token, 'GET', `${path}/versions`)
  assert.deepEqual(
    answer.items.map(({ version, text }: { version: number; text?: string }) => [version, text]),
    [
      [2, undefined],
      [1, undefined],
    ],
  )
  // what a partner accepted stays readable
  for (const { token } of [account, partner])
    assert.equal((await call(token, 'GET', `${path}/versions/1`)).answer.text, text)
  assert.equal((await accept(partner, 2)).status, 201)
  const { acceptance, publishedBy } = (await call(partner.token, 'GET', `${path}/versions/2`)).answer
  assert.deepEqual([acceptance.version, publishedBy], [2, null])
  for (const version of [3, 0, 'one'])
    assert.equal((await call(account.token, 'GET', `${path}/versions/${version}`)).status, 404)
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/audit`, { token: account.token })).body
  assert.equal(items.filter(({ action }: { action: string }) => action === 'agreement.published').length, 2)

  const { db } = app.services
  for (const what of ["set text = 'Be mean'", 'set changes = null', 'set published_at = now()'])
    await assert.rejects(
      db.run([`update agreement_versions ${what} where account_id = '${account.id}'`] as never),
      /append-only/,
    )
  await assert.rejects(db.run`delete from agreement_versions where account_id = ${account.id}`, /append-only/)
})

test('the day from which payouts wait moves later, goes, and comes again two weeks ahead', async () => {
  const account = await anAccount(app, { timeZone: 'UTC' })
  const [soon, later] = [addDays(today(), 14), addDays(today(), 30)]
  await publish(account, { text: 'Be kind.', requiredFrom: soon })
  const path = `/accounts/${account.id}/agreement/versions`
  const move = async (requiredFrom: string | null, version: number | string = 1) =>
    (await call(account.token, 'PATCH', `${path}/${version}`, { requiredFrom })).said
  assert.equal(await move(later), '200')
  assert.equal(await move(addDays(today(), 13)), '422 required_too_soon')
  assert.equal(await move(soon), '200', 'earlier, and still two weeks ahead')
  app.clock.advance(20 * DAY)
  account.token = await again(account)
  assert.equal(await move(addDays(soon, 1)), '200', 'later than it was')
  assert.equal(await move(null), '200')
  assert.equal(await move(addDays(today(), 13)), '422 required_too_soon')
  for (const unknown of [2, 0, 'x', '1e0']) assert.equal(await move(null, unknown), '404 not_found')
})

test('an owner of the partner accepts the newest version once, in person, and nobody does so for them', async () => {
  const account = await anAccount(app)
  const parent = await aPartner(app, account, {}, { signIn: true })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  await publish(account, { text: 'Be kind.' })
  const others = await Promise.all(
    ['read', 'push', 'partners'].map(async (right) => {
      const body = { name: `Key ${right}`, rights: [right] }
      const made = expectOk(await app.api('POST', `/accounts/${account.id}/api-keys`, { token: account.token, body }))
      return made.body.key as string
    }),
  )
  const portal = expectOk(
    await app.api('POST', `/partners/${partner.id}/portal-sessions`, { token: others[2]!, body: { kind: 'frame' } }),
  ).body.token
  const member = anEmail('member')
  expectOk(
    await app.api('POST', `/partners/${partner.id}/members`, {
      token: partner.token,
      body: { email: member, role: 'member', firstName: 'Mia' },
    }),
  )
  const mine = expectOk(await app.api('POST', '/users/me/tokens', { token: partner.token, body: { name: 'Mine' } }))
    .body.token
  for (const token of [account.token, parent.token, ...others, portal, mine])
    assert.ok((await accept(partner, 1, token)).status >= 400)
  assert.deepEqual(await acceptances(account, partner), [])
  const seen = await call(portal, 'GET', `/accounts/${account.id}/agreement`)
  assert.deepEqual([seen.status, seen.answer.text, seen.answer.acceptance], [200, 'Be kind.', null])

  assert.equal((await accept(partner, 2)).said, '409 agreement_changed')
  const [one, twin] = await Promise.all([accept(partner, 1), accept(partner, 1)])
  assert.deepEqual([one.status, twin.status].toSorted(), [200, 201])
  assert.deepEqual(one.answer, twin.answer)
  const { through, version, email, network } = one.answer
  assert.deepEqual([through, version, email, network], ['sign-in', 1, partner.email, '127.0.0.0/24'])
  const inPortal = (await call(portal, 'GET', `/accounts/${account.id}/agreement`)).answer.acceptance
  assert.deepEqual([inPortal.version, inPortal.email, inPortal.network], [1, null, null])
  await publish(account, { text: 'Be kinder.', changes: 'Kinder.' })
  assert.equal((await accept(partner, 1)).status, 200, 'as it was')
  const suspend = { state: 'suspended', reason: 'Under discussion' }
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: suspend }))
  assert.equal((await accept(partner, 2)).status, 201, 'a suspended partner may')
  const list = async (state: string) =>
    expectOk(await app.api('GET', `/accounts/${account.id}/partners?agreement=${state}`, { token: account.token })).body
      .items
  assert.deepEqual(
    (await list('accepted')).map(({ id, agreementVersion }: { id: string; agreementVersion: number }) => [
      id,
      agreementVersion,
    ]),
    [[partner.id, 2]],
  )
  assert.deepEqual(
    (await list('waiting')).map(({ id }: { id: string }) => id),
    [parent.id],
  )
  const events = await app.services.db.many<{ object: Record<string, unknown> }>`
    select data -> 'object' as object from passing_events
    where account_id = ${account.id} and type = 'partner.agreement-accepted'`
  assert.deepEqual([events.length, events[0]!.object.email], [2, undefined])
  await assert.rejects(
    app.services.db.run`update agreement_acceptances set name = 'Eve' where account_id = ${account.id}`,
    /append-only/,
  )
  const deleted = await call(account.token, 'DELETE', `/partners/${partner.id}`)
  assert.equal(deleted.said, '409 partner_has_activity')
})

test('a person at two partners of an account reads the acceptance of the one they name', async () => {
  const account = await anAccount(app)
  const one = await aPartner(app, account, {}, { signIn: true })
  const two = await aPartner(app, account, {}, { signIn: true })
  const stranger = await aPartner(app, account, {}, { signIn: true })
  const { userId, token } = await partnerPeople(app).aMember(account, one, 'owner')
  await app.services.db.run`
    insert into user_roles (user_id, type, account_id, partner_id, created_at)
    select user_id, type, account_id, ${two.id}, created_at from user_roles
    where user_id = ${userId} and partner_id = ${one.id}`
  await publish(account, { text: 'Be kind.' })
  assert.equal((await accept(two, 1)).status, 201)
  const path = `/accounts/${account.id}/agreement`
  const acceptedBy = async (query: string, as = token) => {
    const [newest, versions] = [
      await call(as, 'GET', `${path}${query}`),
      await call(as, 'GET', `${path}/versions${query}`),
    ]
    assert.equal(newest.said, versions.said)
    assert.deepEqual(newest.answer.acceptance, versions.answer.items?.[0].acceptance)
    return newest.answer.error ? newest.said : (newest.answer.acceptance?.partnerId ?? null)
  }
  assert.equal(await acceptedBy(`?partnerId=${two.id}`), two.id)
  assert.equal(await acceptedBy(`?partnerId=${one.id}`), null)
  assert.equal(await acceptedBy(''), null, 'as the older partner')
  for (const as of [stranger.token, account.token])
    assert.equal(await acceptedBy(`?partnerId=${two.id}`, as), '422 unknown_partner')
})

test('the page shows each version, and the form asks for the newest, of which an unconfirmed tick is no acceptance', async () => {
  const account = await anAccount(app, { name: 'Northwind' })
  const slug = await openProgram(app, account)
  const page = (query = '') => visitPage(app, `/join/${slug}/agreement${query}`)
  assert.equal((await page()).status, 404)
  await publish(account, { text: '# Rules\n\nBe <b>kind</b>.' })
  const shown = await page()
  assert.match(shown.html, /<h2>Rules<\/h2><p>Be &lt;b&gt;kind&lt;\/b&gt;\.<\/p>/)
  assert.match(shown.html, /Version 1, published/)
  const stale = hiddenIn((await visitPage(app, `/join/${slug}`)).html, 'issued')
  await publish(account, { text: 'Be kinder.', changes: 'Kinder.' })
  assert.match((await page()).html, /Be kinder\./)
  assert.match((await page('?version=1')).html, /This version was replaced\. <a href="[^"]+">Read version 2</)
  for (const query of ['?version=3', '?version=0', '?version=x', '?version=1&version=2'])
    assert.equal((await page(query)).status, 404, query)

  const { html } = await visitPage(app, `/join/${slug}`)
  assert.match(html, /name="agreement" value="2" required>I accept the <a href="\/join\/[^"]+\/agreement"/)
  const applicant = anApplicant()
  const changed = await sendForm(app, slug, { ...applicant, issued: stale, agreement: '1' })
  assert.deepEqual([changed.status, /The questions or the agreement have changed/.test(changed.html)], [422, true])
  assert.doesNotMatch(changed.html, /value="2" checked/)
  for (const agreement of ['', '1']) {
    const refused = await sendForm(app, slug, { ...applicant, agreement })
    assert.deepEqual([refused.status, /Accept the partner agreement to apply/.test(refused.html)], [422, true])
  }
  const partnerOf = async (confirms: boolean) => {
    const given = anApplicant({ agreement: '2' })
    assert.equal((await sendForm(app, slug, given)).status, 303)
    const { id } = await app.services.db.one<{ id: string }>`
      select id from applications where account_id = ${account.id} and email = ${given.email}`
    const token = confirmToken(app.services.secrets, { accountId: account.id, id })
    if (confirms) expectOk(await app.api('POST', '/applications/confirm', { token }))
    await workOff(app.services)
    assert.deepEqual(await app.services.db.many`select from agreement_acceptances where account_id = ${account.id}`, [])
    const body = { ids: [id], decision: 'approve' }
    const path = `/accounts/${account.id}/applications/decisions`
    const { results } = expectOk(await app.api('POST', path, { token: account.token, body })).body
    const application = expectOk(await app.api('GET', `/applications/${id}`, { token: account.token })).body
    assert.equal(application.agreementVersion, 2)
    return { id: results[0].partnerId, email: given.email }
  }
  assert.deepEqual(await acceptances(account, await partnerOf(false)), [])
  const confirmed = await partnerOf(true)
  const [acceptance] = await acceptances(account, confirmed)
  assert.deepEqual(
    [acceptance.version, acceptance.through, acceptance.userId, acceptance.name, acceptance.email, acceptance.network],
    [2, 'application', null, 'Ada Byron', confirmed.email, '127.0.0.0/24'],
  )
  expectOk(await app.api('PUT', `/accounts/${account.id}/program`, { token: account.token, body: { state: 'off' } }))
  assert.equal((await page()).status, 404)
})

test('from its day payouts wait for an acceptance, and those approved before go their way', async () => {
  const account = await anAccount(app, { timeZone: 'UTC' })
  const [partner, before] = [await aPayee(app, account), await aPayee(app, account)]
  await publish(account, { text: 'Be kind.', requiredFrom: addDays(today(), 14) })
  const gone = await aPayout(app, account, before, 30_00)
  const approve = (id: string) => call(account.token, 'POST', `/payouts/${id}/approve`, {})
  assert.equal((await approve(gone.id)).status, 200)
  const open = await aPayout(app, account, partner, 30_00)
  const codes = async (of: { id: string }) =>
    (await getBalance(app, account, of)).blockers
      .map(({ code }: { code: string }) => code)
      .filter((code: string) => code !== 'payouts-not-configured')
  assert.deepEqual(await codes(partner), [])
  app.clock.advance(14 * DAY)
  const year = [app.clock.now().getUTCFullYear()]
  for (const { id } of [partner, before])
    expectOk(
      await app.api('PUT', `/partners/${id}`, { token: await again(account), body: { approvedPayoutYears: year } }),
    )
  account.token = await again(account)
  assert.deepEqual(await codes(partner), ['agreement-not-accepted'])
  const refused = await approve(open.id)
  assert.deepEqual(
    [refused.said, refused.answer.error.message.includes('Partner agreement not accepted')],
    ['409 payout_blocked', true],
  )
  assert.equal((await call(account.token, 'POST', `/payouts/${open.id}/mark-paid`, { reference: 'Bank' })).status, 409)
  const paid = await call(account.token, 'POST', `/payouts/${gone.id}/mark-paid`, { reference: 'Bank' })
  assert.deepEqual([paid.status, (await getPayout(app, account, gone.id)).status], [200, 'paid'])
  const { token } = await signIn(app, partner.email)
  const own = expectOk(await app.api('GET', `/partners/${partner.id}/balance`, { token })).body
  assert.deepEqual(own.blockers.slice(1), [{ code: 'agreement-not-accepted', message: 'Accept the partner agreement' }])
  assert.equal((await accept(partner, 1, token)).status, 201)
  assert.deepEqual(await codes(partner), [])
  assert.equal((await approve(open.id)).status, 200)
})

/** Returns a new session of the account's owner, whose first one is over. */
const again = async ({ ownerEmail }: TestAccount) => (await signIn(app, ownerEmail)).token
