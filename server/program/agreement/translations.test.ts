import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { anApplicant, hiddenIn, openProgram, visitPage } from '../../../test/support/applications.ts'
import { exportArchive } from '../../../test/support/archives.ts'
import { importAccount } from '../../integrations/data-transfer/import-account.ts'
import { confirmToken } from '../applications/application-link.ts'

const app = await startApp()
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

type Options = { method?: string; path: string; body?: object; token?: string; language?: string }

async function anAgreement(translations?: object) {
  const account = await anAccount(app, { name: 'Acme' })
  const path = `/accounts/${account.id}/agreement`
  const ask = ({ method = 'GET', path, body, token = account.token, language }: Options) =>
    app.api(method, path, { token, body, ...(language && { headers: { 'accept-language': language } }) })
  const call = async (options: Options) => expectOk(await ask(options)).body
  await call({ path: `/accounts/${account.id}`, method: 'PATCH', body: { pageLanguages: ['de', 'fr'] } })
  const publish = (body: object) => call({ path, method: 'POST', body })
  await publish({ text: 'Be kind.', ...(translations && { translations }) })
  const accept = (partner: { id: string; token: string }, body: object) =>
    ask({ path: `/partners/${partner.id}/acceptances`, method: 'POST', token: partner.token, body })
  const joined = () => aPartner(app, account, {}, { signIn: true })
  return { account, path, ask, call, publish, accept, joined }
}

test('a text added later asks nobody again; who accepts it accepts its hash; it is never edited', async () => {
  const { account, path, ask, call, publish, accept, joined } = await anAgreement()
  await publish({ text: 'Be kinder.', changes: 'Kinder.' })
  await publish({ text: 'Be kindest.', changes: 'Kindest.' })
  const partners = await Promise.all(Array.from({ length: 6 }, joined))
  const [last] = partners.splice(5)
  for (const partner of partners) assert.equal((await accept(partner, { version: 3 })).status, 201)
  const german = { language: 'de', text: 'Seien Sie am freundlichsten.', changes: 'Freundlicher.' }
  const translate = (body: object, version = 3) =>
    ask({ path: `${path}/versions/${version}/translations`, method: 'POST', body })
  assert.equal((await accept(last!, { version: 3, language: 'de' })).status, 422)
  const made = await translate(german)
  assert.deepEqual(
    [made.status, made.body.language, made.body.languages, made.body.text, made.body.textHash],
    [201, 'de', ['en', 'de'], german.text, hashOf(german.text)],
  )
  assert.deepEqual([made.body.accepted, made.body.waiting], [5, 1])
  const taken = await accept(last!, { version: 3, language: 'de' })
  assert.deepEqual([taken.status, taken.body.language, taken.body.textHash], [201, 'de', hashOf(german.text)])
  const { items } = await call({ path: `/partners/${partners[0]!.id}/acceptances` })
  assert.deepEqual([items[0].language, items[0].textHash], ['en', hashOf('Be kindest.')])

  const edited = await translate({ ...german, text: 'Seien Sie unfreundlich.' })
  assert.deepEqual(
    [edited.status, edited.body.error.reason, edited.body.error.message],
    [409, 'translation_published', 'This text is published and can’t be changed.'],
  )
  const base = await translate({ ...german, language: 'en' })
  assert.deepEqual(
    [base.status, base.body.error.fields],
    [422, { language: 'This is the language of the texts themselves' }],
  )
  assert.equal((await translate(german, 4)).status, 404)
  const { db } = app.services
  const stays = /append-only|permission denied/
  await assert.rejects(db.run`update agreement_translations set text = 'x' where account_id = ${account.id}`, stays)
  await assert.rejects(db.run`delete from agreement_translations where account_id = ${account.id}`, stays)
})

test('partners read the text of their language, the team the original, each any that they name', async () => {
  const german = { text: 'Seien Sie freundlich.' }
  const { path, call, joined, publish } = await anAgreement({ de: german })
  const { token } = await joined()
  const read = async (options: Omit<Options, 'path'>, query = '') => {
    const { language, text, textHash } = await call({ ...options, path: `${path}${query}` })
    assert.equal(textHash, hashOf(text))
    return `${language}: ${text}`
  }
  assert.equal(await read({ token, language: 'de-AT' }), 'de: Seien Sie freundlich.')
  assert.equal(await read({ token, language: 'fr' }), 'en: Be kind.')
  assert.equal(await read({ token }), 'en: Be kind.')
  assert.equal(await read({ token, language: 'de' }, '?language=en'), 'en: Be kind.')
  assert.equal(await read({ language: 'de' }), 'en: Be kind.')
  assert.equal(await read({}, '?language=de'), 'de: Seien Sie freundlich.')
  assert.equal(await read({}, '/versions/1?language=de'), 'de: Seien Sie freundlich.')
  await publish({ text: 'Be kinder.', changes: 'Kinder.', translations: { de: { text: 'Freundlicher.' } } })
  const { items } = await call({ path: `${path}/versions`, token, language: 'de' })
  // what changed was written in English only
  assert.deepEqual(
    items.map(({ language, textHash, changes }: Record<string, unknown>) => [language, textHash, changes]),
    [
      ['de', hashOf('Freundlicher.'), 'Kinder.'],
      ['de', hashOf(german.text), null],
    ],
  )
})

test('an applicant accepts the text that their page showed, with a way to the original', async () => {
  const german = { text: 'Seien Sie freundlich.' }
  const { account, path, call, ask } = await anAgreement({ de: german })
  const slug = await openProgram(app, account)
  const { html } = await visitPage(app, `/join/${slug}/de/agreement`)
  assert.ok(html.includes('<section><p>Seien Sie freundlich.</p></section>'))
  assert.ok(html.includes(`<a href="/join/${slug}/agreement?version=1" hreflang="en">Original lesen (Englisch)</a>`))
  const french = (await visitPage(app, `/join/${slug}/fr/agreement`)).html
  assert.ok(french.includes('<section lang="en"><p>Be kind.</p></section>') && !french.includes('original'))

  const issuedIn = async (code: string) => hiddenIn((await visitPage(app, `/join/${slug}/${code}`)).html, 'issued')
  const send = async (code: string, issued: string) => {
    const body = new URLSearchParams({ issued, agreement: '1', ...anApplicant() })
    return (await fetch(`${app.url}/join/${slug}/${code}`, { method: 'POST', redirect: 'manual', body })).status
  }
  assert.equal(await send('de', await issuedIn('de')), 303)
  const { items } = await call({ path: `/accounts/${account.id}/applications?status=unconfirmed` })
  const token = confirmToken(app.services.secrets, { accountId: account.id, id: items[0].id })
  expectOk(await app.api('POST', '/applications/confirm', { token }))
  const { results } = await call({
    ...{ path: `/accounts/${account.id}/applications/decisions`, method: 'POST' },
    body: { ids: [items[0].id], decision: 'approve' },
  })
  const acceptances = await call({ path: `/partners/${results[0].partnerId}/acceptances` })
  assert.deepEqual(
    acceptances.items.map(({ language, textHash }: Record<string, unknown>) => [language, textHash]),
    [['de', hashOf(german.text)]],
  )
  // a text published meanwhile is looked at first
  const frenchForm = await issuedIn('fr')
  const body = { language: 'fr', text: 'Soyez aimable.' }
  assert.equal((await ask({ path: `${path}/versions/1/translations`, method: 'POST', body })).status, 201)
  assert.equal(await send('fr', frenchForm), 422)
})

test('all texts and the languages of acceptances leave with the account', async () => {
  const { account, accept, joined } = await anAgreement({ de: { text: 'Seien Sie freundlich.' } })
  assert.equal((await accept(await joined(), { version: 1, language: 'de' })).status, 201)
  const { path } = await exportArchive(app.services.db, account.id)
  const there = await startApp()
  await importAccount(there.services.db, there.services, path, {})
  const rows = await there.services.db.many`
    select t.language, t.text, c.language as accepted, t.text_sha256 = c.text_sha256 as same
    from agreement_translations t join agreement_acceptances c on c.account_id = t.account_id
    where t.account_id = ${account.id}`
  assert.deepEqual(rows, [{ language: 'de', text: 'Seien Sie freundlich.', accepted: 'de', same: true }])
})
