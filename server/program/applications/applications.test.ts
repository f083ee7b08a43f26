import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { workOff } from '../../../demo/drain-jobs.ts'
import { fakeSmtp } from '../../../test/fakes/smtp.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp, turnableClock } from '../../../test/support/app.ts'
import {
  anApplicant,
  findConfirmToken,
  lettersTo,
  openProgram,
  sendForm,
  visitPage,
} from '../../../test/support/applications.ts'
import { transaction } from '../../platform/database/pool.ts'
import { getAccountFacts } from '../access/account-facts.ts'
import { answerPosted, postApplication } from './apply.ts'

const DAY = 86_400_000

const server = await fakeSmtp()
after(() => server.close())
const clock = turnableClock()
const secretKey = randomBytes(32)
/** Shows links that a mail server would send: accounts are set up by them. */
const keeping = await startApp({ clock, config: { secretKey } })
const app = await startApp({ clock, db: keeping.services.db, config: { secretKey, smtpUrl: server.url } })
const account = await anAccount(keeping, { name: 'Northwind', invitationsFromPartners: true })
const slug = await openProgram(app, account, {
  questions: [
    { label: 'Your website', kind: 'url', required: true },
    { label: 'Do you blog?', kind: 'yes-no' },
  ],
})
const answered = (fields: Record<string, string> = {}) => anApplicant({ q0: 'https://ada.example', ...fields })

const owner = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
const list = async (query = '') =>
  expectOk(await owner('GET', `/accounts/${account.id}/applications${query}`)).body.items
const one = async (email: string) =>
  (await list('?status=unconfirmed,waiting,approved,rejected')).find(
    (found: { email: string }) => found.email === email,
  )
const decide = async (body: Record<string, unknown>) =>
  expectOk(await owner('POST', `/accounts/${account.id}/applications/decisions`, body)).body.results
const readConfirmation = (token: string) => app.api('GET', '/applications/confirm', { token })
const confirm = (token: string) => app.api('POST', '/applications/confirm', { token })

/** Applies and confirms; returns the application. */
async function waiting(fields: Record<string, string> = {}) {
  const given = answered(fields)
  assert.equal((await sendForm(app, slug, given)).status, 303)
  const token = (await findConfirmToken(app, server, given.email))!
  expectOk(await confirm(token))
  return { ...(await one(given.email)), token }
}

test('who applies confirms by mail, is approved, and becomes a partner with an invitation in other words', async () => {
  const given = answered({ q1: 'Yes', firstName: 'Zoë' })
  const sent = await sendForm(app, slug, given)
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, `/join/${slug}/thanks`])
  assert.match((await visitPage(app, `/join/${slug}/thanks`)).html, /Check your email to confirm your application\./)
  assert.deepEqual(await list(), [], 'nobody confirmed it')

  const token = (await findConfirmToken(app, server, given.email))!
  const shown = expectOk(await readConfirmation(token)).body
  const answers = [
    { label: 'Your website', value: 'https://ada.example/' },
    { label: 'Do you blog?', value: 'Yes' },
  ]
  const { firstName, lastName, email } = given
  assert.deepEqual(shown, {
    accountName: 'Northwind',
    accountPublicId: expectOk(await owner('GET', `/accounts/${account.id}`)).body.publicId,
    firstName,
    lastName,
    email,
    answers,
    invitedBy: null,
    status: 'unconfirmed',
  })
  for (let press = 0; press < 2; press++)
    assert.deepEqual(expectOk(await confirm(token)).body, { status: 'waiting', setUpToken: null })
  const [application] = await list()
  assert.deepEqual([application.status, application.email, application.flags], ['waiting', email, []])

  const [decided] = await decide({ ids: [application.id], decision: 'approve' })
  assert.deepEqual([decided.status, decided.error, decided.invitationUrl], [200, null, null])
  const partner = expectOk(await owner('GET', `/partners/${decided.partnerId}`)).body
  assert.deepEqual([partner.email, partner.firstName, partner.referralCode], [email, 'Zoë', 'zoe-byron'])
  assert.deepEqual((await decide({ ids: [application.id], decision: 'approve' }))[0].partnerId, partner.id)
  const letters = await lettersTo(app, server, email)
  assert.equal(letters.at(-1)?.subject, 'Your application was approved')
  const { setUpToken, status } = expectOk(await confirm(token)).body
  assert.equal(status, 'approved')
  assert.equal(expectOk(await app.api('GET', '/auth/user-setup', { token: setUpToken })).body.email, email)
  assert.equal(
    (await decide({ ids: [application.id], decision: 'reject', reason: 'spam' }))[0].error.reason,
    'application_decided',
  )
})

test('each post has its own link, and confirming one deletes the others of its e-mail', async () => {
  const email = anEmail('twice')
  await sendForm(app, slug, answered({ email, firstName: 'Own' }))
  const own = await findConfirmToken(app, server, email)
  await sendForm(app, slug, answered({ email, firstName: 'Forged' }))
  const forged = await findConfirmToken(app, server, email)
  assert.notEqual(own, forged)
  assert.equal(expectOk(await readConfirmation(own!)).body.firstName, 'Own')
  expectOk(await confirm(own!))
  assert.equal((await confirm(forged!)).status, 401)
  await sendForm(app, slug, answered({ email, firstName: 'Late' }))
  const letters = await lettersTo(app, server, email)
  assert.match(letters.at(-1)!.subject, /has your application/)
  assert.deepEqual(
    (await list())
      .filter((found: { email: string }) => found.email === email)
      .map(({ firstName }: { firstName: string }) => firstName),
    ['Own'],
  )
})

test('the answer is the same for every e-mail, and the mails say what is true', async () => {
  const partner = await aPartner(app, account)
  const rejected = await waiting()
  await decide({ ids: [rejected.id], decision: 'reject', reason: 'incomplete', message: 'Tell us more.' })
  const letter = (await lettersTo(app, server, rejected.email)).at(-1)!
  assert.match(
    letter.text,
    /Thank you for applying\. We can’t accept your application\..*The application was incomplete.*Tell us more\./s,
  )

  const answers = []
  for (const email of [anEmail('new'), partner.email, rejected.email]) {
    const { status, headers, html } = await sendForm(app, slug, answered({ email }))
    const comparable = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    answers.push(JSON.stringify([status, html, comparable]))
  }
  assert.equal(new Set(answers).size, 1)
  assert.match((await lettersTo(app, server, partner.email)).at(-1)!.subject, /already a partner/)
  assert.match((await lettersTo(app, server, rejected.email)).at(-1)!.subject, /again later/)
})

test('after a rejection one may apply again when the days are over, by the setting of that day', async () => {
  const { email, id } = await waiting()
  await decide({ ids: [id], decision: 'reject', reason: 'not-a-fit', silent: true })
  const setting = async (reapplyAfterDays: number | null) =>
    expectOk(
      await app.api('PUT', `/accounts/${account.id}/program`, { token: account.token, body: { reapplyAfterDays } }),
    )
  const comparable = async () => {
    await sendForm(app, slug, answered({ email }))
    return (await lettersTo(app, server, email)).at(-1)!.subject
  }
  await setting(null)
  assert.match(await comparable(), /^Your application to/)
  await setting(0)
  assert.match(await comparable(), /^Confirm your application/)
  await setting(30)
})

test('an e-mail that is a partner’s by now leaves the application; a rejected one can still be approved', async () => {
  const { id, email } = await waiting()
  const partner = await aPartner(app, account, { email })
  const [refused] = await decide({ ids: [id], decision: 'approve' })
  assert.deepEqual(
    [refused.status, refused.error.reason, refused.error.details.partnerId],
    [409, 'partner_email_taken', partner.id],
  )
  assert.equal((await one(email)).status, 'waiting')

  const second = await waiting()
  await decide({ ids: [second.id], decision: 'reject', reason: 'other' })
  const [approved] = await decide({ ids: [second.id], decision: 'approve' })
  const found = await one(second.email)
  assert.deepEqual(
    [approved.partnerId, found.status, found.reason, found.decidedBy],
    [found.partnerId, 'approved', null, 'Nora Wind'],
  )
})

test('the recruiter becomes the parent, by a former code too, unless suspended by then', async () => {
  const recruiter = await aPartner(app, account, { firstName: 'Rosa', referralCode: 'rosa-old' })
  expectOk(await owner('PUT', `/partners/${recruiter.id}`, { referralCode: 'rosa-new' }))
  const { html } = await visitPage(app, `/join/${slug}?by=rosa-old`)
  assert.match(html, /Invited by Rosa/)
  const [first, second] = [await waiting({ by: 'rosa-old' }), await waiting({ by: 'rosa-new' })]
  assert.deepEqual([first.parentPartnerId, first.parentPartnerName], [recruiter.id, 'Rosa Tern'])
  const [below] = await decide({ ids: [first.id], decision: 'approve' })
  assert.equal(expectOk(await owner('GET', `/partners/${below.partnerId}`)).body.parentPartnerId, recruiter.id)

  expectOk(await owner('PUT', `/partners/${recruiter.id}`, { state: 'suspended', reason: 'Review' }))
  const [alone] = await decide({ ids: [second.id], decision: 'approve' })
  assert.equal(expectOk(await owner('GET', `/partners/${alone.partnerId}`)).body.parentPartnerId, null)
  assert.equal((await one(second.email)).parentProblem, 'suspended')
  assert.doesNotMatch((await visitPage(app, `/join/${slug}?by=rosa-new`)).html, /Invited by/)
})

test('a filled hidden field is answered as ever, and nothing follows', async () => {
  const given = answered({ fax: 'x' })
  assert.equal((await sendForm(app, slug, given)).status, 303)
  assert.deepEqual(await lettersTo(app, server, given.email), [])
  assert.deepEqual((await one(given.email)).flags, ['automatic'])
})

test('flags tell the reader of buyers, former partners and others of the same network', async () => {
  const other = await anAccount(keeping)
  const itsSlug = await openProgram(app, other, { autoApprove: true })
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: other.token, body })).body
  const seller = await aPartner(app, other)
  const former = await aPartner(app, other)
  await call('PUT', `/partners/${former.id}`, { state: 'suspended', reason: 'Review' })
  const lead = await call('POST', `/accounts/${other.id}/leads`, { partnerId: seller.id, email: anEmail('buyer') })
  await call('POST', `/leads/${lead.id}/sales`, { amount: 10_00 })
  const statuses = []
  for (const email of [anEmail('fine'), lead.email, former.email, anEmail('fine')]) {
    await sendForm(app, itsSlug, anApplicant({ email }))
    statuses.push(expectOk(await confirm((await findConfirmToken(app, server, email))!)).body.status)
  }
  const items = await call('GET', `/accounts/${other.id}/applications?sort=appliedAt`)
  const flags = items.items.map((found: { flags: string[] }) => found.flags)
  assert.deepEqual(flags, [[], ['customer', 'same-network'], ['same-network', 'former-partner'], ['same-network']])
  assert.deepEqual(statuses, ['approved', 'waiting', 'waiting', 'waiting'], 'flagged ones wait for a person')
})

test('a key applies from an own form, and is told what is known', async () => {
  const { key } = expectOk(
    await owner('POST', `/accounts/${account.id}/api-keys`, { name: 'Own form', rights: ['partners'] }),
  ).body
  const post = (body: object) => app.api('POST', `/accounts/${account.id}/applications`, { token: key, body })
  const given = { firstName: 'Kit', lastName: 'Own', email: anEmail('own'), answers: [{ label: 'Why?', value: 'Fun' }] }
  const { body, status } = await post({ ...given, emailConfirmed: true })
  assert.deepEqual([status, body.status], [202, 'waiting'])
  const again = await post(given)
  assert.deepEqual([again.status, again.body.error.reason], [409, 'application_known'])
  const read = expectOk(await app.api('GET', `/applications/${body.id}`, { token: key })).body
  assert.deepEqual(read.answers, given.answers)
  const decided = await app.api('POST', `/accounts/${account.id}/applications/decisions`, {
    token: key,
    body: { ids: [body.id], decision: 'approve' },
  })
  assert.equal(decided.status, 403)
  const unconfirmed = expectOk(await post({ ...given, email: anEmail('own') })).body
  assert.equal(unconfirmed.status, 'unconfirmed')
})

test('a link works for a week, and its application is then forgotten; a forged one never works', async () => {
  const given = answered()
  await sendForm(app, slug, given)
  const token = (await findConfirmToken(app, server, given.email))!
  for (const wrong of [token.slice(0, -2), `${token.slice(0, -1)}A`, 'x', token.toLowerCase()])
    if (wrong !== token) assert.equal((await readConfirmation(wrong)).body.error.reason, 'link_expired', wrong)
  clock.advance(7 * DAY)
  assert.equal((await confirm(token)).body.error.reason, 'link_expired')
  await workOff(app.services)
})

test('one address gets three mails a day, whoever asks for them on the whole install', async () => {
  const config = { secretKey, smtpUrl: server.url, rateLimitFactor: 1 }
  const strict = await startApp({ clock, db: app.services.db, config })
  const { services } = strict
  const accounts = await getAccountFacts(services.db, [account.id, (await anAccount(keeping)).id])
  const email = anEmail('bombed')
  const bomb = async (times: number) => {
    for (let post = 0; post < times; post++)
      for (const facts of accounts.values()) {
        const given = {
          firstName: 'A',
          lastName: 'B',
          email,
          answers: [],
          by: null,
          agreement: null,
          groupId: null,
          automatic: false,
          language: 'en',
          address: '10.0.0.1',
        }
        const id = await transaction(services.db, (tx) => postApplication(tx, services, facts, given))
        await answerPosted(services, { accountId: facts.id, id })
      }
    return (await lettersTo(strict, server, email)).length
  }
  assert.equal(await bomb(3), 3)
  clock.advance(DAY)
  assert.equal(await bomb(1), 5)
})
