import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { KeptReference } from '#features/embed/contract.ts'
import { compressBrotli } from '#features/embed/server/script-file.ts'
import { cleanAddress, codesIn, readArrival } from './address.ts'
import { buildEmbedScript } from './build.ts'
import {
  type ElementKey,
  type EmbedConfiguration,
  renderEmbedScript,
  type ServedConfiguration,
  toCss,
} from './configuration.ts'
import { isGenerated } from './generated.ts'
import { type Description, isPrivate, isValueFor, normalizeText, scoreField } from './guesses.ts'
import { formatReference, parseReference, type Reference, withEntry } from './reference.ts'
import { EMAIL, FIRST_NAME, LAST_NAME, PHONE } from './words.ts'

const CLICK = '0198c5a2-6b1e-7c3d-9f00-000000000001'

const PROGRAM = '160RLxwV_yP-'

const KEYS: ElementKey[] = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']

function aConfiguration(value: string): EmbedConfiguration {
  const selector = { selectorType: 'query-selector' as const, selectorValue: value }
  return {
    program: PROGRAM,
    endpoint: 'https://partners.example.com/embed/pub_9tKq2ZpLw4VdXy7B',
    config: Object.fromEntries(KEYS.map((key) => [key, selector])) as EmbedConfiguration['config'],
    names: ['ref', 'via'],
    plain: 1,
    cookieDays: 365,
    firstTouch: false,
    onlyIfReferred: true,
    consentMode: 'required',
    forms: 'sign-ups',
    domains: ['acme.example', 'acme-cloud.example', 'getacme.example'],
    checkoutDomains: ['pay.acme.example'],
  }
}

/** Most bytes of the script in Brotli: docs/decisions/0033-size-of-the-embed-script.md says what brings them. */
const MOST_BYTES = 6656

test('an account’s whole script has few bytes in Brotli, and no eval', async () => {
  const compiled = await buildEmbedScript()
  const alike = aConfiguration('form.sign-up input[name="contact"]')
  const script = renderEmbedScript(compiled, alike)
  const own = ['#form-field-first', '#form-field-last', 'input[name="work_email"]', '.phone-wrap input', 'form.signup']
  const config = { ...alike.config }
  for (const [place, key] of KEYS.entries())
    config[key] = { selectorType: 'query-selector', selectorValue: own[place] ?? 'button.cta-primary' }
  for (const whole of [script, renderEmbedScript(compiled, { ...alike, config })]) {
    const size = (await compressBrotli(Buffer.from(whole))).length
    assert.ok(size <= MOST_BYTES, `${size} bytes`)
  }
  assert.doesNotMatch(script, /\beval\b|\bFunction\(|\bimport\b|\brequire\(/)
  assert.doesNotMatch(script, /\?\.|\?\?|\*\*|\basync\b/, 'syntax of 2015')
})

test('the owner’s check and the picker have at most 6 KB in Brotli', async () => {
  const whole = renderEmbedScript(
    await buildEmbedScript('picker'),
    aConfiguration('form.sign-up input[name="contact"]'),
  )
  const size = (await compressBrotli(Buffer.from(whole))).length
  assert.ok(size <= 6144, `${size} bytes`)
  assert.doesNotMatch(whole, /\binnerHTML\b|\beval\b/)
})

test('names that tools make are not proposed', () => {
  for (const name of ['field-83921', 'a1b2c3d4', 'css-1q2w3e4', 'sc-bdVaJa', 'radix-:r3:', 'mui-_r_1_', 'x-deadbeef'])
    assert.ok(isGenerated(name), name)
  for (const name of ['email', 'mce-EMAIL', 'input_1_3', 'form-field-email', 'wpforms-3-field_0', 'firstName', 'col-2'])
    assert.ok(!isGenerated(name), name)
})

test('a configuration arrives unchanged, whatever the owner entered', () => {
  const typed = `[data-x="</script><script>alert(1)"] \u2028 \\ 'a' $& \${b}`
  const rendered = renderEmbedScript('report(tributaryConfiguration)', aConfiguration(typed))
  assert.doesNotMatch(rendered, /<|\u2028/)
  let served: ServedConfiguration | undefined
  const page = { report: (configuration: typeof served) => (served = configuration) }
  runInNewContext(rendered, page)
  const [selectors, , , , , endpoint] = served!
  assert.equal(selectors[EMAIL], typed)
  assert.equal(endpoint, 'https://partners.example.com/embed/pub_9tKq2ZpLw4VdXy7B')
  assert.deepEqual(Object.keys(page), ['report'], 'the page gets no name')
})

test('after a visit with a code of no partner, the click before stays the latest', async () => {
  const config = Object.fromEntries(
    KEYS.map((key) => [key, { selectorType: 'default', selectorValue: '' }]),
  ) as EmbedConfiguration['config']
  const script = renderEmbedScript(await buildEmbedScript(), { ...aConfiguration(''), config, consentMode: 'off' })
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  }
  const sent: Record<string, string>[] = []
  const tag = { src: '', getAttribute() {} }
  async function open(href: string, referrer = '') {
    const page = {
      ...{ location: new URL(href), localStorage: storage, sessionStorage: { getItem() {}, setItem() {} } },
      document: { readyState: 'complete', referrer, querySelector: () => tag, querySelectorAll: () => [] },
      ...{
        URL,
        URLSearchParams,
        navigator: {},
        performance: { now: () => 0, getEntriesByType: () => [] },
        addEventListener() {},
      },
      CustomEvent,
      MutationObserver: class {
        observe() {}
      },
      dispatchEvent() {},
      async fetch(_url: string, { body }: { body: string }) {
        sent.push(JSON.parse(body))
        return { json: async () => ({ clickId: sent.at(-1)!.clickId ?? 'made-up-one' }) }
      },
    }
    runInNewContext(script, { ...page, window: page })
    await setImmediate()
    return kept.get('tributary_ref')
  }
  assert.match((await open(`https://shop.example/?ref=anna&click=${CLICK}`))!, new RegExp(`:anna\\.${CLICK}\\.`))
  assert.match((await open('https://shop.example/?click=abcdef12-other'))!, /:anna\./)
  assert.match(
    (await open('https://shop.example/?ref=producthunt', 'https://news.example/story?id=5'))!,
    new RegExp(`:producthunt\\.${CLICK}\\.`),
  )
  assert.deepEqual(sent, [
    {
      referralCode: 'producthunt',
      clickId: CLICK,
      pageUrl: 'https://shop.example/?ref=producthunt',
      referrer: 'news.example',
    },
  ])
  kept.clear()
  await open('https://shop.example/?ref=producthunt', 'https://shop.example/other')
  assert.equal(sent[1]!.referrer, undefined, 'the site’s own pages are no referrers')
})

test('selectors become CSS', () => {
  assert.equal(toCss({ selectorType: 'default', selectorValue: '' }), '')
  assert.equal(toCss({ selectorType: 'id', selectorValue: '#a.b:c-1' }), '[id="a.b:c-1"]')
  assert.equal(toCss({ selectorType: 'class', selectorValue: 'form.sign-up .mail' }), 'form.sign-up .mail')
  assert.equal(toCss({ selectorType: 'name', selectorValue: 'user["e\\mail"]' }), '[name="user[\\"e\\\\mail\\"]"]')
  assert.equal(toCss({ selectorType: 'query-selector', selectorValue: 'a > b' }), 'a > b')
})

test('an arrival is a code under any parameter name, in any case, or a click id', () => {
  const arrival = (query: string) => readArrival(`https://shop.example/a${query}`, { names: ['ref', 'via'], plain: 2 })
  assert.deepEqual(arrival('?ref=Anna-1'), { codes: ['anna-1'], click: '' })
  assert.deepEqual(arrival(`?via=anna&CLICK=${CLICK})`), { codes: ['anna'], click: CLICK })
  assert.deepEqual(arrival(`?click=${CLICK}`), { codes: [], click: CLICK })
  assert.deepEqual(arrival('?via=anna&click=abcdef12-other'), { codes: ['anna'], click: '' })
  assert.deepEqual(arrival('?via=zoe&ref=anna&ref=zoe&ref=not_a_code'), { codes: ['anna', 'zoe'], click: '' })
  assert.deepEqual(arrival(`?${'ref=anna1&'.repeat(9)}via=zoe`), { codes: ['anna1'], click: '' })
  for (const none of [
    '',
    '?click=1',
    '?click=abcdef12-other',
    '?ref=',
    '?ref=ab',
    '?ref=https://other.example',
    '?partner=anna',
  ])
    assert.equal(arrival(none), undefined, none)
})

test('an old link arrives by its own parameter, with a code of any form, unless the account’s parameter has one', () => {
  const codeIn = (query: string, plain = 1) =>
    readArrival(`https://shop.example/a${query}`, { names: ['via', 'ref', 'fpr'], plain })?.codes[0]
  assert.equal(codeIn('?fpr=Jane_D.%C3%84'), 'jane_d.ä')
  assert.equal(codeIn('?fpr=7'), '7')
  assert.equal(codeIn(`?fpr=${'x'.repeat(101)}`), 'x'.repeat(100))
  assert.equal(codeIn('?fpr=jane&via=kim'), 'kim')
  assert.equal(codeIn('?fpr=jane&via=not_a_code'), 'jane')
  assert.equal(codeIn('?ref=J.D'), 'j.d')
  assert.equal(codeIn('?ref=J.D', 2), undefined)
  assert.deepEqual(codesIn('Jane.D!)', true), ['jane.d!)', 'jane.d!', 'jane.d'])
})

test('a code is what people see of it; hosts, emails, addresses and longer words are none', () => {
  for (const code of [
    '@jane',
    '“jane”',
    '«jane»',
    '(jane).',
    'jane: hello',
    'jane🎉',
    '（jane）',
    'jane…',
    'Jane\u00ad\ufe0f',
    'jane?x=1',
  ])
    assert.deepEqual(codesIn(code), ['jane'], code)
  for (const none of [
    'jané',
    'ïjane',
    'jane_doe',
    'jane.example',
    'jane:8080',
    'jane@mail',
    'jane://x',
    'ja',
    'j'.repeat(33),
    '数jane',
    '',
  ])
    assert.deepEqual(codesIn(none), [], none)
})

test('an address is sent without its private parts', () => {
  const address = 'https://me:pw@shop.example:8443/a%20b?token=s&ref=anna&utm_source=a%26b&email=x@y&click=c1#key=2'
  assert.equal(cleanAddress(address, ['ref']), 'https://shop.example:8443/a%20b?ref=anna&utm_source=a%26b&click=c1')
  assert.equal(cleanAddress('https://shop.example/?q=1', ['ref']), 'https://shop.example/')
  assert.ok(cleanAddress(`https://shop.example/?ref=${'a'.repeat(9000)}`, ['ref']).length < 2001)
})

test('a stored reference can be read until it expires', () => {
  const reference: Reference = [1_000_000, 'anna', '0198c5a2-6b1e']
  const text = formatReference(PROGRAM, reference)
  assert.equal(text, '160RLxwV_yP-:anna.0198c5a2-6b1e.1000000')
  assert.deepEqual(parseReference(text, PROGRAM, 2, 1_000_000 + 2 * 86_400 - 1), reference)
  assert.equal(parseReference(text, PROGRAM, 2, 1_000_000 + 2 * 86_400), undefined)
  assert.deepEqual(parseReference('anna..1000000', PROGRAM, 1, 1_000_000), [1_000_000, 'anna', ''])
  for (const other of ['', '..1', 'anna', 'a.b;c.1', null, undefined])
    assert.equal(parseReference(other, PROGRAM, 1, 0), undefined)
})

test('programs share the cookie: each reads and replaces its own entry, and one of before is read by all', () => {
  const at = (text: string, program: string) => parseReference(text, program, 1, 1000)?.[1]
  const [one, two] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']
  const both = withEntry(withEntry('', one, `${one}:anna..1000`), two, `${two}:bert..1000`)
  assert.deepEqual([at(both, one), at(both, two), at(both, PROGRAM)], ['anna', 'bert', undefined])
  assert.equal(at(withEntry(both, one, `${one}:cleo..1000`), one), 'cleo')
  assert.equal(at(withEntry(both, one, `${one}:cleo..1000`), two), 'bert')
  assert.deepEqual([at('zoe..1000', one), at(`zoe..1000|${two}:bert..1000`, one)], ['zoe', 'zoe'])
  assert.equal(withEntry(`zoe..1000|${both}`, one, ''), `${two}:bert..1000`)
  let many = ''
  for (const letter of 'abcdef') many = withEntry(many, letter.repeat(12), `${letter.repeat(12)}:anna..1000`)
  assert.equal(many.split('|').length, 4)
  assert.ok(KeptReference.safeParse({ reference: many, domain: null }).success)
})

test('a code of any form is stored in characters that a cookie takes', () => {
  for (const code of ['jane.doe', "o'neil (ö)", 'a;b=c,d', '7', 'jane@mail.example', '100%']) {
    const reference: Reference = [1_000_000, code, '0198c5a2-6b1e']
    const text = formatReference(PROGRAM, reference)
    assert.match(text, /^[\w!'()*~%.:-]+$/)
    assert.deepEqual(parseReference(text, PROGRAM, 1, 1_000_000), reference)
    assert.ok(KeptReference.safeParse({ reference: text, domain: null }).success, code)
  }
  assert.throws(() => parseReference('%E0%A4%A.c.1', PROGRAM, 1, 0), URIError)
})

const field = (texts: string[], type = 'text', autocomplete = ''): Description => [
  `${type}\n${normalizeText(autocomplete)}`,
  texts.map(normalizeText).join('\n'),
]
const GUESSED = ['email', 'phone', 'fullName', 'firstName', 'lastName'] as const
const guessed = (description: Description) => GUESSED.filter((_, key) => scoreField(key, description))

test('fields are recognized by their names and labels', () => {
  const cases: [expected: (typeof GUESSED)[number] | undefined, ...texts: string[]][] = [
    ['firstName', 'first_name'],
    ['firstName', 'billing[firstName]'],
    ['firstName', 'fname'],
    ['firstName', '', 'input-3', 'Vorname *'],
    ['firstName', 'Prénom'],
    ['firstName', 'nombre'],
    ['firstName', 'Nome'],
    ['firstName', 'voornaam'],
    ['firstName', 'Imię'],
    ['firstName', 'Förnamn'],
    ['firstName', 'fornavn'],
    ['lastName', 'lastName'],
    ['lastName', 'surname'],
    ['lastName', 'Nachname'],
    ['lastName', 'nom'],
    ['lastName', 'Apellidos'],
    ['lastName', 'cognome'],
    ['lastName', 'sobrenome'],
    ['lastName', 'achternaam'],
    ['lastName', 'Nazwisko'],
    ['lastName', 'efternamn'],
    ['lastName', 'etternavn'],
    ['fullName', 'name'],
    ['fullName', 'Your name'],
    ['fullName', 'full-name'],
    ['fullName', 'Imię i nazwisko'],
    ['fullName', 'Nombre y apellidos'],
    ['fullName', 'Nombre completo'],
    ['fullName', 'Vor- und Nachname'],
    ['email', 'EMail'],
    ['email', 'user_e-mail'],
    ['email', 'Correo electrónico'],
    ['email', 'Adresse courriel'],
    ['phone', 'phoneNumber'],
    ['phone', 'tel'],
    ['phone', 'Téléphone'],
    ['phone', 'Teléfono'],
    ['phone', 'Handynummer'],
    [undefined, 'hotel'],
    [undefined, 'company'],
    [undefined, 'companyName'],
    [undefined, 'user_name'],
    [undefined, 'message'],
  ]
  for (const [expected, ...texts] of cases)
    assert.deepEqual(guessed(field(texts)), expected ? [expected] : [], texts.join())
})

test('type and autocomplete outweigh words', () => {
  assert.equal(scoreField(EMAIL, field(['contact'], 'email')), 2)
  assert.equal(scoreField(PHONE, field(['contact'], 'tel')), 2)
  assert.equal(scoreField(PHONE, field(['x'], 'text', 'section-a shipping tel-national')), 2)
  assert.deepEqual(guessed(field(['first_name'], 'text', 'family-name')), ['lastName'])
})

test('secrets and cards are private', () => {
  for (const type of ['password', 'hidden', 'file', 'checkbox', 'radio', 'submit'])
    assert.ok(isPrivate(field(['email'], type)), type)
  for (const autocomplete of ['cc-number', 'billing cc-name', 'one-time-code', 'new-password', 'current-password'])
    assert.ok(isPrivate(field(['x'], 'text', autocomplete)), autocomplete)
  for (const text of ['cardNumber', 'Name on card', 'cc-num', 'cvc', 'IBAN', 'user_password', 'csrf_token'])
    assert.ok(isPrivate(field([text])), text)
  for (const type of ['text', 'email', 'tel', 'number', 'select-one'])
    assert.ok(!isPrivate(field(['phone'], type)), type)
})

test('a value that does not fit its field is not sent', () => {
  assert.ok(isValueFor(EMAIL, 'a@b.example'))
  for (const email of ['a', 'a b@c.example', `${'a'.repeat(254)}@b`]) assert.ok(!isValueFor(EMAIL, email), email)
  for (const phone of ['+1 (202) 555-0101', '(0)20/555-01.01']) assert.ok(isValueFor(PHONE, phone), phone)
  for (const phone of ['12345', '4111 1111 1111 1111', 'call me']) assert.ok(!isValueFor(PHONE, phone), phone)
  assert.ok(isValueFor(FIRST_NAME, 'Zoé'))
  assert.ok(!isValueFor(LAST_NAME, '4111 1111 1111 1111'))
})
