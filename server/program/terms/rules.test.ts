import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { moneyInWords } from '#contract/money.ts'
import { anAccount, aPartner, startApp, type TestAccount } from '../../../test/support/app.ts'

const app = await startApp()

async function call(account: TestAccount, method: string, path: string, body?: object) {
  const answer = await app.api(method, path, { token: account.token, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const page = await readFile(new URL('../../../docs/concepts/terms.md', import.meta.url), 'utf8')
const example = JSON.parse(page.match(/```json\n(.*?)```/s)![1]!)
/** The lines of the example's sale. */
const exampleLines = [...page.matchAll(/^\| `([a-z_-]+)` \|(.*)\|$/gm)].map(([, product, cells]) => {
  const [amount, paidBy, ...earned] = cells!.split(' | ').map((cell) => cell.trim())
  return { product: product!, amount: cents(amount!), paidBy: paidBy!, earned: earned.map(cents) }
})
function cents(money: string) {
  return Number(money.replace(/[$.]/g, ''))
}

const rules = [...example.rules, { when: { countries: ['de'], amountFrom: 100_00 }, layerRates: [15] }]
const terms = { ...example, rules }

async function aProgram(ofAccount: object = terms) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const parent = await aPartner(app, account, { firstName: 'Sofia' }, { signIn: true })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, {
    ...{ partnerId: partner.id, email: 'buyer@buyer.example' },
  })
  await call(account, 'PUT', `/accounts/${account.id}/terms`, { terms: ofAccount })
  return { account, partner, parent, lead }
}

test('each line is paid by the first rule that matches, and the receipt says why', async () => {
  const { account, partner, parent, lead } = await aProgram()
  const lines = [
    { productId: 'prod_pro', name: 'Pro', amount: 499_00 },
    { productId: 'prod_starter', name: 'Starter', amount: 29_00 },
    { name: 'T-shirt', amount: 15_00 },
  ]
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 543_00, saleDate: '2026-03-02', lines })
  const { items } = await call(account, 'GET', `/sales/${sale.id}/commissions?sort=createdAt`)
  items.sort((a: { layer: number }, b: { layer: number }) => a.layer - b.layer)
  assert.deepEqual(
    items.map((one: Record<string, unknown>) => [one.partnerId, one.layer, one.amount, one.rate, one.flat, one.rule]),
    [
      [partner.id, 0, 149_70 + 29_00 + 1_50, null, null, null],
      [parent.id, 1, 24_95, null, null, null],
    ],
  )
  const receipt = await call(account, 'GET', `/commissions/${items[0].id}`)
  assert.deepEqual(
    [receipt.rate, receipt.terms.source, receipt.terms.version, receipt.terms.place],
    [null, 'account', 3, 1],
  )
  assert.deepEqual(receipt.terms.parts, [
    {
      ...{ rule: 1, name: 'Pro, first year', lines: ['Pro'], base: 499_00, percent: 30, flat: null, earned: 149_70 },
      above: [],
    },
    {
      ...{ rule: 2, name: 'Starter', lines: ['Starter'], base: 29_00, percent: null, flat: 50_00, earned: 29_00 },
      above: [{ rule: 1, name: 'Pro, first year', why: 'Another product' }],
    },
    {
      ...{ rule: null, name: null, lines: ['T-shirt'], base: 15_00, percent: 10, flat: null, earned: 1_50 },
      above: [
        { rule: 1, name: 'Pro, first year', why: 'No product known' },
        { rule: 2, name: 'Starter', why: 'No product known' },
        { rule: 3, name: null, why: 'No country known' },
      ],
    },
  ])
  const own = await app.api('GET', `/commissions/${items[0].id}`, { token: partner.token })
  assert.equal(own.status, 200)
  assert.ok(!JSON.stringify(own.body).includes('prod_'), 'partners read no ids of products')
})

test('the example of the docs', async () => {
  const { account, lead } = await aProgram(example)
  const { apiKey } = await call(account, 'PUT', `/accounts/${account.id}/api-key`)
  const lines = exampleLines.map(({ product, amount }) => ({ productId: product, name: product, amount }))
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  const { id } = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount, lines, externalId: 'first' })
  const entries = async () => {
    const { items } = await call(account, 'GET', `/sales/${id}/commissions`)
    return Map.groupBy<number, { id: string; kind: string; layer: number; amount: number }>(items, (one) => one.layer)
  }
  const earned = await entries()
  for (const layer of [0, 1]) {
    const receipt = await call(account, 'GET', `/commissions/${earned.get(layer)![0]!.id}`)
    assert.deepEqual(
      receipt.terms.parts.map(({ lines, rule, name, earned }: Record<string, string>) => [
        ...[lines, rule === null ? 'All other sales' : `Rule ${rule}, ${name}`, earned],
      ]),
      exampleLines.map(({ product, paidBy, earned }) => [[product], paidBy, earned[layer]]),
    )
  }
  const refund = { externalId: 'back', saleExternalId: 'first', lines: [{ id: '2', amount: lines[1]!.amount }] }
  await app.api('POST', '/push/refunds', { token: apiKey, body: refund })
  const after = await entries()
  const sum = (of: typeof after, layer: number) => of.get(layer)!.reduce((total, { amount }) => total + amount, 0)
  const words = (amount: number) => moneyInWords(amount, 'usd')
  const fallen = words(sum(earned, 0) - sum(after, 0))
  const reasons = [
    `Jane earns ${words(sum(earned, 0))} and Omar ${words(sum(earned, 1))}.`,
    `Jane’s commission falls by ${fallen} and Omar’s doesn’t change.`,
  ]
  for (const sentence of reasons) assert.ok(page.replaceAll('\n', ' ').includes(sentence), sentence)
  assert.equal(sum(after, 1), sum(earned, 1))
})

test('a single part has its rate, or its amount and the name of the rule', async () => {
  const { account, lead } = await aProgram()
  const paid = async (body: object) => {
    const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { saleDate: '2026-03-02', ...body })
    return sale.commissions.map((one: Record<string, unknown>) => [one.amount, one.rate, one.flat, one.rule])
  }
  assert.deepEqual(await paid({ amount: 20_00 }), [[2_00, 10, null, null]])
  assert.deepEqual(await paid({ amount: 80_00, lines: [{ productId: 'prod_starter', amount: 80_00 }] }), [
    [50_00, null, 50_00, 'Starter'],
  ])
  assert.deepEqual(await paid({ amount: 100_00, country: 'DE' }), [[15_00, 15, null, null]])
  assert.deepEqual(await paid({ amount: 99_99, country: 'DE' }), [[10_00, 10, null, null]])
})

test('a sale is tried with terms that are not saved', async () => {
  const { account, partner } = await aProgram()
  const preview = (body: object) =>
    call(account, 'POST', `/accounts/${account.id}/commission-preview`, { partnerId: partner.id, ...body })
  const lines = [{ productId: 'prod_pro', amount: 100_00 }]
  const saved = await preview({ amount: 100_00, lines })
  assert.deepEqual([saved.total, saved.terms.version, saved.terms.parts[0].rule], [35_00, 3, 1])
  const later = await preview({ amount: 100_00, lines, payment: 13 })
  assert.deepEqual(
    [later.total, later.terms.parts[0].rule, later.terms.parts[0].above[0].why],
    [10_00, null, 'After the customer’s first 12 months'],
  )
  const unsaved = await preview({ amount: 100_00, lines, terms: { otherwise: { layerAmounts: [7_00, 3_00] } } })
  assert.deepEqual([unsaved.total, unsaved.terms.version, unsaved.entries[1].flat], [10_00, 0, 3_00])
})

test('last month is booked again with rules that are not saved', async () => {
  const { account, lead } = await aProgram()
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 10)).toISOString().slice(0, 10)
  for (const productId of ['prod_pro', 'prod_starter'])
    await call(account, 'POST', `/leads/${lead.id}/sales`, {
      ...{ amount: 200_00, saleDate: month, lines: [{ productId, amount: 200_00 }] },
    })
  const effect = await call(account, 'POST', `/accounts/${account.id}/rates-preview`, {
    terms: {
      rules: [{ name: 'First', when: { firstPayments: 1 }, layerAmounts: [40_00] }],
      otherwise: { layerRates: [1] },
    },
  })
  assert.deepEqual([effect.sales, effect.paid, effect.wouldHavePaid], [2, 60_00 + 10_00 + 50_00, 42_00])
})

test('a cap cuts every layer in proportion, and the receipt has its room', async () => {
  const capped = { otherwise: { layerRates: [20, 10] }, maxPerCustomer: 30_00 }
  const { account, partner, parent, lead } = await aProgram(capped)
  const sell = async () => {
    const { commissions } = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
    return commissions.map(({ amount }: { amount: number }) => amount)
  }
  assert.deepEqual([await sell(), await sell(), await sell()], [[20_00, 10_00], [10_00, 5_00], []])
  const { items } = await call(account, 'GET', `/accounts/${account.id}/commissions?sort=createdAt`)
  const second = items.find(({ amount, layer }: { amount: number; layer: number }) => amount === 10_00 && layer === 0)
  const { terms } = await call(account, 'GET', `/commissions/${second.id}`)
  assert.deepEqual(terms.cap, { kind: 'customer', limit: 30_00, used: 20_00, planned: 20_00, kept: 10_00 })
  const capOf = async (layer: number, { token }: { token?: string }) => {
    const { id } = items.find((one: { layer: number }) => one.layer === layer)
    return (await app.api('GET', `/commissions/${id}`, { token: token! })).body.terms.cap
  }
  assert.equal((await capOf(0, partner)).limit, 30_00)
  // a partner above reads nothing of the referrer's earnings
  assert.equal(await capOf(1, parent), null)
  const preview = await call(account, 'POST', `/accounts/${account.id}/commission-preview`, {
    ...{ leadId: lead.id, amount: 100_00 },
  })
  assert.deepEqual([preview.total, preview.terms.cap.kept], [0, 0])
  const other = await anAccount(app)
  await call(other, 'PUT', `/accounts/${other.id}/terms`, { terms: { ...capped, maxPerCustomer: 1 } })
  const change = await app.api('PATCH', `/accounts/${other.id}`, {
    ...{ token: other.token, body: { defaultCurrency: 'eur' } },
  })
  assert.equal(change.body.error.reason, 'currency_fixed_by_terms')
})

const refused: [what: string, terms: object, field: string, reason: string][] = [
  ['a rule without a condition', { rules: [{ layerRates: [1] }] }, 'terms.rules.0.when', 'rule_without_condition'],
  [
    'a rule of a product without a name',
    { rules: [{ when: { products: ['a'] }, layerRates: [1] }] },
    'terms.rules.0.name',
    'rule_without_name',
  ],
  [
    'a rule that pays percent and amounts',
    { rules: [{ when: { firstMonths: 1 }, layerRates: [1], layerAmounts: [1] }] },
    'terms.rules.0',
    'one_kind_of_pay',
  ],
  ['otherwise without pay', { otherwise: {} }, 'terms.otherwise', 'one_kind_of_pay'],
  [
    'a range of amounts the wrong way round',
    { rules: [{ when: { amountFrom: 2, amountTo: 1 }, layerRates: [1] }] },
    'terms.rules.0.when.amountFrom',
    'amount_range_reversed',
  ],
  [
    'terms beyond 6,000 bytes',
    {
      rules: Array.from({ length: 20 }, (_, at) => ({
        ...{ name: `Rule ${at}`, when: { products: [`${at}`.padEnd(100, 'x'), 'y'.repeat(100), 'z'.repeat(100)] } },
        layerRates: [1],
      })),
    },
    'terms.rules',
    'terms_too_large',
  ],
]

test('terms with a mistake are refused with its field', async () => {
  const account = await anAccount(app)
  for (const [what, body, field, reason] of refused)
    for (const [method, path] of [
      ['PUT', 'terms'],
      ['POST', 'rates-preview'],
    ] as const) {
      const sent = { terms: { otherwise: { layerRates: [1] }, ...body } }
      const { status, body: answer } = await app.api(method, `/accounts/${account.id}/${path}`, {
        ...{ token: account.token, body: sent },
      })
      const { error } = answer
      assert.deepEqual(
        [status, error?.reason, Object.keys(error?.fields ?? {})],
        [422, reason, [field]],
        `${what}, ${path}`,
      )
    }
})
