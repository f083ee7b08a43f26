import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simpleTerms } from '#contract/simple-terms.ts'
import { type Reach, reaches, type Terms } from '#contract/terms.ts'
import { aLedger, aSale, atTime, ledgerServices, ownClock } from '../../../test/support/ledger.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { readSaleTerms } from '../commissions/earnings.ts'
import { createGroup } from '../groups/groups.ts'
import { recordSale } from '../sales/record-sale.ts'
import { verifyLedger } from '../stats/verify.ts'
import { termsInForce } from './in-force.ts'
import { moveToGroup } from './moves.ts'
import { saveTerms, type TermsSubject } from './save-terms.ts'

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)

const paying = (...layerRates: number[]): Terms => simpleTerms({ layerRates })
const at = (day: string) => Date.parse(`${day}T12:00:00Z`)

const move = (accountId: string, partnerId: string, to: { groupId: string; appliesTo: Reach }, now: number) =>
  atTime({ now }, () =>
    transaction(db, async (tx) => {
      await blockBookings(tx, accountId)
      return moveToGroup(tx, system, accountId, partnerId, to)
    }),
  )

const save = (accountId: string, subject: TermsSubject, terms: Terms | null, appliesTo: Reach, now: number) =>
  atTime({ now }, () =>
    transaction(db, async (tx) => {
      await blockBookings(tx, accountId)
      return saveTerms(tx, system, accountId, subject, { terms, appliesTo })
    }),
  )

test('a sale whose terms can’t be read is an error in words', async () => {
  const [accountId, partnerId] = [newId(), newId()]
  const sale = { id: newId(), accountId, partnerId, blueprintId: null, referredAt: new Date(0).toISOString() }
  await assert.rejects(
    transaction(db, (tx) => readSaleTerms(tx, [sale])),
    { message: `The log of terms of account ${accountId} has none for a sale of partner ${partnerId}.` },
  )
})

test('a customer keeps the terms they came under, until a change is for all sales', async () => {
  const ledger = await atTime({ now: at('2025-12-01') }, () => aLedger(services, { rates: ['10'], partners: [{}] }))
  const accountId = ledger.account.id
  const subject = { kind: 'account', id: accountId } as const
  const paid = async (referred: string) => {
    const id = newId()
    const partnerId = ledger.partnerIds[0]!
    const sale = { id, accountId, partnerId, blueprintId: null, referredAt: `${referred}T00:00:00.000Z` }
    return (await termsInForce(db, [sale])).get(id)!.terms.otherwise.layerRates?.[0]
  }
  assert.equal(await paid('2026-02-01'), 10)
  await save(accountId, subject, paying(20), 'new-customers', at('2026-03-01'))
  assert.deepEqual([await paid('2026-02-01'), await paid('2026-04-01')], [10, 20])
  await save(accountId, subject, paying(15), 'all-sales', at('2026-06-01'))
  assert.deepEqual([await paid('2026-02-01'), await paid('2026-04-01')], [15, 15])
  await save(accountId, subject, paying(30), 'new-customers', at('2026-09-01'))
  const customers = ['2026-02-01', '2026-04-01', '2026-08-31', '2026-10-01']
  assert.deepEqual(await Promise.all(customers.map(paid)), [15, 15, 15, 30])
})

test('equal terms are no version, unless they reach further', async () => {
  const ledger = await aLedger(services, { rates: ['10'], partners: [{}] })
  const accountId = ledger.account.id
  const subject = { kind: 'partner', id: ledger.partnerIds[0]! } as const
  const changes: [terms: Terms | null, reach: Reach, isVersion: boolean][] = [
    [null, 'all-sales', false],
    [paying(20), 'new-customers', true],
    [paying(20), 'new-customers', false],
    [paying(20), 'all-sales', true],
    [paying(20), 'new-customers', false],
    [null, 'new-customers', true],
    [null, 'new-customers', false],
  ]
  for (const [terms, reach, isVersion] of changes)
    assert.equal(
      await save(accountId, subject, terms, reach, at('2026-01-01')),
      isVersion,
      JSON.stringify([terms, reach]),
    )
})

test('a move to the group that a partner is in is no row, unless it reaches further', async () => {
  const ledger = await aLedger(services, { rates: ['10'], partners: [{}] })
  const [accountId, partnerId] = [ledger.account.id, ledger.partnerIds[0]!]
  const { id: groupId } = await transaction(db, (tx) => createGroup(tx, system, accountId, { name: 'Gold' }))
  const moves: [groupId: string, reach: Reach, isRow: boolean][] = [
    [accountId, 'all-sales', false],
    [groupId, 'new-customers', true],
    [groupId, 'new-customers', false],
    [groupId, 'all-sales', true],
    [groupId, 'new-customers', false],
    [accountId, 'new-customers', true],
  ]
  for (const [to, appliesTo, isRow] of moves)
    assert.equal(await move(accountId, partnerId, { groupId: to, appliesTo }, at('2026-01-01')), isRow, appliesTo)
})

test('rates written by a server of the release before are logged when they are committed', async () => {
  const ledger = await aLedger(services, { rates: ['10'], partners: [{}] })
  const [accountId, partnerId] = [ledger.account.id, ledger.partnerIds[0]!]
  await transaction(db, async (tx) => {
    await tx.run`update partners set layer_rates_ppm = '{75000,25000}' where id = ${partnerId}`
    await tx.run`update partners set layer_rates_ppm = '{75000}' where id = ${partnerId}`
    await tx.run`update accounts set layer_rates_ppm = '{1}' where id = ${accountId}`
  })
  const log = await db.many<{ terms: Terms; appliesTo: Reach }>`
    select terms, applies_to from terms_log where account_id = ${accountId} order by number`
  assert.deepEqual(log, [
    { terms: paying(10), appliesTo: 'all-sales' },
    { terms: paying(7.5), appliesTo: 'all-sales' },
    { terms: paying(0.0001), appliesTo: 'all-sales' },
  ])
})

test('the log is append-only', async () => {
  const { account } = await aLedger(services, { rates: ['10'], partners: [{}] })
  const owner = asDatabaseOwner(db)
  await assert.rejects(owner.run`update terms_log set note = 'x' where account_id = ${account.id}`, /append-only/)
  await assert.rejects(owner.run`delete from terms_log where account_id = ${account.id}`, /append-only/)
})

const HOUR = 3_600_000

/** A second, plain model of the log: every version and move as it was saved, searched from the end. */
type Version = { subject: string; rate: number | null; reach: Reach; at: number }
type Move = { partner: string; group: string; reach: Reach; at: number }

const newestOf = <T extends Version | Move>(rows: T[], referredAt: number) =>
  rows.filter(({ reach, at }) => reach === 'all-sales' || at <= referredAt).at(-1)

function modelOf(versions: Version[], subjects: string[], referredAt: number) {
  for (const subject of subjects) {
    const own = versions.filter((one) => one.subject === subject)
    const rate = newestOf(own, referredAt)?.rate ?? null
    if (rate !== null) return rate
  }
  throw new Error('an account always has terms')
}

test('any changes of any reach leave each customer the terms that a plain model gives them', async () => {
  for (const seed of listSeeds(2)) {
    const random = randomFrom(seed)
    const start = at('2026-01-01')
    const plan = { rates: ['10'], partners: [{}, {}] }
    const ledger = await atTime({ now: start }, () => aLedger(services, plan))
    const accountId = ledger.account.id
    const { id: link } = await db.one<{ id: string }>`select id from link_blueprints where account_id = ${accountId}`
    const subjects: TermsSubject[] = [
      { kind: 'account', id: accountId },
      { kind: 'link', id: link },
      ...ledger.partnerIds.map((id) => ({ kind: 'partner', id }) as const),
    ]
    const groupIds = [accountId]
    for (const name of ['Silver', 'Gold']) {
      const { id } = await transaction(db, (tx) => createGroup(tx, system, accountId, { name }))
      groupIds.push(id)
      subjects.push({ kind: 'group', id })
    }
    const versions: Version[] = [{ subject: accountId, rate: 10, reach: 'all-sales', at: start }]
    const moves: Move[] = []
    let now = start
    for (let step = 0; step < 40; step++) {
      now += random.below(3) * HOUR
      if (random.chance(30)) {
        const [partner, group] = [random.pick(ledger.partnerIds), random.pick(groupIds)]
        const reach = random.pick(reaches)
        await move(accountId, partner, { groupId: group, appliesTo: reach }, now)
        moves.push({ partner, group, reach, at: now })
      }
      const subject = random.pick(subjects)
      const rate = subject.kind !== 'account' && random.chance(30) ? null : random.below(5) * 10
      const reach = random.pick(reaches)
      await save(accountId, subject, rate === null ? null : paying(rate), reach, now)
      versions.push({ subject: subject.id, rate, reach, at: now })
      const referredAt = start + (random.below(100) * HOUR) / 2
      const partnerId = random.pick(ledger.partnerIds)
      const blueprintId = random.pick([link, null])
      const id = newId()
      const sale = { id, accountId, partnerId, blueprintId, referredAt: new Date(referredAt).toISOString() }
      const found = (await termsInForce(db, [sale])).get(id)!
      const ownMoves = moves.filter(({ partner }) => partner === partnerId)
      const group = newestOf(ownMoves, referredAt)?.group ?? accountId
      const chain = [
        partnerId,
        ...(group === accountId ? [] : [group]),
        ...(blueprintId ? [blueprintId] : []),
        accountId,
      ]
      assert.equal(found.terms.otherwise.layerRates?.[0], modelOf(versions, chain, referredAt), `seed ${seed}, ${step}`)
    }
  }
})

test('terms saved, partners moved and sales booked at once: every sale agrees with the log up to what it saw', async () => {
  const partners = [{}, { parent: 0 }, { parent: 1 }]
  const leads = partners.map((_, partner) => ({ partner, blueprint: partner === 1 }))
  const ledger = await aLedger(services, { rates: ['10', '5'], partners, leads })
  const { account, partnerIds, leadIds } = ledger
  const { id: groupId } = await transaction(db, (tx) => createGroup(tx, system, account.id, { name: 'Gold' }))
  const random = randomFrom(listSeeds(1)[0]!)
  const subjects: TermsSubject[] = [
    { kind: 'account', id: account.id },
    { kind: 'group', id: groupId },
    { kind: 'partner', id: partnerIds[2]! },
  ]
  const now = Date.now()
  const works = Array.from({ length: 60 }, (_, at): (() => Promise<unknown>) => {
    const appliesTo = random.pick(reaches)
    const [partnerId, leadId, subject] = [random.pick(partnerIds), random.pick(leadIds), random.pick(subjects)]
    if (at % 3 === 0) return () => recordSale(db, aSale(ledger, { amount: 100_00 + at, leadId }))
    const to = random.pick([groupId, account.id])
    if (at % 3 === 1) return () => move(account.id, partnerId, { groupId: to, appliesTo }, now)
    return () => save(account.id, subject, paying(random.below(90)), appliesTo, now)
  })
  await Promise.all(works.map((work) => work()))
  assert.deepEqual(await verifyLedger(db), [])
  const { moves } = await db.one<{ moves: number }>`
    select count(*) as moves from terms_log where account_id = ${account.id} and subject = 'move'`
  assert.ok(moves > 0)
})
