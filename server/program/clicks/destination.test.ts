import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { directLink, visitorAddresses } from './destination.ts'

type Template = Parameters<typeof visitorAddresses>[0]

const destination = (fields: Partial<Template> = {}) => {
  const destinationUrl = fields.destinationUrl ?? 'https://shop.example.com/landing'
  const domain = new URL(destinationUrl).hostname
  const template = { domain, parameterName: 'ref', utm: {}, passthroughQuery: true, ...fields, destinationUrl }
  return visitorAddresses(template)!
}

const LED = 'https://shop.example.com/landing?ref=pia&click=7'
const led = (query: string, fields?: Partial<Template>) =>
  destination(fields).withCode('pia', { id: '7', subId: null }, query)

test('a visitor’s query is passed on after code and click, character by character', () => {
  const cases: Record<string, string> = {
    '': '',
    'gclid=1': '&gclid=1',
    'a=1&a=2&b': '&a=1&a=2&b',
    'q=caf%C3%A9+au%20lait': '&q=caf%C3%A9+au%20lait',
    'half=100%': '&half=100%',
    'redirect=https://evil.example/%3Fref=x': '&redirect=https://evil.example/%3Fref=x',
    'next=javascript:alert(1)': '&next=javascript:alert(1)',
    '&&a=1&': '&a=1',
    'utm_source=own': '&utm_source=own',
  }
  for (const [query, passed] of Object.entries(cases)) assert.equal(led(query), LED + passed, query)
})

test('no spelling lets a visitor replace the code or the click', () => {
  const forms = [
    'ref',
    'REF',
    'Ref',
    '%72ef',
    'r%65f',
    'ref[]',
    'ref%5B%5D',
    'ref[0]',
    '+ref',
    '%20ref',
    'ref+',
    'ref%00',
  ]
  for (const name of [...forms, ...forms.map((form) => form.replace(/ref/i, 'click'))])
    for (const query of [`${name}=evil`, name, `a=1&${name}=evil`, `${name}=evil&${name}=more`])
      assert.equal(led(query), query.startsWith('a=1') ? `${LED}&a=1` : LED, query)
})

test('undecodable names are dropped, and nothing escapes the query', () => {
  assert.equal(led('%=1&%zz=2&=3&%C3=4'), LED)
  assert.equal(led('a=1;ref=evil'), `${LED}&a=1%3Bref=evil`)
  assert.equal(led('a=1#ref=evil'), `${LED}&a=1%23ref=evil`)
  assert.equal(led('a=\u00e9'), `${LED}&a=%E9`)
  assert.equal(led('a=\u20ac"<>\\'), `${LED}&a=%E2%82%AC%22%3C%3E%5C`)
  assert.equal(led('a=1\r\nset-cookie: b=1'), `${LED}&a=1%0D%0Aset-cookie:%20b=1`)
})

test('the destination keeps its own query and fragment; neither visitor nor UTM parameters repeat a name', () => {
  const own = { destinationUrl: 'https://shop.example.com/p?plan=pro&tag=a&tag=b&ref=old#prices' }
  assert.equal(
    led('plan=free&x=1&ref=evil', own),
    'https://shop.example.com/p?plan=pro&tag=a&tag=b&ref=pia&click=7&x=1#prices',
  )
  assert.equal(
    destination(own).bare('plan=free&x=1'),
    'https://shop.example.com/p?plan=pro&tag=a&tag=b&ref=old&x=1#prices',
  )
  const utm = { source: 'partners', campaign: 'by {referralCode} & co' }
  assert.equal(
    led('utm_source=x&UTM_Campaign=y&utm_term=z', { utm, destinationUrl: 'https://shop.example.com/?utm_source=site' }),
    'https://shop.example.com/?utm_source=partners&utm_campaign=by%20pia%20%26%20co&ref=pia&click=7&utm_term=z',
  )
})

test('the bare destination has no code from the visitor either', () => {
  assert.equal(destination().bare('ref=evil&click=1&gclid=2'), 'https://shop.example.com/landing?gclid=2')
  assert.equal(destination().bare(''), 'https://shop.example.com/landing')
  assert.equal(
    destination({ utm: { source: 'partners' } }).bare('utm_source=own'),
    'https://shop.example.com/landing?utm_source=own',
  )
})

test('without pass-through the visitor’s query is dropped', () => {
  const closed = { passthroughQuery: false }
  assert.equal(led('gclid=1', closed), LED)
  assert.equal(destination(closed).bare('gclid=1'), 'https://shop.example.com/landing')
})

test('without a click only the code is added', () => {
  const uncounted = (subId: string | null, query: string) => destination().withCode('pia', { id: null, subId }, query)
  assert.equal(uncounted(null, 'a=1'), 'https://shop.example.com/landing?ref=pia&a=1')
  assert.equal(uncounted('x y', 'a=1'), 'https://shop.example.com/landing?ref=pia&a=1&sub=x%20y')
  assert.equal(uncounted('x', 'sub=x'), 'https://shop.example.com/landing?ref=pia&sub=x')
})

test('a destination outside its blueprint’s domain is not used', () => {
  const at = (destinationUrl: string) =>
    visitorAddresses({
      destinationUrl,
      domain: 'shop.example.com',
      parameterName: 'ref',
      utm: {},
      passthroughQuery: true,
    })
  for (const address of [
    'https://evil.example/',
    'https://shop.example.com.evil.example/',
    'https://shop.example.com@evil.example/',
    'javascript:alert(1)//shop.example.com',
    'data:text/html,shop.example.com',
    '//shop.example.com/',
    'shop.example.com',
    '',
  ])
    assert.equal(at(address), undefined, address)
  assert.ok(at('https://shop.example.com:8443/x'))
})

test('Unicode in a destination is sent as ASCII', () => {
  assert.equal(
    led('', { destinationUrl: 'https://bücher.example/straße?größe=ü' }),
    'https://xn--bcher-kva.example/stra%C3%9Fe?gr%C3%B6%C3%9Fe=%C3%BC&ref=pia&click=7',
  )
})

test('any query: a visible ASCII address on the domain, with one code and one click', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'ref=evil',
      'click=evil',
      '%72ef=evil',
      '#',
      '?',
      '//evil.example',
      '@evil.example',
      '\\',
      '\r\n',
      ';',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
      const location = led(parts.join('&'))
      assert.match(location, /^[\x21-\x7e]+$/)
      const url = new URL(location)
      assert.equal(url.origin, 'https://shop.example.com')
      assert.equal(url.pathname, '/landing')
      assert.deepEqual(url.searchParams.getAll('ref'), ['pia'])
      assert.deepEqual(url.searchParams.getAll('click'), ['7'])
    }),
    { seed: 20_261_121, numRuns: 2000 },
  )
})

test('the direct link is the destination with the code', () => {
  assert.equal(directLink('https://shop.example.com', 'via', 'pia'), 'https://shop.example.com/?via=pia')
  assert.equal(
    directLink('https://shop.example.com/p?plan=pro&via=old#prices', 'via', 'pia'),
    'https://shop.example.com/p?plan=pro&via=pia#prices',
  )
})
