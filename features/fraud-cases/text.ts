import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of fraud review. */
export const caseWords = {
  plural: 'cases',
  rule: 'Rule',
  evidence: 'Evidence',
  saleOf: ({ lead }: { lead: Word }) => `Sale to ${lead}`,
  leadOf: ({ lead }: { lead: Word }) => `Lead ${lead}`,
  newSales: 'All new sales',
  about: 'About',
  someone: 'a customer',
  held: 'On hold',
  holding: ({ amount }: { amount: Word }) => `${amount} in commission is on hold for them.`,
  onHold: ({ count, amount }: { count: number; amount: Word }) => `${formatNumber(count)} open · ${amount} on hold`,
  releasedOn: 'Released on',
  decided: 'Decided',
  decide: 'Decision',
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
    many: ({ count }: { count: number }) =>
      formatPlural(count, `Release ${formatNumber(count)} case`, `Release ${formatNumber(count)} cases`),
    soon: ({ count }: { count: Word }) =>
      count === '1' ? 'Case is being released' : `${count} cases are being released`,
    releasing: 'Releasing',
    undone: ({ count }: { count: number }) =>
      formatPlural(count, 'The case stays open', `${formatNumber(count)} cases stay open`),
    tooLate: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Too late: ${formatNumber(count)} case was already released.`,
        `Too late: ${formatNumber(count)} cases were already released.`,
      ),
    held: ({ amount }: { amount: Word }) => `${amount} in commission is released.`,
    flag: 'The case is closed. Nothing was on hold.',
  },
  void: {
    action: 'Void sale',
    actionMany: 'Void sales on hold',
    heading: 'Void sale',
    many: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Void the sales of ${formatNumber(count)} case`,
        `Void the sales of ${formatNumber(count)} cases`,
      ),
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
    why: ({ partner }: { partner: Word }) =>
      `${partner} gets it by email and answers on the dashboard. They don’t see the evidence.`,
  },
} as const
