import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workOff } from '../../../demo/drain-jobs.ts'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { anApplicant, openProgram, sendForm, visitPage } from '../../../test/support/applications.ts'

const app = await startApp()

const questions = [
  {
    ...{ label: 'Where?', kind: 'choice', required: true, choices: ['Blog', 'Other'] },
    translations: { de: { label: 'Wo?', choices: ['Blog', 'Anderswo'] } },
  },
  { label: 'Why?', kind: 'text', required: false, choices: [] },
]
const german = { headline: 'Mit uns verdienen', text: 'Wir zahlen gut.', rules: '' }

async function aProgram() {
  const account = await anAccount(app, { name: 'Acme' })
  const ask = (method: string, path: string, body?: object) => app.api(method, path, { token: account.token, body })
  const call = async (...given: Parameters<typeof ask>) => expectOk(await ask(...given)).body
  await call('PATCH', `/accounts/${account.id}`, { pageLanguages: ['de', 'fr'] })
  const texts = { headline: 'Earn with us', text: 'We pay well.', rules: '- No ads', translations: { de: german } }
  const slug = await openProgram(app, account, { ...texts, questions })
  return { account, slug, ask, call, path: `/accounts/${account.id}/program` }
}

test('a page shows each text of its owner in its language, else the text itself in the account’s', async () => {
  const { account, slug, call } = await aProgram()
  const group = await call('POST', `/accounts/${account.id}/groups`, {
    ...{ name: 'Agencies', publicName: 'Agencies', joinSlug: 'agencies' },
    translations: { de: { publicName: 'Agenturen' } },
  })
  assert.deepEqual(group.translations, { de: { publicName: 'Agenturen' } })
  const page = async (ending: string) => (await visitPage(app, `/join/${slug}${ending}`)).html
  const shows = async (ending: string, ...words: string[]) => {
    const html = await page(ending)
    for (const one of words) assert.ok(html.includes(one), `${ending}: ${one}`)
  }
  await shows(
    '/de',
    ...[
      '<h1>Mit uns verdienen</h1>',
      '</h2><p>Wir zahlen gut.</p>',
      '<meta name="description" content="Wir zahlen gut.">',
    ],
    ...['<div lang="en"><ul><li>No ads</li></ul></div>', '>Wo?</label>', '<option>Blog</option>'],
    ...['<option value="Other">Anderswo</option>', '<span lang="en">Why?</span>'],
  )
  await shows('/agencies/de', '<title>Mit uns verdienen – Agenturen</title>', '<p class="name">Agenturen</p>')
  await shows('/agencies/fr', '<h1 lang="en">Earn with us</h1>', '<p class="name" lang="en">Agencies</p>')
  await shows('/fr', '<div lang="en"><p>We pay well.</p></div>', '<option lang="en">Other</option>')
  await shows('', '<h1>Earn with us</h1>', '<option>Other</option>')
  assert.ok(!(await page('/fr')).includes('content="We pay well.'))

  // the answer has the words of the question itself
  const given = anApplicant({ q0: 'Other' })
  assert.equal((await sendForm(app, `${slug}/de`, given)).status, 303)
  assert.match((await sendForm(app, `${slug}/de`, anApplicant({ q0: 'Anderswo' }))).html, /id="q0-wrong"/)
  await workOff(app.services)
  const { items } = await call('GET', `/accounts/${account.id}/applications?search=${given.email}`)
  assert.deepEqual(items[0].answers, [{ label: 'Where?', value: 'Other' }])
})

test('translations are changed one by one; texts in the base language are no translation', async () => {
  const { account, ask, call, path } = await aProgram()
  const french = { headline: null, text: 'Nous payons bien.', rules: '' }
  await call('PUT', path, { translations: { fr: { text: french.text } } })
  assert.deepEqual((await call('GET', path)).translations, { de: german, fr: french })
  const { translations } = await call('PUT', path, { translations: { fr: { text: ' ' } } })
  assert.deepEqual(translations, { de: german })
  assert.deepEqual((await call('PUT', path, { translations: { de: null } })).translations, {})
  const wrong = async (body: object, to = path) => {
    const { status, body: refused } = await ask(to === path ? 'PUT' : 'POST', to, body)
    return [status, refused.error.fields]
  }
  const isBase = 'This is the language of the texts themselves'
  assert.deepEqual(await wrong({ translations: { en: { text: 'x' } } }), [422, { 'translations.en': isBase }])
  const withTranslations = (translations: object) => ({ questions: [{ ...questions[0], translations }] })
  assert.deepEqual(await wrong(withTranslations({ en: { label: 'x', choices: ['a', 'b'] } })), [
    422,
    { 'questions.0.translations.en': isBase },
  ])
  assert.deepEqual(await wrong(withTranslations({ de: { label: 'x', choices: ['a'] } })), [
    422,
    { 'questions.0.translations.de.choices': 'Enter as many choices as the question has' },
  ])
  const group = { name: 'Agencies', translations: { en: { publicName: 'x' } } }
  assert.deepEqual(await wrong(group, `/accounts/${account.id}/groups`), [422, { 'translations.en': isBase }])
})

test('a preview is in one of the languages', async () => {
  const { call, path } = await aProgram()
  const { html } = await call('POST', `${path}/preview`, { language: 'de', translations: { de: { text: 'Neu.' } } })
  assert.match(html, /<html lang="de">.*<p>Neu\.<\/p>/s)
})
