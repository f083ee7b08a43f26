import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLedger, atTime, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, randomFrom, settleOutcome } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system, userAuthor } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { createQueues } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/services.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { queues } from '../../queues.ts'
import { confirmToken } from '../applications/application-link.ts'
import { answerPosted, postApplication } from '../applications/apply.ts'
import { confirmApplication } from '../applications/confirm.ts'
import { approveApplication } from '../applications/decide.ts'
import { adjustAll } from '../commissions/adjustments.ts'
import { approvePayout } from '../payouts/approve.ts'
import { gatherPayouts } from '../payouts/gather-payouts.ts'
import { readBalances } from '../payouts/partner-balances.ts'
import { getPayoutTerms } from '../payouts/payout-terms.ts'
import { verifyLedger } from '../stats/verify.ts'
import { acceptAgreement } from './accept.ts'
import { changeAgreementVersion, publishAgreement } from './versions.ts'

// Random histories of an agreement: versions are published, days moved, partners accept by sign-in and by the form, time
// passes and payouts are approved. A second, simple model has what is accepted, and whose payouts wait.

const DAY = 86_400_000
const STARTS_AT = Date.parse('2026-06-01T10:00:00Z')
const STEPS = Number(process.env.STEPS ?? 80)

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
await createQueues(await services.jobs.boss(), queues)
test.after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

for (const seed of listSeeds(2))
  test(`seed ${seed}: an agreement is accepted, and payouts wait for it, as in a plain model`, async () => {
    const trace: string[] = []
    const time = { now: STARTS_AT }
    await atTime(time, () => live(services, seed, time, trace)).catch((error: Error) => {
      throw new Error(`${error.message}\n${trace.join('\n')}`, { cause: error })
    })
  })

type Version = { text: string; requiredFrom: string | null }
type Partner = { id: string; accepted: number[] }

async function live(shared: Services, seed: number, time: { now: number }, trace: string[]) {
  const { below, chance, pick } = randomFrom(seed)
  const ledger = await aLedger(shared, { partners: [{}, {}, {}] })
  const { account, actor } = ledger
  const by = ownerAuthor(ledger)
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const userId = newId()
  await db.run`
    insert into users (id, email, created_at, updated_at)
    values (${userId}, ${`partner@${account.id}.example`}, ${db.now}, ${db.now})`

  const versions: Version[] = []
  const partners: Partner[] = ledger.partnerIds.map((id) => ({ id, accepted: [] }))
  const today = () => dayIn('UTC', new Date(time.now))
  const isSoon = (day: string | null) => day !== null && day < addDays(today(), 14)
  const aDay = () => pick([null, addDays(today(), 13), addDays(today(), 14), addDays(today(), 14 + below(20))])
  const waits = ({ accepted }: Partner) =>
    versions.some(
      ({ requiredFrom }, at) =>
        requiredFrom !== null && requiredFrom <= today() && !accepted.some((version) => version > at),
    )

  const acts: Record<string, () => Promise<string>> = {
    async publish() {
      const text = `Text ${below(4)}`
      const changes = chance(80) ? 'Something' : null
      const requiredFrom = aDay()
      const last = versions.at(-1)
      const expected =
        last?.text === text
          ? 'invalid_state'
          : (last && changes === null) || isSoon(requiredFrom)
            ? 'validation_failed'
            : 'done'
      const result = await settleOutcome(
        inTransaction((tx) => publishAgreement(tx, by, account, { text, changes, requiredFrom })),
      )
      assert.equal(result, expected)
      if (result === 'done') versions.push({ text, requiredFrom })
      return `${text} from ${requiredFrom}: ${result}`
    },
    async 'two at once'() {
      const texts = ['One', 'Two'].map((text) => `${text} ${below(1000)}`)
      await Promise.all(
        texts.map((text) => inTransaction((tx) => publishAgreement(tx, by, account, { text, changes: 'Both' }))),
      )
      const rows = await db.many<{ text: string }>`
        select text from agreement_versions where account_id = ${account.id} order by version`
      assert.equal(rows.length, versions.length + 2)
      versions.push(...rows.slice(-2).map(({ text }) => ({ text, requiredFrom: null })))
      return texts.join()
    },
    async move() {
      const at = below(versions.length + 1)
      const version = versions[at]
      const requiredFrom = version?.requiredFrom && chance(40) ? addDays(version.requiredFrom, below(5) - 1) : aDay()
      const old = version?.requiredFrom ?? null
      const isAllowed = requiredFrom === old || !isSoon(requiredFrom) || (old !== null && requiredFrom! > old)
      const result = await settleOutcome(
        inTransaction((tx) => changeAgreementVersion(tx, by, account, `${at + 1}`, { requiredFrom })),
      )
      assert.equal(result, !version ? 'not_found' : isAllowed ? 'done' : 'validation_failed')
      if (version && result === 'done') version.requiredFrom = requiredFrom
      return `version ${at + 1} to ${requiredFrom}: ${result}`
    },
    async accept() {
      const partner = pick(partners)
      const version = chance(70) ? Math.max(1, versions.length) : 1 + below(versions.length + 2)
      const expected = partner.accepted.includes(version)
        ? 'known'
        : versions.length === 0
          ? 'not_found'
          : version === versions.length
            ? 'created'
            : 'invalid_state'
      const place = { accountId: account.id, partnerId: partner.id }
      const result = await Promise.all(
        [1, 2].slice(0, chance(30) ? 2 : 1).map(async () => {
          let created: boolean | undefined
          const outcome = await settleOutcome(
            inTransaction(async (tx) => {
              created = (await acceptAgreement(tx, userAuthor({ userId }), place, { userId, version })).created
            }),
          )
          return outcome === 'done' ? (created ? 'created' : 'known') : outcome
        }),
      )
      const others = result.toSorted((one) => (one === expected ? -1 : 1)).slice(1)
      assert.ok(result.includes(expected), `${result}`)
      assert.ok(
        others.every((one) => one === (expected === 'created' ? 'known' : expected)),
        `${result}`,
      )
      if (expected === 'created') partner.accepted.push(version)
      return `${partners.indexOf(partner)} version ${version}: ${result}`
    },
    async 'by the form'() {
      if (partners.length > 8) return 'enough'
      const email = `applicant-${newId()}@mail.example`
      const ticked = versions.length > 0 && chance(80) ? 1 + below(versions.length) : null
      const given = { firstName: 'Ada', lastName: 'Byron', email, answers: [], by: null }
      const id = await inTransaction((tx) =>
        postApplication(tx, shared, account, {
          ...given,
          agreement: ticked,
          groupId: null,
          automatic: false,
          language: 'en',
          address: '192.0.2.7',
        }),
      )
      const confirms = chance(50)
      // without a mail server it waits, with an e-mail that no one confirmed
      if (!confirms) await answerPosted(shared, { accountId: account.id, id })
      else {
        const token = confirmToken(shared.secrets, { accountId: account.id, id })
        await inTransaction((tx) => confirmApplication(tx, shared, token))
      }
      const approve = () =>
        inTransaction((tx) => approveApplication(tx, shared, system, account, { id, groupId: null }))
      const [partnerId, same] = await Promise.all([approve(), approve()])
      assert.equal(partnerId, same)
      await db.run`
        update partners set approved_payout_years = '{2026,2027,2028}' where account_id = ${account.id} and id = ${partnerId}`
      partners.push({ id: partnerId, accepted: confirms && ticked !== null ? [ticked] : [] })
      return `ticked ${ticked}, ${confirms ? 'confirmed' : 'not confirmed'}`
    },
    async time() {
      const days = pick([1, 3, 7, 14, 30])
      time.now += days * DAY
      return `${days} days`
    },
    async pay() {
      // those of the ledger have payout details
      const partner = pick(partners.slice(0, 3))
      const availableAt = new Date(time.now).toISOString()
      const one = { partnerId: partner.id, amount: 10_00, reason: 'Agreed', availableAt }
      await inTransaction((tx) => adjustAll(tx, by, account, [one]))
      await inTransaction((tx) => gatherPayouts(tx, account))
      const { id } = await db.one<{ id: string }>`
        select id from payouts where account_id = ${account.id} and partner_id = ${partner.id} and status = 'gathering'`
      const fresh = { ...actor, confirmedAt: new Date(time.now).toISOString() }
      const result = await settleOutcome(inTransaction((tx) => approvePayout(tx, shared, fresh, account, id)))
      assert.equal(result, waits(partner) ? 'payout_blocked' : 'done')
      return `${partners.indexOf(partner)}: ${result}`
    },
  }
  const names = Object.keys(acts)

  for (let step = 0; step < STEPS && time.now < Date.parse('2027-12-01'); step++) {
    const name = pick(names)
    trace.push(name)
    trace[trace.length - 1] = `${name} ${await acts[name]!()}`
    await check()
  }
  assert.deepEqual(await verifyLedger(db), [])

  async function check() {
    const rows = await db.many<{ partnerId: string; version: number }>`
      select partner_id, version from agreement_acceptances where account_id = ${account.id}`
    const result = (list: { partnerId: string; version: number }[]) =>
      list.map(({ partnerId, version }) => `${partnerId} ${version}`).toSorted()
    const expected = partners.flatMap(({ id, accepted }) => accepted.map((version) => ({ partnerId: id, version })))
    assert.deepEqual(result(rows), result(expected))
    const ids = partners.map(({ id }) => id)
    const balances = await readBalances(db, await getPayoutTerms(db, account), ids)
    const blocked = balances
      .filter(({ blockers }) => blockers.includes('agreement-not-accepted'))
      .map(({ partnerId }) => partnerId)
    const waiting = partners.filter(waits).map(({ id }) => id)
    assert.deepEqual(blocked.toSorted(), waiting.toSorted())
  }
}
