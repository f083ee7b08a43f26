import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../../test/support/links.ts'
import { listSeeds, randomFrom } from '../../../../test/support/model-test.ts'

// Each folder has a sender's recipe, bodies in its shape with made-up values, and what is right after each of them.

const folder = new URL('.', import.meta.url)
const senders = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const fileOf = (sender: string, name: string) =>
  JSON.parse(readFileSync(new URL(`${sender}/${name}.json`, folder), 'utf8'))

/** Senders whose bodies each run delivers in another order; the slow test does so for all of them. */
const SHUFFLED = ['calendly', 'gumroad', 'woocommerce']

const app = await startApp({ config: { secretKey: randomBytes(32) }, worker: true })

const KEY = randomBytes(24)
/** The secret of senders whose key is in base64, which all others take as a text. */
const SECRET = `whsec_${KEY.toString('base64')}`

type Auth = Record<string, string | null> & { type: string }
type Sent = { url: string; body: string; at: Date }

/** Returns the headers with which a sender proves a body. */
function proven(
  auth: Auth,
  { url, body, at }: Sent,
  { secret, key }: { secret: string; key: Buffer },
): Record<string, string> {
  const prefix = auth.prefix ?? ''
  if (auth.type === 'basic')
    return { authorization: `Basic ${Buffer.from(`${auth.username}:${secret}`).toString('base64')}` }
  if (auth.type === 'shared-secret') return auth.in === 'header' ? { [auth.name!]: prefix + secret } : {}
  if (auth.type === 'url-secret') return {}
  const isMs = auth.timestampHeader && !auth.timestampHeader.startsWith('webhook')
  const time = String(isMs ? at.getTime() : Math.floor(at.getTime() / 1000))
  const id = createHash('sha256').update(body).digest('hex')
  const placeholders: Record<string, string> = { body, url, timestamp: time, id }
  const text = auth.signed!.replace(/\{(\w+)\}/g, (_, name) => placeholders[name]!)
  const digest = createHmac('sha256', auth.key === 'standard' ? key : secret)
    .update(text)
    .digest(auth.encoding as 'hex' | 'base64')
  return {
    [auth.header!]: auth.layout === 'named' ? `t=${time},${prefix}${digest}` : `${prefix}${digest}`,
    ...(auth.timestampHeader && { [auth.timestampHeader]: time }),
    ...(auth.idHeader && { [auth.idHeader]: id }),
  }
}

type Record_ = { [key: string]: unknown; type: string }
type Step = {
  body?: string
  request?: string
  raw?: string
  form?: boolean
  proof?: 'good' | 'wrong' | 'none'
  answer: number
  records?: Record_[]
  repeat?: boolean
  state?: string
  reason?: string
  stored?: boolean
  warnings?: string[] | null
}

/** Writes a body as its sender does. */
function written(body: unknown, contentType: string): { body: string; contentType: string } {
  if (contentType.includes('json')) return { body: JSON.stringify(body), contentType }
  const fields = Object.entries(body as Record<string, string>)
  if (contentType.includes('multipart')) {
    const parts = fields.map(
      ([name, text]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    )
    return { body: `${parts.join('')}--cut--\r\n`, contentType: `${contentType}; boundary=cut` }
  }
  return { body: String(new URLSearchParams(fields)), contentType }
}

type Rules = { name: string; mapping: object[]; partnerMatch: object | null }[]

for (const sender of senders) {
  const recipe = fileOf(sender, 'recipe')
  const { contentType, rate, steps, given = [], choose = {}, alternatives = [], total } = fileOf(sender, 'expect')

  /** Adds what the owner fills in for their own form. */
  function chosen(rules: Rules): Rules {
    if (choose.addRule) return [...rules, choose.addRule]
    return rules.map((rule, at) =>
      at === choose.rule
        ? {
            ...rule,
            mapping: [...rule.mapping, ...(choose.mapping ?? [])],
            partnerMatch: choose.partnerMatch ?? rule.partnerMatch,
          }
        : rule,
    )
  }

  test(`${sender}: its people, sales and refunds, once each, by its own proof alone`, async () => {
    const { take, add, buy } = await aWorld(chosen)
    for (const step of steps) await take(step)
    await add(total)
    if (!total.sales) await buy(steps.flatMap(({ records = [] }: Step) => records))
  })

  if (['calendly', 'hubspot', 'typeform'].includes(sender))
    test(`${sender}: the click that the script hands over names the partner as a code does`, async () => {
      const { take, add } = await aWorld(chosen, true)
      for (const step of steps) await take(step)
      await add(total)
    })

  for (const seed of listSeeds(SHUFFLED.includes(sender) ? 1 : 0))
    test(`${sender}: the same in any order, each delivery told again and again (seed ${seed})`, async () => {
      const { post, replayFailed, add } = await aWorld(chosen)
      const bodies = steps.flatMap(({ body, proof, repeat }: Step) => (proof === 'good' && !repeat ? [body!] : []))
      const random = randomFrom(seed)
      for (const body of random.shuffled([...bodies, ...bodies, ...bodies])) {
        const response = await post(body, { again: random.chance(50) })
        assert.equal(response.status, 200)
        if (random.chance(10)) await replayFailed()
      }
      await replayFailed()
      await add(total)
    })

  for (const { rule, steps: several, ...step } of alternatives)
    test(`${sender}: used for another thing, by the rule ${rule}`, async () => {
      const isOf = ({ name }: { name: string }) => [rule].flat().includes(name)
      const { take } = await aWorld(() => recipe.alternatives.filter(isOf))
      for (const one of several ?? [step]) await take(one)
    })

  /** Creates an account with this sender's webhook, with rules made of those of the recipe. `byClick`: bodies name clicks. */
  async function aWorld(rulesFrom: (rules: Rules) => Rules, byClick = false) {
    const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [rate] } })
    const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
    const codes = { jane: `jane-${account.id.slice(-6)}`, bob: `bob-${account.id.slice(-6)}` }
    const partners: Record<string, string> = {}
    for (const [name, referralCode] of Object.entries(codes))
      partners[(await aPartner(app, account, { firstName: name, referralCode })).id] = name
    const named = { ...codes }
    if (byClick) {
      const { key } = await aBlueprint(app, account)
      for (const name of ['jane', 'bob'] as const) named[name] = clickInAddress(await visitLink(app, key, codes[name]))!
    }
    const list = async (what: string) =>
      expectOk(await call('GET', `/accounts/${account.id}/${what}?limit=100`)).body.items
    for (const { lead: email, externalId, partner } of given) {
      const [partnerId] = Object.entries(partners).find(([, name]) => name === partner)!
      const { body: lead } = expectOk(
        await call('POST', `/accounts/${account.id}/leads`, { email, externalId, partnerId }),
      )
      // before the sales of the bodies
      await app.services.db.run`update leads set attributed_at = '2026-11-01' where id = ${lead.id}`
    }
    const { body: hook } = expectOk(
      await call('POST', `/accounts/${account.id}/incoming-webhooks`, {
        name: sender,
        sender,
        auth: { secret: SECRET },
      }),
    )
    const path = `/incoming-webhooks/${hook.id}`
    assert.equal(hook.sender, sender)
    const { body: saved } = expectOk(await call('PUT', path, { rules: rulesFrom(hook.rules) }))
    assert.equal(saved.state, 'active')

    const filled = (name: string) =>
      JSON.parse(
        JSON.stringify(fileOf(sender, name))
          .replaceAll('{jane}', named.jane)
          .replaceAll('{bob}', named.bob)
          .replaceAll('{secret}', SECRET),
      )
    const deliveries = async () => expectOk(await call('GET', `${path}/deliveries?limit=100`)).body.items
    const settled = (id: string) =>
      waitUntil(async () => {
        const { body } = expectOk(await call('GET', `${path}/deliveries/${id}`))
        return body.state === 'received' ? null : body
      })

    type How = { form?: boolean | undefined; proof?: Step['proof']; again?: boolean; elsewhere?: boolean }

    /** Sends a body with its sender's proof, a wrong one or none; `again`: as a delivery that differs in nothing that counts. */
    async function post(
      name: string | undefined,
      { form, proof = 'good', again = false, elsewhere = false }: How,
      raw = '',
    ) {
      const { body, contentType: type } =
        name === undefined ? { body: raw, contentType } : written(filled(name), form ? FORM : contentType)
      const sentBody =
        again && type === contentType ? `${body}${type.includes('json') ? ' ' : type === FORM ? '&again=1' : ''}` : body
      const auth = saved.auth as Auth
      const other = { secret: `${SECRET.slice(0, -1)}=`, key: randomBytes(24) }
      const right = { secret: SECRET, key: KEY }
      const headers = proven(
        auth,
        { url: hook.url, body: sentBody, at: app.clock.now() },
        proof === 'wrong' ? other : right,
      )
      const isOther = proof === 'wrong' && auth.in === 'field'
      return fetch(`${hook.url}${elsewhere ? 'x' : ''}`, {
        method: 'POST',
        headers: { 'content-type': type, ...(proof === 'none' ? {} : headers) },
        body: isOther ? sentBody.replace(encodeURIComponent(SECRET), 'another') : sentBody,
      })
    }

    const allSettled = () =>
      waitUntil(async () => (await deliveries()).every(({ state }: { state: string }) => state !== 'received'))

    async function replayFailed() {
      await allSettled()
      expectOk(await call('POST', `${path}/replays`))
      await allSettled()
    }

    async function take({
      body: name,
      request = 'POST',
      raw = '',
      form,
      proof = 'none',
      answer,
      stored,
      ...right
    }: Step) {
      const before = await deliveries()
      const response =
        request === 'POST'
          ? await post(name, { form, proof, elsewhere: proof === 'wrong' && answer === 404 }, raw)
          : await fetch(hook.url, { method: request })
      assert.equal(response.status, answer, `${name ?? request}: ${response.status}`)
      const after = await deliveries()
      if (stored === false || answer === 404) return assert.equal(after.length, before.length)
      if (answer === 401) return assert.deepEqual([after[0].state, after[0].payload], ['failed', null])
      const { deliveryId } = await response.json()
      if (right.repeat) assert.equal(after.length, before.length)
      const delivery = await settled(deliveryId)
      if (right.state) assert.equal(delivery.state, right.state)
      if (right.reason) assert.equal(delivery.reason, right.reason)
      if ('warnings' in right) assert.deepEqual(delivery.warnings, right.warnings ?? [])
      if (right.repeat || !right.records) return
      const made = delivery.records.filter(
        ({ state }: { state: string }) => state === 'created' || state === 'repeated',
      )
      const isNew = right.records.filter(({ created = true }) => created)
      assert.equal(
        made.filter(({ state }: { state: string }) => state === 'created').length,
        isNew.length,
        JSON.stringify(delivery),
      )
      for (const [at, wanted] of isNew.entries()) {
        const record = made.filter(({ state }: { state: string }) => state === 'created')[at]
        assert.equal(record.type, wanted.type)
        await compare(record.id, wanted)
      }
    }

    async function compare(id: string, { type, ...wanted }: Record_) {
      const has = (name: string) => Object.hasOwn(wanted, name)
      if (type === 'lead') {
        const { body: lead } = expectOk(await call('GET', `/leads/${id}`))
        if (has('email')) assert.equal(lead.email, wanted.email)
        if (has('partner')) assert.equal(partners[lead.partnerId] ?? null, wanted.partner)
      } else if (type === 'sale') {
        const { body: sale } = expectOk(await call('GET', `/sales/${id}`))
        if (has('id')) assert.equal(sale.externalId, wanted.id)
        if (has('net')) assert.equal(sale.amount, wanted.net)
        if (has('tax')) assert.equal(sale.taxAmount, wanted.tax)
        if (has('gross')) assert.equal(sale.grossAmount, wanted.gross)
        if (has('currency')) assert.equal(sale.currency, wanted.currency)
        if (has('partner')) assert.equal(partners[sale.partnerId] ?? null, wanted.partner)
        if (has('commission')) assert.equal(sumOf(sale.commissions ?? []), wanted.commission ?? 0)
        if (has('lead')) assert.equal(sale.payerEmail ?? sale.leadName, wanted.lead)
      } else {
        const refund = (await refunds()).find((one) => one.id === id)!
        if (has('id')) assert.equal(refund.externalId, wanted.id)
        if (has('amount')) assert.equal(refund.amount, wanted.amount)
      }
    }

    async function refunds() {
      const all: { id: string; externalId: string; amount: number }[] = []
      for (const { id } of await list('sales')) all.push(...expectOk(await call('GET', `/sales/${id}`)).body.refunds)
      return all
    }

    async function add(right: { commission?: Record<string, number> } & Record<string, number>) {
      const found: Record<string, number> = {
        leads: (await list('leads')).length - given.length,
        sales: (await list('sales')).length,
        refunds: (await refunds()).length,
      }
      for (const what of ['leads', 'sales', 'refunds']) if (what in right) assert.equal(found[what], right[what], what)
      for (const [name, sum] of Object.entries(right.commission ?? {})) {
        const [partnerId] = Object.entries(partners).find(([, one]) => one === name)!
        const { sum: owed } = await app.services.db.one<{ sum: number }>`
          select coalesce(sum(amount), 0)::int as sum from commission_entries
          where account_id = ${account.id} and partner_id = ${partnerId}`
        assert.equal(owed, sum, name)
      }
      assert.ok(!JSON.stringify(await deliveries()).includes(SECRET))
    }

    /** Lets each lead buy something of another price; the partner who brought them earns, and no other. */
    async function buy(leads: Record_[]) {
      const { apiKey } = expectOk(await call('PUT', `/accounts/${account.id}/api-key`)).body
      for (const [at, { email, partner }] of leads.entries()) {
        const sale = { externalId: `later-${at}`, email, amount: 5000 + 1000 * at, currency: 'usd' }
        const { body } = expectOk(await app.api('POST', '/push/sales', { token: apiKey, body: sale }))
        if (partner !== undefined) assert.equal(partners[body.partnerId] ?? null, partner)
        const { body: bought } = expectOk(await call('GET', `/sales/${body.id}`))
        assert.equal(sumOf(bought.commissions ?? []), body.partnerId ? (sale.amount * rate) / 100 : 0)
      }
    }

    return { take, post, replayFailed, add, buy }
  }
}

const FORM = 'application/x-www-form-urlencoded'
const sumOf = (entries: { amount: number }[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

test('the senders that are known say what to do there; another is refused, and what is sent beside one is used', async () => {
  const account = await anAccount(app)
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
  const at = `/accounts/${account.id}/incoming-webhooks`
  const { items } = expectOk(await call('GET', `${at}/senders`)).body
  assert.deepEqual(items.map(({ sender }: { sender: string }) => sender).sort(), senders.toSorted())
  for (const { steps } of items) assert.ok(steps.length > 0)
  const { body } = await call('POST', at, { name: 'One', sender: 'nobody' })
  assert.deepEqual(Object.keys(body.error.fields), ['sender'])
  const missing = await call('POST', at, { name: 'One', sender: 'tally' })
  assert.deepEqual(Object.keys(missing.body.error.fields), ['auth.secret'])
  const bare = await call('POST', at, { name: 'One', auth: { secret: 'x' }, target: 'lead' })
  assert.deepEqual(Object.keys(bare.body.error.fields), ['auth.type'])
  const own = { name: 'One', sender: 'tally', auth: { type: 'url-secret' }, dedupePath: null, target: 'sale' }
  const { body: hook } = expectOk(await call('POST', at, own))
  assert.deepEqual([hook.auth.type, hook.dedupePath, hook.rules.length, hook.target], ['url-secret', null, 1, 'sale'])
})
