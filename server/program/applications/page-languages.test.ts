import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLanguage } from '#contract/language.ts'
import { workOff } from '../../../demo/drain-jobs.ts'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { anApplicant, hiddenIn, openProgram, sendForm, visitPage } from '../../../test/support/applications.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { loadMarked, MARKED, readableText, unmarkedWords } from '../../../test/support/marked-language.ts'
import { readForm } from './form.ts'
import { agreementPage, noPage, type PageRequest, programPage, thanksPage, waitPage } from './page.ts'
import { findPageFacts, type PageFacts } from './page-facts.ts'

const app = await startApp()
const account = await anAccount(app, {
  name: 'Acme',
  payoutDelay: 14,
  minimumPayout: 1234_50,
  defaultCurrency: 'eur',
  defaultCommissionSettings: { layerRates: [7.5, 5] },
})
const question = { required: false, choices: [] }
const questions = [
  { ...question, label: '1?', kind: 'yes-no' },
  { ...question, label: '2?', kind: 'choice', choices: ['3', '4'] },
  { ...question, label: '5?', kind: 'text', required: true },
]
const slug = await openProgram(app, account, { questions })
await aBlueprint(app, account, { cookieDays: 45 })
const request: PageRequest = { origin: 'https://x.test', today: '2026-10-01', issued: '1' }

const factsIn = async (language: string, change: Partial<PageFacts> = {}): Promise<PageFacts> => ({
  ...(await findPageFacts(app.services.db, { slug }))!,
  agreement: 2,
  language,
  ...change,
})

test('a page in German has its money, days and percentages, and the owner’s texts in their own language', async () => {
  const german = await factsIn('de', {
    endings: new Map([
      ['en', ''],
      ['de', '/de'],
    ]),
  })
  const facts = { ...german, program: { ...german.program, text: 'We pay well.', headline: 'Sell with us' } }
  const html = programPage(facts, { ...request, amount: '1.234,50' })
  for (const words of [
    '<html lang="de">',
    '<h1 lang="en">Sell with us</h1>',
    '<div lang="en"><p>We pay well.</p></div>',
    'Partner erhalten 7,5\u00a0% auf jeden Verkauf',
    'value="1.234,50"',
    'erhalten Sie <strong>92,59\u00a0€</strong>',
    'mindestens 1.234,50\u00a0€',
    'bis zu 45 Tage lang',
    '<span lang="en">5?</span>',
    '>Vorname<',
    'value="Yes">Ja<',
    '<link rel="alternate" hreflang="en"',
  ])
    assert.ok(html.includes(words), words)
  const wrong = programPage(facts, { ...request, amount: '-1' })
  assert.ok(wrong.includes('Geben Sie einen Betrag von 0,01 bis 1.000.000 ein'))
  const shown = {
    version: 2,
    language: 'en',
    translations: {},
    changes: null,
    text: 'Be kind.',
    publishedAt: '2026-03-01T12:00:00.000Z',
  }
  const agreement = agreementPage(facts, shown as never, request.origin)
  assert.match(agreement, /<html lang="de">.*Version 2, veröffentlicht am 01\.03\.2026.*<section lang="en"><p>Be kind/s)
})

test('each language of a page has an address, which names all the others; one that is taken away leads to the account’s', async () => {
  const own = await anAccount(app, { name: 'Acme' })
  const call = async (method: string, path: string, body: object) =>
    expectOk(await app.api(method, path, { token: own.token, body })).body
  const path = `/join/${await openProgram(app, own)}`
  const { id: groupId } = await call('POST', `/accounts/${own.id}/groups`, {
    ...{ name: 'Agencies', joinSlug: 'agencies', terms: { otherwise: { layerRates: [35] } } },
  })
  await call('POST', `/accounts/${own.id}/agreement`, { text: 'Be kind.' })
  const speak = (pageLanguages: string[], language = 'en') =>
    call('PATCH', `/accounts/${own.id}`, { language, pageLanguages })
  const status = async (path: string) => (await visitPage(app, path)).status
  const alternates = (html: string) =>
    [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)].map(([, language, url]) => [
      language,
      url!.replace(app.services.config.appUrl, ''),
    ])
  assert.deepEqual(alternates((await visitPage(app, path)).html), [])
  assert.equal(await status(`${path}/xx`), 404)
  await speak(['de', 'pt-BR', 'en'])
  for (const [start, below] of [
    [path, ''],
    [`${path}/agencies`, ''],
    [path, '/agreement'],
  ]) {
    const set = [
      ['en', start! + below],
      ['de', `${start}/de${below}`],
      ['pt-BR', `${start}/pt${below}`],
      ['x-default', start! + below],
    ]
    for (const [language, address] of set.slice(0, 3)) {
      const { html, headers } = await visitPage(app, address!, { 'accept-language': 'fr' })
      assert.match(html, new RegExp(`^<!doctype html>\n<html lang="${language}">`), address)
      assert.deepEqual(alternates(html), set, address)
      assert.ok(html.includes(`<link rel="canonical" href="${app.services.config.appUrl}${address}">`), address)
      assert.equal(headers.get('vary'), 'accept-encoding')
      const others = [...html.matchAll(/<a href="[^"]+" hreflang="([^"]+)" lang="[^"]+">([^<]+)</g)].map(
        ([, tag, name]) => `${tag} ${name}`,
      )
      const all = ['en English', 'de Deutsch', 'pt-BR Português (Brasil)']
      assert.deepEqual(
        others,
        all.filter((one) => !one.startsWith(`${language} `)),
        address,
      )
    }
  }
  const group = await visitPage(app, `${path}/agencies/de/agreement`)
  assert.ok(group.html.includes(`<a href="${path}/agencies/de">Über das Programm</a>`))
  assert.ok(group.html.includes(`rel="canonical" href="${app.services.config.appUrl}${path}/de/agreement"`))
  assert.match((await visitPage(app, `${path}/de/thanks`)).html, /<html lang="de">.*<h1>Vielen Dank/s)

  await speak(['de'], 'nl')
  for (const [gone, now] of [
    ['/pt', ''],
    ['/nl?by=abc', '?by=abc'],
    ['/agencies/pt', '/agencies'],
    ['/agencies/en/thanks', '/agencies/thanks'],
    ['/es/agreement?version=1', '/agreement?version=1'],
  ]) {
    const { status, headers } = await visitPage(app, path + gone)
    assert.deepEqual([status, headers.get('location')], [301, path + now], gone)
  }
  assert.equal(await status(`${path}/agencies/xx`), 404)
  assert.equal(await status(`${path}/de/agencies`), 404)
  assert.match((await visitPage(app, path)).html, /<html lang="nl">.*Word partner van Acme/s)
  await call('PUT', `/groups/${groupId}`, { joinSlug: '' })
  assert.equal(await status(`${path}/agencies/de`), 404)
})

test('an application keeps the language of its page, which also words its mistakes and keeps who recruits', async () => {
  const own = await anAccount(app, { name: 'Acme', invitationsFromPartners: true })
  const its = await openProgram(app, own)
  const recruiter = await aPartner(app, own, { firstName: 'Rosa' })
  expectOk(await app.api('PATCH', `/accounts/${own.id}`, { token: own.token, body: { pageLanguages: ['de', 'fr'] } }))
  const { html } = await visitPage(app, `/join/${its}/de?by=${recruiter.referralCode}`)
  assert.match(html, /Eingeladen von Rosa/)
  assert.ok(html.includes(`href="${app.services.config.appUrl}/join/${its}/fr?by=${recruiter.referralCode}"`))
  assert.ok(html.includes(`action="/join/${its}/de#apply"`))
  assert.equal(hiddenIn(html, 'by'), recruiter.referralCode)
  const wrong = await sendForm(app, `${its}/de`, { firstName: '', lastName: 'Byron', email: 'x' })
  assert.equal(wrong.status, 422)
  for (const words of [
    '<title>Fehler: ',
    'Bitte prüfen Sie die Felder',
    'Geben Sie einen Vornamen ein',
    'gültige E-Mail',
  ])
    assert.ok(wrong.html.includes(words), words)
  const given = anApplicant()
  const sent = await sendForm(app, `${its}/de`, given)
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, `/join/${its}/de/thanks`])
  await workOff(app.services)
  const { body } = expectOk(
    await app.api('GET', `/accounts/${own.id}/applications?search=${given.email}`, { token: own.token }),
  )
  assert.equal(body.items[0].language, 'de')
})

test('no English word is left in another language: on the page, its errors, the thanks and the agreement', async (t) => {
  t.after(await loadMarked())
  const open = await factsIn(MARKED)
  const unnamed = { ...open, account: { ...open.account, name: null } }
  const closed = { ...open, isFull: true, program: { ...open.program, indexed: false } }
  const read = withLanguage(MARKED, () => readForm({ questions: open.program.questions, agreement: 2 }, { q1: '9' }))
  assert.ok('wrong' in read)
  const shown = {
    version: 1,
    language: 'en',
    translations: {},
    changes: '1',
    text: '2',
    publishedAt: '2026-03-01T12:00:00.000Z',
  } as never
  const inMarked = (write: () => string) => withLanguage(MARKED, write)
  const pages = {
    open: programPage(open, request),
    unnamed: programPage(unnamed, { ...request, by: { code: 'x', firstName: null } }),
    closed: programPage(closed, request),
    wrong: programPage(open, {
      ...request,
      amount: 'x',
      ...{ wrong: { ...read.wrong, firstName: '', lastName: '', email: '' } },
    }),
    thanks: thanksPage(open, { origin: request.origin, byMail: true }),
    sent: thanksPage(open, { origin: request.origin, byMail: false }),
    agreement: agreementPage(open, shown, request.origin),
    missing: inMarked(noPage),
    wait: inMarked(() => waitPage('5.')),
  }
  const data = /Acme|EUR|summary|website|width=device-width, initial-scale=|noindex|https:\/\/x\.test\/[\w/-]*/g
  for (const [name, html] of Object.entries(pages)) {
    assert.deepEqual(unmarkedWords(readableText(html).replace(data, ' ')), [], name)
    assert.match(html, new RegExp(`<html lang="${MARKED}">.*⟦`, 's'))
  }
})
