import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'

const app = await startApp()

const today = dayIn('UTC', new Date())
const to = addDays(`${today.slice(0, 7)}-01`, -1)
const from = `${to.slice(0, 7)}-01`

const call = async (account: TestAccount, method: string, path: string, body?: object) => {
  const answer = await app.api(method, path, { token: account.token, body })
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Records the same month in two accounts: sales of odd amounts by several partners, some refunded. */
async function aMonth(account: TestAccount, own?: number[]) {
  const top = await aPartner(app, account)
  const mid = await aPartner(app, account, { parentPartnerId: top.id })
  const low = await aPartner(app, account, { parentPartnerId: mid.id, commissionSettings: own ? rates(...own) : null })
  const link = await aBlueprint(app, account)
  for (const partner of [top, mid, low])
    for (const number of [1, 2]) {
      const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, {
        partnerId: partner.id,
        externalId: `${partner.id} ${number}`,
      })
      for (const amount of [1, 3, 333_33, 999_99, 333_33]) {
        const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, {
          amount,
          saleDate: amount === 3 ? from : to,
        })
        if (amount === 999_99)
          await call(account, 'POST', `/sales/${sale.id}/refunds`, { amount: 123_45, reason: 'Returned.' })
      }
      const before = addDays(from, -1)
      await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 777_77, saleDate: before })
    }
  return { low, link }
}

/** Returns the ledger's amounts for the month's sales. */
async function booked(account: TestAccount) {
  const { earned } = await app.services.db.one<{ earned: number }>`
    select coalesce(sum(e.amount), 0)::bigint as earned from commission_entries e join sales s on s.id = e.sale_id
    where s.account_id = ${account.id} and s.sale_date between ${from} and ${to}`
  return earned
}

const preview = (account: TestAccount, body: object) =>
  call(account, 'POST', `/accounts/${account.id}/rates-preview`, body)

const rates = (...layerRates: number[]) => ({ layerRates })

test('previewing other rates of the account equals booking the same sales at them, to the cent', async () => {
  const old = await anAccount(app, { defaultCommissionSettings: rates(17.35, 3.3333, 1.5) })
  const changed = await anAccount(app, { defaultCommissionSettings: rates(21.7, 4.4449) })
  await aMonth(old, [12.5])
  await aMonth(changed, [12.5])
  const effect = await preview(old, { commissionSettings: rates(21.7, 4.4449) })
  // sales of the partner with their own rates keep these in either case
  assert.deepEqual([effect.sales, effect.from, effect.to, effect.currency], [20, from, to, 'usd'])
  assert.equal(effect.wouldHavePaid - effect.paid, (await booked(changed)) - (await booked(old)))
  assert.notEqual(effect.wouldHavePaid, effect.paid)
  const same = await preview(old, { commissionSettings: rates(17.35, 3.3333, 1.5) })
  assert.equal(same.paid, same.wouldHavePaid)
  assert.equal(same.paid, effect.paid)
})

test("previewing a partner's own rates, or none, equals booking at them", async () => {
  const settings = { defaultCommissionSettings: rates(10, 5) }
  const [plain, own] = [await anAccount(app, settings), await anAccount(app, settings)]
  const { low } = await aMonth(plain)
  const story = await aMonth(own, [33.3333, 7, 0.0001])
  const given = await preview(plain, { partnerId: low.id, commissionSettings: rates(33.3333, 7, 0.0001) })
  const more = (await booked(own)) - (await booked(plain))
  assert.deepEqual([given.sales, given.wouldHavePaid - given.paid], [10, more])
  const taken = await preview(own, { partnerId: story.low.id, commissionSettings: null })
  assert.deepEqual([taken.sales, taken.wouldHavePaid - taken.paid], [10, -more])
})

test("a link's rates apply to its sales whose partner has no own rates", async () => {
  const account = await anAccount(app, { defaultCommissionSettings: rates(10, 5) })
  const { link } = await aMonth(account, [50])
  const other = await aBlueprint(app, account, { name: 'Another' })
  await app.services.db.run`
    update sales set blueprint_id = ${link.id} where account_id = ${account.id}
      and id in (select id from sales where account_id = ${account.id} and amount = 99999)`
  const effect = await preview(account, { blueprintId: link.id, commissionSettings: rates(20) })
  assert.equal(effect.sales, 4)
  // 999.99 less 123.45, at 10 % for the referrer and 5 % for their parent; the topmost partners have no parent
  const kept = (share: number) => share - Math.round((share * 123_45) / 999_99)
  assert.equal(effect.paid, 4 * kept(100_00) + 2 * kept(50_00))
  assert.equal(effect.wouldHavePaid, 4 * kept(200_00))
  assert.equal((await preview(account, { blueprintId: other.id, commissionSettings: rates(20) })).sales, 0)
})

test('sales without rates are left out, nothing is written, and other accounts’ objects are refused', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: rates(10) })
  const partner = await aPartner(app, account)
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, {
    partnerId: partner.id,
    externalId: 'one',
  })
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 100_00, saleDate: to })
  const nobodys = await call(account, 'POST', `/accounts/${account.id}/leads`, { externalId: 'nobody' })
  await call(account, 'POST', `/leads/${nobodys.id}/sales`, { amount: 100_00, saleDate: to })
  const entries = await booked(account)
  const twenty = { commissionSettings: rates(20) }
  assert.deepEqual(await preview(account, twenty), {
    ...{ currency: 'usd', from, to, sales: 1, leads: 0, paid: 10_00, wouldHavePaid: 20_00, partial: false },
  })
  assert.equal(await booked(account), entries)
  await call(account, 'POST', `/sales/${sale.id}/void`, { reason: 'Entered twice.' })
  assert.equal((await preview(account, twenty)).sales, 0)

  const stranger = await anAccount(app)
  const path = `/accounts/${account.id}/rates-preview`
  const refused = async (token: string, body: object) => {
    const answer = await app.api('POST', path, { token, body })
    return [answer.status, Object.keys(answer.body.error?.fields ?? {})]
  }
  assert.deepEqual(await refused(stranger.token, twenty), [404, []])
  const theirs = await aPartner(app, stranger)
  const theirLink = await aBlueprint(app, stranger)
  assert.deepEqual(await refused(account.token, { ...twenty, partnerId: theirs.id }), [422, ['partnerId']])
  assert.deepEqual(await refused(account.token, { ...twenty, blueprintId: theirLink.id }), [422, ['blueprintId']])
  const both = { ...twenty, partnerId: partner.id, blueprintId: theirLink.id }
  assert.deepEqual(await refused(account.token, both), [422, ['blueprintId']])
  assert.deepEqual(await refused(account.token, { commissionSettings: null }), [422, ['commissionSettings']])
  assert.deepEqual((await refused(account.token, { commissionSettings: rates(60, 50) }))[0], 422)
})

test('for new customers alone, only those referred in the month count', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: rates(10) })
  const partner = await aPartner(app, account)
  const lead = async (email: string, referredOn: string) => {
    const { id } = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
    await call(account, 'POST', `/leads/${id}/sales`, { amount: 100_00, saleDate: to })
    const at = `${referredOn}T12:00:00Z`
    // when the customer came is no longer read from the lead once the sale is booked
    await app.services.db.run`
      update sales set referred_at = ${at} where lead_id = ${id}`
  }
  await lead('before@month.example', addDays(from, -1))
  await lead('first@month.example', from)
  await lead('last@month.example', to)
  await lead('after@month.example', addDays(to, 1))
  const wanted = { terms: { otherwise: rates(20) } }
  const effect = await preview(account, { ...wanted, appliesTo: 'new-customers' })
  assert.deepEqual([effect.sales, effect.paid, effect.wouldHavePaid], [2, 20_00, 40_00])
  assert.equal((await preview(account, wanted)).sales, 4)
})

test('a group’s rates are previewed for customers who keep them, and for no others of its partners', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: rates(10) })
  const group = async (name: string, rate: number) =>
    call(account, 'POST', `/accounts/${account.id}/groups`, { name, terms: { otherwise: rates(rate) } })
  const [silver, gold] = [await group('Silver', 15), await group('Gold', 20)]
  const partner = await aPartner(app, account, { groupId: silver.id })
  const move = (groupId: string) =>
    call(account, 'PUT', `/partners/${partner.id}`, { groupId, appliesTo: 'new-customers' })
  const sell = async (externalId: string) => {
    const { id } = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, externalId })
    await call(account, 'POST', `/leads/${id}/sales`, { amount: 100_00, saleDate: to })
  }
  await sell('of Silver')
  await move(gold.id)
  await sell('of Gold')
  const paid = async (groupId: string) => {
    const effect = await preview(account, { groupId, commissionSettings: rates(30) })
    return [effect.sales, effect.paid, effect.wouldHavePaid]
  }
  assert.deepEqual(await paid(silver.id), [1, 15_00, 30_00])
  assert.deepEqual(await paid(gold.id), [1, 20_00, 30_00])
})

test('a cap per month counts what its partner earns from sales of other terms', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: rates(10) })
  const partner = await aPartner(app, account)
  const link = await aBlueprint(app, account)
  for (const [externalId, blueprintId] of [['direct', null] as const, ['by link', link.id] as const]) {
    const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, externalId })
    const { id } = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 500_00, saleDate: to })
    await app.services.db.run`update sales set blueprint_id = ${blueprintId} where id = ${id}`
  }
  const terms = { otherwise: rates(20), maxPerMonth: 80_00 }
  const { sales, paid, wouldHavePaid } = await preview(account, { blueprintId: link.id, terms })
  assert.deepEqual([sales, paid, wouldHavePaid], [1, 50_00, 30_00])
})
