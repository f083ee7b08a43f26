import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { workOff } from '#demo/drain-jobs.ts'
import { importAccount } from '#server/integrations/data-transfer/import-account.ts'
import { fakeSmtp } from '#test/fakes/smtp.ts'
import { anAccount, aPartner, expectOk, startApp } from '#test/support/app.ts'
import { exportArchive } from '#test/support/archives.ts'

const server = await fakeSmtp()
after(() => server.close())
const app = await startApp()
/** With a mail server; links of invitations are answered only by an app without one. */
const mailing = { ...app.services, config: { ...app.services.config, smtpUrl: server.url } }

const news = {
  subject: 'News for {firstName}',
  body: '# More\n\nHello {firstName}\n\n- a',
  translations: { de: { subject: 'Neues für {firstName}', body: 'Hallo {firstName}' } },
}

async function aProgram() {
  const account = await anAccount(app, { name: 'Acme' })
  const path = `/accounts/${account.id}/announcements`
  const ask = (body: object) => app.api('POST', path, { token: account.token, body })
  const partner = async (language: string, firstName: string | null = 'Pia') => {
    const made = await aPartner(app, account, { firstName, lastName: null }, { signIn: true })
    expectOk(await app.api('PATCH', '/users/me', { token: made.token, body: { preferences: { language } } }))
    return made
  }
  return { account, path, ask, partner }
}

test('each of 42 recipients reads an announcement in their language, else its own in a frame of theirs', async () => {
  const { account, ask, partner } = await aProgram()
  const [german, french, english] = [await partner('de', null), await partner('fr'), await partner('en')]
  // the others are of one person, who has chosen no language: it is that of each partner
  const person = await partner('browser')
  const others = [...Array(11).fill('de'), ...Array(2).fill('fr'), ...Array(25).fill('en')]
  for (const [at, language] of others.entries()) {
    const body = { firstName: 'Pia', email: `pia-${at}@partners.example`, language, sendInvitation: false }
    expectOk(await app.api('POST', `/accounts/${account.id}/partners`, { token: account.token, body }))
  }
  await app.services.db.run`
    with theirs as (
      update partners set user_id = (select user_id from partners where id = ${person.id})
      where account_id = ${account.id} and user_id is null returning *)
    insert into user_roles (user_id, type, account_id, partner_id, created_at)
    select user_id, 'partner', account_id, id, now() from theirs`
  const { count, mails, languages } = expectOk(await ask({ ...news, preview: true })).body
  assert.deepEqual([count, mails, languages], [42, 42, { de: 12, en: 30 }])
  const { body: sent } = await ask(news)
  assert.deepEqual([sent.recipients, sent.language, sent.translations], [42, 'en', news.translations])
  await workOff(mailing)
  const [toGerman, toFrench, toEnglish] = [german, french, english].map(({ email }) => server.to(email)[0]!)
  assert.equal(toGerman!.subject, 'Neues für Partner')
  assert.match(toGerman!.html, /<html lang="de".*<p class="text"[^>]*>Hallo Partner<\/p>.*Sie erhalten/s)
  assert.equal(toFrench!.subject, 'News for Pia')
  for (const block of ['h1', 'h2', 'p', 'ul'])
    assert.match(toFrench!.html, new RegExp(`<html lang="fr".*<${block} lang="en"`, 's'), block)
  assert.doesNotMatch(toFrench!.html, /<p lang="en"[^>]*>Vous/)
  assert.match(toEnglish!.html, /<html lang="en"/)
  assert.doesNotMatch(toGerman!.html + toEnglish!.html, / lang="en" class/)

  const read = async ({ id, token }: { id: string; token: string }, language?: string) => {
    const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
    const { body } = await app.api('GET', `/partners/${id}/announcements`, { token, headers })
    return [body.items[0].language, body.items[0].subject]
  }
  assert.deepEqual(await read(german, 'de-CH,de;q=0.9'), ['de', 'Neues für Partner'])
  assert.deepEqual(await read(french, 'fr'), ['en', 'News for Pia'])
  assert.deepEqual(await read(french, 'de'), ['de', 'Neues für Pia'])
  assert.deepEqual(await read(german), ['en', 'News for there'])
})

test('a translation has the words in braces that there are, and is in another language', async () => {
  const { ask } = await aProgram()
  const wrong = async (translations: object) => {
    const { status, body } = await ask({ ...news, translations, preview: true })
    return [status, Object.keys(body.error.fields).join()]
  }
  assert.deepEqual(await wrong({ de: { subject: 'x', body: '{name}' } }), [422, 'translations.de.body'])
  assert.deepEqual(await wrong({ de: { subject: 'x' } }), [422, 'translations.de.body'])
  assert.deepEqual(await wrong({ en: { subject: 'x', body: 'x' } }), [422, 'translations.en'])
})

test('translations of an announcement leave with the account, and go with the announcement', async () => {
  const { account, ask, partner } = await aProgram()
  await partner('en')
  const { id } = expectOk(await ask(news)).body
  const { path } = await exportArchive(app.services.db, account.id)
  const there = await startApp()
  await importAccount(there.services.db, there.services, path, {})
  const stored = `select language, translations from announcements where id = '${id}'`
  assert.deepEqual(await there.services.db.one([stored] as never), { language: 'en', translations: news.translations })
  expectOk(await app.api('DELETE', `/announcements/${id}`, { token: account.token }))
  assert.deepEqual(await app.services.db.one([stored] as never), { language: 'en', translations: {} })
})
