import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noFraudRules } from '#contract/fraud.ts'
import { transaction } from '#server/platform/database/pool.ts'
import { lockAccountShared } from '#server/program/access/lock-accounts.ts'
import { captureLead } from '#server/program/leads/capture-lead.ts'
import { findQuestion } from '#server/program/questions/answer.ts'
import { deferCounts } from '#server/program/stats/count.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  type TestAccount,
} from '#test/support/app.ts'
import { aCase } from '#test/support/fraud-cases.ts'
import { aBlueprint, clickInAddress, visitLink } from '#test/support/links.ts'
import { waitingForLocks } from '#test/support/locks.ts'
import { aPayee } from '#test/support/payouts.ts'
import { askedOfCases } from './cases.ts'

const app = await startApp()
const { db } = app.services
type Body = Record<string, unknown>
const as = (token: string) => ({
  get: async (path: string) => expectOk(await app.api('GET', path, { token })).body,
  post: async (path: string, body: Body) => expectOk(await app.api('POST', path, { token, body })).body,
  put: async (path: string, body: Body) => expectOk(await app.api('PUT', path, { token, body })).body,
})
const saveRules = ({ id, token }: TestAccount, rules: Body) =>
  as(token).put(`/accounts/${id}/fraud-rules`, { ...noFraudRules, ...rules })
const casesOf = async ({ id, token }: TestAccount, query = '') =>
  (await as(token).get(`/accounts/${id}/cases${query}`)).items as {
    findings: { rule: string; evidence: string }[]
    [field: string]: unknown
  }[]
const evidenceOf = async (account: TestAccount) =>
  (await casesOf(account)).flatMap(({ findings }) => findings.map(({ rule, evidence }) => `${rule}: ${evidence}`))

/** Returns the account's push key. */
const keyOf = async ({ id, token }: TestAccount) => (await as(token).put(`/accounts/${id}/api-key`, {})).apiKey

async function referred(account: TestAccount, query: string, headers: Record<string, string> = {}) {
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account)
  const clickId = clickInAddress(await visitLink(app, blueprint.key, `${partner.referralCode}${query}`, { headers }))
  const push = as(await keyOf(account))
  const lead = await push.post('/push/leads', { email: anEmail(), clickId })
  return {
    partner,
    lead,
    sale: await push.post('/push/sales', { leadId: lead.id, amount: 100_00, externalId: lead.id }),
  }
}

test('a sale after a paid visit is a case, unless the campaign is the account’s own', async () => {
  const account = await anAccount(app)
  await saveRules(account, { paidAds: { action: 'hold', campaigns: ['spring'] } })
  await referred(account, '?gclid=x&utm_campaign=spring')
  assert.deepEqual(await evidenceOf(account), [])
  const { sale } = await referred(account, '?gclid=x&utm_campaign=other&utm_medium=CPC')
  assert.deepEqual(await evidenceOf(account), [
    'paid-ads: The visit came from an ad: its address has gclid, utm_medium.',
  ])
  const [one] = await casesOf(account)
  assert.deepEqual([one!.saleId, one!.subject, one!.action], [sale.id, 'sale', 'hold'])
  const kept = await db.many`select paid_parameters from clicks where paid_parameters::text like '%other%'`
  assert.deepEqual(kept, [], 'values are not kept')
})

test('a visit from a banned site is a case of that entry of the list', async () => {
  const account = await anAccount(app)
  await saveRules(account, { bannedReferrer: { action: 'flag', hosts: ['*.coupons.example', 'deals*'] } })
  await referred(account, '', { referer: 'https://fine.example/' })
  await referred(account, '', { referer: 'https://best.coupons.example/a' })
  await referred(account, '', { referer: 'https://other.coupons.example./a' })
  await referred(account, '', { referer: 'https://deals24.example/' })
  assert.deepEqual((await evidenceOf(account)).sort(), [
    'banned-referrer: The visit came from a banned site: *.coupons.example.',
    'banned-referrer: The visit came from a banned site: *.coupons.example.',
    'banned-referrer: The visit came from a banned site: deals*.',
  ])
  const { hold } = await as(account.token).get(`/sales/${(await casesOf(account))[0]!.saleId}`)
  assert.deepEqual([hold.policy, hold.until], ['flag', null])
})

test('several findings make one case, and the strictest action counts', async () => {
  const account = await anAccount(app)
  await saveRules(account, { disposableMail: { action: 'flag' }, paidAds: { action: 'hold', campaigns: [] } })
  const { partner, lead } = await referred(account, '?msclkid=1')
  await as(account.token).post(`/leads/${lead.id}/sales`, { amount: 100, externalId: 'second' })
  expectOk(await app.api('PUT', `/leads/${lead.id}`, { token: account.token, body: { email: 'x@mailinator.com' } }))
  await as(account.token).post(`/leads/${lead.id}/sales`, { amount: 100, externalId: 'third' })
  const [newest] = await casesOf(account, `?partnerId=${partner.id}&rule=disposable-mail`)
  assert.deepEqual(newest!.rules, ['disposable-mail', 'paid-ads'])
  assert.equal(newest!.action, 'hold')
})

test('a case is decided once, and the next person reads by whom', async () => {
  const account = await anAccount(app)
  const { id, saleId } = await aCase(app, account)
  const { url } = await as(account.token).post(`/accounts/${account.id}/members`, {
    ...{ email: anEmail('manager'), role: 'manager' },
  })
  const manager = (await acceptInvitation(app, url)).token
  const released = await as(manager).post(`/cases/${id}/release`, { reason: 'An office of two' })
  assert.deepEqual([released.decision, released.heldAmount, released.reason], ['released', 0, 'An office of two'])
  const again = await app.api('POST', `/cases/${id}/void`, { token: account.token, body: { reason: 'No' } })
  assert.equal(again.status, 409)
  assert.equal(again.body.error.message, `This case was decided by ${released.decidedBy}.`)
  assert.equal((await as(account.token).get(`/sales/${saleId}`)).hold.until, null)
  assert.deepEqual(await casesOf(account), [])
  assert.equal((await casesOf(account, '?state=decided')).length, 1)
})

test('releasing or voiding the sale decides its case too', async () => {
  const account = await anAccount(app)
  for (const [act, decision] of [
    ['release', 'released'],
    ['void', 'voided'],
  ]) {
    const { id, saleId } = await aCase(app, account)
    await as(account.token).post(`/sales/${saleId}/${act}`, { reason: 'Seen' })
    assert.equal((await as(account.token).get(`/cases/${id}`)).decision, decision)
  }
})

test('a partner is asked once and answers once, and reads neither evidence nor case', async () => {
  const account = await anAccount(app)
  const email = anEmail('asked')
  const partner = await aPartner(app, account, { email }, { signIn: true })
  const { id, leadId } = await aCase(app, account, { id: partner.id, email })
  const owner = as(account.token)
  await owner.post(`/cases/${id}/question`, { text: 'How did you meet them?' })
  const second = await app.api('POST', `/cases/${id}/question`, { token: account.token, body: { text: 'And?' } })
  assert.equal(second.status, 409)
  const mine = as(partner.token)
  const { items } = await mine.get(`/partners/${partner.id}/questions`)
  assert.deepEqual(Object.keys(items[0]).sort(), ['about', 'answer', 'answeredAt', 'askedAt', 'id', 'question'])
  await mine.post(`/partners/${partner.id}/answers`, { questionId: id, text: 'At a fair' })
  const body = { questionId: id, text: 'No, at work' }
  assert.equal((await app.api('POST', `/partners/${partner.id}/answers`, { token: partner.token, body })).status, 409)
  assert.equal((await owner.get(`/cases/${id}`)).answer, 'At a fair')
  assert.notEqual((await app.api('GET', `/cases/${id}`, { token: partner.token })).status, 200)
  assert.equal((await app.api('GET', `/accounts/${account.id}/cases`, { token: partner.token })).status, 403)
  assert.equal((await mine.get(`/leads/${leadId}/sales`)).items[0].hold, null)
  const other = await aPartner(app, account, {}, { signIn: true })
  assert.deepEqual((await as(other.token).get(`/partners/${other.id}/questions`)).items, [])
  const theirs = { token: other.token, body }
  assert.equal((await app.api('POST', `/partners/${other.id}/answers`, theirs)).status, 404)
})

test('a partner is mailed no question whose hold has ended, which they could not answer', async () => {
  const account = await anAccount(app)
  const { id, partnerId } = await aCase(app, account)
  await as(account.token).post(`/cases/${id}/question`, { text: 'How did you meet them?' })
  const request = { accountId: account.id, partnerId, id }
  assert.equal((await findQuestion(db, [askedOfCases], request))?.question, 'How did you meet them?')
  await db.run`update fraud_cases set held_until = ${db.now} where id = ${id}`
  assert.equal(await findQuestion(db, [askedOfCases], request), null)
})

test('a partner with another’s payout details has a case, which holds their new sales until it is decided', async () => {
  const account = await anAccount(app)
  await saveRules(account, { duplicatePartner: { action: 'hold' } })
  const partners = [await aPayee(app, account), await aPayee(app, account)]
  const [one] = await casesOf(account)
  assert.deepEqual([one!.subject, one!.partnerId], ['partner', partners[1]!.id])
  assert.deepEqual(one!.findings, [
    {
      rule: 'duplicate-partner',
      evidence: 'The payout details are those of another partner.',
      partnerId: partners[0]!.id,
    },
  ])
  const owner = as(account.token)
  const lead = await owner.post(`/accounts/${account.id}/leads`, { partnerId: partners[1]!.id, email: anEmail() })
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  assert.deepEqual([sale.hold.rule, sale.hold.until], ['duplicate-partner', one!.heldUntil])
  await owner.post(`/cases/${one!.id}/void`, { reason: 'One person' })
  assert.equal((await owner.get(`/sales/${sale.id}`)).status, 'void')
})

test('a sale that the cases of its lead and of its partner hold waits for both', async () => {
  for (const act of ['release', 'void']) {
    const account = await anAccount(app)
    await saveRules(account, { duplicatePartner: { action: 'hold' }, speed: { action: 'hold', leadsPerHour: 1 } })
    await aPayee(app, account)
    const partner = await aPayee(app, account)
    const owner = as(account.token)
    const aLead = () => owner.post(`/accounts/${account.id}/leads`, { partnerId: partner.id, email: anEmail() })
    await aLead()
    const lead = await aLead()
    const [ofLead, ofPartner] = await casesOf(account, '?sort=-createdAt')
    assert.deepEqual([ofLead!.subject, ofPartner!.subject], ['lead', 'partner'])
    const { id } = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
    const sale = () => owner.get(`/sales/${id}`)
    assert.equal((await sale()).hold.rule, 'speed')
    await owner.post(`/cases/${ofLead!.id}/release`, { reason: 'A fair' })
    const { rule, reason, until } = (await sale()).hold
    assert.deepEqual([rule, reason, until], ['duplicate-partner', 'The partner’s case is open.', ofPartner!.heldUntil])
    await owner.post(`/cases/${ofPartner!.id}/${act}`, { reason: 'Asked them' })
    const after = await sale()
    assert.deepEqual([after.status, after.hold.until === null], act === 'void' ? ['void', false] : ['completed', true])
  }
})

test('rules refuse hosts that are none, too long lists and unknown actions', async () => {
  const { id, token } = await anAccount(app)
  const wrong: [Body, string][] = [
    [{ bannedReferrer: { action: 'hold', hosts: ['https://x.example/a'] } }, 'bannedReferrer.hosts.0'],
    [{ bannedReferrer: { action: 'hold', hosts: Array(201).fill('x.example') } }, 'bannedReferrer.hosts'],
    [{ speed: { action: 'hold', leadsPerHour: 0 } }, 'speed.leadsPerHour'],
    [{ refundRate: { action: 'hold', percent: 101 } }, 'refundRate.percent'],
    [{ disposableMail: { action: 'refuse' } }, 'disposableMail.action'],
  ]
  for (const [rules, field] of wrong) {
    const body = { ...noFraudRules, ...rules }
    const reply = await app.api('PUT', `/accounts/${id}/fraud-rules`, { token, body })
    assert.equal(reply.status, 422, field)
    assert.deepEqual(Object.keys(reply.body.error.fields), [field])
  }
})

test('saving some of the rules keeps the others', async () => {
  const account = await anAccount(app)
  const [speed, refundRate] = [
    { action: 'hold', leadsPerHour: 7 },
    { action: 'flag', percent: 40 },
  ]
  const save = (rules: Body) => as(account.token).put(`/accounts/${account.id}/fraud-rules`, rules)
  await save({ speed })
  assert.deepEqual(await save({ refundRate }), { ...noFraudRules, speed, refundRate })
})

test('of two leads that come at one moment the one beyond the limit is a case', async () => {
  const account = await anAccount(app)
  const { referralCode } = await aPartner(app, account)
  await saveRules(account, { speed: { action: 'flag', leadsPerHour: 1 } })
  let captured = 0
  const capture = () =>
    transaction(db, (tx) =>
      deferCounts(
        tx,
        async () => {
          await captureLead(tx, await lockAccountShared(tx, account.id), {
            source: 'api',
            email: anEmail(),
            referralCode,
          })
          captured++
          // until the other has come as well, or waits
          while (captured < 2 && (await waitingForLocks(db)) === 0) await sleep(5)
        },
        async () => undefined,
      ),
    )
  await Promise.all([capture(), capture()])
  assert.deepEqual(await evidenceOf(account), ['speed: The partner has more than 1 lead within an hour.'])
})

test('releasing a sale leaves it with the open case of its partner, and voiding that voids it', async () => {
  for (const act of ['release', 'void']) {
    const account = await anAccount(app, { selfReferralPolicy: 'flag' })
    const owner = as(account.token)
    await saveRules(account, { duplicatePartner: { action: 'hold' }, disposableMail: { action: 'hold' } })
    await aPayee(app, account)
    const partner = await aPayee(app, account)
    const [ofPartner] = await casesOf(account)
    const aSale = async (email: string) => {
      const lead = await owner.post(`/accounts/${account.id}/leads`, { partnerId: partner.id, email })
      return (await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })).id
    }
    const refusedToRelease = async (id: string) => {
      const body = { reason: 'Fine' }
      return (await app.api('POST', `/sales/${id}/release`, { token: account.token, body })).body.error.code
    }
    const [plain, flagged, held] = [await aSale(anEmail()), await aSale(partner.email), await aSale('x@mailinator.com')]
    await owner.post(`/sales/${held}/release`, { reason: 'Their own host' })
    const { rule, reason, until } = (await owner.get(`/sales/${held}`)).hold
    assert.deepEqual([rule, reason, until], ['duplicate-partner', 'The partner’s case is open.', ofPartner!.heldUntil])
    for (const id of [plain, flagged, held]) assert.equal(await refusedToRelease(id), 'invalid_state')
    const open = await casesOf(account)
    assert.deepEqual(open.map(({ subject, action, heldAmount }) => [subject, action, heldAmount]).sort(), [
      ['partner', 'hold', ofPartner!.heldAmount],
      ['sale', 'flag', 0],
    ])
    await owner.post(`/cases/${ofPartner!.id}/${act}`, { reason: 'Asked them' })
    for (const id of [plain, flagged, held]) {
      const { status, hold } = await owner.get(`/sales/${id}`)
      assert.deepEqual([status, hold.until === null], act === 'void' ? ['void', false] : ['completed', true])
    }
  }
})

test('a case is decided as it was shown: what it holds since is neither voided nor released unseen', async () => {
  for (const act of ['void', 'release']) {
    const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
    const owner = as(account.token)
    await saveRules(account, { duplicatePartner: { action: 'hold' } })
    await aPayee(app, account)
    const partner = await aPayee(app, account)
    const aSale = async () => {
      const lead = await owner.post(`/accounts/${account.id}/leads`, { partnerId: partner.id, email: anEmail() })
      return (await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })).id
    }
    const first = await aSale()
    const [shown] = await casesOf(account)
    assert.equal(shown!.heldSales, 1)
    const decide = ({ heldSales, heldAmount }: Body) =>
      app.api('POST', `/cases/${shown!.id}/${act}`, {
        ...{ token: account.token, body: { reason: 'Asked them', shown: { heldSales, heldAmount } } },
      })
    const second = await aSale()
    const { status, body } = await decide(shown!)
    assert.deepEqual([status, body.error.code], [409, 'conflict'])
    assert.equal(body.error.message, 'This case holds 2 sales and $40.00 in commission now. Review it again.')
    const [now] = await casesOf(account)
    assert.deepEqual([now!.state, now!.heldSales, now!.heldAmount], ['open', 2, 2 * (shown!.heldAmount as number)])
    expectOk(await decide(now!))
    for (const id of [first, second]) {
      const { status, hold } = await owner.get(`/sales/${id}`)
      assert.deepEqual([status, hold.until === null], act === 'void' ? ['void', false] : ['completed', true])
    }
  }
})

test('the list counts all its cases and adds up what they hold, whatever page is read', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  await saveRules(account, { disposableMail: { action: 'hold' } })
  const { id: partnerId } = await aPartner(app, account)
  const owner = as(account.token)
  for (const [name, amount] of [
    ['a', 50_00],
    ['b', 70_00],
    ['c', 30_00],
  ] as const) {
    const lead = await owner.post(`/accounts/${account.id}/leads`, { partnerId, email: `${name}@mailinator.com` })
    await owner.post(`/leads/${lead.id}/sales`, { amount })
  }
  const list = (query: string) => owner.get(`/accounts/${account.id}/cases?${query}`)
  const first = await list('limit=2')
  assert.deepEqual([first.total, first.totals], [3, { count: 3, heldAmount: 30_00, currency: 'usd' }])
  const last = await list(`limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual(last.totals, first.totals)
  const rows = [...first.items, ...last.items] as { heldAmount: number }[]
  assert.equal(
    rows.reduce((sum, { heldAmount }) => sum + heldAmount, 0),
    first.totals.heldAmount,
  )
  await owner.post(`/cases/${first.items[0].id}/release`, { reason: 'Known' })
  assert.equal((await list('')).totals.heldAmount, 30_00 - first.items[0].heldAmount)
  assert.deepEqual((await list('state=decided')).totals, { count: 1, heldAmount: 0, currency: 'usd' })
  assert.deepEqual((await list(`partnerId=${account.id}`)).totals, { count: 0, heldAmount: 0, currency: 'usd' })
})
