import { formatNumber, formatPlural, type Word } from './plural.ts'

/** The words of fraud review. */
export const caseWords = {
  desk: 'Fraud review',
  plural: 'cases',
  rule: 'Rule',
  evidence: 'Evidence',
  saleOf: ({ lead }: { lead: Word }) => `Sale to ${lead}`,
  leadOf: ({ lead }: { lead: Word }) => `Lead ${lead}`,
  newSales: 'All new sales',
  about: 'About',
  someone: 'a customer',
  held: 'On hold',
  releasedOn: 'Released on',
  decided: 'Decided',
  suspended: 'Suspended',
  none: 'Cases appear here when a fraud rule finds something.',
  setRules: 'Set fraud rules',
  decisions: {
    released: ({ name }: { name: Word }) => `Released by ${name}`,
    voided: ({ name }: { name: Word }) => `Voided by ${name}`,
  },
  formerUser: 'a former user',
  expired: 'Released after 30 days',
  asked: ({ question }: { question: Word }) => `You asked: ${question}`,
  answered: ({ answer }: { answer: Word }) => `Answer: ${answer}`,
  release: {
    action: 'Release',
    heading: 'Release case',
    done: 'Case released',
    held: ({ amount }: { amount: Word }) => `${amount} in commission is released.`,
    flag: 'The case is closed. Nothing was on hold.',
  },
  void: {
    action: 'Void sale',
    actionMany: 'Void sales on hold',
    heading: 'Void sale',
    headingMany: 'Void sales on hold',
    done: 'Sale voided',
    doneMany: 'Sales voided',
    why: ({ amount }: { amount: Word }) => `The sale no longer counts, and ${amount} in commission is reversed.`,
    whyMany: ({ count, amount }: { count: number; amount: Word }) =>
      formatPlural(
        count,
        `What this case holds no longer counts: ${formatNumber(count)} sale, and ${amount} in commission.`,
        `What this case holds no longer counts: ${formatNumber(count)} sales, and ${amount} in commission.`,
      ),
    plain: 'The sale no longer counts, and its commission is reversed.',
  },
  suspend: {
    action: 'Suspend partner',
    heading: 'Suspend partner',
    done: 'Partner suspended',
    why: ({ partner }: { partner: Word }) =>
      `${partner} earns nothing new and isn’t paid while suspended. The case stays open.`,
  },
  ask: {
    action: 'Ask partner',
    heading: 'Ask partner',
    submit: 'Send question',
    question: 'Question',
    done: 'Question sent',
    why: ({ partner }: { partner: Word }) =>
      `${partner} gets it by email and answers on the dashboard. They don’t see the evidence.`,
  },
} as const

/** The words of a question to a partner. */
export const questionWords = {
  heading: ({ account }: { account: Word }) => `A question from ${account}`,
  answer: 'Answer',
  send: 'Send answer',
  sent: 'Answer sent',
}

/** The words of the settings of fraud rules. */
export const fraudWords = {
  heading: 'Fraud rules',
  why: 'A finding opens a case in Fraud review. A hold ends after 30 days without a decision. Self-referrals, set on the tab Commission, compare the customer’s email, card and network of the day with the partner’s.',
  openDesk: 'Open fraud review',
  save: 'Save fraud rules',
  saved: 'Fraud rules saved',
  help: {
    existingCustomer: 'The customer bought before the visit or referral.',
    paidAds: 'The visit came from an ad, such as one on your own name.',
    bannedReferrer: 'The visit came from a site on your list.',
    duplicatePartner: 'Two partners share payout details, or applied from the same network on the same day.',
    refundRate: 'Too many refunds or lost disputes in 90 days, from four customers on.',
    speed: 'A partner has more leads within an hour than this.',
    disposableMail: 'The customer’s email is a throwaway address.',
  },
  campaigns: 'Your Own Campaigns',
  campaignsHelp: 'Values of utm_campaign, utm_id, gad_campaignid or campaignid of your own ads.',
  addCampaign: 'Add a campaign',
  hosts: 'Banned Sites',
  hostsHelp: 'Use * for any beginning or end: *.coupons.example, deals*.',
  addHost: 'Add a site',
  percent: 'Refunds from (%)',
  leadsPerHour: 'Leads an Hour',
} as const
