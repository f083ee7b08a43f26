import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, PASSWORD, startApp } from '../../../test/support/app.ts'
import { bookDue } from '../../../test/support/payouts.ts'
import { partnerRecipient } from '../../integrations/mail/news-queries.ts'

const app = await startApp()

const signIn = (email: string, language: string) =>
  app.api('POST', '/auth/sign-in', {
    body: { email, password: PASSWORD },
    headers: { 'accept-language': language },
  })

const languageOf = async (token: string) => (await app.api('GET', '/users/me', { token })).body.preferences.language

test('a partner who chose no language gets that of the screens where they sign in; a team doesn’t', async () => {
  const account = await anAccount(app)
  const email = anEmail('partner')
  const { token } = await aPartner(app, account, { email }, { signIn: true })
  expectOk(await signIn(email, 'en-US,en;q=0.9'))
  assert.equal(await languageOf(token!), undefined)
  expectOk(await signIn(email, 'de-AT,de;q=0.9'))
  assert.equal(await languageOf(token!), 'de')
  expectOk(await signIn(email, 'fr'))
  assert.equal(await languageOf(token!), 'de')
  expectOk(await app.api('PATCH', '/users/me', { token, body: { preferences: { language: 'browser' } } }))
  expectOk(await signIn(email, 'fr'))
  assert.equal(await languageOf(token!), 'browser')
  expectOk(await signIn(account.ownerEmail, 'de'))
  assert.equal(await languageOf(account.token), undefined)
})

test('English screens make mails English where they would be in another language', async () => {
  const account = await anAccount(app)
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { language: 'de' } }))
  const email = anEmail('partner')
  const { id, token } = await aPartner(app, account, { email }, { signIn: true })
  const languageOfMails = async () => (await partnerRecipient(app.services.db, account.id, id))?.language
  for (const nothing of ['*', 'ja']) expectOk(await signIn(email, nothing))
  assert.deepEqual([await languageOf(token!), await languageOfMails()], [undefined, 'de'])
  expectOk(await signIn(email, 'en'))
  assert.deepEqual([await languageOf(token!), await languageOfMails()], ['en', 'en'])
})

test('what a partner reads of their blockers is in the language that the screen asks for, and so is a refusal', async () => {
  const account = await anAccount(app, { minimumPayout: 1250_00, defaultCurrency: 'eur' })
  const partner = await aPartner(app, account, {}, { signIn: true })
  await bookDue(app, account, partner, 20_00)
  const read = (token: string | undefined, path: string, language?: string) =>
    app.api('GET', path, { token, headers: language ? { 'accept-language': language } : {} })
  const balance = `/partners/${partner.id}/balance`
  const english = await read(partner.token, balance)
  assert.equal(english.headers.get('content-language'), null)
  const german = await read(partner.token, balance, 'de-AT,de;q=0.9,en;q=0.5')
  assert.deepEqual(
    [german.headers.get('content-language'), german.headers.get('vary')],
    ['de-AT', 'Accept-Language, accept-encoding'],
  )
  const blockersOf = ({ body }: typeof german) => body.blockers.map(({ code }: { code: string }) => code)
  assert.deepEqual(blockersOf(german), blockersOf(english))
  const messages = german.body.blockers.map(({ message }: { message: string }) => message)
  assert.ok(messages.includes('Unter dem Mindestbetrag von €\u00a01.250,00'), messages.join('\n'))
  assert.ok(messages.includes('Geben Sie Ihre Auszahlungsdaten an'), messages.join('\n'))
  const ofOwner = await read(account.token, balance, 'de')
  const { blockers } = (await read(account.token, balance)).body
  assert.deepEqual(ofOwner.body.blockers, blockers, 'what a team reads is English, in its numbers too')
  const unknown = await read(partner.token, '/partners/00000000-0000-7000-8000-000000000000', 'pt-PT')
  assert.deepEqual(
    [unknown.status, unknown.body.error.code, unknown.headers.get('content-language')],
    [404, 'not_found', 'pt-PT'],
  )
  assert.match(unknown.body.error.message, /acesso/)
})

test('an owner sets the language of the account, of its page and of partners, and nobody a language that isn’t shipped', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, { language: 'fr' }, { signIn: true })
  const change = (body: object) => app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body })
  const changed = expectOk(await change({ language: 'de', pageLanguages: ['fr', 'nl', 'fr'] }))
  assert.deepEqual([changed.body.language, changed.body.pageLanguages], ['de', ['fr', 'nl']])
  const refused = await change({ language: 'tlh', pageLanguages: ['../de'] })
  assert.deepEqual(Object.keys(refused.body.error.fields), ['language', 'pageLanguages.0'])
  const read = async (token: string) => (await app.api('GET', `/partners/${partner.id}`, { token })).body.language
  assert.deepEqual([await read(account.token), await read(partner.token!)], ['fr', null])
  const put = (language: string | null) =>
    app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { language } })
  expectOk(await put(null))
  assert.equal(await read(account.token), null)
  const { id: accountId } = account
  const languageOfMails = async () => (await partnerRecipient(app.services.db, accountId, partner.id))?.language
  assert.equal(await languageOfMails(), 'de', 'the account’s')
  expectOk(await put('it'))
  assert.equal(await languageOfMails(), 'it', 'the partner’s')
  expectOk(await app.api('PATCH', '/users/me', { token: partner.token, body: { preferences: { language: 'nl' } } }))
  assert.equal(await languageOfMails(), 'nl', 'their own')
})
