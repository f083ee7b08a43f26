import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartnerChange, taxFormKinds } from '#contract/partners.ts'
import type { NewTaxForm } from '#contract/tax-forms.ts'
import type { TaxClassification } from '#contract/tax-rules.ts'
import { aLedger, atTime, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, randomFrom, settleOutcome } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { aW8Ben, aW9 } from '../../../test/support/tax-forms.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { createQueues } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import { queues } from '../../queues.ts'
import type { Access } from '../access/access.ts'
import { changeInvoicingSettings } from '../invoicing/settings.ts'
import { changePartner } from '../partners/change-partner.ts'
import { readBalances } from '../payouts/partner-balances.ts'
import { getPayoutTerms } from '../payouts/payout-terms.ts'
import { recordPastPayouts } from '../payouts/record-past-payouts.ts'
import { getTaxForm, signTaxForm } from './forms.ts'
import { previewNecFile } from './nec-file.ts'

// Random histories of tax forms: partners sign them, owners record and remove them, forms are asked for or required,
// years pass and money is paid, by two at once now and then. A second, simple model has the form that counts, whose payouts
// wait, and who is in the file of a year.

const STEPS = Number(process.env.STEPS ?? 60)

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
await createQueues(await services.jobs.boss(), queues)
test.after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

for (const seed of listSeeds(2))
  test(`seed ${seed}: the form that counts is the one of a plain model`, async () => {
    const trace: string[] = []
    const time = { now: Date.parse('2026-03-01T10:00:00Z') }
    await atTime(time, () => live(services, seed, time, trace)).catch((error: Error) => {
      throw new Error(`${error.message}\n${trace.join('\n')}`, { cause: error })
    })
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

async function live(shared: Services, seed: number, time: { now: number }, trace: string[]) {
  const { below, chance, pick } = randomFrom(seed)
  const ledger = await aLedger(shared, { partners: [{}, {}, {}] })
  const { account, actor } = ledger
  const by = ownerAuthor(ledger)
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const partners: Partner[] = ledger.partnerIds.map((id) => ({ id, form: null, paid: new Map() }))
  let wanted: 'off' | 'ask' | 'required' = 'off'
  const today = () => dayIn(account.timeZone, new Date(time.now))
  const yearNow = () => Number(today().slice(0, 4))

  const hasExpired = ({ kind, day }: Form, year: number) => kind !== 'w-9' && Number(day.slice(0, 4)) < year - 3
  const sign = ({ id }: Partner, form: object) =>
    inTransaction((tx) => signTaxForm(tx, shared.secrets, actor, { account, partnerId: id }, form as NewTaxForm))
  const change = ({ id }: Partner, taxForm: PartnerChange['taxForm']) => {
    const access = { account, as: 'owner', subjectId: id, partnerId: null, byKey: false } as unknown as Access
    return inTransaction((tx) => changePartner(tx, shared, by, access, { taxForm }))
  }
  const aForm = () => {
    const number = String(219_090_000 + below(9999))
    const classification = pick<TaxClassification>(['individual', 'partnership', 's-corporation', 'llc-c'])
    const form = chance(70) ? aW9({ tin: number, classification }) : aW8Ben({ tinType: 'us', tin: number })
    const kept: Form = {
      ...{ kind: form.kind, day: today(), last4: number.slice(-4), source: 'partner' },
      corporation: form.kind === 'w-9' && classification.endsWith('c') ? true : classification === 's-corporation',
    }
    return { form, kept }
  }

  const acts: Record<string, () => Promise<string>> = {
    async sign() {
      const partner = pick(partners)
      const { form, kept } = aForm()
      await sign(partner, form)
      partner.form = kept
      return `${partners.indexOf(partner)}: ${kept.kind} ${kept.last4}`
    },
    async 'sign a wrong one'() {
      const wrong = pick([aW9({ tin: '666091234' }), aW9({ signature: 'Another' }), aW8Ben({ birthDate: today() })])
      assert.equal(await settleOutcome(sign(pick(partners), wrong)), 'validation_failed')
      return 'refused'
    },
    async 'sign two at once'() {
      const partner = pick(partners)
      const both = [aForm(), aForm()]
      await Promise.all(both.map(({ form }) => sign(partner, form)))
      const { tinLast4 } = await getTaxForm(db, { account, partnerId: partner.id })
      partner.form = both.find(({ kept }) => kept.last4 === tinLast4)!.kept
      return `${partners.indexOf(partner)}: ${tinLast4}`
    },
    async record() {
      const partner = pick(partners)
      const kind = pick(['w-9', 'w-8ben', 'w-8ben-e'] as const)
      const day = pick([today(), `${yearNow() - below(5)}-02-03`, partner.form?.day ?? today()])
      await change(partner, { kind, receivedOn: day })
      const isSame = partner.form?.kind === kind && partner.form.day === day
      if (!isSame) partner.form = { kind, day, last4: null, corporation: false, source: 'owner' }
      return `${partners.indexOf(partner)}: ${kind} of ${day}`
    },
    async remove() {
      const partner = pick(partners)
      await change(partner, null)
      partner.form = null
      return `${partners.indexOf(partner)}`
    },
    async want() {
      wanted = pick(['off', 'ask', 'required'])
      await inTransaction((tx) => changeInvoicingSettings(tx, by, account.id, { taxForms: wanted }))
      return wanted
    },
    async pay() {
      const partner = pick(partners)
      const amount = pick([THRESHOLD - 1, 1, THRESHOLD, 500_00])
      const year = yearNow() - below(2)
      const one = { partnerId: partner.id, amount, paidOn: `${year}-01-15`, externalReference: newId() }
      await inTransaction((tx) => recordPastPayouts(tx, system, account, [one]))
      partner.paid.set(year, (partner.paid.get(year) ?? 0) + amount)
      return `${partners.indexOf(partner)}: ${amount} in ${year}`
    },
    async time() {
      const days = pick([1, 30, 200, 400])
      time.now += days * 86_400_000
      return `${days} days`
    },
  }
  const names = Object.keys(acts)

  for (let step = 0; step < STEPS && yearNow() < 2034; step++) {
    const name = pick(names)
    trace.push(name)
    trace[trace.length - 1] = `${name} ${await acts[name]!()}`
    await check()
  }

  async function check() {
    for (const { id, form } of partners) {
      const shown = await getTaxForm(db, { account, partnerId: id })
      assert.deepEqual(
        [shown.wanted, shown.kind, shown.source, shown.receivedOn, shown.tinLast4],
        [wanted, form?.kind ?? null, form?.source ?? null, form?.day ?? null, form?.last4 ?? null],
      )
    }
    const ids = partners.map(({ id }) => id)
    const balances = await readBalances(db, await getPayoutTerms(db, account), ids)
    const waiting = balances.flatMap(({ partnerId, blockers }) =>
      blockers.includes('tax-form-missing') ? [partnerId] : [],
    )
    const lacking = partners.filter(({ form }) => wanted === 'required' && (!form || hasExpired(form, yearNow())))
    assert.deepEqual(waiting.toSorted(), lacking.map(({ id }) => id).toSorted())
    for (const year of [yearNow(), yearNow() - 1]) {
      // the first year of these lives has another threshold
      if (year < 2026) continue
      const over = partners.filter(({ paid }) => (paid.get(year) ?? 0) >= THRESHOLD)
      const reasonOf = ({ form }: Partner) => {
        if (!form) return 'no-form'
        if (hasExpired(form, year)) return 'expired'
        if (form.kind !== 'w-9') return null
        return form.source === 'owner' ? 'recorded-by-owner' : form.corporation ? null : 'in'
      }
      const { rows, missing } = await previewNecFile({ db, secrets: shared.secrets }, account, year)
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
  }
}
