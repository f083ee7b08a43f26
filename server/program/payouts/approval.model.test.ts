import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TeamRole } from '#contract/endpoint.ts'
import { aLedger, atTime, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { bankDetails } from '../../../test/support/payouts.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { createQueues } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { yearIn } from '../../platform/time/days.ts'
import { queues } from '../../queues.ts'
import type { Actor } from '../access/actor.ts'
import { removeRole, setRole } from '../auth/users.ts'
import { adjustAll } from '../commissions/adjustments.ts'
import { saveFile } from '../payment-files/files.ts'
import { applyResults } from '../payment-files/results.ts'
import { verifyLedger } from '../stats/verify.ts'
import { approveIntoBatch, approvePayout, approvePayouts, previewApproval } from './approve.ts'
import { changeAutoPayoutSettings, getAutoPayoutSettings } from './auto-payout-settings.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { markPayoutPaid } from './mark-paid.ts'
import type { PaymentFileMethod } from './methods/registry.ts'
import { wiseBatch } from './methods/wise/batch.ts'
import { payoutName } from './payout-number.ts'
import { savePayoutSettings } from './payout-settings.ts'
import { presentPayouts } from './payouts.ts'

// Random histories of accounts where two people approve: settings and roles change, entries fall due, details change,
// time passes, and people approve in every way. A second, simple model has who is the first and who the second.

const HOUR = 3_600_000
const STARTS_AT = Date.parse('2026-06-01T10:00:00Z')
const STEPS = Number(process.env.STEPS ?? 100)

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
await createQueues(await services.jobs.boss(), queues)
test.after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

for (const seed of listSeeds(1))
  test(`seed ${seed}: above the ceiling two different people approve the same thing`, async () => {
    const trace: string[] = []
    const time = { now: STARTS_AT }
    await atTime(time, () => live(services, seed, time, trace)).catch((error: Error) => {
      throw new Error(`${error.message}\n${trace.slice(-40).join('\n')}`, { cause: error })
    })
  })

type Limits = { max: number | null; approvals: 1 | 2 }
type Person = { id: string; email: string; role: TeamRole | null; paySince: number }
/** Entries by a number of ours, so that sets can be compared. */
type Entry = { name: number; amount: number; due: number }
type First = { by: Person; at: number; seen: string }
type HeldPayout = {
  id: string
  entries: Entry[]
  amount: number
  two: boolean
  method: 'manual' | 'csv'
  number: number
}
type Payee = {
  id: string
  version: number
  changedAt: number
  entries: Entry[]
  first: First | null
  approved: HeldPayout[]
  /** Put into a file, then due again. */
  filed: { number: number; entries: Entry[]; amount: number; two: boolean } | null
}

async function live(shared: Services, seed: number, time: { now: number }, trace: string[]) {
  const { below, chance, between, pick } = randomFrom(seed)
  const ledger = await aLedger(shared, { partners: [{}, {}, {}] })
  const { account } = ledger
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)

  const people: Person[] = []
  for (const index of [0, 1, 2, 3]) {
    const id = index === 0 ? ledger.actor.userId : newId()
    const email = `person-${index}@${account.id}.example`
    if (index > 0)
      await db.run`insert into users (id, email, created_at, updated_at) values (${id}, ${email}, ${db.now}, ${db.now})`
    people.push({ id, email, role: null, paySince: 0 })
  }
  const [owner] = people as [Person]
  const actorOf = ({ id, email }: Person, fresh = true): Actor => ({
    ...ledger.actor,
    userId: id,
    email,
    confirmedAt: fresh ? new Date(time.now).toISOString() : null,
  })
  const mayPay = ({ role }: Person) => role === 'owner' || role === 'finance'
  const home = { accountId: account.id, partnerId: null }
  const give = async (person: Person, role: TeamRole | null) => {
    const before = person.role
    await inTransaction(async (tx) => {
      if (role) await setRole(tx, ownerAuthor(ledger), person.id, home, role)
      else if (before) await removeRole(tx, ownerAuthor(ledger), person.id, home, before)
    })
    const paid = mayPay(person)
    person.role = role
    if (!paid && mayPay(person)) person.paySince = time.now
  }
  await give(owner, 'owner')
  await give(people[1]!, 'finance')
  await give(people[2]!, 'finance')

  // the model
  let limits: Limits = { max: 50_00, approvals: 1 }
  let pending: (Limits & { at: number }) | null = null
  let twoSince = 0
  const payees: Payee[] = ledger.partnerIds.map((id) => {
    return { id, version: 0, changedAt: 0, entries: [], first: null, approved: [], filed: null }
  })
  let names = 0
  const tick = () => {
    if (!pending || pending.at > time.now) return
    limits = { max: pending.max, approvals: pending.approvals }
    pending = null
  }
  const dueOf = (payee: Payee) => payee.entries.filter(({ due }) => due <= time.now)
  const sum = (entries: Entry[]) => entries.reduce((total, { amount }) => total + amount, 0)
  const seenOf = (payee: Payee) =>
    `${payee.version}: ${dueOf(payee)
      .map(({ name }) => name)
      .sort((a, b) => a - b)}`
  const needsTwo = (amount: number) => limits.approvals === 2 && amount > limits.max!
  const counts = (person: Person) => person.paySince <= twoSince || person.paySince + 72 * HOUR <= time.now
  const validFirst = (payee: Payee): First | null => {
    const { first } = payee
    return first && mayPay(first.by) && first.by.paySince <= first.at && first.seen === seenOf(payee) ? first : null
  }
  /** The outcome of an approval by this person: it approves, is the first, or is refused for a reason. */
  const approvalBy = (person: Person, payee: Payee): 'approves' | 'first' | string => {
    if (!mayPay(person)) return 'role_not_allowed'
    if (!counts(person)) return 'pay_too_new'
    const first = validFirst(payee)
    if (!first) return 'first'
    return first.by === person ? 'second_person_needed' : 'approves'
  }
  const bindAll = (payee: Payee) => {
    const entries = dueOf(payee)
    payee.entries = payee.entries.filter((entry) => !entries.includes(entry))
    payee.first = null
    return entries
  }

  // the product
  const gather = () => inTransaction((tx) => gatherPayouts(tx, account))
  const payoutOf = async (payee: Payee) => {
    await gather()
    const row = await db.maybe<{ id: string }>`
      select id from payouts where account_id = ${account.id} and partner_id = ${payee.id} and status = 'gathering'`
    const [payout] = row && sum(dueOf(payee)) > 0 ? await presentPayouts(db, account, [row.id]) : []
    return payout
  }
  const outcome = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work
      return 'done'
    } catch (error) {
      if (error instanceof Refusal) return error.reason
      throw error
    }
  }
  const payers = () => people.filter(mayPay)

  const acts: Record<string, () => Promise<string | undefined>> = {
    async earn() {
      const payee = pick(payees)
      const amount = chance(10) ? -between(1, 20) * 100 : between(5, 60) * 100
      const due = chance(75) ? time.now : time.now + between(1, 40) * HOUR
      await book(payee, amount, due)
      return `${amount} to ${payees.indexOf(payee)}`
    },
    async 'the same sum'() {
      const payee = pick(payees)
      const amount = between(1, 20) * 100
      await book(payee, amount, time.now)
      await book(payee, -amount, time.now)
      return `to ${payees.indexOf(payee)}`
    },
    async 'the first leaves'() {
      const first = payees.find((payee) => validFirst(payee))?.first
      if (!first || first.by === owner) return
      await give(first.by, pick(['manager', null]))
      if (chance(40)) await give(first.by, 'finance')
      return `${people.indexOf(first.by)} ${first.by.role}`
    },
    async details() {
      const payee = pick(payees)
      payee.version++
      payee.changedAt = time.now
      const by: Actor = { ...actorOf(owner), partnerRoles: { [payee.id]: 'owner' } }
      const details = bankDetails({ accountNumber: String(10_000 + names++) }) as never
      await inTransaction((tx) => savePayoutSettings(tx, shared, by, { account, partnerId: payee.id }, details))
      for (const held of payee.approved.filter(({ method }) => method === 'manual')) {
        payee.entries.push(...held.entries)
        payee.approved = payee.approved.filter((one) => one !== held)
      }
      return `of ${payees.indexOf(payee)}`
    },
    async 'a role'() {
      const person = pick(people.slice(1))
      await give(person, pick(['finance', 'finance', 'owner', 'manager', 'viewer', null] as const))
      return `${people.indexOf(person)} ${person.role}`
    },
    async time() {
      const hours = pick([1, 5, 20, 40, 73])
      time.now += hours * HOUR
      tick()
      return `${hours} hours`
    },
    async settings() {
      const body = {
        ...(chance(70) && { maxPerPayout: pick([20_00, 50_00, 80_00, null, limits.max]) }),
        ...(chance(70) && { approvalsAboveCeiling: pick([1, 2, 2, limits.approvals] as const) }),
      }
      const answer = await outcome(changeAutoPayoutSettings(shared, actorOf(owner), account, body))
      // saving what is, or is tighter, acts at once; the rest waits while two people are needed
      const cleared = body.maxPerPayout === null
      const from = pending ?? limits
      const uncleared = body.maxPerPayout != null && from.max === null
      const wanted: Limits = {
        max: body.maxPerPayout === undefined ? from.max : body.maxPerPayout,
        approvals: body.approvalsAboveCeiling ?? (cleared ? 1 : uncleared ? limits.approvals : from.approvals),
      }
      const expected =
        wanted.approvals === 2 && wanted.max === null
          ? 'ceiling_missing'
          : wanted.approvals === 2 && limits.approvals === 1 && payers().length < 2
            ? 'second_person_missing'
            : 'done'
      assert.equal(answer, expected, JSON.stringify(body))
      if (answer !== 'done') return `${JSON.stringify(body)} ${answer}`
      if (limits.approvals === 1) {
        if (wanted.approvals === 2) twoSince = time.now
        limits = wanted
      } else {
        const lower = wanted.max !== null && wanted.max <= limits.max!
        limits = { max: lower ? wanted.max : limits.max, approvals: 2 }
        const isSame = pending?.max === wanted.max && pending.approvals === wanted.approvals
        if (wanted.max === limits.max && wanted.approvals === 2) pending = null
        else if (!isSame) pending = { ...wanted, at: time.now + 72 * HOUR }
      }
      return JSON.stringify(body)
    },
    approve: () => approve(pick(payers()), pick(payees), chance(85)),
    'approve again': () => approve(pick(payers()), pick(payees), true),
    async 'two at once'() {
      const payee = pick(payees)
      const payout = await payoutOf(payee)
      const [one, two] = payers()
      if (!payout || !two) return
      const expected = approvalBy(one!, payee)
      if (!needsTwo(payout.amount) || expected !== 'first' || approvalBy(two, payee) !== 'first') return
      const answer = await Promise.all(
        [one!, two].map((person) =>
          outcome(inTransaction((tx) => approvePayout(tx, shared, actorOf(person), account, payout.id))),
        ),
      )
      assert.deepEqual(answer, ['done', 'done'])
      hold(payee, payout.id, payout.statementNumber, 'manual')
    },
    async bulk() {
      const person = pick(payers())
      const payouts = new Map<string, Payee>()
      const shown = []
      for (const payee of payees) {
        const payout = await payoutOf(payee)
        if (!payout) continue
        payouts.set(payout.id, payee)
        shown.push(payout)
      }
      const ids = [...payouts.keys()]
      if (ids.length === 0) return
      const expected = shown.map(({ id, amount }) =>
        needsTwo(amount) ? approvalBy(person, payouts.get(id)!) : 'approves',
      )
      const preview = await inTransaction((tx) => previewApproval(tx, actorOf(person), account, ids))
      const number = (what: string) => expected.filter((one) => one === what).length
      assert.deepEqual(
        [preview.count, preview.firstApprovals, preview.excluded.length],
        [number('approves'), number('first'), ids.length - number('approves') - number('first')],
      )
      const { results } = await inTransaction((tx) => approvePayouts(tx, shared, actorOf(person), account, ids))
      for (const [at, { id, status, error }] of results.entries()) {
        const what = expected[at]!
        const payee = payouts.get(id)!
        if (what === 'approves') hold(payee, id, shown[at]!.statementNumber, 'manual')
        else if (what === 'first') payee.first = { by: person, at: time.now, seen: seenOf(payee) }
        assert.deepEqual(
          [status, error?.reason],
          what === 'approves' ? ['approved', undefined] : ['due', what === 'first' ? undefined : what],
        )
      }
      return `by ${people.indexOf(person)}: ${expected}`
    },
    async 'mark paid'() {
      const person = pick(payers())
      const payee = pick(payees)
      const payout = await payoutOf(payee)
      if (!payout) return
      const by = needsTwo(payout.amount) ? approvalBy(person, payee) : 'approves'
      const expected = by === 'approves' ? 'done' : by === 'first' ? 'second_person_needed' : by
      const answer = await outcome(
        inTransaction((tx) => markPayoutPaid(tx, actorOf(person), account, payout.id, { reference: 'Bank' })),
      )
      assert.equal(answer, expected)
      if (answer === 'done') {
        bindAll(payee)
        payee.filed = null
      }
      return `${payees.indexOf(payee)} by ${people.indexOf(person)}: ${answer}`
    },
    async batch() {
      const person = pick(payers())
      const byPartner = new Map<string, { detailsVersion: string }>()
      const chosen: { id: string; payee: Payee; amount: number; number: number }[] = []
      for (const payee of payees) {
        const payout = await payoutOf(payee)
        if (!payout || payee.filed || payout.status !== 'due') continue
        const details = await db.maybe<{ version: string }>`
          select version from payout_settings where account_id = ${account.id} and partner_id = ${payee.id}`
        byPartner.set(payee.id, { detailsVersion: details!.version })
        chosen.push({ id: payout.id, payee, amount: payout.amount, number: payout.statementNumber })
      }
      const ids = chosen.map(({ id }) => id)
      const { approved, lacking } = await inTransaction(async (tx) => {
        const done = await approveIntoBatch(tx, shared, actorOf(person), account, {
          ...{ method: wiseBatch, year: yearIn(account.timeZone, tx.now), ids, byPartner },
        })
        const payouts = done.approved.map(({ id, partnerId }) => ({
          ...{ id, recipient: `7${ledger.partnerIds.indexOf(partnerId)}` },
        }))
        const file = {
          method: wiseBatch as PaymentFileMethod,
          payouts,
          profileId: 'profile',
          payer: null,
          executionDate: null,
        }
        if (payouts.length > 0) await saveFile(tx, shared.secrets, { type: 'user', id: person.id }, account, file)
        return done
      })
      const isCooling = ({ changedAt, version }: Payee) => version > 0 && changedAt + 72 * HOUR > time.now
      const judged = chosen.map((one) => {
        if (isCooling(one.payee)) return { ...one, what: 'cooling' }
        return { ...one, what: needsTwo(one.amount) ? approvalBy(person, one.payee) : 'approves' }
      })
      const expected = judged.filter(({ what }) => what === 'approves')
      assert.deepEqual(approved.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort())
      assert.equal(lacking, judged.filter(({ what }) => what !== 'approves' && what !== 'cooling').length)
      for (const { id, payee, number } of expected) hold(payee, id, number, 'csv')
      return `by ${people.indexOf(person)}: ${judged.map(({ what }) => what)}`
    },
    async results() {
      const person = pick(payers())
      const [payee] = payees.filter((one) => one.approved.some(({ method }) => method === 'csv') || one.filed)
      if (!payee) return
      const held = payee.approved.find(({ method }) => method === 'csv')
      const of = held ?? payee.filed!
      const isPaid = chance(50)
      const amount = (of.amount / 100).toFixed(2)
      const row = [
        isPaid ? 'completed' : 'cancelled',
        amount,
        'USD',
        `7${payees.indexOf(payee)}`,
        payoutName({ statementNumber: of.number }),
        String(++names),
      ]
      const csv = `status,amount,amountCurrency,recipientId,paymentReference,transferId\n${row.join()}\n`
      const { rows } = await inTransaction((tx) =>
        applyResults(tx, shared.secrets, { type: 'user', id: person.id }, account, { csv, dryRun: false }),
      )
      const answer = rows[0]!.error?.reason ?? rows[0]!.becomes
      if (held) {
        assert.equal(answer, isPaid ? 'paid' : 'due')
        payee.approved = payee.approved.filter((one) => one !== held)
        if (!isPaid) {
          payee.entries.push(...held.entries)
          payee.filed = { number: held.number, entries: held.entries, amount: held.amount, two: held.two }
        }
        return `${payees.indexOf(payee)}: ${answer}`
      }
      const filed = payee.filed!
      if (!isPaid) return
      // joined with an older one meanwhile: a result of its number is about nothing that is due
      if (answer === 'result_of_canceled' || answer === 'result_of_other_method') {
        payee.filed = null
        return
      }
      const by = needsTwo(filed.amount) && !filed.two ? approvalBy(person, payee) : 'approves'
      assert.equal(answer, by === 'approves' ? 'paid' : by === 'first' ? 'second_person_needed' : by)
      if (by !== 'approves') return `${payees.indexOf(payee)} after all: ${answer}`
      const isFree = filed.entries.every((entry) => payee.entries.includes(entry))
      if (isFree) payee.entries = payee.entries.filter((entry) => !filed.entries.includes(entry))
      else payee.entries.push({ name: ++names, amount: -filed.amount, due: time.now })
      payee.first = null
      payee.filed = null
      return `${payees.indexOf(payee)} after all: paid`
    },
  }
  function hold(payee: Payee, id: string, number: number, method: 'manual' | 'csv') {
    const two = needsTwo(sum(dueOf(payee)))
    const entries = bindAll(payee)
    payee.filed = null
    payee.approved.push({ id, entries, amount: sum(entries), method, number, two })
  }
  async function book(payee: Payee, amount: number, due: number) {
    payee.entries.push({ name: ++names, amount, due })
    const one = { partnerId: payee.id, amount, reason: 'Agreed', availableAt: new Date(due).toISOString() }
    await inTransaction((tx) => adjustAll(tx, ownerAuthor(ledger), account, [one]))
  }
  async function approve(person: Person, payee: Payee, fresh: boolean) {
    const payout = await payoutOf(payee)
    if (!payout) return
    const { id, amount } = payout
    const isAbove = limits.max !== null && amount > limits.max
    const by = needsTwo(amount) ? approvalBy(person, payee) : 'approves'
    const expected = isAbove && !fresh ? 'payout_above_limit' : by === 'approves' || by === 'first' ? 'done' : by
    const answer = await outcome(inTransaction((tx) => approvePayout(tx, shared, actorOf(person, fresh), account, id)))
    assert.equal(answer, expected)
    if (answer === 'done' && by === 'first') payee.first = { by: person, at: time.now, seen: seenOf(payee) }
    else if (answer === 'done') hold(payee, id, payout.statementNumber, 'manual')
    return `${payees.indexOf(payee)} by ${people.indexOf(person)}: ${answer === 'done' ? by : answer}`
  }

  await changeAutoPayoutSettings(shared, actorOf(owner), account, { maxPerPayout: 50_00, approvalsAboveCeiling: 2 })
  limits.approvals = 2
  twoSince = time.now
  const likely = [
    'earn',
    'earn',
    'earn',
    'earn',
    'earn',
    'earn',
    'earn',
    'approve',
    'approve',
    'approve again',
    'results',
    'batch',
  ]
  for (let step = 0; step < STEPS; step++) {
    time.now += below(3) * 60_000 + 1
    tick()
    const act = pick([...Object.keys(acts), ...likely])
    trace.push(`${new Date(time.now).toISOString()} ${act}`)
    const answer = await acts[act]!()
    trace[trace.length - 1] += `: ${answer ?? 'nothing to do'}`
    const { maxPerPayout, approvalsAboveCeiling, pendingChange } = await getAutoPayoutSettings(db, account)
    const ahead = pending as (Limits & { at: number }) | null
    assert.deepEqual(
      [maxPerPayout, approvalsAboveCeiling, pendingChange],
      [
        ...[limits.max, limits.approvals],
        ahead && {
          maxPerPayout: ahead.max,
          approvalsAboveCeiling: ahead.approvals,
          inForceAt: new Date(ahead.at).toISOString(),
        },
      ],
    )
    for (const payee of payees) {
      const payout = await payoutOf(payee)
      const due = sum(dueOf(payee))
      assert.equal(payout?.amount ?? 0, Math.max(0, due), `due to ${payees.indexOf(payee)}`)
      const first = payout && needsTwo(due) ? validFirst(payee) : null
      assert.deepEqual(
        payout?.firstApproval ?? null,
        first && {
          userId: first.by.id,
          name: first.by.email === owner.email ? `owner@${account.id}.example` : first.by.email,
          at: new Date(first.at).toISOString(),
        },
      )
    }
  }
  // adjustments fall due at once, except these
  const wrong = (await verifyLedger(db)).filter(({ check }) => check !== 'whoever gave or took by hand is on record')
  assert.deepEqual(wrong, [])
}
