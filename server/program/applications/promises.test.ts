import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromDecimal } from '#contract/money.ts'
import type { Terms, TermsRule } from '#contract/terms.ts'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { openProgram, visitPage } from '../../../test/support/applications.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'

const app = await startApp()

const amountsIn = (html: string) =>
  [...html.matchAll(/<strong>\$([\d,.]+)<\/strong>/g)].map(([, amount]) =>
    fromDecimal(amount!.replaceAll(',', ''), 'usd'),
  )

const someAmount = (random: Random) => random.pick([0, 1, 5_00, 50_00, 500_00, random.between(1, 2000_00)])
const somePay = (random: Random) => {
  const layers = random.between(1, 3)
  return random.chance(60)
    ? { layerRates: Array.from({ length: layers }, () => random.between(0, 33_0000) / 10_000) }
    : { layerAmounts: Array.from({ length: layers }, () => someAmount(random)) }
}

function someRule(random: Random, at: number): Partial<TermsRule> {
  const from = random.between(0, 200_00)
  const when = random.pick([
    { firstPayments: random.between(1, 3) },
    { firstMonths: random.between(1, 12) },
    { amountFrom: from },
    { amountFrom: from, amountTo: from + random.between(0, 500_00) },
    { countries: ['FR'] },
    { promotionCode: random.pick(['used', 'not-used'] as const) },
    { products: ['prod_1'] },
    { metadata: [{ key: 'plan', values: ['pro'] }] },
  ])
  return { name: `Rule ${at}`, on: 'sale', when, ...somePay(random) }
}

const someTerms = (random: Random): Partial<Terms> => ({
  rules: Array.from({ length: random.below(4) }, (_, at) => someRule(random, at)) as TermsRule[],
  otherwise: somePay(random),
  maxPerCustomer: random.chance(30) ? random.between(1, 100_00) : null,
  maxPerMonth: random.chance(30) ? random.between(1, 100_00) : null,
})

test('the page of a program or a group promises what the preview of a sale pays, whatever the terms', async () => {
  for (const seed of listSeeds(3)) {
    const random = randomFrom(seed)
    const account = await anAccount(app)
    const call = async (method: string, path: string, body: object) =>
      expectOk(await app.api(method, `/accounts/${account.id}${path}`, { token: account.token, body })).body
    await call('PUT', '/terms', { terms: someTerms(random) })
    const terms = random.chance(70) ? someTerms(random) : null
    const group = await call('POST', '/groups', { name: 'Agencies', joinSlug: 'agencies', terms })
    const slug = await openProgram(app, account)
    const parent = await aPartner(app, account)
    const amount = random.between(1, 1_000_00)
    for (const [path, groupId] of [
      [slug, null],
      [`${slug}/agencies`, group.id],
    ]) {
      const partner = await aPartner(app, account, { parentPartnerId: parent.id, groupId })
      const preview = await call('POST', '/commission-preview', { partnerId: partner.id, amount })
      const own = preview.entries.find(({ layer }: { layer: number }) => layer === 0)?.amount ?? 0
      const { html } = await visitPage(app, `/join/${path}?amount=${amount / 100}`)
      const amounts = amountsIn(html)
      // a page of terms that pay nothing promises nothing
      assert.deepEqual(amounts, amounts.length > 0 || own > 0 ? [own] : [], `seed ${seed}: ${amount} at ${path}`)
    }
  }
})

test('links with terms of their own are said apart, because they come before the account’s', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const slug = await openProgram(app, account)
  const blueprint = await aBlueprint(app, account, { name: 'Pricing <b>' })
  await aBlueprint(app, account)
  const terms = { otherwise: { layerRates: [5] } }
  expectOk(await app.api('PUT', `/link-blueprints/${blueprint.id}/terms`, { token: account.token, body: { terms } }))
  const { html } = await visitPage(app, `/join/${slug}`)
  assert.deepEqual(amountsIn(html), [20_00, 5_00])
  assert.match(html, /With the link “Pricing &lt;b&gt;”/)

  const group = { name: 'Gold', joinSlug: 'gold', terms: { otherwise: { layerRates: [30] } } }
  expectOk(await app.api('POST', `/accounts/${account.id}/groups`, { token: account.token, body: group }))
  const gold = await visitPage(app, `/join/${slug}/gold`)
  assert.deepEqual(amountsIn(gold.html), [30_00], 'a group’s terms come before a link’s')
})

test('an account that pays nothing promises nothing', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [0] } })
  const { html } = await visitPage(app, `/join/${await openProgram(app, account)}`)
  assert.doesNotMatch(html, /What you earn/)
})
