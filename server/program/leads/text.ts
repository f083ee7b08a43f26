import type { Word } from '#contract/format.ts'
import type { LeadStatus } from '#contract/leads.ts'
import { defineWords } from '#contract/words.ts'
import { storedTexts } from '../../platform/stored-texts.ts'

type Of = { of: Word }
type PayoutOf = Of & { payout: Word }

/** Texts about leads that partners read too: names of those without a name that they may see, and timelines. */
export const leadPhrases = defineWords('lead-phrases', 'server', {
  names: {
    lead: ({ id }: { id: Word }) => `Lead ${id}`,
    erased: ({ id }: { id: Word }) => `Erased lead ${id}`,
    friend: ({ number }: { number: Word }) => `Friend ${number}`,
  },
  // stored in events, in English, by all who write them
  made: {
    embed: 'Submitted through a form on the website',
    manual: 'Added manually',
    api: 'Sent by your systems',
    'incoming-webhook': 'Received from a webhook',
    provider: 'Created by a payment',
    import: 'Imported',
    partner: 'Registered by the partner',
  },
  lines: {
    known: 'Already registered',
    credited: 'Credited to the partner',
    emailCorrected: 'Email corrected',
    samePerson: 'The same person as another lead',
    erased: 'Erased',
    reassigned: 'Reassigned',
    wonBySale: 'Won by a sale',
    allRefunded: 'Qualified again: all sales were refunded',
    protectionEnded: 'Expired: protection ended',
    earlierDeleted: 'New: the earlier registration was deleted',
  },
  statuses: {
    new: 'New',
    qualified: 'Qualified',
    won: 'Won',
    lost: 'Lost',
    rejected: 'Rejected',
    expired: 'Expired',
    duplicate: 'Duplicate',
  } satisfies Record<LeadStatus, string>,
  statusesAgain: {
    new: 'New again',
    qualified: 'Qualified again',
    won: 'Won again',
    lost: 'Lost again',
    rejected: 'Rejected again',
    expired: 'Expired again',
    duplicate: 'Duplicate again',
  } satisfies Record<LeadStatus, string>,
  click: 'Clicked a link',
  clickOn: ({ link }: { link: Word }) => `Clicked a link: ${link}`,
  sale: 'Sale',
  saleOf: ({ of }: Of) => `Sale of ${of}`,
  voidedSale: 'Sale, voided',
  voidedSaleOf: ({ of }: Of) => `Sale of ${of}, voided`,
  refund: { pending: 'Refund', succeeded: 'Refund', failed: 'Refund, failed', canceled: 'Refund, canceled' },
  refundOf: {
    pending: ({ of }: Of) => `Refund of ${of}`,
    succeeded: ({ of }: Of) => `Refund of ${of}`,
    failed: ({ of }: Of) => `Refund of ${of}, failed`,
    canceled: ({ of }: Of) => `Refund of ${of}, canceled`,
  },
  dispute: {
    pending: 'Dispute, open',
    succeeded: 'Dispute, lost',
    failed: 'Dispute, won',
    canceled: 'Dispute, canceled',
  },
  disputeOf: {
    pending: ({ of }: Of) => `Dispute of ${of}, open`,
    succeeded: ({ of }: Of) => `Dispute of ${of}, lost`,
    failed: ({ of }: Of) => `Dispute of ${of}, won`,
    canceled: ({ of }: Of) => `Dispute of ${of}, canceled`,
  },
  payouts: {
    open: ({ payout, of }: PayoutOf) => `Payout ${payout} open: ${of}`,
    due: ({ payout, of }: PayoutOf) => `Payout ${payout} due: ${of}`,
    approved: ({ payout, of }: PayoutOf) => `Payout ${payout} approved: ${of}`,
    processing: ({ payout, of }: PayoutOf) => `Payout ${payout} processing: ${of}`,
    'awaiting-funding': ({ payout, of }: PayoutOf) => `Payout ${payout} awaiting funding: ${of}`,
    sent: ({ payout, of }: PayoutOf) => `Payout ${payout} sent: ${of}`,
    paid: ({ payout, of }: PayoutOf) => `Payout ${payout} paid: ${of}`,
    failed: ({ payout, of }: PayoutOf) => `Payout ${payout} failed: ${of}`,
    returned: ({ payout, of }: PayoutOf) => `Payout ${payout} returned: ${of}`,
    canceled: ({ payout, of }: PayoutOf) => `Payout ${payout} canceled: ${of}`,
  },
})

const { made, lines, statuses, statusesAgain } = leadPhrases

/** Returns a stored line of a timeline in the current language. */
export const translateLine = storedTexts(made, lines, statuses, statusesAgain)
