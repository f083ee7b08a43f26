import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { shippedLanguages, withLanguage } from '#contract/language.ts'
import { anAccount, aPartner, expectOk, startApp } from '../../test/support/app.ts'
import { visitPage } from '../../test/support/applications.ts'
import { textsFor } from './check-words.ts'
import { createWordsFiles } from './http/words-files.ts'
import { getWords, loadLanguages, MOST_NAMED, preferredLanguage, readLanguages, speakLanguages } from './languages.ts'
import { refusal, refusalBody } from './refusal.ts'
import { findTranslation, readEnglish, toCatalogues } from './word-files.ts'

// An install corrects the shipped words by a file of its own, and has further languages by another.

const app = await startApp()
const english = await readEnglish()

/** Returns a data folder with these files of words. */
async function aDataFolder(t: TestContext, files: Record<string, unknown>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'languages-'))
  t.after(() => rm(dataDir, { recursive: true }))
  await mkdir(join(dataDir, 'languages'))
  for (const [name, words] of Object.entries(files))
    await writeFile(join(dataDir, 'languages', name), typeof words === 'string' ? words : JSON.stringify(words))
  return dataDir
}

/** A file of a language, of which these texts are filled in. */
const filledIn = (language: string, isFilled: (at: number) => boolean = () => true) =>
  toCatalogues(
    textsFor(language, english).map((one, at) => ({ ...one, text: isFilled(at) ? `«${one.text}»` : one.text })),
  )

async function speak(t: TestContext, files: Record<string, unknown>) {
  const found = await readLanguages(await aDataFolder(t, files))
  t.after(speakLanguages(found))
  return found
}

const ourWord = { module: 'refusals', path: 'too_many_calls' }

test('a file corrects single words; those with a wrong value or link, or that we don’t have, are left out and named', async (t) => {
  const shipped = findTranslation(getWords('de'), { module: 'refusals', path: 'not_found' })
  const { faults } = await speak(t, {
    'de.json': {
      refusals: { too_many_calls: 'Langsamer, bitte: {{wait}}.', not_found: 'Weg: {{betrag}}' },
      basic: { states: { failed: '' }, pages: { signIn: 'Anmeldung [hier]', nothing: 'x' }, absent: 4 },
      __proto__: { polluted: 'x' },
      nobody: 'x',
    },
    'de-CH.json': { refusals: { too_many_calls: 'Nöd so schnäll: {{wait}}.' } },
  })
  const tooMany = refusal('too_many_calls', { wait: '3 s' })
  const say = (language: string) => withLanguage(language, () => refusalBody(tooMany).message)
  assert.deepEqual(['de', 'de-AT', 'de-CH'].map(say), [
    'Langsamer, bitte: 3 s.',
    'Langsamer, bitte: 3 s.',
    'Nöd so schnäll: 3 s.',
  ])
  const notFound = refusal('not_found')
  for (const language of ['de', 'de-CH'])
    assert.equal(withLanguage(language, () => refusalBody(notFound)).message, shipped, language)
  assert.deepEqual(faults, [
    'de.json: refusals.not_found has {{betrag}} where English has none',
    'de.json: basic.pages.signIn marks no link with [ ] as English does',
    'de.json: basic.pages.nothing isn’t one of our words',
    'de.json: basic.absent isn’t a text',
    'de.json: nobody isn’t one of our words',
  ])
})

test('a file that can’t be read is named, and the others are read', async (t) => {
  const nested = '['.repeat(200_000)
  const { faults, own } = await speak(t, {
    'de.json': { refusals: { too_many_calls: 'Langsam, {{wait}}' } },
    'en.json': {},
    'fr.json': '{"a": ',
    'it.json': nested,
    'nl.json': `{"a": "${'x'.repeat(2_000_000)}"}`,
    'notes.txt': 'these are no words',
    'pt_BR.json': {},
  })
  assert.deepEqual([...own.keys()], ['de'])
  assert.deepEqual(
    faults.map((fault) => fault.slice(0, 32)),
    [
      'en.json: English is the source, ',
      'fr.json: the file can’t be read:',
      'it.json: the file can’t be read:',
      'nl.json: the file has 2000009 by',
      'pt_BR.json: the file isn’t named',
    ],
  )
  const many = Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => [
      `x${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}.json`,
      {},
    ]),
  )
  assert.match((await readLanguages(await aDataFolder(t, many))).faults[0]!, /has 41 files: only the first 40 are read/)
})

test('a file where the folder of words belongs is named', async (t) => {
  const dataDir = await aDataFolder(t, {})
  await rm(join(dataDir, 'languages'), { recursive: true })
  await writeFile(join(dataDir, 'languages'), '')
  assert.match((await readLanguages(dataDir)).faults.join(), /languages can’t be read \(ENOTDIR\)/)
})

test('the log names the first faults, and how many there are', async (t) => {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`word${at}`, 'x']))
  t.after(speakLanguages(await readLanguages(await aDataFolder(t, {}))))
  await loadLanguages(await aDataFolder(t, { 'de.json': { lead: wrong } }), log)
  assert.equal(lines.length, MOST_NAMED + 1)
  assert.match(lines[0]!, /de\.json: lead\.word0 isn’t one of our words/)
  assert.match(lines.at(-1)!, /"faults":30/)
})

test('a language has a part with nine of ten of its words, in its own plurals', async (t) => {
  const { parts } = await speak(t, {
    'pl.json': filledIn('pl'),
    'ja.json': filledIn('ja', (at) => at % 11 !== 0),
    'sv.json': filledIn('sv', (at) => at % 5 !== 0),
  })
  assert.deepEqual(
    [parts.get('pl'), parts.get('ja'), parts.get('sv')],
    [['before', 'partner', 'server'], ['before', 'partner', 'server'], []],
  )
  assert.deepEqual([preferredLanguage('pl-PL,de;q=0.5'), preferredLanguage('sv,ja;q=0.1')], ['pl-PL', 'ja'])
  const few = textsFor('pl', english).find(({ path }) => path.endsWith('_few'))!
  assert.ok(findTranslation(getWords('pl'), few))
})

const words = (path: string, headers = {}) => app.api('GET', `/words/${path}.json`, { headers })

test('screens get the words of the nearest language as this install has them, and their version', async (t) => {
  const shipped = await words('before/de-AT')
  assert.equal(shipped.headers.get('content-language'), 'de')
  assert.equal(shipped.body.basic.pages.signIn, 'Anmelden')
  assert.ok(!('lead' in shipped.body), 'words of another part')
  const again = { 'if-none-match': shipped.headers.get('etag')! }
  assert.equal((await words('before/de', again)).status, 304)
  await speak(t, { 'de.json': { basic: { pages: { signIn: 'Einloggen' } } }, 'pl.json': filledIn('pl') })
  const corrected = await words('before/de', again)
  assert.deepEqual([corrected.status, corrected.body.basic.pages.signIn], [200, 'Einloggen'])
  assert.equal(corrected.body.basic.pages.resetPassword, shipped.body.basic.pages.resetPassword)
  const polish = await words('partner/pl-PL')
  assert.deepEqual([polish.headers.get('content-language'), polish.body.basic.pages.signIn], ['pl', '«Sign in»'])
  const none = await words('partner/sv')
  assert.deepEqual([none.status, none.headers.get('content-language'), none.body], [200, 'en', {}])
})

for (const language of shippedLanguages)
  test(`the words in ${language} that a screen waits for stay within their budget`, async (t) => {
    for (const [part, most] of [
      ['before', 5],
      ['partner', 30],
    ] as const) {
      const { brotli } = await createWordsFiles()(`/words/${part}/${language}.json`)!
      t.diagnostic(`${part}: ${brotli.length} bytes`)
      assert.ok(brotli.length <= most * 1024, `${part}: ${brotli.length} bytes`)
    }
  })

test('a language of the install is offered and chosen; once its file is gone, words are English and the choice stays', async (t) => {
  const account = await anAccount(app)
  const { token } = await aPartner(app, account, {}, { signIn: true })
  const prefer = (language: string) => app.api('PATCH', '/users/me', { token, body: { preferences: { language } } })
  const change = (body: object) => app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body })
  const refused = async (language: string) =>
    (await app.api('GET', '/partners/0', { token, headers: { 'accept-language': language } })).body.error.message
  const page = { state: 'open', slug: `own-${account.id.slice(-8)}`, headline: 'Earn' }
  expectOk(await app.api('PUT', `/accounts/${account.id}/program`, { token: account.token, body: page }))
  assert.equal((await prefer('pl')).status, 422)
  assert.equal((await change({ pageLanguages: ['pl'] })).status, 422)

  const dataDir = await aDataFolder(t, { 'pl.json': filledIn('pl') })
  const remove = speakLanguages(await readLanguages(dataDir))
  try {
    const { items } = expectOk(await app.api('GET', '/languages')).body
    assert.deepEqual(items.at(-1), { language: 'pl', name: 'Polski', parts: ['before', 'partner', 'server'] })
    expectOk(await prefer('pl'))
    expectOk(await change({ pageLanguages: ['pl'] }))
    assert.match(await refused('pl'), /^«/)
    const { html } = await visitPage(app, `/join/${page.slug}/pl`)
    assert.match(html, /<html[^>]* lang="pl"[\s\S]*«/)
  } finally {
    remove()
  }
  const me = expectOk(await app.api('GET', '/users/me', { token })).body
  assert.equal(me.preferences.language, 'pl')
  assert.match(await refused('pl'), /^This doesn’t exist/)
  assert.ok(findTranslation(getWords('pl'), ourWord) === undefined)
})
