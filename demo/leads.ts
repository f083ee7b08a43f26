import type { Json } from '#contract/payload-paths.ts'
import { noteLead } from '#features/embed/server/queries.ts'
import { userAuthor } from '../server/platform/author.ts'
import type { Transaction } from '../server/platform/database/pool.ts'
import { dayIn } from '../server/platform/time/days.ts'
import { captureLead, type LeadToCapture } from '../server/program/leads/capture-lead.ts'
import { changeLeadStatus, expireLeads } from '../server/program/leads/lead-status.ts'
import { eraseLead } from '../server/program/privacy/erase.ts'
import { reassignLead } from '../server/program/sales/attribute-sale.ts'
import { saveExchangeRate } from '../server/program/sales/exchange-rates.ts'
import { companies, firstNames, lastNames, people } from './people.ts'
import type { Customer, Sales } from './sales.ts'
import { type ScriptedLead, scriptedLeads } from './scripted.ts'
import { DAY_MS, FIRST_DAY, type Harbor, type Story, timeOn, toMoment, trafficFactor } from './story.ts'
import { refersOn, type Visit } from './visits.ts'

/** Leads besides the scripted ones. */
const LEADS = 1500
/** Partners whose customers pay in euros. */
const IN_EUROS = new Set(['lena-fischer', 'camille', 'hugo'])

/** Sources of leads, with their weights. */
const ways: [way: 'click' | 'code' | 'hand' | 'nobody' | 'again', weight: number][] = [
  ['click', 68],
  ['code', 14],
  ['hand', 9],
  ['nobody', 3],
  ['again', 6],
]
/** Outcomes of leads, with their weights. `open`: qualified, and nothing since. */
const fates: [fate: 'won' | 'lost' | 'rejected' | 'open' | 'unanswered', weight: number][] = [
  ['won', 21],
  ['lost', 24],
  ['rejected', 12],
  ['open', 41],
  ['unanswered', 2],
]
const lostBecause = ['no-response', 'too-early', 'not-a-fit', 'existing-customer', 'other'] as const
const rejectedBecause = ['insufficient-info', 'out-of-territory', 'spam', 'not-a-fit'] as const
const notes = ['Demo held, wants a quote.', 'Called back.', 'Asked for references.', 'Trial started.', null, null, null]

type Who = { firstName: string; lastName: string; email: string; phone: string | null; company: string }

/** Plans every lead of the twelve months, its outcome, and the customers' purchases. */
export function planLeads(story: Story, harbor: Harbor, visits: Map<string, Visit[]>, sales: Sales) {
  const { course, random, services, before, scale } = story
  const { account } = harbor
  const owner = userAuthor(harbor.owner)
  const who = customers(story)
  const captured: { at: Date; code: string; who: Who }[] = []
  let external = 4000

  const days = Array.from({ length: FIRST_DAY - 4 }, (_, index) => FIRST_DAY - 4 - index).map((day) => ({
    day,
    weight: trafficFactor(story, day),
  }))
  for (let count = 0; count < Math.round(LEADS * scale); count++) {
    const { day } = random.weighted(days, ({ weight }) => weight)
    course.at(timeOn(story, day), (tx) => arrive(tx, day))
  }
  for (const lead of scriptedLeads) course.at(toMoment(story, lead.days), (tx) => arriveAsScripted(tx, lead))
  for (let day = FIRST_DAY - 60; day > 0; day -= 10) course.alone(before(day), () => expireLeads(services))
  // the account's own rate is valid for the seven days after it
  for (let day = FIRST_DAY + 1; day > 0; day -= 7)
    course.at(toMoment(story, day), (tx) => {
      const rate = Math.round(10_842 + 180 * Math.sin(day / 40)) / 10_000
      return saveExchangeRate(tx, owner, account, { currency: 'eur', date: dayIn(account.timeZone, tx.now), rate })
    })

  async function capture(tx: Transaction, submission: LeadToCapture) {
    if (submission.source === 'embed') await noteLead(tx, account.id)
    return captureLead(tx, account, { ...submission, sent: sentOf(submission) })
  }

  async function arrive(tx: Transaction, day: number) {
    const promoting = people.filter((person) => refersOn(person, day))
    const { code } = random.weighted(promoting, ({ weight }) => weight)
    const [way] = random.weighted(ways, ([, weight]) => weight)
    const submission = submissionOf(tx.now, way, code, who())
    if (!submission) return
    const { firstName, lastName, email } = submission
    const { leadId, created, duplicate } = await capture(tx, submission)
    if (!created || duplicate) return
    if (way === 'nobody') return planAssignment(leadId, tx.now)
    captured.push({ at: tx.now, code, who: submission })
    const currency = IN_EUROS.has(code) ? 'eur' : 'usd'
    const customer = { leadId, email, name: `${firstName} ${lastName}`, currency }
    planFate(customer, tx.now)
  }

  /** Returns undefined if there is no source yet that it could come from. */
  function submissionOf(
    at: Date,
    way: (typeof ways)[number][0],
    code: string,
    person: Who,
  ): (LeadToCapture & Who) | undefined {
    const visit = lastVisit(code, at)
    const page = (path: string) => ({ landingUrl: `https://harbor.example${path}`, referrer: null })
    switch (way) {
      case 'nobody':
        return { source: 'embed', ...person, ...page('/contact') }
      case 'code':
        return { source: 'api', ...person, referralCode: code, externalId: `crm-${++external}`, by: ofApiKey }
      case 'hand':
        return { source: 'manual', ...person, partnerId: harbor.partners.get(code)!, by: owner }
      case 'again': {
        const recent = captured.filter((one) => one.code !== code && at.getTime() - one.at.getTime() < 60 * DAY_MS)
        if (recent.length === 0 || !visit) return undefined
        return { source: 'embed', ...random.pick(recent).who, clickId: visit.id, ...page(visit.path) }
      }
      case 'click':
        return visit && { source: 'embed', ...person, clickId: visit.id, ...page(visit.path), referrer: hostIn(visit) }
    }
  }

  const ofApiKey = { type: 'api-key' as const, id: account.id }
  const hostIn = ({ referrerHost }: Visit) => referrerHost && `https://${referrerHost}/`

  /** Returns one of the partner's last visits, at most a month old. */
  function lastVisit(code: string, at: Date): Visit | undefined {
    const all = visits.get(code)!
    const recent = all.slice(-30).filter((visit) => visit.at < at && at.getTime() - visit.at.getTime() < 30 * DAY_MS)
    return recent.length ? random.pick(recent) : undefined
  }

  function planFate(customer: Customer, at: Date) {
    const [fate] = random.weighted(fates, ([, weight]) => weight)
    const after = (days: number) => new Date(at.getTime() + days * DAY_MS)
    const answered = random.between(0.05, 2.2)
    const move = (moment: Date, body: Parameters<typeof changeLeadStatus>[4]) => {
      if (moment < before(0)) course.at(moment, (tx) => changeLeadStatus(tx, owner, account, customer.leadId, body))
    }
    if (fate === 'unanswered') return
    if (fate === 'rejected') return move(after(answered), { status: 'rejected', reason: random.pick(rejectedBecause) })
    const note = random.pick(notes)
    move(after(answered), { status: 'qualified', ...(note && { note }) })
    if (fate === 'won') sales.planPurchases(customer, after(answered + random.between(1, 24)))
    if (fate === 'lost')
      move(after(answered + random.between(3, 35)), { status: 'lost', reason: random.pick(lostBecause) })
  }

  /** Plans to give some leads without a referrer to a partner later. */
  function planAssignment(leadId: string, at: Date) {
    const moment = new Date(at.getTime() + 3 * DAY_MS)
    if (moment > before(0) || !random.chance(0.6)) return
    const partnerId = harbor.partners.get(random.pick(['marcus-o', 'priya', 'tomas']))!
    course.at(moment, (tx) =>
      reassignLead(tx, owner, account, leadId, { partnerId, reason: 'Named the partner on the phone' }),
    )
  }

  async function arriveAsScripted(tx: Transaction, lead: ScriptedLead) {
    const [firstName = '', ...rest] = lead.name.split(' ')
    const visit = lastVisit(lead.partner, tx.now)
    const { leadId } = await capture(tx, {
      firstName,
      lastName: rest.join(' '),
      company: lead.company,
      email: lead.email,
      phone: lead.phone,
      ...(visit
        ? { source: 'embed', clickId: visit.id, landingUrl: `https://harbor.example${visit.path}` }
        : { source: 'manual', partnerId: harbor.partners.get(lead.partner)!, by: owner }),
    })
    const customer = { leadId, email: lead.email, name: lead.name }
    const { qualified, closed } = lead
    if (qualified)
      course.at(toMoment(story, qualified.days), (tx) =>
        changeLeadStatus(tx, owner, account, leadId, { status: 'qualified', note: qualified.note }),
      )
    if (closed)
      course.at(toMoment(story, closed.days), (tx) =>
        changeLeadStatus(tx, owner, account, leadId, { status: closed.status, reason: closed.reason }),
      )
    if (lead.erased) course.at(toMoment(story, lead.erased), (tx) => eraseLead(tx, services, owner, account, leadId))
    const customerId = sales.newCustomer()
    for (const sale of lead.sales) sales.planScripted(customer, customerId, sale)
    if (lead.mistake) sales.planMistake(customer)
  }
}

/** The data sent by the website's script or an own system; leads typed in have none. */
function sentOf({ source, firstName, lastName, email, phone, ...rest }: LeadToCapture): Json | undefined {
  const { company, externalId, referralCode, clickId, landingUrl: pageUrl, referrer } = rest
  const person = { firstName, lastName, email, phone }
  if (source === 'embed') return omitEmpty({ ...person, clickId, pageUrl, referrer })
  return source === 'api' ? omitEmpty({ ...person, company, externalId, referralCode }) : undefined
}

const omitEmpty = (fields: Record<string, string | null | undefined>) =>
  Object.fromEntries(Object.entries(fields).flatMap(([field, value]) => (value ? [[field, value]] : [])))

/** Makes people with unique e-mails and phones. */
function customers({ random }: Story) {
  let made = 0
  return (): Who => {
    const number = made++
    const firstName = random.pick(firstNames)
    const lastName = random.pick(lastNames)
    // 7 and the number of companies have no common factor, so neighbours differ
    const { name, domain } = companies[(number * 7) % companies.length]!
    const local = `${firstName}.${lastName}${number < companies.length ? '' : Math.floor(number / companies.length) + 1}`
    return {
      firstName,
      lastName,
      company: name,
      email: `${local.toLowerCase()}@${domain}`,
      phone: random.chance(0.4) ? phoneOf(number) : null,
    }
  }
}

const areas = '212,312,408,617,206,303,512,404,713,602,503,305,215,702,615'.split(',')
/** Phone numbers reserved for fiction: 555-01xx of every area. */
const phoneOf = (number: number) =>
  `+1 ${areas[number % areas.length]} 555 01${String(Math.floor(number / areas.length) % 100).padStart(2, '0')}`
