import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalAmount } from '#contract/money.ts'
import type { NewPaymentFile, PaymentFile } from '#contract/payment-files.ts'
import type { ApprovalPreview } from '#contract/payouts.ts'
import { aLedger, atTime, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { buildStatement, euroDetails, payAlone, sepaDebtor, statusReport } from '../../../test/support/sepa.ts'
import { userAuthor } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { createQueues } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { queues } from '../../queues.ts'
import type { Actor } from '../access/actor.ts'
import { setRole } from '../auth/users.ts'
import { adjustAll } from '../commissions/adjustments.ts'
import { approvePayout } from '../payouts/approve.ts'
import { changeAutoPayoutSettings } from '../payouts/auto-payout-settings.ts'
import { cancelPayout } from '../payouts/cancel-payout.ts'
import { gatherPayouts } from '../payouts/gather-payouts.ts'
import { markPayoutPaid } from '../payouts/mark-paid.ts'
import { saveSepa } from '../payouts/method-settings.ts'
import { savePayoutSettings } from '../payouts/payout-settings.ts'
import { presentPayouts } from '../payouts/payouts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { downloadPaymentFile, listPaymentFiles } from './files.ts'
import { makePaymentFile } from './make-file.ts'
import { applyResults } from './results.ts'

// Random histories of an account that pays by SEPA file: files are made twice and by two processes, payouts canceled,
// paid by hand and given other details meanwhile, and a bank reports in any order, twice, wrongly and of other accounts.
// A second, simple model has the payout that each reference may still pay.

const HOUR = 3_600_000
const STARTS_AT = Date.parse('2026-06-01T10:00:00Z')
const STEPS = Number(process.env.STEPS ?? 60)
const CEILING = 30_00

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
await createQueues(await services.jobs.boss(), queues)
test.after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

for (const seed of listSeeds(1))
  test(`seed ${seed}: each reference pays its payout once, while it is in a living file`, async () => {
    const trace: string[] = []
    const time = { now: STARTS_AT }
    await atTime(time, () => live(services, seed, time, trace)).catch((error: Error) => {
      throw new Error(`${error.message}\n${trace.slice(-40).join('\n')}`, { cause: error })
    })
  })

type Payee = {
  id: string
  version: number
  changedAt: number
  /** The version that a bank rejected. */
  rejected: number | null
  /** Entries of no payout, by a number of ours. */
  entries: Entry[]
}
type Entry = { name: number; amount: number }
type Payout = {
  id: string
  number: number
  payee: Payee
  status: 'due' | 'approved' | 'paid' | 'returned' | 'canceled'
  entries: Entry[]
  version: number
  /** Its references, oldest first, and the one that may still pay it. */
  refs: Ref[]
  live: Ref | null
  paidWith: string | null
  paidOn: string | null
  first: { by: string; seen: string } | null
}
type Ref = { reference: string; payout: Payout; file: File; amount: number; entries: Entry[] }
type File = { made: PaymentFile; refs: Ref[]; text: string | null }

async function live(shared: Services, seed: number, time: { now: number }, trace: string[]) {
  const { chance, between, pick, below } = randomFrom(seed)
  const ledger = await aLedger(shared, { currency: 'eur', partners: [{}, {}, {}] })
  const { account } = ledger
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const now = () => new Date(time.now).toISOString()
  const today = () => now().slice(0, 10)
  const owner = (): Actor => ({ ...ledger.actor, confirmedAt: now() })
  const other = newId()
  await db.run`
    insert into users (id, email, created_at, updated_at)
    values (${other}, ${`finance@${account.id}.example`}, ${db.now}, ${db.now})`
  await inTransaction((tx) =>
    setRole(tx, ownerAuthor(ledger), other, { accountId: account.id, partnerId: null }, 'finance'),
  )
  const actorOf = (id: string): Actor => ({ ...owner(), userId: id })
  const people = [ledger.actor.userId, other]
  await inTransaction((tx) => saveSepa(tx, shared.secrets, owner(), account, sepaDebtor))
  await payAlone(db, account.id)
  const two = chance(50)
  await changeAutoPayoutSettings(shared, owner(), account, {
    ...{ maxPerPayout: CEILING, approvalsAboveCeiling: two ? 2 : 1 },
  })

  // the model
  const payees: Payee[] = ledger.partnerIds.map((id) => {
    return { id, version: 0, changedAt: 0, rejected: null, entries: [] }
  })
  const payouts = new Map<string, Payout>()
  const files: File[] = []
  const refs = () => files.flatMap((file) => file.refs)
  let names = 0
  const sum = (entries: Entry[]) => entries.reduce((total, { amount }) => total + amount, 0)
  const needsTwo = (amount: number) => two && amount > CEILING
  const seenOf = ({ version, entries }: Payee) => `${version}: ${entries.map(({ name }) => name).sort()}`
  const isCooling = ({ version, changedAt }: Payee) => version > 1 && changedAt + 72 * HOUR > time.now
  const isRejected = ({ rejected, version }: Payee) => rejected === version
  const firstOf = ({ first, payee }: Payout) => (first?.seen === seenOf(payee) ? first.by : null)

  /** Reads the unapproved payout of each payee that is owed anything, as the product numbers it. */
  async function gather() {
    await inTransaction((tx) => gatherPayouts(tx, account))
    const rows = await db.many<{ id: string; partnerId: string; number: number }>`
      select id, partner_id, statement_number as number from payouts
      where account_id = ${account.id} and status = 'gathering'`
    for (const { id, partnerId, number } of rows) {
      const payee = payees.find((one) => one.id === partnerId)!
      const known = payouts.get(id)
      if (known) assert.equal(known.status, 'due', `PO-${number}`)
      else
        payouts.set(id, {
          ...{
            id,
            number,
            payee,
            status: 'due',
            entries: [],
            version: 0,
            refs: [],
            live: null,
            paidWith: null,
            paidOn: null,
          },
          first: null,
        })
    }
  }
  const dueTo = (payee: Payee) => [...payouts.values()].find((one) => one.payee === payee && one.status === 'due')
  /** Payouts that are due, or open, with what they would pay. */
  const duePayouts = () =>
    payees.flatMap((payee) => {
      const payout = dueTo(payee)
      return payout && sum(payee.entries) > 0 ? [payout] : []
    })
  const waiting = () => [...payouts.values()].filter(({ status, live }) => status === 'approved' && !live)
  function approveOne(payout: Payout) {
    const { payee } = payout
    payout.status = 'approved'
    payout.entries = payee.entries
    payout.version = payee.version
    payout.first = null
    payee.entries = []
  }
  /** Undoes an approval: the older of the payee's two unapproved payouts stays. */
  function setBack(payout: Payout) {
    const { payee } = payout
    payee.entries = [...payee.entries, ...payout.entries]
    payout.entries = []
    payout.live = null
    const before = dueTo(payee)
    payout.status = 'due'
    if (before) (before.number < payout.number ? payout : before).status = 'canceled'
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
  const ask = (by: string, body: Partial<NewPaymentFile>) =>
    makePaymentFile(
      {
        services: shared,
        actor: actorOf(by),
        access: { account },
        by: userAuthor(actorOf(by)),
        byProgram: false,
      } as never,
      { method: 'sepa', all: true, ...body },
    )
  const look = async (by: string) => ((await ask(by, { preview: true })).body as ApprovalPreview).payouts
  /** Makes a file of what of these can be in it by then. */
  const makeOf = async (by: string, ids: string[]) => (await ask(by, { all: undefined, ids })).body as PaymentFile
  const make = async (by: string, shown?: ApprovalPreview['payouts']) =>
    (await ask(by, { shown: shown ?? (await look(by)) })).body as PaymentFile

  type Row = { was: string | null; becomes: string | null; error: { reason: string } | null; reference: string | null }
  async function report(file: string, dryRun = false): Promise<string[]> {
    const { rows } = await inTransaction((tx) =>
      applyResults(tx, shared.secrets, ownerAuthor(ledger), account, { file, dryRun }),
    )
    return rows.map(({ was, becomes, error }: Row) => error?.reason ?? `${was} ${becomes}`)
  }
  /** Looks first, applies, and applies once more: the look is right, and the second time changes nothing. */
  async function apply(file: string): Promise<string[]> {
    const looked = await report(file, true)
    const actual = await report(file)
    assert.deepEqual(looked, actual)
    const again = await report(file)
    for (const row of again) {
      const [was, becomes] = row.split(' ')
      assert.ok(becomes === undefined || was === becomes, `again: ${row}`)
    }
    return actual
  }

  type Kind = 'booked' | 'rejected' | 'returned'
  /** How banks book a transfer that came back. */
  const waysBack = [{ returned: 'MS03' }, { credit: 'reversal' }, { credit: 'plain' }] as const
  /** The outcome that a bank's word on this reference should have, and its effect on the model. */
  /** Whether a booking of today is so long after the payment that it can't be the same one told again. */
  function isMuchLater({ payout, file }: Ref) {
    const days = [payout.paidOn, file.made.executionDate].filter((day) => day !== null)
    return Date.parse(today()) - Math.max(...days.map((day) => Date.parse(day))) > 5 * 24 * HOUR
  }

  function expectedRow(ref: Ref, kind: Kind, ofDetails: boolean): string {
    const { payout } = ref
    const { status, payee } = payout
    const isLive = payout.live === ref
    const isNewest = payout.refs.at(-1) === ref
    const isPaidByIt = payout.paidWith === ref.reference
    const reject = () => {
      if (ofDetails && payee.version === payout.version) payee.rejected = payee.version
    }
    if (status === 'paid' && payout.paidWith === 'by hand') return 'result_by_hand'
    if (kind === 'booked') {
      if (isLive) {
        payout.status = 'paid'
        payout.paidOn = today()
        payout.live = null
        payout.paidWith = ref.reference
        return 'approved paid'
      }
      if (status === 'due' && isNewest) {
        const isFree = ref.entries.every((entry) => payee.entries.includes(entry))
        payout.status = 'paid'
        payout.paidOn = today()
        payout.paidWith = ref.reference
        payout.entries = isFree ? ref.entries : [{ name: ++names, amount: ref.amount }]
        payee.entries = isFree
          ? payee.entries.filter((entry) => !ref.entries.includes(entry))
          : [...payee.entries, { name: ++names, amount: -ref.amount }]
        return 'due paid'
      }
      if (status === 'paid') return isPaidByIt && !isMuchLater(ref) ? 'paid paid' : 'result_paid_twice'
      if (status === 'returned') return isPaidByIt ? 'returned returned' : 'result_too_late'
      return status === 'canceled' ? 'result_of_canceled' : 'result_of_earlier_file'
    }
    if (kind === 'rejected') {
      if (isLive) {
        reject()
        setBack(payout)
        return 'approved due'
      }
      return status === 'paid' && isPaidByIt ? 'result_too_late' : `${status} ${status}`
    }
    if (isLive || (status === 'paid' && isPaidByIt)) {
      reject()
      const was = status
      payout.status = 'returned'
      payout.live = null
      payout.paidWith = ref.reference
      payee.entries = [...payee.entries, ...payout.entries]
      payout.entries = []
      return `${was} returned`
    }
    return status === 'paid' ? 'result_of_earlier_file' : `${status} ${status}`
  }
  const fileOf = (kind: Kind, { reference, amount, file }: Ref, ofDetails: boolean) => {
    const code = ofDetails ? 'AC04' : 'MS03'
    if (kind === 'rejected') return statusReport(file.made.messageId, { [reference]: 'RJCT' }, code)
    return buildStatement([
      {
        reference,
        amount: decimalAmount(amount, 'eur'),
        day: today(),
        ...(kind === 'returned' && (ofDetails ? { returned: code } : pick(waysBack))),
      },
    ])
  }

  const acts: Record<string, () => Promise<string | undefined>> = {
    async earn() {
      const payee = pick(payees)
      const amount = chance(10) ? -between(1, 20) * 100 : between(5, 50) * 100
      payee.entries.push({ name: ++names, amount })
      const one = { partnerId: payee.id, amount, reason: 'Agreed', availableAt: now() }
      await inTransaction((tx) => adjustAll(tx, ownerAuthor(ledger), account, [one]))
      return `${amount} to ${payees.indexOf(payee)}`
    },
    async time() {
      const hours = pick([1, 20, 40, 73])
      time.now += hours * HOUR
      return `${hours} hours`
    },
    async details() {
      const payee = pick(payees)
      await enter(payee)
      return `of ${payees.indexOf(payee)}`
    },
    async approve() {
      const due = duePayouts()
      if (due.length === 0) return
      const payout = pick(due)
      const by = pick(people)
      const amount = sum(payout.payee.entries)
      const first = firstOf(payout)
      const actual = await outcome(inTransaction((tx) => approvePayout(tx, shared, actorOf(by), account, payout.id)))
      const expected = isRejected(payout.payee)
        ? 'payout_blocked'
        : needsTwo(amount) && first === by
          ? 'second_person_needed'
          : 'done'
      assert.equal(actual, expected)
      if (actual !== 'done') return actual
      if (needsTwo(amount) && !first) payout.first = { by, seen: seenOf(payout.payee) }
      else approveOne(payout)
      return `PO-${payout.number} ${payout.status}`
    },
    async 'make meanwhile'() {
      const by = pick(people)
      const isReady = ({ payee }: Payout) => !isCooling(payee) && !isRejected(payee)
      const mayBy = (payout: Payout) => {
        const first = firstOf(payout)
        return !needsTwo(sum(payout.payee.entries)) || (first !== null && first !== by)
      }
      const inFile = () => [
        ...waiting().map(({ id, entries, version }) => `${id} ${sum(entries)} ${version}`),
        ...duePayouts()
          .filter((payout) => isReady(payout) && mayBy(payout))
          .map(({ id, payee }) => `${id} ${sum(payee.entries)} ${payee.version}`),
      ]
      const shown = await look(by)
      const reviewed = inFile()
      assert.deepEqual(
        shown.map(({ id, amount }) => `${id} ${amount}`).sort(),
        reviewed.map((one) => one.replace(/ \d+$/, '')).sort(),
      )
      const interruption = pick(['earn', 'earn', 'details', 'approve', 'cancel', 'bank', 'time'])
      const actual = await acts[interruption]!()
      await gather()
      const now = inFile()
      if (reviewed.toSorted().join() === now.toSorted().join()) return `${interruption} ${actual}, nothing changed`
      const reason = await outcome(make(by, shown))
      if (now.length > 0) assert.equal(reason, 'payouts_changed')
      else assert.ok(reason === 'batch_empty' || reason === 'second_person_needed', reason)
      return `${interruption} ${actual}: ${reason}`
    },
    async make() {
      const makers = chance(40) ? [pick(people), pick(people)] : [pick(people)]
      const by = makers[0]!
      const ready = duePayouts().filter(({ payee }) => !isCooling(payee) && !isRejected(payee))
      const mayBy = (person: string) => (payout: Payout) => {
        const first = firstOf(payout)
        return !needsTwo(sum(payout.payee.entries)) || (first !== null && first !== person)
      }
      const all = [...duePayouts(), ...waiting()].map(({ id }) => id)
      // two who make one at once may each complete what the other may not
      const expected = [...ready.filter((payout) => makers.some((person) => mayBy(person)(payout))), ...waiting()]
      const results = await Promise.all(
        makers.map((person) =>
          (makers.length > 1 && all.length > 0 ? makeOf(person, all) : make(person)).catch((error: Refusal) =>
            error instanceof Refusal ? error.reason : null,
          ),
        ),
      )
      const made = results.filter((one): one is PaymentFile => one !== null && typeof one === 'object')
      assert.ok(!results.includes(null), 'failed')
      for (const reason of results.filter((one) => typeof one === 'string'))
        assert.ok(reason === 'batch_empty' || reason === 'second_person_needed', String(reason))
      if (expected.length === 0) {
        assert.deepEqual(made, [])
        return String(results)
      }
      const members = await db.many<{ fileId: string; payoutId: string; reference: string }>`
        select file_id, payout_id, reference from payment_file_payouts
        where account_id = ${account.id} and file_id = any(${made.map(({ id }) => id)}::uuid[])`
      assert.deepEqual(
        members.map(({ payoutId }) => payoutId).sort(),
        expected.map(({ id }) => id).sort(),
        `by ${people.indexOf(by)}`,
      )
      for (const one of made) {
        const file: File = { made: one, refs: [], text: null }
        for (const { payoutId, reference } of members.filter(({ fileId }) => fileId === one.id)) {
          const payout = payouts.get(payoutId)!
          if (payout.status === 'due') approveOne(payout)
          const turn = payout.refs.length + 1
          assert.equal(reference, turn === 1 ? `PO-${payout.number}` : `PO-${payout.number}-${turn}`)
          const ref: Ref = { reference, payout, file, amount: sum(payout.entries), entries: payout.entries }
          payout.refs.push(ref)
          payout.live = ref
          file.refs.push(ref)
        }
        assert.deepEqual([one.count, one.amount], [file.refs.length, sum(file.refs as never)])
        files.push(file)
      }
      return `${made.map(({ number, count }) => `file ${number} of ${count}`)}`
    },
    async download() {
      if (files.length === 0) return
      const file = pick(files)
      const isOpen = file.refs.every(
        (ref) => ref.payout.live === ref && ref.payout.version === ref.payout.payee.version,
      )
      const answer = await downloadPaymentFile(shared, ownerAuthor(ledger), account, file.made.id).catch(
        (error) => error,
      )
      if (!isOpen) {
        assert.equal(answer.reason, 'payment_file_spent')
        return `file ${file.made.number} is spent`
      }
      const text = Buffer.concat(await answer.body.map((piece: string) => Buffer.from(piece)).toArray()).toString()
      file.text ??= text
      assert.equal(text, file.text)
      for (const { reference } of file.refs) assert.ok(text.includes(`>${reference}<`))
      return `file ${file.made.number}`
    },
    async cancel() {
      const some = [...payouts.values()].filter(({ status }) => status === 'approved')
      if (some.length === 0) return
      const payout = pick(some)
      await cancelPayout(shared, owner(), account, payout.id)
      payout.payee.entries.push(...payout.entries)
      Object.assign(payout, { status: 'canceled', entries: [], live: null })
      return `PO-${payout.number}`
    },
    async 'pay by hand'() {
      const some = [...payouts.values()].filter(({ status }) => status === 'approved')
      if (some.length === 0) return
      const payout = pick(some)
      const mark = (inFile?: 'paid' | 'removed') =>
        inTransaction((tx) =>
          markPayoutPaid(tx, owner(), account, payout.id, { reference: 'Wire', ...(inFile && { inFile }) }),
        ).then(
          ({ status }) => status,
          ({ reason }: Refusal) => reason,
        )
      const { live } = payout
      if (live) assert.equal(await mark(), 'payout_in_payment_file')
      if (!live) assert.equal(await mark('paid'), 'payout_not_in_payment_file')
      const isOfFile = live !== null && chance(50)
      assert.equal(await mark(isOfFile ? 'paid' : live ? 'removed' : undefined), 'paid')
      Object.assign(payout, { status: 'paid', live: null, paidWith: isOfFile ? live.reference : 'by hand' })
      return `PO-${payout.number}`
    },
    async bank() {
      const all = refs()
      if (all.length === 0) return
      const ref = chance(60)
        ? (all.findLast(({ payout, ...one }) => payout.live?.reference === one.reference) ?? pick(all))
        : pick(all)
      const kind = pick(['booked', 'booked', 'rejected', 'returned'] as const)
      const ofDetails = chance(30)
      const text = fileOf(kind, ref, ofDetails)
      const expected = expectedRow(ref, kind, ofDetails)
      assert.deepEqual(await apply(text), [expected], `${kind} ${ref.reference}`)
      return `${kind} ${ref.reference}: ${expected}`
    },
    async 'a wrong word'() {
      const all = refs()
      if (all.length === 0) return
      const ref = pick(all)
      const { reference } = ref
      const amount = decimalAmount(ref.amount, 'eur')
      const returned = chance(30) && { returned: 'AC04' }
      const day = today()
      const [text, expected] = pick([
        [
          buildStatement([{ reference, amount: decimalAmount(ref.amount + 1, 'eur'), day, ...returned }]),
          'result_amount_differs',
        ],
        [buildStatement([{ reference, amount, currency: 'USD', day, ...returned }]), 'result_amount_differs'],
        [buildStatement([{ reference, amount, day, ...returned }], 'NL91ABNA0417164300'), 'result_account_differs'],
        [buildStatement([{ reference: `${reference}-9`, amount, day, ...returned }]), 'result_unknown'],
        [statusReport('TRB-another-1', { [reference]: 'RJCT' }), 'result_unknown'],
        [buildStatement([{ messageId: ref.file.made.messageId, amount: '0.01', day }]), 'result_sum_differs'],
      ] as const)
      assert.deepEqual(await apply(text), [expected])
      return `${reference}: ${expected}`
    },
    async 'whole file'() {
      if (files.length === 0) return
      const file = pick(files)
      const { messageId, amount } = file.made
      const isBooked = chance(60)
      const text = isBooked
        ? buildStatement([{ messageId, amount: decimalAmount(amount, 'eur'), day: today() }])
        : `<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`
      const actual = await apply(text)
      const expected = file.refs.map((ref) => expectedRow(ref, isBooked ? 'booked' : 'rejected', false))
      assert.deepEqual(actual.toSorted(), expected.toSorted(), `file ${file.made.number}`)
      return `${isBooked ? 'booked' : 'rejected'} file ${file.made.number}: ${expected}`
    },
  }

  async function enter(payee: Payee) {
    payee.version++
    payee.changedAt = time.now
    const by: Actor = { ...owner(), partnerRoles: { [payee.id]: 'owner' } }
    const details = { ...euroDetails({ name: `Zoë Payee ${'abcdefghij'[below(10)]}` }), bic: null } as never
    await inTransaction((tx) => savePayoutSettings(tx, shared, by, { account, partnerId: payee.id }, details))
    for (const payout of waiting().filter((one) => one.payee === payee)) setBack(payout)
  }

  for (const payee of payees) await enter(payee)
  time.now += 80 * HOUR
  const likely = [
    'earn',
    'earn',
    'earn',
    'make',
    'make',
    'make meanwhile',
    'bank',
    'bank',
    'bank',
    'approve',
    'download',
  ]
  for (let step = 0; step < STEPS; step++) {
    time.now += below(3) * 60_000 + 1
    await gather()
    const act = pick([...Object.keys(acts), ...likely])
    trace.push(`${now()} ${act}`)
    const actual = await acts[act]!()
    trace[trace.length - 1] += `: ${actual ?? 'nothing to do'}`
    await gather()
    const stored = await presentPayouts(db, account, [...payouts.keys()])
    for (const { id, status, amount } of stored) {
      const payout = payouts.get(id)!
      const shown = status === 'open' ? 'due' : status
      assert.equal(shown, payout.status, `PO-${payout.number}`)
      if (status !== 'canceled' && status !== 'returned')
        assert.equal(
          amount,
          sum(payout.status === 'due' ? payout.payee.entries : payout.entries),
          `PO-${payout.number}`,
        )
    }
    const { items } = await listPaymentFiles(db, account.id, { limit: 200, sort: '-createdAt' } as never)
    for (const { id, state } of items) {
      const lives = files.find(({ made }) => made.id === id)!.refs.map((ref) => ref.payout.live === ref)
      assert.equal(state, lives.every(Boolean) ? 'open' : lives.some(Boolean) ? 'spent' : 'done')
    }
  }
  assert.deepEqual(await verifyLedger(db), [])
}
