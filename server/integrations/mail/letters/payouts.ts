import { moneyInWords } from '#contract/money.ts'
import type { BlockerCode } from '#contract/payouts.ts'
import { countInWords, daysInWords } from '../../../platform/in-words.ts'
import { payoutName } from '../../../program/payouts/payout-number.ts'
import {
  accountFirst,
  accountOf,
  andMore,
  becauseOwner,
  becausePartner,
  MOST_LINES,
  type Part,
  said,
  writer,
} from '../letter.ts'

type Payout = {
  accountName: string | null
  amount: number
  currency: string
  number: number
  /** Number of sales that earned it; zero for adjustments only. */
  sales: number
  period: { from: string; to: string } | null
  /** The last four digits of the bank account; null for other payout methods. */
  destination: string | null
  url: string
}

const sample: Payout = {
  accountName: 'Northwind',
  amount: 125_00,
  currency: 'usd',
  number: 12,
  sales: 9,
  period: { from: '2026-10-01', to: '2026-10-31' },
  destination: '•••••6789',
  url: 'https://partners.example.com/partner/payouts/01994f2e-3c1a-7d52-8e0b-5a1f6c2d9b10',
}

const amountOf = ({ amount, currency }: Payout) => moneyInWords(amount, currency)

const salesOf = ({ sales, period }: Payout) => {
  if (!period) return countInWords(sales, 'sale')
  const { from, to } = period
  const days = daysInWords(from, to)
  return `${countInWords(sales, 'sale')}, ${days}`
}

const factsOf = (payout: Payout, more: { label: string; value: string | null }[] = []): Part => ({
  facts: [
    { label: 'Amount', value: amountOf(payout) },
    { label: 'Statement', value: payoutName({ statementNumber: payout.number }) },
    ...(payout.sales > 0 ? [{ label: 'Sales', value: salesOf(payout) }] : []),
    ...[{ label: 'Bank account', value: payout.destination && said(payout.destination, '') }, ...more].flatMap(
      ({ label, value }) => (value ? [{ label, value }] : []),
    ),
  ],
})

export const payoutApproved = writer<Payout>(sample, (payout) => ({
  account: payout.accountName,
  subject: `Your payout of ${amountOf(payout)} was approved`,
  preview: 'We’ll email you when it’s sent.',
  parts: [`${accountFirst(payout.accountName)} approved your payout. We’ll email you when it’s sent.`, factsOf(payout)],
  button: { label: 'Open payout', url: payout.url },
  because: becausePartner(payout.accountName),
}))

/** `paid`: by hand, by other means than our transfer. */
export const payoutSent = writer<Payout & { paid: boolean; reference: string | null }>(
  { ...sample, paid: false, reference: null },
  ({ paid, reference, ...payout }) => ({
    account: payout.accountName,
    subject: `Your payout of ${amountOf(payout)} ${paid ? 'was paid' : 'is on its way'}`,
    preview: paid ? `Paid by ${accountOf(payout.accountName)}.` : 'It arrives within a few business days.',
    parts: [
      paid
        ? `${accountFirst(payout.accountName)} paid your payout.`
        : `${accountFirst(payout.accountName)} sent your payout to your bank account. It arrives within a few business days.`,
      factsOf(payout, [{ label: 'Reference', value: reference && said(reference, '') }]),
    ],
    button: { label: 'Open payout', url: payout.url },
    because: becausePartner(payout.accountName),
  }),
)

/** `reason` as the partner may see it; `mendable` if new payout details would help. */
export const payoutFailed = writer<Payout & { returned: boolean; reason: string | null; mendable: boolean }>(
  {
    ...sample,
    returned: false,
    reason: 'The account number is not valid.',
    mendable: true,
    url: 'https://partners.example.com/partner/settings',
  },
  ({ returned, reason, mendable, ...payout }) => ({
    account: payout.accountName,
    subject: `Your payout of ${amountOf(payout)} ${returned ? 'was returned' : 'could not be sent'}`,
    preview: mendable ? 'Please check your payout details.' : 'Your money isn’t lost.',
    parts: [
      returned
        ? `Your bank returned your payout from ${accountOf(payout.accountName)}. The money isn’t lost. It will be paid to you again.`
        : `Your payout from ${accountOf(payout.accountName)} could not be sent. The money isn’t lost. It stays yours until it’s paid.`,
      factsOf(payout, [{ label: 'Reason', value: reason && said(reason, '') }]),
      mendable
        ? 'Please check your payout details and enter them again.'
        : `There’s nothing you need to do. ${accountFirst(payout.accountName)} has been notified.`,
    ],
    button: { label: mendable ? 'Check payout details' : 'Open payout', url: payout.url },
    because: becausePartner(payout.accountName),
  }),
)

/** Why money waits, in the words shown to the partner everywhere, and who must act. */
type Waiting = {
  accountName: string | null
  amount: number
  currency: string
  blockers: { code: BlockerCode; message: string; isForPartner: boolean }[]
  url: string
}

/** The partner's next step; other blockers are up to the account. */
const todo: Partial<Record<BlockerCode, (account: string) => string>> = {
  'no-deposit-info': () => 'Enter the bank account that payouts go to.',
  'not-approved-this-year': (account) =>
    `${account} approves partners for payouts once a year. If a tax form is missing, they will ask you for it.`,
  'below-minimum': () => 'It’s paid once your balance reaches the minimum.',
  'deposit-info-changed-recently': () => 'For your safety, automatic payouts wait 72 hours after a change.',
}

const waitingOf = ({ accountName, blockers }: Waiting): Part => ({
  facts: blockers.map(({ code, message, isForPartner }) => ({
    label: message,
    value:
      todo[code]?.(accountFirst(accountName)) ??
      (isForPartner
        ? 'Check your payout details and enter them again.'
        : `${accountFirst(accountName)} takes care of this.`),
  })),
})

const waiting: Waiting = {
  accountName: 'Northwind',
  amount: 125_00,
  currency: 'usd',
  blockers: [{ code: 'no-deposit-info', message: 'Add your payout details', isForPartner: true }],
  url: 'https://partners.example.com/partner/settings',
}

export const payoutBlocked = writer<Waiting>(waiting, (data) => {
  const amount = moneyInWords(data.amount, data.currency)
  return {
    account: data.accountName,
    subject: `Your payout of ${amount} is waiting`,
    preview: data.blockers.map(({ message }) => message).join(' · '),
    parts: [`${accountFirst(data.accountName)} has ${amount} for you. It can’t be paid yet:`, waitingOf(data)],
    button: { label: 'Open payout settings', url: data.url },
    because: becausePartner(data.accountName),
  }
})

export const payoutReminder = writer<Waiting & { last: boolean }>({ ...waiting, last: false }, ({ last, ...data }) => {
  const amount = moneyInWords(data.amount, data.currency)
  return {
    account: data.accountName,
    subject: `Reminder: ${amount} is waiting for you`,
    preview: data.blockers.map(({ message }) => message).join(' · '),
    parts: [
      `${accountFirst(data.accountName)} still has ${amount} for you. To get paid:`,
      waitingOf(data),
      ...(last ? ['This is the last reminder. The money stays yours.'] : []),
    ],
    button: { label: 'Open payout settings', url: data.url },
    because: becausePartner(data.accountName),
  }
})

type DetailsNeeded = Pick<Waiting, 'accountName' | 'amount' | 'currency' | 'url'> & { details: 'missing' | 'wrong' }

/** Requested by the account's owner; `amount` would be paid now, if any. */
export const payoutDetailsReminder = writer<DetailsNeeded>(
  { accountName: 'Northwind', amount: 125_00, currency: 'usd', details: 'missing', url: waiting.url },
  ({ accountName, amount, currency, details, url }) => {
    const account = accountFirst(accountName)
    const isMissing = details === 'missing'
    const waits = amount > 0 ? `${moneyInWords(amount, currency)} is waiting for you.` : ''
    return {
      account: accountName,
      subject: isMissing ? 'Reminder: add your payout details' : 'Reminder: correct your payout details',
      preview: waits || (isMissing ? 'So that you can be paid.' : 'Payments to them did not arrive.'),
      parts: [
        isMissing
          ? `${account} asks you to enter the bank account that payouts go to.`
          : `${account} could not pay to the bank account you entered. Please check your payout details and enter them again.`,
        ...(waits ? [waits] : []),
      ],
      button: { label: 'Open payout settings', url },
      because: becausePartner(accountName),
    }
  },
)

type Troubled = {
  accountName: string | null
  currency: string
  count: number
  payouts: {
    partner: string
    amount: number
    status: 'failed' | 'returned' | 'awaiting-funding'
    reason: string | null
  }[]
  url: string
}

const statusWords = { failed: 'Failed', returned: 'Returned', 'awaiting-funding': 'Awaiting funding' }

export const payoutAttention = writer<Troubled>(
  {
    accountName: 'Northwind',
    currency: 'usd',
    count: 2,
    payouts: [
      { partner: 'Pia Tern', amount: 125_00, status: 'failed', reason: 'The account number is not valid.' },
      { partner: 'Sam Swift', amount: 80_00, status: 'awaiting-funding', reason: 'Not enough balance.' },
    ],
    url: 'https://partners.example.com/payouts?tab=needs-action',
  },
  ({ accountName, currency, count, payouts, url }) => ({
    account: accountName,
    subject:
      count === 1 && payouts[0]
        ? `A payout to ${said(payouts[0].partner, 'a partner')} needs your attention`
        : `${countInWords(count, 'payout')} need your attention`,
    preview: 'Failed, returned or waiting for funds.',
    parts: [
      count === 1
        ? `A payout of ${accountOf(accountName)} is stuck and needs you.`
        : `${countInWords(count, 'payout')} of ${accountOf(accountName)} are stuck and need you.`,
      {
        facts: payouts.slice(0, MOST_LINES).map(({ partner, amount, status, reason }) => ({
          label: said(partner, 'A partner'),
          value: `${moneyInWords(amount, currency)}, ${statusWords[status].toLowerCase()}`,
          note: reason && said(reason, ''),
        })),
      },
      ...andMore(count, Math.min(payouts.length, MOST_LINES)),
    ],
    button: { label: 'Open payouts', url },
    because: becauseOwner(accountName),
  }),
)

export const payoutsPaused = writer<{ accountName: string | null; url: string }>(
  { accountName: 'Northwind', url: 'https://partners.example.com/payouts/reconciliation' },
  ({ accountName, url }) => ({
    account: accountName,
    subject: 'Payouts are paused: the database may be an older copy',
    preview: 'Nothing is paid until you’ve compared the transfers.',
    parts: [
      `Transfers were made that the partner program of ${accountOf(accountName)} doesn’t know, or its database was restored. So that nobody is paid twice, no payout is approved or sent for now. Outgoing webhooks may wait, too.`,
      'Compare what was paid with your ledger, decide on transfers it doesn’t know, and resume payouts.',
    ],
    button: { label: 'Compare transfers', url },
    because: becauseOwner(accountName),
  }),
)
