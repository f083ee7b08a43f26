import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { fakeWise } from '../../../test/fakes/wise.ts'
import { anAccount, anEmail, expectOk, startApp, turnableClock } from '../../../test/support/app.ts'
import { formatOutcome, partnerPeople } from '../../../test/support/partner-people.ts'
import { aPayee, aPayout, bankDetails, bookDue, connectWise } from '../../../test/support/payouts.ts'

const clock = turnableClock('2026-11-26T09:00:00Z')
const wise = await fakeWise({ clock: () => clock.now() })
test.after(() => wise.close())
const app = await startApp({
  ...{ clock, worker: true },
  config: { wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } },
})
const { aMember, aColleague } = partnerPeople(app)

test('a partner’s members and an account’s managers and viewers read no bank details by any call or file', async () => {
  const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPayee(app, account)
  const body = bankDetails({ accountNumber: '55501473829', name: 'Canary Carrier' })
  expectOk(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body }))
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const lead = await post(`/accounts/${account.id}/leads`, { partnerId: partner.id, email: anEmail('lead') })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  await connectWise(app, account, wise)
  const payout = await aPayout(app, account, partner, 50_00)
  expectOk(await app.api('POST', `/payouts/${payout.id}/approve`, { token: account.token, body: {} }))
  await bookDue(app, account, partner, 20_00)
  const ids: Record<string, string> = {
    ...{ account: account.id, partner: partner.id, lead: lead.id, sale: sale.id, payout: payout.id },
    commission: sale.commissions[0].id,
  }
  const member = await aMember(account, partner, 'member')
  const secrets = /3829|555014|Canary|0021|Broad Street/
  // Ids, instants and made-up addresses may have these digits by chance.
  const byChance = /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|-[\da-f]{8}@/g
  const tells = (text: string) => secrets.test(text.replace(byChance, ''))
  /** The calls of this policy that show the secrets to the first caller, and hide them from the second. */
  const listRevealingCalls = async (role: Caller, shown: string, hiddenRole: Caller, hidden: string) => {
    const names: string[] = []
    for (const { name, path, subject, allow } of endpoints.filter((one) => one.method === 'GET')) {
      if (!allow.includes(role) || (path.includes(':id') && !ids[subject!])) continue
      const filled = path
        .replace(':id', ids[subject!]!)
        .replace(':range', '2026-11-01..2026-11-30')
        .replace(':year', '2026')
        .replace(':userId', '')
        // past the downloads that this test makes
        .replace(/\/audit$/, `/audit?subjectId=${partner.id}&limit=100`)
      const ask = (token: string) => app.api('GET', filled, { token })
      const [all, less] = [await ask(shown), await ask(hidden)]
      // a zip's bytes tell nothing by themselves; a test of its own reads what it contains
      if (name !== 'exportAccount' && tells(JSON.stringify(all.body))) names.push(name)
      assert.ok(!tells(JSON.stringify(less.body)), `${name} to a ${hiddenRole}`)
      if (!allow.includes(hiddenRole)) assert.equal(formatOutcome(less), '403 role_not_allowed', name)
      else if (!path.endsWith('/csv')) assert.equal(less.status, all.status, name)
    }
    return names.toSorted()
  }
  const byPartner = await listRevealingCalls('partner', partner.token, 'partner-member', member.token)
  const ofPayouts = ['downloadPartnerPayouts', 'getPayout', 'listPartnerPayouts']
  const details = ['getPayoutSettings', 'getPayoutStatement', 'getReceipt']
  assert.deepEqual(byPartner, [...details, ...ofPayouts, 'getPartnerForecast'].toSorted())
  const byFinance = ['downloadAudit', ...details, 'listAudit']
  const ofAll = ['downloadPayouts', 'listPayouts', 'exportPartnerData']
  const byOwner = [...byFinance, ...ofPayouts, ...ofAll].toSorted()
  const finance = await aColleague(account, 'finance')
  for (const role of ['manager', 'viewer'] as const) {
    const colleague = await aColleague(account, role)
    assert.deepEqual(await listRevealingCalls('owner', account.token, role, colleague), byOwner)
    assert.deepEqual(await listRevealingCalls('finance', finance, role, colleague), byFinance)
    const { token } = expectOk(
      await app.api('POST', '/users/me/tokens', { token: colleague, body: { name: 'x' } }),
    ).body
    const tool = { name: 'get_receipt', arguments: { id: ids.commission } }
    const read = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
    })
    const answer = await read.text()
    assert.ok(answer.includes(ids.commission!) && !tells(answer), answer)
  }
  for (const method of ['POST', 'DELETE'])
    assert.equal(
      formatOutcome(
        await app.api(method, `/partners/${partner.id}/payout-settings`, {
          token: member.token,
          body: method === 'POST' ? bankDetails() : undefined,
        }),
      ),
      '403 role_not_allowed',
    )
})
