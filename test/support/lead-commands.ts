import assert from 'node:assert/strict'
import { system } from '../../server/platform/author.ts'
import { NIL, newId } from '../../server/platform/database/ids.ts'
import { type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import type { Services } from '../../server/platform/services.ts'
import { addDays, dayIn, startOfDay } from '../../server/platform/time/days.ts'
import type { AccountFacts } from '../../server/program/access/account-facts.ts'
import { blockBookings } from '../../server/program/access/lock-accounts.ts'
import { captureForm } from '../../server/program/leads/capture-form.ts'
import { type Captured, captureLead } from '../../server/program/leads/capture-lead.ts'
import { changeLead } from '../../server/program/leads/change-lead.ts'
import { createLead } from '../../server/program/leads/create-lead.ts'
import { deleteLead } from '../../server/program/leads/delete-lead.ts'
import { changeLeadStatus, expireLeads } from '../../server/program/leads/lead-status.ts'
import { reassignLead } from '../../server/program/sales/attribute-sale.ts'
import { pushSales } from '../../server/program/sales/push-sales.ts'
import { recordByHand } from '../../server/program/sales/record-by-hand.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { saveTerms } from '../../server/program/terms/save-terms.ts'
import * as model from './lead-model.ts'
import { aLedger, atTime, ledgerServices, ownerAuthor } from './ledger.ts'
import { type ModelTest, randomFrom } from './model-test.ts'
import * as visitors from './visitor-model.ts'

const STARTS_AT = Date.parse('2026-03-02T09:00:00Z')
const DAY_MS = 86_400_000
const STEPS = 40
const PARTNERS = 3
const PER_LEAD = 5_00
const statuses = ['new', 'qualified', 'lost', 'rejected'] as const
type Sending = { who: model.Who; partner: number | null; form: visitors.Form }
const sources = { form: 'embed', system: 'api', partner: 'partner' } as const

/** Random lives of leads: registered in every way, protected, expired, sold to, given away and deleted. */
export const leadLives = livesOf({
  ...{ register: 3, type: 1, race: 1, wait: 1, expire: 1, pay: 1 },
  ...{ move: 3, extend: 1, give: 1, sell: 1, remove: 1 },
})
/**
 * Random lives of visitors: their forms' steps and corrections in a few tabs, also at once, again, and late, beside all
 * that happens to leads.
 */
export const visitorLives = livesOf({
  ...{ visit: 9, again: 1, deliver: 2, atOnce: 2, register: 1, type: 1, wait: 1, expire: 1, pay: 1 },
  ...{ move: 2, extend: 1, give: 1, sell: 1, remove: 1 },
})

function livesOf(often: Record<string, number>): ModelTest {
  return {
    async begin(db) {
      const services = ledgerServices(db)
      const names = Object.entries(often).flatMap(([name, times]) => Array<string>(times).fill(name))
      return { live: (seed) => live(services, seed, names), end: async () => undefined }
    },
  }
}

async function live(services: Services, seed: number, often: string[]): Promise<void> {
  const time = { now: STARTS_AT }
  const trace: string[] = []
  try {
    await atTime(time, async () => {
      const life = await begin({ services, time, seed, trace, often })
      for (let step = 0; step < STEPS; step++) await life.step()
      await life.end()
    })
  } catch (error) {
    const { message, stack } = error as Error
    throw new Error(`leads, seed ${seed}: ${message}\n${trace.join('\n')}\n${stack}`)
  }
}

type Life = { services: Services; time: { now: number }; seed: number; trace: string[]; often: string[] }

async function begin({ services, time, seed, trace, often }: Life) {
  const { db } = services
  const { below, between, chance, pick } = randomFrom(seed)
  const ledger = await aLedger(services, { partners: Array.from({ length: PARTNERS }, () => ({})) })
  const leadProtectionDays = pick([0, 10, 90])
  const account: AccountFacts = { ...ledger.account, leadProtectionDays }
  await db.run`update accounts set lead_protection_days = ${leadProtectionDays} where id = ${account.id}`
  const { partnerIds } = ledger
  const by = ownerAuthor(ledger)
  const terms = {
    rules: [{ name: null, on: 'qualified-lead' as const, when: {}, layerAmounts: [PER_LEAD] }],
    ...{ otherwise: { layerRates: [10] }, maxPerCustomer: null, maxPerMonth: null },
  }
  await transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    await saveTerms(tx, by, account.id, { kind: 'account', id: account.id }, { terms, appliesTo: 'all-sales' })
  })
  const book: model.Book = {
    leads: [],
    protectionMs: leadProtectionDays * DAY_MS,
    partners: PARTNERS,
    payers: new Set(),
    visits: { forms: [], fromForms: new Set(), past: new Map() },
  }
  trace.push(`protected for ${leadProtectionDays} days`)

  const emails = ['ann@one.example', 'bob@two.example']
  const phones = ['+12125550101', '+12125550102']
  const idOf = (partner: number | null) => (partner === null ? null : partnerIds[partner]!)
  const numberOf = (id: string | null) => (id === null ? null : partnerIds.indexOf(id))
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const madeAs = (id: string) => db.one<{ at: string; source: string }>`
    select created_at as at, source from leads where id = ${id}`
  const shortly = (lead: model.Lead) => `${lead.id.slice(-4)} (${lead.status})`
  const refused =
    (...reasons: string[]) =>
    (error: unknown) => {
      if (error instanceof Refusal && reasons.includes(error.reason)) return error.reason
      throw error
    }

  function somebody(): model.Who {
    const who = { email: chance(75) ? pick(emails) : null, phone: chance(40) ? pick(phones) : null }
    return who.email || who.phone ? who : { ...who, email: emails[0]! }
  }

  const capture = (way: Exclude<model.RegistrationKind, 'hand'>, partner: number | null, who: model.Who) =>
    inTransaction((tx) => captureLead(tx, account, { ...who, source: sources[way], partnerId: idOf(partner), by }))

  /** Compares the result with the rules, and adds new leads to the book. */
  async function check(expected: model.Outcome, captured: Captured, partner: number | null, who: model.Who) {
    assert.ok(expected !== 'refused')
    assert.deepEqual([captured.created, captured.duplicate], ['made' in expected, expected.duplicate])
    if ('known' in expected) return assert.equal(captured.leadId, expected.known.id)
    const { leadId: id } = captured
    const first = expected.made
    const { at, source } = await madeAs(id)
    model.createLead(book, time.now, who, { id, createdAt: Date.parse(at), partner, first }, expected.status)
    if (source === sources.form) book.visits.fromForms.add(book.leads.at(-1)!)
  }

  const tabs = [0, 1, 2].map((partner) => ({ partner, last: null as string | null }))
  const held: Sending[] = []

  /** A form that a tab sends, mostly with its earlier one. */
  function aForm(tab: (typeof tabs)[number]): Sending {
    const others = [null, newId(), ...book.visits.forms.map(({ id }) => id)]
    const joins = chance(75) ? tab.last : pick(others)
    const form = { id: newId(), joins, corrects: joins !== null && chance(30) }
    tab.last = form.id
    return { who: somebody(), partner: chance(90) ? tab.partner : pick([0, 1, 2, null]), form }
  }
  const sendForm = ({ who, partner, form }: Sending) =>
    inTransaction((tx) => captureForm(tx, account, { ...who, partnerId: idOf(partner), form, sent: {} }))

  /** Compares the result of a form with the rules, and keeps it in the book. */
  async function checkForm({ who, partner, form }: Sending, captured: Captured) {
    const expected = visitors.receiveForm(book, time.now, partner, who, form)
    const { forms } = book.visits
    if (expected === 'again')
      return assert.deepEqual(
        [captured.created, captured.leadId],
        [false, forms.find(({ id }) => id === form.id)!.lead.id],
      )
    if (typeof expected === 'object' && 'joined' in expected)
      assert.deepEqual(
        [captured.created, captured.leadId, captured.duplicate],
        [false, expected.into.id, expected.duplicate],
      )
    else await check(expected, captured, partner, who)
    const lead = book.leads.find(({ id }) => id === captured.leadId)!
    forms.push({ ...form, lead })
  }
  const saying = ({ who, partner, form }: Sending) =>
    `${form.id.slice(-4)} of ${partner}${form.joins ? ` ${form.corrects ? 'corrects' : 'joins'} ${form.joins.slice(-4)}` : ''}: ${JSON.stringify(who)}`

  const steps: Record<string, () => Promise<string>> = {
    async register() {
      const way = pick(['form', 'system', 'partner', 'form'] as const)
      const partner = way === 'partner' || chance(80) ? below(PARTNERS) : null
      const who = somebody()
      const expected = model.registerPerson(book, time.now, way, partner, who)
      await check(expected, await capture(way, partner, who), partner, who)
      return `${way} of ${partner}: ${JSON.stringify(who)}`
    },
    async type() {
      const partner = chance(60) ? below(PARTNERS) : null
      const who = somebody()
      const expected = model.registerPerson(book, time.now, 'hand', partner, who)
      const answer = await inTransaction((tx) =>
        createLead(tx, by, account, { ...who, partnerId: idOf(partner) }),
      ).catch(refused('lead_exists'))
      if (expected === 'refused') assert.equal(answer, 'lead_exists')
      else {
        assert.ok(typeof answer !== 'string', 'it was refused')
        const duplicate = answer.status === 'duplicate'
        await check(expected, { leadId: answer.id, created: true, duplicate }, partner, who)
      }
      return `typed for ${partner}: ${JSON.stringify(who)}`
    },
    /** Two registrations at once: the rules must hold for one of the two orders. */
    async race() {
      const who = somebody()
      const [one, two] = [0, between(1, PARTNERS - 1)]
      const captured = await Promise.all([capture('form', one, who), capture('form', two, who)])
      const inOrder = async (order: number[]) => {
        for (const at of order) {
          const partner = [one, two][at]!
          await check(model.registerPerson(book, time.now, 'form', partner, who), captured[at]!, partner, who)
        }
      }
      const before = structuredClone(book)
      await inOrder([0, 1]).catch(() => {
        Object.assign(book, before)
        return inOrder([1, 0])
      })
      return `${one} and ${two} at once: ${JSON.stringify(who)}`
    },
    async visit() {
      const form = aForm(pick(tabs))
      // the page could not send it yet
      if (chance(15)) {
        held.push(form)
        return `${saying(form)}, later`
      }
      await checkForm(form, await sendForm(form))
      return saying(form)
    },
    async deliver() {
      const form = held.shift()
      if (!form) return ''
      await checkForm(form, await sendForm(form))
      return saying(form)
    },
    async again() {
      const { forms } = book.visits
      if (forms.length === 0) return ''
      const form = { who: somebody(), partner: below(PARTNERS), form: pick(forms) }
      await checkForm(form, await sendForm(form))
      return saying(form)
    },
    /** Two forms at once, of one tab or two, or one twice: the rules must hold for one of the two orders. */
    async atOnce() {
      const tab = pick(tabs)
      const one = aForm(tab)
      const two = chance(25) ? one : aForm(chance(75) ? tab : pick(tabs))
      trace.push(`  ${saying(one)}\n  ${saying(two)}`)
      const captured = await Promise.all([sendForm(one), sendForm(two)])
      const inOrder = async (order: number[]) => {
        for (const at of order) await checkForm([one, two][at]!, captured[at]!)
        visitors.recordPayees(book)
        await compare()
      }
      const before = structuredClone(book)
      await inOrder([0, 1]).catch((error: Error) => {
        Object.assign(book, before)
        return inOrder([1, 0]).catch((other: Error) => assert.fail(`${error.message}\nor ${other.message}`))
      })
      return ''
    },
    async wait() {
      const days = pick([1, 4, 9, 30, 100])
      time.now += days * DAY_MS
      return `${days} days`
    },
    async expire() {
      await expireLeads(services)
      model.expireLeads(book, time.now)
      return ''
    },
    async move() {
      const lead = pick(book.leads)
      const status = pick(statuses)
      const was = shortly(lead)
      const expected = model.changeStatus(book, time.now, lead, status)
      const answer = await inTransaction((tx) =>
        changeLeadStatus(tx, by, account, lead.id, { status, reason: 'other' }),
      ).catch(refused('lead_status_not_next', 'lead_held'))
      assert.equal(typeof answer === 'string' ? answer : null, expected)
      return `${was} to ${status}`
    },
    async extend() {
      const lead = pick(book.leads)
      const protectedUntil = new Date(time.now + between(1, 60) * DAY_MS).toISOString()
      const expected = model.protectLead(book, time.now, lead, Date.parse(protectedUntil))
      const answer = await inTransaction((tx) => changeLead(tx, by, account, lead.id, { protectedUntil })).catch(
        refused('lead_held'),
      )
      assert.equal(typeof answer === 'string' ? answer : null, expected)
      return `${shortly(lead)} until ${protectedUntil}`
    },
    async give() {
      const lead = pick(book.leads)
      const partner = chance(85) ? below(PARTNERS) : null
      await inTransaction((tx) =>
        reassignLead(tx, by, account, lead.id, { partnerId: idOf(partner), reason: 'theirs' }),
      )
      model.creditLead(lead, time.now, partner)
      return `${shortly(lead)} to ${partner}`
    },
    async sell() {
      const lead = pick(book.leads)
      const access = { as: 'owner', account, subjectId: lead.id, partnerId: null } as const
      const sale = await inTransaction((tx) => recordByHand(tx, by, access, { amount: 10_00 }))
      assert.equal(sale.partnerId, idOf(model.creditedPartner(lead)))
      model.bookSale(lead)
      return `to ${lead.id.slice(-4)}`
    },
    /**
     * Pays by e-mail: the buyer is the first partner's customer, regardless of later registrations; without a partner
     * if they paid before.
     */
    async pay() {
      const email = pick(emails)
      const saleDate = chance(60) ? undefined : dayIn(account.timeZone, new Date(time.now - below(8) * DAY_MS))
      const paidBy = saleDate ? startOfDay(addDays(saleDate, 1), account.timeZone).getTime() - 1 : time.now
      const lead = model.findPayer(book, time.now, email, paidBy)
      const access = { as: 'push', account, subjectId: account.id, partnerId: null } as const
      const row = { externalId: newId(), amount: 10_00, email, saleDate }
      const [answer] = await inTransaction((tx) => pushSales(tx, [{ access, row, by: system }]))
      if (!lead) assert.ok(answer instanceof Refusal)
      else {
        assert.ok(answer && !(answer instanceof Error))
        const expected = lead === 'later' ? [null, null] : [lead.id, idOf(model.creditedPartner(lead))]
        assert.deepEqual([answer.sale.leadId, answer.sale.partnerId], expected)
        if (expected[1] === null) book.payers.add(email)
        if (lead !== 'later') model.bookSale(lead)
      }
      const owner = typeof lead === 'object' ? lead.id.slice(-4) : (lead ?? 'nobody')
      return `${email} on ${saleDate ?? 'now'}: ${owner}`
    },
    async remove() {
      const lead = pick(book.leads)
      const was = shortly(lead)
      const expected = model.deleteLead(book, time.now, lead)
      const answer = await inTransaction((tx) => deleteLead(tx, by, account, lead.id)).catch(
        refused('lead_has_sales', 'lead_has_commissions'),
      )
      assert.equal(typeof answer !== 'string', expected)
      return was
    },
  }
  const onLeads = ['move', 'extend', 'give', 'sell', 'remove']

  /** Asserts that the product's leads and their counts agree with the book. */
  async function compare() {
    const rows = await db.many<{
      id: string
      partnerId: string | null
      email: string | null
      phone: string | null
      status: string
      protectedUntil: string | null
      duplicateOfId: string | null
    }>`select id, partner_id, email, phone, status, protected_until, duplicate_of_id from leads
      where account_id = ${account.id} order by id`
    const actual = rows.map(({ partnerId, protectedUntil, duplicateOfId, ...row }) => ({
      ...row,
      partner: numberOf(partnerId),
      protectedUntil: protectedUntil && Date.parse(protectedUntil),
      first: duplicateOfId,
    }))
    const wanted = book.leads
      .map(({ createdAt: _, sales: __, referredAt: ___, first, ...lead }) => ({ ...lead, first: first?.id ?? null }))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
    assert.deepEqual(actual, wanted)
    const counted = await db.many<{ partnerId: string; leads: number }>`
      select partner_id, leads from total_stats where account_id = ${account.id} and blueprint_id = ${NIL}`
    const originals = book.leads.filter(({ status }) => status !== 'duplicate')
    for (const [id, leads] of [
      [NIL, originals.length],
      ...partnerIds.map((id, at) => [id, originals.filter(({ partner }) => partner === at).length]),
    ] as [string, number][])
      assert.equal(counted.find(({ partnerId }) => partnerId === id)?.leads ?? 0, leads, `leads of ${id}`)
    const paid = await db.many<{ partnerId: string; amount: number }>`
      select partner_id, sum(amount)::bigint as amount from commission_entries
      where account_id = ${account.id} and paid_for = 'qualified-lead' group by 1`
    for (const [at, id] of partnerIds.entries())
      assert.equal(
        paid.find(({ partnerId }) => partnerId === id)?.amount ?? 0,
        visitors.paidLeads(book, at) * PER_LEAD,
        `pay of ${id}`,
      )
  }

  return {
    async step() {
      // no two steps happen at the same moment
      time.now += between(1, 50) * 1000
      const name = pick(often.filter((name) => book.leads.length > 0 || !onLeads.includes(name)))
      trace.push(`${new Date(time.now).toISOString()} ${name}`)
      trace.push(`  ${await steps[name]!()}`)
      visitors.recordPayees(book)
      await compare()
    },
    /** Asserts that the statistics and the journal agree with the rows. */
    async end() {
      const ofAccount = JSON.stringify(await db.many`select id from leads where account_id = ${account.id}`)
      assert.deepEqual(
        (await verifyLedger(db)).filter(({ subject }) => subject.includes(account.id) || ofAccount.includes(subject)),
        [],
      )
    },
  }
}
