import type { z } from 'zod'
import { eventDescriptions, type PublicEvent, publicEvents } from '#contract/events.ts'
import { listParts } from '#contract/merge-parts.ts'
import { moneyInWords } from '#contract/money.ts'
import { TEST_EVENT } from '#contract/outgoing-webhooks.ts'
import * as features from '#features/index.server.ts'
import { oneLine } from '../../platform/format-values.ts'
import { payoutName } from '../../program/payouts/payout-number.ts'
import { type Description, describeEvent, type Fact } from './describe-event.ts'

/** An event as people read it, in plain text: what happened, its facts, and where the owner sees more. */
export type Message = { title: string; facts: string[]; link: { label: string; url: string } }

const inWords = (slug: string) => slug.replaceAll('-', ' ')
const partnerScreen = ({ partnerId }: { partnerId: string }) => `/partners/${partnerId}`

/** The facts and the owner's screen of each kind of object that events contain. */
const descriptions = new Map<z.ZodObject, (object: never) => Description>([
  describeEvent('lead.created', ({ id, displayName, partnerName, status }) => ({
    facts: [
      ['Lead', displayName],
      ['Partner', partnerName],
      ['Status', inWords(status)],
    ],
    screen: `/leads/${id}`,
  })),
  describeEvent('sale.created', ({ leadId, leadName, partnerName, amount, currency, refundedAmount, status }) => ({
    facts: [
      ['Amount', amount === null ? null : moneyInWords(amount, currency)],
      ['Refunded', refundedAmount ? moneyInWords(refundedAmount, currency) : null],
      ['Customer', leadName],
      ['Partner', partnerName],
      ['Status', inWords(status)],
    ],
    screen: leadId ? `/leads/${leadId}` : '/leads?tab=sales',
  })),
  ...listParts(features, 'messages'),
  describeEvent('commission.created', ({ id, partnerName, amount, currency }) => ({
    facts: [
      ['Partner', partnerName],
      ['Amount', moneyInWords(amount, currency)],
    ],
    screen: `/commissions/${id}`,
  })),
  describeEvent('payout.due', (payout) => ({
    facts: [
      ['Payout', payoutName(payout)],
      ['Partner', payout.partnerName],
      ['Amount', moneyInWords(payout.payAmount, payout.currency)],
      ['Reason', payout.failureReason],
    ],
    screen: `/payouts/${payout.id}`,
  })),
  describeEvent('payment-file.created', ({ number, count, amount, currency }) => ({
    facts: [
      ['File', String(number)],
      ['Payouts', String(count)],
      ['Amount', moneyInWords(amount, currency)],
    ],
    screen: '/payouts',
  })),
  describeEvent('invoice.issued', ({ payoutId, number, partnerName, gross, currency }) => ({
    facts: [
      ['Invoice', number],
      ['Partner', partnerName],
      ['Amount', moneyInWords(gross, currency)],
    ],
    screen: `/payouts/${payoutId}`,
  })),
  describeEvent('partner.created', ({ id, displayName, groupName, state }) => ({
    facts: [
      ['Partner', displayName],
      ['Group', groupName],
      ['Status', state],
    ],
    screen: `/partners/${id}`,
  })),
  describeEvent('partner.payout-settings-updated', (state) => ({ facts: [], screen: partnerScreen(state) })),
  describeEvent('partner.tax-form-updated', (form) => ({
    facts: [['Form', form.kind.toUpperCase()]],
    screen: partnerScreen(form),
  })),
  describeEvent('partner.link-created', (link) => ({ facts: [['Link', link.name]], screen: partnerScreen(link) })),
  describeEvent('partner.agreement-accepted', (acceptance) => ({
    facts: [['Version', String(acceptance.version)]],
    screen: partnerScreen(acceptance),
  })),
  describeEvent('application.received', ({ firstName, lastName, partnerId }) => ({
    facts: [['Name', [firstName, lastName].filter(Boolean).join(' ')]],
    screen: partnerId ? `/partners/${partnerId}` : '/partners?tab=applications',
  })),
  describeEvent('group.created', ({ id, name }) => ({
    facts: [['Group', name]],
    screen: `/partners/groups/${id}`,
    list: '/partners?tab=groups',
  })),
  describeEvent('link-blueprint.created', ({ id, name }) => ({ facts: [['Link', name]], screen: `/links/${id}` })),
  describeEvent('payment-provider.connected', ({ provider, accountName, stateReason }) => ({
    facts: [
      ['Provider', inWords(provider)],
      ['Account', accountName],
      ['Reason', stateReason],
    ],
    screen: '/integrations/payment-providers',
  })),
])

const LONGEST_FACT = 100
const OPEN = 'Open in Tributary'

const short = (text: string) => {
  const characters = [...oneLine(text)]
  return characters.length > LONGEST_FACT ? `${characters.slice(0, LONGEST_FACT - 1).join('')}…` : characters.join('')
}

const toLines = (facts: Fact[]) =>
  facts.flatMap(([label, value]) => {
    const text = short(value ?? '')
    return text ? [`${label}: ${text}`] : []
  })

/** Returns the message of an event; its object is as the event contains it. `origin` is the owner's address. */
export function buildMessage(event: PublicEvent, object: object, origin: string): Message {
  const { facts, screen, list } = descriptions.get(publicEvents[event])!(object as never)
  // the screen of what was deleted is gone
  const path = event.endsWith('.deleted') ? (list ?? screen.slice(0, screen.lastIndexOf('/'))) : screen
  return { title: eventDescriptions[event], facts: toLines(facts), link: { label: OPEN, url: `${origin}${path}` } }
}

/** Returns the message of a test of this webhook; in a rehearsal, `rehearsed` is the event that would have been sent. */
export const testMessage = (webhookId: string, origin: string, rehearsed?: string): Message => ({
  title: rehearsed ? `Rehearsal: ${eventDescriptions[rehearsed as PublicEvent]}` : 'Test: this webhook works.',
  facts: [`Event: ${rehearsed ?? TEST_EVENT}`],
  link: { label: OPEN, url: `${origin}/integrations/outgoing-webhooks/${webhookId}` },
})
