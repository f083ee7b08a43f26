import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PartnerChange, taxFormKinds } from '#contract/partners.ts'
import type { TaxClassification } from '#contract/tax-rules.ts'
import { system } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import { type Transaction, transaction } from '#server/platform/database/pool.ts'
import { createQueues } from '#server/platform/jobs/queue.ts'
import { dayIn } from '#server/platform/time/days.ts'
import type { Access } from '#server/program/access/access.ts'
import { changeInvoicingSettings } from '#server/program/invoicing/settings.ts'
import { changePartner } from '#server/program/partners/change-partner.ts'
import { readBalances } from '#server/program/payouts/partner-balances.ts'
import { getPayoutTerms } from '#server/program/payouts/payout-terms.ts'
import { recordPastPayouts } from '#server/program/payouts/record-past-payouts.ts'
import { queues } from '#server/queues.ts'
import { aStep, type Histories, playHistory } from '#test/support/histories.ts'
import { aLedger, atTime, ledgerServices, ownClock, ownerAuthor } from '#test/support/ledger.ts'
import { listSeeds, settleOutcome } from '#test/support/model-test.ts'
import { freshDatabase } from '#test/support/postgres.ts'
import { aW8Ben, aW9 } from '#test/support/tax-forms.ts'
import type { NewTaxForm } from '../contract.ts'
import { getTaxForm, signTaxForm } from './forms.ts'
import { previewNecFile } from './nec-file.ts'

// Random histories of tax forms: partners sign them, owners record and remove them, forms are asked for or required,
// years pass and money is paid, by two at once now and then. A second, simple model has the form that counts, whose payouts
// wait, and who is in the file of a year.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
await createQueues(await services.jobs.boss(), queues)
test.after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

type Form = {
  kind: (typeof taxFormKinds)[number]
  day: string
  last4: string | null
  corporation: boolean
  source: 'owner' | 'partner'
}
type Partner = { id: string; form: Form | null; paid: Map<number, number> }

const THRESHOLD = 2000_00
const wishes = ['off', 'ask', 'required'] as const

async function begin() {
  const ledger = await aLedger(services, { partners: [{}, {}, {}] })
  const partners = ledger.partnerIds.map((id): Partner => ({ id, form: null, paid: new Map() }))
  return { ...ledger, by: ownerAuthor(ledger), time, partners, wanted: 'off' as (typeof wishes)[number] }
}
type World = Awaited<ReturnType<typeof begin>>

const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
const today = ({ account, time }: World) => dayIn(account.timeZone, new Date(time.now))
const thisYear = (world: World) => Number(today(world).slice(0, 4))
const hasExpired = ({ kind, day }: Form, year: number) => kind !== 'w-9' && Number(day.slice(0, 4)) < year - 3

const sign = ({ account, actor }: World, { id }: Partner, form: NewTaxForm) =>
  inTransaction((tx) => signTaxForm(tx, services.secrets, actor, { account, partnerId: id }, form))
const change = ({ account, by }: World, { id }: Partner, taxForm: PartnerChange['taxForm']) => {
  const access = { account, as: 'owner', subjectId: id, partnerId: null, byKey: false } as unknown as Access
  return inTransaction((tx) => changePartner(tx, services, by, access, { taxForm }))
}

const drawnPartner = fc.nat({ max: 2 })
const drawnForm = fc.record({
  number: fc.integer({ min: 219_090_000, max: 219_099_998 }).map(String),
  classification: fc.constantFrom<TaxClassification>('individual', 'partnership', 's-corporation', 'llc-c'),
  isForeign: fc.boolean(),
})
type DrawnForm = typeof drawnForm extends fc.Arbitrary<infer Drawn> ? Drawn : never

function fill(world: World, { number, classification, isForeign }: DrawnForm) {
  const form = (isForeign ? aW8Ben({ tinType: 'us', tin: number }) : aW9({ tin: number, classification })) as NewTaxForm
  const corporation = !isForeign && classification.endsWith('c') ? true : classification === 's-corporation'
  const kept: Form = { kind: form.kind, day: today(world), last4: number.slice(-4), source: 'partner', corporation }
  return { form, kept }
}

const steps: Histories<World>['steps'] = {
  sign: aStep(fc.tuple(drawnPartner, drawnForm), async (world: World, [of, drawn]) => {
    const { form, kept } = fill(world, drawn)
    await sign(world, world.partners[of]!, form)
    world.partners[of]!.form = kept
  }),
  refuse: aStep(fc.tuple(drawnPartner, fc.nat({ max: 2 })), async (world: World, [of, which]) => {
    const wrong = [aW9({ tin: '666091234' }), aW9({ signature: 'Another' }), aW8Ben({ birthDate: today(world) })][which]
    assert.equal(await settleOutcome(sign(world, world.partners[of]!, wrong as NewTaxForm)), 'validation_failed')
  }),
  signTwoAtOnce: aStep(fc.tuple(drawnPartner, drawnForm, drawnForm), async (world: World, [of, ...drawn]) => {
    const partner = world.partners[of]!
    const both = drawn.map((one) => fill(world, one))
    await Promise.all(both.map(({ form }) => sign(world, partner, form)))
    const { tinLast4 } = await getTaxForm(db, { account: world.account, partnerId: partner.id })
    partner.form = both.find(({ kept }) => kept.last4 === tinLast4)!.kept
  }),
  record: aStep(
    fc.tuple(drawnPartner, fc.constantFrom('w-9', 'w-8ben', 'w-8ben-e'), fc.integer({ min: -2, max: 4 })),
    async (world: World, [of, kind, ago]) => {
      const partner = world.partners[of]!
      const lastDay = partner.form?.day ?? today(world)
      const day = ago === -2 ? today(world) : ago === -1 ? lastDay : `${thisYear(world) - ago}-02-03`
      if (day > today(world)) return
      await change(world, partner, { kind, receivedOn: day })
      const isSame = partner.form?.kind === kind && partner.form.day === day
      if (!isSame) partner.form = { kind, day, last4: null, corporation: false, source: 'owner' }
    },
  ),
  remove: aStep(drawnPartner, async (world: World, of) => {
    await change(world, world.partners[of]!, null)
    world.partners[of]!.form = null
  }),
  want: aStep(fc.constantFrom(...wishes), async (world: World, wanted) => {
    await inTransaction((tx) => changeInvoicingSettings(tx, world.by, world.account.id, { taxForms: wanted }))
    world.wanted = wanted
  }),
  pay: aStep(
    fc.tuple(drawnPartner, fc.constantFrom(THRESHOLD - 1, 1, THRESHOLD, 500_00), fc.nat({ max: 1 })),
    async (world: World, [of, amount, ago]) => {
      const { id, paid } = world.partners[of]!
      const year = thisYear(world) - ago
      const one = { partnerId: id, amount, paidOn: `${year}-01-15`, externalReference: newId() }
      await inTransaction((tx) => recordPastPayouts(tx, system, world.account, [one]))
      paid.set(year, (paid.get(year) ?? 0) + amount)
    },
  ),
  wait: aStep(fc.constantFrom(1, 30, 200, 400), async (world: World, days) => {
    if (thisYear(world) < 2034) world.time.now += days * 86_400_000
  }),
}

async function check(world: World) {
  const { account, partners, wanted } = world
  for (const { id, form } of partners) {
    const shown = await getTaxForm(db, { account, partnerId: id })
    assert.deepEqual(
      [shown.wanted, shown.kind, shown.source, shown.receivedOn, shown.tinLast4],
      [wanted, form?.kind ?? null, form?.source ?? null, form?.day ?? null, form?.last4 ?? null],
    )
  }
  const year = thisYear(world)
  const ids = partners.map(({ id }) => id)
  const balances = await readBalances(db, await getPayoutTerms(db, account), ids)
  const waiting = balances.filter(({ blockers }) => blockers.includes('tax-form-missing'))
  const lacking = partners.filter(({ form }) => wanted === 'required' && (!form || hasExpired(form, year)))
  assert.deepEqual(waiting.map(({ partnerId }) => partnerId).toSorted(), lacking.map(({ id }) => id).toSorted())
  // the first year of these histories has another threshold
  for (const one of [year, year - 1].filter((year) => year >= 2026)) await checkFile(world, one)
}

async function checkFile({ account, partners }: World, year: number) {
  const reasonOf = ({ form }: Partner) => {
    if (!form) return 'no-form'
    if (hasExpired(form, year)) return 'expired'
    if (form.kind !== 'w-9') return null
    return form.source === 'owner' ? 'recorded-by-owner' : form.corporation ? null : 'in'
  }
  const over = partners.filter(({ paid }) => (paid.get(year) ?? 0) >= THRESHOLD)
  const { rows, missing } = await previewNecFile({ db, secrets: services.secrets }, account, year)
  assert.equal(rows, over.filter((partner) => reasonOf(partner) === 'in').length)
  assert.deepEqual(
    missing.map(({ partnerId, reason }) => `${partnerId} ${reason}`).toSorted(),
    over
      .flatMap((partner) => {
        const reason = reasonOf(partner)
        return reason === null || reason === 'in' ? [] : [`${partner.id} ${reason}`]
      })
      .toSorted(),
  )
}

/** The moment of the history that is played. */
const time = { now: 0 }
for (const seed of listSeeds(2))
  test(`the form that counts is the one of a plain model, seed ${seed}`, () =>
    atTime(time, () =>
      playHistory(
        {
          steps,
          length: 60,
          check,
          begin() {
            time.now = Date.parse('2026-03-01T10:00:00Z')
            return begin()
          },
        },
        seed,
      ),
    ))
