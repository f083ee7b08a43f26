import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MatchRule } from '#contract/sales.ts'
import {
  type Decision,
  type Door,
  decideMatch,
  decideStated,
  getRuleOrder,
  type MatchFacts,
  type NamedByCodes,
} from './match-rules.ts'
import type { PayersLead } from './queries.ts'

// Each row is a case: settings | door | what the payment has | whose it is | the other rules, except those without a value.
// A payment names Bob, Eve or Dan; the customer's lead is Ann's or has no partner, and may have bought, be rejected or `late`:
// referred after the payment. A partner who is `gone` earns nothing any more.

const ROWS = {
  'The first rule of a provider’s payment that finds a lead or a partner decides': `
                 | provider | nothing                                    | nobody                                            |
                 | provider | click bob, code eve                        | click: bob, registered                            | code outranked eve
                 | provider | click bob, click-lead ann                  | click: lead of ann                                |
                 | provider | click bob, click eve                       | click: bob, registered                            | click outranked eve
                 | provider | click expired, lead-id ann                 | lead-id: lead of ann                              | click expired
                 | provider | code bob, lead-id ann                      | lead-id: lead of ann                              | code outranked bob
                 | provider | code bob, coupon eve                       | code: bob, registered                             | coupon outranked eve
                 | provider | code bob+eve                               | code: bob, registered                             | code outranked eve
                 | provider | coupon bob, customer ann                   | customer: lead of ann                             | coupon outranked bob
                 | provider | customer ann, external-id bob              | customer: lead of ann                             |
                 | provider | coupon bob, email ann                      | coupon: bob, registered                           | email outranked ann
                 | provider | email unknown, customer unknown            | nobody                                            | customer unknown, email unknown
  `,
  'A code counts only for a partner who earns, from when it was theirs': `
                 | provider | code inactive bob, email ann               | email: lead of ann                                | code inactive bob
                 | provider | coupon given-later bob                     | nobody                                            | coupon given-later bob
                 | api      | coupon given-later bob, email ann          | email: lead of ann                                | coupon given-later bob
                 | webhook  | code inactive bob, coupon eve              | coupon: eve, registered                           | code inactive bob
  `,
  'Nothing before the referral earns': `
                 | provider | customer ann late                          | nobody                                            | customer referred-later ann
                 | provider | customer ann late, email bob               | email: lead of bob                                | customer referred-later ann
                 | provider | code bob, email ann late                   | code: bob, registered                             | email referred-later ann
                 | webhook  | email ann late                             | nobody                                            | email referred-later ann
  `,
  'A provider’s known customer': `
                 | provider | code bob, email ann                        | code: bob, registered                             | email outranked ann
                 | provider | code ann, email ann                        | code: lead of ann                                 |
    first-touch  | provider | code bob, email ann                        | email: lead of ann                                | code first-touch bob
                 | provider | click bob first-touch, customer ann        | customer: lead of ann                             | click first-touch bob
                 | provider | click bob, email ann bought                | email: lead of ann                                | click bought-before bob
                 | provider | code bob, email nobody                     | code: bob, registered                             |
                 | provider | code bob, email nobody bought              | email: lead of nobody                             | code customer-without-partner bob
                 | provider | code bob, external-id nobody               | external-id: lead of nobody                       | code customer-without-partner bob
                 | provider | code bob, email ann rejected               | code: bob, registered                             | email outranked ann
  `,
  'An own system’s known customer goes before all that names a partner': `
                 | api      | code bob, coupon eve, email ann            | email: lead of ann                                | code outranked bob, coupon outranked eve
                 | api      | code unknown, email ann                    | email: lead of ann                                |
                 | webhook  | click bob, email ann                       | email: lead of ann                                | click outranked bob
                 | webhook  | partner bob, email ann                     | email: lead of ann                                | code outranked bob
                 | api      | code bob, lead-id nobody                   | code: bob gets lead of nobody                     |
                 | api      | code bob, email nobody bought              | code: bob gets lead of nobody                     |
                 | api      | coupon bob, email nobody                   | coupon: bob gets lead of nobody                   |
                 | api      | coupon bob, email nobody bought            | email: lead of nobody                             | coupon customer-without-partner bob
                 | webhook  | click bob, code eve, email nobody          | click: bob gets lead of nobody                    | code outranked eve
                 | webhook  | partner bob, external-id nobody            | external-id: bob gets lead of nobody              |
                 | webhook  | partner bob, code eve                      | email: bob, registered                            | code outranked eve
                 | api      | email nobody                               | email: lead of nobody                             |
                 | webhook  | code unknown, email nobody                 | email: lead of nobody                             | code unknown
                 | api      | code bob, external-id nobody rejected      | external-id: lead of nobody                       | code outranked bob
                 | api      | coupon bob, email nobody rejected          | coupon: bob, registered                           | email rejected
                 | webhook  | click bob, email nobody rejected           | click: bob, registered                            | email rejected
                 | api      | email nobody rejected                      | email: lead of nobody                             |
  `,
  'The API refuses references that it does not know, a webhook uses those it can': `
                 | api      | code unknown, coupon eve                   | refused: referralCode                             |
                 | webhook  | code unknown, coupon eve                   | coupon: eve, registered                           | code unknown
                 | api      | code bob, lead-id unknown                  | refused: leadId                                   |
                 | api      | email ann, lead-id unknown                 | email: lead of ann                                | lead-id unknown
    code-first   | api      | coupon bob, lead-id unknown                | coupon: bob, registered                           |
  `,
  'If the code wins, only who has bought stays': `
    code-first   | provider | click bob, coupon eve                      | coupon: eve, registered                           | click outranked bob
    code-first   | provider | coupon eve, customer ann                   | coupon: eve gets lead of ann                      | customer outranked ann
    code-first   | provider | coupon eve, lead-id nobody                 | coupon: eve gets lead of nobody                   |
    code-first   | provider | coupon eve, lead-id nobody, email ann bought | lead-id: lead of nobody                           | coupon bought-before eve, email outranked ann
    code-first   | provider | coupon eve, email nobody bought            | email: lead of nobody                             | coupon customer-without-partner eve
    code-first   | provider | coupon eve, email ann rejected             | coupon: eve, registered                           | email outranked ann
    code-first   | api      | coupon eve, email ann                      | coupon: eve gets lead of ann                      | email outranked ann
    code-first   | api      | coupon eve, email ann bought               | email: lead of ann                                | coupon bought-before eve
    code-first   | api      | coupon ann, email ann                      | coupon: lead of ann                               |
  `,
  'If each order goes to its latest click, a customer who has bought stays, and the sale is the named partner’s': `
    latest-click | provider | click bob, email ann bought                | click: bob, lead of ann stays, known by email     | email outranked ann
    latest-click | provider | coupon bob, customer ann bought            | coupon: bob, lead of ann stays, known by customer | customer outranked ann
    latest-click | provider | code bob, lead-id ann bought               | code: bob, lead of ann stays, known by lead-id    | lead-id outranked ann
    latest-click | provider | code ann, email ann bought                 | code: lead of ann                                 |
    latest-click | provider | email ann bought                           | email: lead of ann                                |
    latest-click | provider | code bob, email nobody bought              | code: bob, lead of nobody stays, known by email   |
    latest-click | provider | click dan gone, click bob, email ann bought | click: bob, lead of ann stays, known by email     | email outranked ann
    latest-click | provider | click bob, email ann                       | click: bob, registered                            | email outranked ann
    latest-click | api      | code bob, email ann bought                 | code: bob, lead of ann stays, known by email      | email outranked ann
    latest-click | api      | code bob, email ann                        | email: lead of ann                                | code outranked bob
    latest-click | webhook  | partner bob, email ann bought              | code: bob, lead of ann stays, known by email      | email outranked ann
    latest-click | webhook  | click dan gone, code bob, email ann bought | code: bob, lead of ann stays, known by email      | click inactive dan, email outranked ann
    latest+code  | api      | code bob, coupon eve, lead-id ann bought   | coupon: eve, lead of ann stays, known by lead-id  | code outranked bob, lead-id outranked ann
    latest-click | api      | code bob, email nobody bought              | code: bob gets lead of nobody                     |
    latest-click | api      | coupon eve, email nobody bought            | coupon: eve, lead of nobody stays, known by email |
  `,
}

type Settings = Parameters<typeof decideMatch>[0]
const account: Settings = {
  attributionModel: 'last-touch',
  attributionOrder: 'click-first',
  returningCustomers: 'keep-partner',
}
const SETTINGS: Record<string, Settings> = {
  '': account,
  'first-touch': { ...account, attributionModel: 'first-touch' },
  'code-first': { ...account, attributionOrder: 'code-first' },
  'latest-click': { ...account, returningCustomers: 'latest-click' },
  'latest+code': { ...account, attributionOrder: 'code-first', returningCustomers: 'latest-click' },
}
const DOORS: Record<string, Door> = { provider: 'provider', api: 'api', webhook: 'incoming-webhook' }

/** Reads what a payment has. */
function factsOf(door: Door, text: string): MatchFacts {
  const facts: MatchFacts = { clicks: [], codes: codesOf('absent'), coupons: codesOf('absent'), leads: {}, unknown: [] }
  if (door === 'provider') facts.clickMissing = 'absent'
  for (const part of text === 'nothing' ? [] : text.split(', ')) {
    const [what, who, ...more] = part.split(' ') as [string, string, ...string[]]
    if (what === 'code') facts.codes = codesOf(who, more[0])
    else if (what === 'coupon') facts.coupons = codesOf(who, more[0])
    else if (what === 'click' && (who === 'expired' || who === 'unknown')) facts.clickMissing = who
    else if (what === 'click') facts.clicks.push({ named: namedBy('click', who, more), isGone: more.includes('gone') })
    else if (what === 'click-lead') facts.clicksLead = leadOf(who, more)
    else if (what === 'partner') facts.partner = namedBy('manual', who, more)
    else if (who === 'unknown') facts.unknown = [...facts.unknown, what as 'email']
    else facts.leads[what as 'email'] = leadOf(who, more)
  }
  return facts
}

const leadOf = (who: string, more: string[]): PayersLead => ({
  leadId: `lead of ${who}`,
  partnerId: who === 'nobody' ? null : who,
  hasSales: more.includes('bought'),
  rejected: more.includes('rejected'),
  inTime: !more.includes('late'),
})

const namedBy = (matchedBy: 'click' | 'manual', partnerId: string, more: string[]) => ({
  partnerId,
  blueprintId: null,
  clickId: null,
  model: more.includes('first-touch') ? ('first-touch' as const) : ('last-touch' as const),
  matchedBy,
})

/** Reads partners joined by `+`, or why there is none and perhaps who it would be. */
function codesOf(text: string, partnerId?: string): NamedByCodes {
  const [reason] = (['absent', 'unknown', 'inactive', 'given-later'] as const).filter((one) => one === text)
  const partners = (reason ? (partnerId ?? '') : text).split('+').filter(Boolean)
  const owners = partners.map((id) => ({ id, code: `${id}s-code` }))
  return { earning: reason ? [] : owners, missing: { outcome: reason ?? 'absent', partner: owners[0] } }
}

/** Says in a few words what was decided: the rule, whose the sale is, and what becomes of the lead. */
function inWords({ match, rule, refused }: Decision): string {
  if (refused) return `refused: ${refused}`
  if (!match) return 'nobody'
  if ('makeLead' in match) return `${rule}: ${match.makeLead.partnerId}, registered`
  const { leadId, moveTo, creditTo, knownBy } = match
  if (moveTo) return `${rule}: ${moveTo} gets ${leadId}`
  return creditTo ? `${rule}: ${creditTo.partnerId}, ${leadId} stays, known by ${knownBy}` : `${rule}: ${leadId}`
}

const toText = ({ rule, outcome, partnerId }: Decision['tried'][number]) =>
  [rule, outcome, ...(partnerId ? [partnerId] : [])].join(' ')

for (const [title, table] of Object.entries(ROWS))
  test(title, () => {
    for (const row of table.trim().split('\n')) {
      const [settings, doorName, payment, decided, others = ''] = `${row} `
        .trimStart()
        .split('|')
        .map((cell) => cell.trim())
      const door = DOORS[doorName!]!
      const decision = decideMatch(SETTINGS[settings!]!, door, factsOf(door, payment!))
      const listed = decision.tried.filter(({ outcome }) => outcome !== 'absent').map(toText)
      assert.deepEqual([inWords(decision), listed.join(', ')], [decided, others], row)
    }
  })

test('the rules before the one that decides are stored, also those without a value, and none after it', () => {
  const listRules = (door: Door, payment: string, settings = account) =>
    decideMatch(settings, door, factsOf(door, payment)).tried.map(({ rule }) => rule)
  const before = ['click', 'lead-id', 'code', 'customer', 'external-id', 'coupon']
  assert.deepEqual(listRules('provider', 'email ann'), before)
  assert.deepEqual(listRules('provider', 'nothing'), [...before, 'email'])
  assert.deepEqual(listRules('provider', 'code bob'), ['click', 'lead-id'])
  // an own system's lead is known by the first of its names
  assert.deepEqual(listRules('api', 'lead-id ann'), [])
  assert.deepEqual(listRules('api', 'code bob, external-id nobody'), ['lead-id'])
  assert.deepEqual(listRules('incoming-webhook', 'nothing'), ['lead-id', 'external-id', 'email', 'code', 'coupon'])
})

test('the rules have one order at each door, and the settings move those that name a partner', () => {
  const orders: [settings: string, Door, isReturning: boolean, MatchRule[]][] = [
    ['', 'provider', false, ['click', 'lead-id', 'code', 'customer', 'external-id', 'coupon', 'email']],
    ['code-first', 'provider', false, ['coupon', 'click', 'lead-id', 'code', 'customer', 'external-id', 'email']],
    ['latest-click', 'provider', true, ['click', 'code', 'coupon', 'lead-id', 'customer', 'external-id', 'email']],
    ['', 'api', false, ['lead-id', 'external-id', 'email', 'click', 'code', 'coupon']],
    ['latest+code', 'incoming-webhook', true, ['coupon', 'click', 'code', 'lead-id', 'external-id', 'email']],
  ]
  for (const [settings, door, isReturning, order] of orders)
    assert.deepEqual(getRuleOrder(SETTINGS[settings]!, { door, isReturning }), order)
})

test('whom a person or a file names gets the sale, unless its customer is another partner’s', () => {
  const rows: [settings: string, lead: string, effect: string][] = [
    ['', 'bob', 'theirs'],
    ['', 'nobody bought', 'moves'],
    ['', 'ann', 'of-another'],
    ['', 'ann bought', 'of-another'],
    ['latest-click', 'ann bought', 'sale-alone'],
    ['latest-click', 'ann', 'of-another'],
    ['latest-click', 'nobody bought', 'moves'],
    ['latest-click', 'bob bought', 'theirs'],
  ]
  for (const [settings, text, effect] of rows) {
    const [who, ...more] = text.split(' ')
    assert.equal(decideStated(SETTINGS[settings]!, leadOf(who!, more), 'bob'), effect, `${settings} ${text}`)
  }
})

test('only a first sale of a lead that its email or external ID found is judged by who paid before', () => {
  const isFirst = (payment: string) => {
    const { match } = decideMatch(account, 'provider', factsOf('provider', payment))
    return match !== null && 'leadId' in match && match.isFirst === true
  }
  for (const payment of ['email ann', 'external-id ann']) assert.equal(isFirst(payment), true, payment)
  for (const payment of ['email ann bought', 'customer ann', 'code ann, email ann', 'lead-id ann'])
    assert.equal(isFirst(payment), false, payment)
})
