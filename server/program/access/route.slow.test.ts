import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPages, createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../../../test/support/app.ts'

const app = await startApp()

test('paging neither skips nor repeats while rows are added, in either direction and by every sort', async () => {
  const own = await anAccount(app)
  const { get, post } = createCaller(app, own.token)
  const at = `/accounts/${own.id}`
  const partner = await aPartner(app, own)
  const leads: { id: string }[] = []
  for (const name of ['Bo', 'Al', 'Al', 'Di', 'Cy']) {
    const lead = await post(`${at}/leads`, { firstName: name, email: anEmail(), partnerId: partner.id })
    await post(`/leads/${lead.id}/sales`, { amount: 100 * name.charCodeAt(0), saleDate: '2026-01-05' })
    leads.push(lead)
    await aPartner(app, own, { firstName: name })
    await post(`${at}/link-blueprints`, { name, destinationUrl: 'https://shop.example.com/' })
  }
  const add: Record<string, () => Promise<unknown>> = {
    leads: () => post(`${at}/leads`, { firstName: 'Bea', email: anEmail() }),
    partners: () => aPartner(app, own, { firstName: 'Bea' }),
    sales: () => post(`/leads/${leads[0]!.id}/sales`, { amount: 7000, saleDate: '2026-01-05' }),
    'link-blueprints': () =>
      post(`${at}/link-blueprints`, { name: 'Bea', destinationUrl: 'https://shop.example.com/' }),
  }
  const sorts: Record<string, string[]> = {
    leads: ['createdAt', 'name', 'salesRevenue'],
    partners: ['createdAt', 'name', 'salesRevenue'],
    sales: ['createdAt', 'saleDate', 'amount'],
    'link-blueprints': ['createdAt', 'name', 'clicks'],
  }
  for (const [list, fields] of Object.entries(sorts))
    for (const field of fields)
      for (const sort of [field, `-${field}`]) {
        const before = await get(`${at}/${list}?limit=100&sort=${sort}`)
        assert.equal(before.total, before.items.length, list)
        assert.equal(before.nextCursor, null)
        const seen = (await allPages(get, `${at}/${list}?sort=${sort}`, add[list]!)).map(({ id }) => id)
        assert.equal(new Set(seen).size, seen.length, `${list} by ${sort} repeats`)
        const known = before.items.map(({ id }: { id: string }) => id)
        assert.deepEqual(
          seen.filter((id) => known.includes(id)),
          known,
          `${list} by ${sort} skips or changes order`,
        )
      }
})

test('the total of a searched list stops at 1001; without a search it is exact', async () => {
  const own = await anAccount(app)
  const { apiKey } = await createCaller(app, own.token).put(`/accounts/${own.id}/api-key`)
  const push = createCaller(app, apiKey)
  for (let hundred = 0; hundred < 10; hundred++)
    await push.post(
      '/push/leads',
      Array.from({ length: 100 }, () => ({ email: anEmail('many') })),
    )
  const { get, post } = createCaller(app, own.token)
  const total = async (query: string) => (await get(`/accounts/${own.id}/leads?limit=1${query}`)).total
  assert.deepEqual([await total(''), await total('&search=many'), await total('&status=new')], [1000, 1000, 1000])
  for (let more = 0; more < 3; more++) await post(`/accounts/${own.id}/leads`, { email: anEmail('many') })
  assert.deepEqual([await total(''), await total('&search=many'), await total('&source=manual')], [1003, 1001, 3])
})
