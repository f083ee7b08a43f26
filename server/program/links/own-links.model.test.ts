import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { listSeeds } from '../../../test/support/model-test.ts'

// Own links of two partners in any order of visits, leads, sales, refunds and moves, against a model that adds up.

const app = await startApp()
const { db } = app.services
const keyOf = ({ shortUrl }: { shortUrl: string }) => new URL(shortUrl).pathname.split('/')[2]!

type Counts = { clicks: number; leads: number; sales: number; revenue: number }
type Link = { id: string; key: string; owner: number; subId: string | null } & Counts
type Lead = { id: string; owner: number | null; link: Link | null; subId: string | null; sales: Sale[] }
type Sale = { id: string; link: Link | null; left: number; owner: number | null }

const codes = ['pia', 'otto']

async function begin() {
  const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [10] } })
  const call = async (method: string, path: string, body?: unknown, token = account.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const partners = [
    await aPartner(app, account, { referralCode: 'pia' }, { signIn: true }),
    await aPartner(app, account, { referralCode: 'otto' }, { signIn: true }),
  ]
  const template = await aBlueprint(app, account, { moreDomains: ['notes.example.com'] })
  return { account, call, apiKey, partners, template, links: [] as Link[], leads: [] as Lead[] }
}
type World = Awaited<ReturnType<typeof begin>>

const steps = freeSteps<World>({
  async add({ call, partners, links }, random) {
    const owner = random.below(2)
    const subId = random.chance(50) ? random.pick(['a', 'b']) : null
    const body = { name: 'x', destinationUrl: 'https://notes.example.com/p', subId }
    const { id, shortUrl } = await call('POST', `/partners/${partners[owner]!.id}/links`, body)
    links.push({ id, key: keyOf({ shortUrl }), owner, subId, clicks: 0, leads: 0, sales: 0, revenue: 0 })
  },
  async lead({ call, apiKey, template, links, leads }, random) {
    const link = random.chance(80) ? random.pick([null, ...links]) : null
    const code = random.below(2)
    const requestedSubId = random.chance(30) ? 'asked' : null
    const went = await visitLink(app, link?.key ?? template.key, codes[code]!, {
      query: requestedSubId ? `?sub=${requestedSubId}` : '',
    })
    const own = link && link.owner === code ? link : null
    if (own) own.clicks++
    if (random.chance(30)) return
    const body = { email: anEmail('lead'), clickId: clickInAddress(went) }
    const { id } = await call('POST', '/push/leads', body, apiKey)
    if (own) own.leads++
    const subId = link && !own ? null : (requestedSubId ?? own?.subId ?? null)
    leads.push({ id, owner: code, link: own, subId, sales: [] })
  },
  async sale({ call, leads }, random) {
    const lead = random.pick(leads)
    if (!lead) return
    const amount = random.between(1, 9) * 1000
    const { id } = await call('POST', `/leads/${lead.id}/sales`, { amount })
    lead.sales.push({ id, link: lead.link, left: amount, owner: lead.owner })
    if (lead.link) Object.assign(lead.link, { sales: lead.link.sales + 1, revenue: lead.link.revenue + amount })
  },
  async refund({ call, leads }, random) {
    const sale = random.pick(leads.flatMap(({ sales }) => sales.filter(({ left }) => left > 0)))
    if (!sale) return
    const amount = random.chance(50) ? sale.left : 500
    await call('POST', `/sales/${sale.id}/refunds`, { amount, reason: 'x' })
    sale.left -= amount
    if (sale.link) sale.link.revenue -= amount
  },
  async voided({ call, leads }, random) {
    const lead = random.pick(leads)
    const sale = lead && random.pick(lead.sales)
    if (!sale) return
    await call('POST', `/sales/${sale.id}/void`, { reason: 'x' })
    lead.sales = lead.sales.filter((one) => one !== sale)
    if (sale.link) Object.assign(sale.link, { sales: sale.link.sales - 1, revenue: sale.link.revenue - sale.left })
  },
  async move({ call, partners, leads }, random) {
    const lead = random.pick(leads)
    if (!lead) return
    const owner = random.pick([0, 1, null])
    const partnerId = owner === null ? null : partners[owner]!.id
    await call('POST', `/leads/${lead.id}/reassign`, { partnerId, reason: 'x' })
    if (owner === lead.owner) return
    if (lead.link) lead.link.leads--
    Object.assign(lead, { owner, link: null, subId: null })
  },
  async remove({ account, leads }, random) {
    const lead = random.pick(leads.filter(({ sales }) => sales.length === 0))
    if (!lead) return
    const { status } = await app.api('DELETE', `/leads/${lead.id}`, { token: account.token })
    if (status !== 204) return
    leads.splice(leads.indexOf(lead), 1)
    if (lead.link) lead.link.leads--
  },
  async change({ call, links }, random) {
    const link = random.pick(links)
    if (!link) return
    link.subId = random.pick(['c', null])
    await call('PUT', `/partner-links/${link.id}`, { subId: link.subId })
  },
  async setting({ call, template }, random) {
    const moreDomains = random.chance(50) ? ['notes.example.com'] : []
    await call('PUT', `/link-blueprints/${template.id}`, { moreDomains, partnerLinks: moreDomains.length > 0 })
    await call('PUT', `/link-blueprints/${template.id}`, { moreDomains: ['notes.example.com'], partnerLinks: true })
  },
})

async function end({ account, call, partners, links, leads }: World) {
  const counted = await db.many<Counts & { id: string }>`
    select link_id as id, clicks, leads, sales, revenue from link_totals where account_id = ${account.id}`
  for (const { id, key: _, owner: __, subId: ___, ...expected } of links) {
    const { id: ____, ...counts } = counted.find((one) => one.id === id) ?? {
      ...{ id, clicks: 0, leads: 0, sales: 0, revenue: 0 },
    }
    assert.deepEqual(counts, expected)
  }
  for (const saleAmounts of [true, false]) {
    await call('PATCH', `/accounts/${account.id}`, { partnerVisibility: { saleAmounts } })
    for (const [owner, { id, token }] of partners.entries())
      for (const reader of [account.token, token]) {
        const { items } = await call('GET', `/partners/${id}/links?own=true&limit=100`, undefined, reader)
        const shown = reader !== token || saleAmounts
        assert.deepEqual(
          Object.fromEntries(items.map((link: { id: string; revenue: number | null }) => [link.id, link.revenue])),
          Object.fromEntries(
            links.filter((link) => link.owner === owner).map((link) => [link.id, shown ? link.revenue : null]),
          ),
        )
      }
  }
  for (const lead of leads) {
    const { linkId, subId, partnerId } = await call('GET', `/leads/${lead.id}`)
    const partnerOf = lead.owner === null ? null : partners[lead.owner]!.id
    assert.deepEqual([linkId, subId, partnerId], [lead.link?.id ?? null, lead.subId, partnerOf])
    for (const sale of lead.sales) {
      const { items } = await call('GET', `/sales/${sale.id}/commissions`)
      for (const entry of items)
        assert.deepEqual([entry.linkId, entry.subId], entry.partnerId === partnerId ? [linkId, subId] : [null, null])
    }
  }
}

for (const seed of listSeeds(2))
  test(`own links count what came of them, in any order of events (seed ${seed})`, () =>
    playHistory({ begin, steps, length: 27, end, ledger: db }, seed))
