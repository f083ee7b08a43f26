import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
} from '../../../../test/support/app.ts'
import { mailsTo, runClock, sendAllMails, theMail } from '../../../../test/support/mailed.ts'

const app = await startApp({ clock: turnableClock('2026-10-20T12:00:00Z') })

const call = async (account: TestAccount, method: string, path: string, body?: object) =>
  expectOk(await app.api(method, path, { token: (await signIn(app, account.ownerEmail)).token, body })).body

/** An account with one group more than the default, in which a sale pays 25 percent. */
async function aProgram(publicName: string | null = 'Gold partners', settings: object = {}) {
  app.clock.set('2026-10-20T12:00:00Z')
  const account = await anAccount(app, {
    ...{ defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 30, ...settings },
  })
  const terms = { otherwise: { layerRates: [25] }, maxPerMonth: 900_00 }
  const gold = await call(account, 'POST', `/accounts/${account.id}/groups`, { name: 'Secret gold', publicName, terms })
  const addGoal = (groupId: string, goal: object) =>
    call(account, 'POST', `/groups/${groupId}/goals`, { name: 'Busy month', window: 'month', ...goal })
  return { account, gold, addGoal, partner: await aPartner(app, account, {}, { signIn: true }) }
}

const bonus = { metric: 'revenue', atLeast: 5000_00, bonus: 250_00 }
const rise = { name: 'Top partner', metric: 'sales', window: 'all-time', atLeast: 1 }

async function sell(account: TestAccount, partnerId: string, amount: number) {
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId, email: anEmail('lead') })
  return call(account, 'POST', `/leads/${lead.id}/sales`, { amount })
}

async function night(day: string) {
  app.clock.set(`${day}T02:30:00Z`)
  await runClock(app, 'goals')
  await sendAllMails(app)
}

async function morning(day: string) {
  app.clock.set(`${day}T09:00:00Z`)
  await runClock(app, 'mails-of-the-day')
  await sendAllMails(app)
}

test('bonuses are told once, together, on the morning after they were given', async () => {
  const { account, addGoal, partner } = await aProgram()
  const other = await aPartner(app, account, {}, { signIn: true })
  await addGoal(account.id, bonus)
  await addGoal(account.id, { name: 'First sales', metric: 'sales', window: 'all-time', atLeast: 2, bonus: 10_00 })
  await sell(account, partner.id, 5000_00)
  await sell(account, partner.id, 120_00)
  await sell(account, other.id, 100_00)
  await sendAllMails(app)
  await morning('2026-10-20')
  await night('2026-10-21')
  assert.deepEqual(await mailsTo(app, 'goal-reached', partner.email), [])
  for (const day of ['2026-10-21', '2026-10-22', '2026-10-23']) {
    await night(day)
    await morning(day)
  }
  const { subject, text } = await theMail(app, 'goal-reached', partner.email)
  assert.equal(subject, 'You reached 2 goals')
  for (const words of [
    'You reached the goal Busy month: $5,120.00 of $5,000.00 in October. Your bonus of $250.00 is due on Nov 20, 2026.',
    'You reached the goal First sales: 2 of 2 sales. Your bonus of $10.00 is due on Nov 20, 2026.',
  ])
    assert.ok(text.includes(words), text)
  assert.deepEqual(await mailsTo(app, 'goal-reached', other.email), [])
  assert.equal((await mailsTo(app, 'sale-credited', partner.email)).length, 1, 'no mail calls a bonus a commission')
  assert.deepEqual(await mailsTo(app, 'refund', partner.email), [])
})

test('a bonus taken back before the morning is told when it is given again, and a second time never', async () => {
  const { account, addGoal, partner } = await aProgram()
  await addGoal(account.id, { metric: 'sales', atLeast: 1, bonus: 250_00 })
  const sale = await sell(account, partner.id, 100_00)
  await night('2026-10-21')
  await call(account, 'POST', `/sales/${sale.id}/refunds`, { amount: 100_00, reason: 'Late' })
  await night('2026-10-22')
  await morning('2026-10-22')
  assert.deepEqual(await mailsTo(app, 'goal-reached', partner.email), [])
  const again = await sell(account, partner.id, 100_00)
  await night('2026-10-23')
  await morning('2026-10-23')
  await theMail(app, 'goal-reached', partner.email)
  await call(account, 'POST', `/sales/${again.id}/refunds`, { amount: 100_00, reason: 'Late' })
  await night('2026-10-24')
  await sell(account, partner.id, 100_00)
  await night('2026-10-25')
  await morning('2026-10-25')
  await theMail(app, 'goal-reached', partner.email)
})

test('a bonus taken back while its mail waits is not told', async () => {
  const { account, addGoal, partner } = await aProgram()
  await addGoal(account.id, { metric: 'sales', atLeast: 1, bonus: 250_00 })
  const sale = await sell(account, partner.id, 100_00)
  await night('2026-10-21')
  app.clock.set('2026-10-21T09:00:00Z')
  await runClock(app, 'mails-of-the-day')
  await call(account, 'POST', `/sales/${sale.id}/refunds`, { amount: 100_00, reason: 'Late' })
  await night('2026-10-22')
  assert.deepEqual(await mailsTo(app, 'goal-reached', partner.email), [])
})

test('a bonus of a balance that was voided is not told', async () => {
  const { account, addGoal, partner } = await aProgram()
  await addGoal(account.id, { metric: 'sales', atLeast: 1, bonus: 250_00 })
  await sell(account, partner.id, 100_00)
  await night('2026-10-21')
  const state = (body: object) => call(account, 'PUT', `/partners/${partner.id}`, body)
  await call(account, 'POST', `/partners/${partner.id}/archive`, { balance: 'void', reason: 'Fraud' })
  await state({ state: 'active' })
  await morning('2026-10-21')
  assert.deepEqual(await mailsTo(app, 'goal-reached', partner.email), [])
})

test('a move by a goal is told with the new terms and from when they apply', async () => {
  const { account, gold, addGoal, partner } = await aProgram()
  const special = await aPartner(app, account, {}, { signIn: true })
  await call(account, 'PUT', `/partners/${special.id}/terms`, { terms: { otherwise: { layerRates: [40] } } })
  const back = await aPartner(app, account, {}, { signIn: true })
  await addGoal(account.id, { ...rise, moveToGroupId: gold.id })
  for (const { id } of [partner, special, back]) await sell(account, id, 100_00)
  await night('2026-10-21')
  const body = { partnerIds: [back.id], groupId: account.id }
  await call(account, 'POST', `/accounts/${account.id}/partners/move`, body)
  await morning('2026-10-21')
  await morning('2026-10-22')
  const { subject, text } = await theMail(app, 'goal-reached', partner.email)
  assert.equal(subject, 'You reached the goal Top partner')
  assert.match(text, /You reached the goal Top partner\. You are now in the group Gold partners\./)
  assert.match(text, /You earn 25% of each sale; at most \$900 a month\./)
  assert.match(text, /This applies to all sales from Oct 21, 2026\./)
  assert.doesNotMatch(text, /Secret/)
  const { text: own } = await theMail(app, 'goal-reached', special.email)
  assert.match(own, /the group Gold partners\. You have terms of your own, which stay the same\./)
  assert.doesNotMatch(own, /25%|40%|all sales/)
  assert.deepEqual(await mailsTo(app, 'goal-reached', back.email), [], 'the owner has moved them back')
})

test('a move for new customers says so, and a group without a public name is not named', async () => {
  const { account, gold, addGoal, partner } = await aProgram(null)
  await addGoal(account.id, { ...rise, moveToGroupId: gold.id, appliesTo: 'new-customers' })
  await sell(account, partner.id, 100_00)
  await night('2026-10-21')
  await morning('2026-10-21')
  const { text } = await theMail(app, 'goal-reached', partner.email)
  assert.match(text, /You reached the goal Top partner\. You are now in another group\./)
  assert.match(text, /This applies to customers referred from Oct 21, 2026\. Earlier customers keep their terms\./)
  assert.doesNotMatch(text, /Secret/)
})

test('all sales are promised only if no earlier customer keeps other terms', async () => {
  const { account, gold, addGoal, partner } = await aProgram()
  await sell(account, partner.id, 100_00)
  app.clock.advance(60_000)
  const terms = { otherwise: { layerRates: [30] } }
  await call(account, 'PUT', `/groups/${gold.id}/terms`, { terms, appliesTo: 'new-customers' })
  await addGoal(account.id, { ...rise, moveToGroupId: gold.id })
  await night('2026-10-21')
  await morning('2026-10-21')
  const { text } = await theMail(app, 'goal-reached', partner.email)
  assert.match(text, /You earn 30% of each sale\./)
  assert.match(text, /This applies to sales from Oct 21, 2026\. Some customers referred earlier have other terms\./)
})

test('a revenue that partners may not see is left out', async () => {
  const { account, addGoal, partner } = await aProgram(null, { partnerVisibility: { saleAmounts: false } })
  await addGoal(account.id, bonus)
  await sell(account, partner.id, 5120_00)
  await night('2026-10-21')
  await morning('2026-10-21')
  const { text } = await theMail(app, 'goal-reached', partner.email)
  assert.match(text, /You reached the goal Busy month in October\. Your bonus of \$250\.00 is due on Nov 20, 2026\./)
  assert.doesNotMatch(text, /5,[01]/)
})

test('a move below a figure is told in neutral words; the owner reads of both directions in the week', async () => {
  const { account, gold, addGoal, partner } = await aProgram()
  const riser = await aPartner(app, account, {}, { signIn: true })
  await call(account, 'POST', `/accounts/${account.id}/partners/move`, { partnerIds: [partner.id], groupId: gold.id })
  await call(account, 'PUT', `/groups/${account.id}`, { name: 'Default', publicName: 'Starters' })
  await addGoal(account.id, { ...rise, moveToGroupId: gold.id })
  const fall = { name: 'Too few', metric: 'sales', window: 'last-90-days', below: 1, moveToGroupId: account.id }
  await addGoal(gold.id, fall)
  app.clock.set('2027-01-24T12:00:00Z')
  await sell(account, riser.id, 100_00)
  // a Monday; the partner's 90 days in the group have passed
  await night('2027-01-25')
  await morning('2027-01-25')
  const { subject, text } = await theMail(app, 'goal-reached', partner.email)
  assert.equal(subject, 'You are now in the group Starters')
  assert.match(text, /You are now in the group Starters\.\n\nYou earn 20% of each sale\./)
  assert.doesNotMatch(text, /reached|Too few/)
  const before = await theMail(app, 'weekly-summary', account.ownerEmail)
  assert.doesNotMatch(before.text, /Moved by goals/)
  await morning('2027-02-01')
  const weeks = (await mailsTo(app, 'weekly-summary', account.ownerEmail)).map((mail) => mail.text)
  assert.equal(weeks.filter((words) => /Moved by goals: 1 up, 1 down\n/.test(words)).length, 1)
})
