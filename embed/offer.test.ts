import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync } from 'node:zlib'
import { buildEmbedScript } from './build.ts'
import { type EmbedConfiguration, renderEmbedScript } from './configuration.ts'

const selector = { selectorType: 'default', selectorValue: '' } as const
const configuration: EmbedConfiguration = {
  program: '160RLxwV_yP-',
  endpoint: 'https://partners.example.com/embed/160RLxwV_yP-',
  config: {
    firstName: selector,
    lastName: selector,
    email: selector,
    phone: selector,
    fieldsContainer: selector,
    submitButton: selector,
  },
  names: ['ref'],
  plain: 1,
  cookieDays: 90,
  firstTouch: false,
  onlyIfReferred: false,
  consentMode: 'off',
  forms: 'sign-ups',
  domains: [],
  checkoutDomains: [],
}
const built = async () => renderEmbedScript(await buildEmbedScript('offer'), configuration)

test('the file with the offer is small', async () => {
  const script = await built()
  const size = brotliCompressSync(script).length
  assert.ok(size <= 1100, `${size} bytes`)
  assert.doesNotMatch(script, /\binnerHTML\b|\beval\b|\?\.|\?\?/)
})

type Fields = Record<string, unknown>
const element = <Shown extends Fields>(attributes: Record<string, string>, fields: Shown) => ({
  ...fields,
  getAttribute: (name: string) => attributes[name] ?? null,
})

test('a page shows the offer behind the visitor’s code, reads it once a visit, and takes it back with the referral', async () => {
  const offered = element({ 'data-tributary-offer': '' }, { textContent: '', hidden: true })
  const from = element({ 'data-tributary-offer': 'from' }, { textContent: 'A friend', hidden: false })
  const link = element({ 'data-tributary-checkout': '' }, { href: 'https://buy.stripe.com/abc?x=1' })
  const requests: string[] = []
  const offer = {
    ...{ code: 'JANE10', percentOff: 10, amountOff: null, currency: null },
    ...{ providerCodeId: 'promo_1', from: 'Jane' },
  }
  const kept = new Map<string, string>()
  const listeners: ((referral: object | null) => void)[] = []
  async function open() {
    const tributary = Object.assign(
      (_: string, listener: (referral: object | null) => void) => void listeners.push(listener),
      { offer: undefined as unknown },
    )
    const page: Fields = {
      tributary,
      document: {
        documentElement: { lang: 'en' },
        querySelectorAll: (css: string) => (css.includes('checkout') ? [link] : [offered, from]),
      },
      fetch: async (address: string) => {
        requests.push(address)
        return { ok: true, json: async () => offer }
      },
      sessionStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, text: string) => kept.set(key, text),
        removeItem: (key: string) => kept.delete(key),
      },
      ...{ URL, Intl, WeakMap, JSON, Promise, Array },
    }
    page.window = page
    runInNewContext(await built(), page)
    const arrive = async (referral: object | null) => {
      listeners.at(-1)!(referral)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
    }
    return { arrive, shown: () => tributary.offer }
  }
  const visitor = { program: configuration.program, referralCode: 'jane' }
  const { arrive, shown } = await open()
  await arrive({ program: 'another', referralCode: 'bob' })
  assert.deepEqual(requests, [])
  await arrive(visitor)
  await arrive(visitor)
  assert.deepEqual(requests, ['https://partners.example.com/api/v1/offers/jane?account=160RLxwV_yP-'])
  assert.deepEqual(shown(), offer)
  assert.deepEqual([offered.textContent, offered.hidden, from.textContent], ['10%', false, 'Jane'])
  assert.equal(link.href, 'https://buy.stripe.com/abc?x=1&prefilled_promo_code=JANE10')
  // the next page of the visit
  link.href = 'https://buy.stripe.com/abc'
  const next = await open()
  await next.arrive(visitor)
  assert.deepEqual(
    [requests.length, next.shown(), link.href],
    [1, offer, 'https://buy.stripe.com/abc?prefilled_promo_code=JANE10'],
  )
  await next.arrive(null)
  assert.deepEqual([next.shown(), link.href, kept.size], [null, 'https://buy.stripe.com/abc', 0])
})
