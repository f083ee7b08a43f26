import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CommissionEntry } from '#contract/commissions.ts'
import { leadPayTitle } from '#contract/entry-title.ts'
import { formatTag } from '#contract/language.ts'
import { minorDigits } from '#contract/money.ts'
import { type Paydays, paydayAfter } from '#contract/paydays.ts'
import { getPayout, type Payout } from '#contract/payouts.ts'
import type { Receipt } from '#contract/sales.ts'
import { paymentDays } from '#contract/statement.ts'
import { apiQuery } from '../../calls.ts'
import { formatDate, formatDateAt, formatLongDateTime, formatMoney, formatRate, todayIn } from '../../format.ts'
import { reachedInWords } from '../../shared/goals.ts'
import { ToLead } from '../../shared/links.tsx'
import { MoneyLink } from '../../shared/MoneyLink.tsx'
import { PaidParts } from '../../shared/PaidParts.tsx'
import { balanceQuery } from '../../shared/queries.ts'
import { isTeam } from '../../shared/roles.ts'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { TestBadge } from '../../shared/TestBadge.tsx'
import { useAccount, useRole } from '../../shell/current.ts'
import { PayoutLink } from '../../shell/PayoutLink.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Fold } from '../../ui/Fold.tsx'
import { Message } from '../../ui/Message.tsx'
import { Name } from '../../ui/Name.tsx'
import { StepMark, type StepState } from '../../ui/StepMark.tsx'
import { fieldWords } from '../../words/fields.ts'
import { saleWords } from '../../words/leads.ts'
import { payoutWords } from '../../words/payouts.ts'
import { OtherRules } from './OtherRules.tsx'
import { hasPayer, Payer } from './Payer.tsx'
import styles from './ReceiptSteps.module.css'
import { computeShare } from './share.ts'
import { addedBy } from './words.ts'

type Step = {
  name: 'click' | 'lead' | 'rule' | 'sale' | EntryStep | LaterStep
  state: StepState
  /** The event, or the reason for waiting, in words. */
  why?: ReactNode
  /** Shown before the facts. */
  details?: ReactNode
  facts?: (Fact | null)[]
  below?: ReactNode
}
type EntryStep = 'terms' | 'share' | 'reversal' | 'restoration' | 'adjustment' | 'bonus'
type LaterStep = 'corrections' | 'hold' | 'payout' | 'bank'

/** A receipt with its reader's time zone and rights. */
type Reading = Receipt & { timeZone: string; readOnly: boolean }

/** The steps of an amount from click to bank, with the reason for each. */
export function ReceiptSteps({ receipt }: { receipt: Receipt }) {
  const { timeZone, paydays } = useAccount()
  const reading = { ...receipt, timeZone, readOnly: !isTeam(useRole()) }
  const { entry } = receipt
  const payout = useQuery({
    ...apiQuery(getPayout, { params: { id: entry.payoutId ?? '' } }),
    enabled: entry.payoutId !== null,
  }).data
  const standing = useQuery({
    ...balanceQuery(entry.partnerId),
    enabled: entry.status === 'due',
  }).data
  // Only blockers that stop a payout move its day; others are about the rest of the balance.
  const stopped = standing !== undefined && !isSoon(standing.nextPayoutDate, paydays, todayIn(timeZone))
  const blockers = stopped ? standing.blockers.map(({ message }) => message) : []
  const steps = [
    ...(receipt.sale || entry.paidFor ? [clickOf(reading), leadOf(reading), ruleOf(reading), saleOf(reading)] : []),
    amountOf(reading),
    correctionsOf(reading),
    holdOf(reading),
    payoutOf(reading, payout, blockers),
    bankOf(reading, payout),
  ].filter((step) => step !== null)
  return (
    <ol aria-label={saleWords.receipt.steps} className={`stack ${styles.steps}`}>
      {steps.map((step) => (
        <StepLine key={step.name} step={step} />
      ))}
    </ol>
  )
}

/** Whether this is the next payday: today, or the first after today's run. */
function isSoon(date: string | null, paydays: Paydays, today: string) {
  if (paydays.every === 'day') return date === today
  return date !== null && date <= paydayAfter(paydays, today)
}

function StepLine({ step: { name, state, why, details, facts = [], below } }: { step: Step }) {
  const known = facts.filter((fact) => fact !== null)
  const label = saleWords.receipt.step[name]
  return (
    <li
      data-state={state}
      aria-label={label}
      aria-current={state === 'now' || state === 'waits' ? 'step' : undefined}
      className="row top gap-3"
    >
      <StepMark state={state} />
      <div className={`stack gap-1 rest wrap ${state === 'ahead' ? 'muted' : ''}`}>
        <strong>{label}</strong>
        {why && <p>{why}</p>}
        {details}
        {known.length > 0 && <Facts beside label={label} facts={known} />}
        {below}
      </div>
    </li>
  )
}

function clickOf({ click, lead, timeZone, readOnly }: Reading): Step | null {
  if (!lead) return null
  if (!click) {
    const why = lead.clickId ? saleWords.receipt.clickForgotten : saleWords.receipt.noClick[lead.source]
    return { name: 'click', state: lead.clickId ? 'done' : 'ahead', why }
  }
  const { at, blueprintId, linkName, referrer, landingPath } = click
  const link =
    blueprintId && linkName && !readOnly ? (
      <Link to="/links/$blueprintId" params={{ blueprintId }}>
        {linkName}
      </Link>
    ) : (
      linkName
    )
  return {
    name: 'click',
    state: 'done',
    why: saleWords.receipt.clicked({ at: formatLongDateTime(at, timeZone) }),
    facts: [
      link ? { label: fieldWords.link, value: <Name>{link}</Name> } : null,
      readOnly ? null : { label: saleWords.receipt.referrer, value: referrer ?? saleWords.receipt.direct },
      landingPath ? { label: saleWords.receipt.landing, value: landingPath } : null,
    ],
  }
}

function leadOf({ lead, timeZone }: Reading): Step {
  if (!lead) return { name: 'lead', state: 'done', why: saleWords.receipt.leadHidden }
  return {
    name: 'lead',
    state: 'done',
    why: saleWords.receipt.leadSince({ date: formatDateAt(lead.createdAt, timeZone) }),
    facts: [
      {
        label: fieldWords.name,
        value: (
          <Name>
            <ToLead id={lead.id}>{lead.displayName}</ToLead>
          </Name>
        ),
      },
    ],
  }
}

function ruleOf({ match, readOnly }: Reading): Step | null {
  if (!match) return null
  const { why, others } = match
  return {
    name: 'rule',
    state: 'done',
    why: saleWords.receipt.sentence({ text: why }),
    below: !readOnly && others.length > 0 && (
      <Fold label={saleWords.receipt.others({ count: others.length })}>
        <OtherRules label={saleWords.match.others} others={others} />
      </Fold>
    ),
  }
}

function saleOf({ sale, readOnly, openEvents, timeZone }: Reading): Step | null {
  if (!sale) return null
  const { amount, grossAmount, taxAmount, currency, accountCurrency, accountAmount, fxRate, fxDate } = sale
  const money = (minor: number) => formatMoney(minor, currency, accountCurrency)
  const date = formatDate(sale.saleDate)
  const source = readOnly && sale.provider === 'api' ? saleWords.receipt.byCompany : addedBy(sale.provider)
  return {
    name: 'sale',
    state: sale.status === 'void' || sale.status === 'charged-back' || sale.status === 'refunded' ? 'failed' : 'done',
    why:
      amount === null
        ? saleWords.receipt.soldHidden({ date, source })
        : saleWords.receipt.sold({ amount: money(amount), date, source }),
    facts: [
      sale.status === 'completed'
        ? null
        : { label: fieldWords.status, value: <StatusBadge of="sale" status={sale.status} /> },
      sale.livemode === false ? { label: saleWords.receipt.mode, value: <TestBadge livemode={false} /> } : null,
      taxAmount ? { label: fieldWords.tax, value: money(taxAmount) } : null,
      grossAmount !== null && grossAmount !== amount
        ? { label: saleWords.receipt.gross, value: money(grossAmount) }
        : null,
      fxRate !== null && accountAmount !== null && currency !== accountCurrency
        ? {
            label: saleWords.receipt.exchanged,
            value: saleWords.receipt.exchange({
              from: currency.toUpperCase(),
              rate: fxRate,
              to: accountCurrency.toUpperCase(),
              date: fxDate ? formatDate(fxDate) : date,
              amount: formatMoney(accountAmount, accountCurrency),
            }),
          }
        : null,
      sale.refundedAmount ? { label: saleWords.receipt.refunded, value: money(-sale.refundedAmount) } : null,
      !readOnly && hasPayer(sale) ? { label: saleWords.columns.payer, value: <Payer of={sale} /> } : null,
      sale.externalId ? { label: fieldWords.externalId, value: sale.externalId } : null,
    ],
    below: openEvents.length > 0 && <OpenEvents events={openEvents} timeZone={timeZone} />,
  }
}

/** Warns of events of the sale that are not booked yet: the amounts may lack them. */
const OpenEvents = ({ events, timeZone }: { events: Receipt['openEvents']; timeZone: string }) => (
  <Message kind="warning">
    {saleWords.receipt.openEvents({ count: events.length })}
    <ul>
      {events.map(({ id, connectionId, type, at, reason }) => (
        <li key={id}>
          <Link
            to="/integrations/payment-providers/$connectionId/events"
            params={{ connectionId }}
            search={{ delivery: id }}
          >
            {saleWords.receipt.openEvent({ type, at: formatLongDateTime(at, timeZone) })}
          </Link>{' '}
          {reason}
        </li>
      ))}
    </ul>
  </Message>
)

/** The entry's own step: the terms, the rate or the goal, and the resulting amount, or why it was booked without a rate. */
function amountOf(reading: Reading): Step {
  const { entry, rate, sale, terms, goal, timeZone } = reading
  const amount: Fact = { label: saleWords.receipt.amounts[entry.kind], value: moneyOf(entry), strong: true }
  const reason = entry.reason ? { label: fieldWords.reason, value: entry.reason } : null
  const day = formatDateAt(entry.createdAt, timeZone)
  const leadPay = entry.paidFor && saleWords.receipt.sentence({ text: leadPayTitle(entry, entry.paidFor) })
  if (leadPay && entry.kind !== 'earned')
    return { name: entry.kind, state: 'done', why: leadPay, facts: [reason, amount] }
  if (goal)
    return {
      name: 'bonus',
      state: 'done',
      why: reachedInWords(goal, entry.currency, todayIn(timeZone)),
      // the reason repeats the goal, unless the bonus is taken back
      facts: [entry.amount < 0 ? reason : null, amount],
    }
  if (entry.kind === 'adjustment' || entry.kind === 'bonus')
    return {
      name: entry.kind,
      state: 'done',
      why: saleWords.receipt.booked({ date: day }),
      facts: [reason, amount],
    }
  if (entry.kind !== 'earned') {
    const refund = sale?.refunds.find(({ id }) => id === entry.refundId)
    const cause = refund ? refund.kind : sale?.status === 'void' ? 'void' : 'limit'
    const earned = sale?.commissions.find(
      ({ kind, layer, partnerId }) => kind === 'earned' && layer === entry.layer && partnerId === entry.partnerId,
    )
    return {
      name: entry.kind,
      state: 'done',
      why: saleWords.receipt[entry.kind === 'reversal' ? 'takenBack' : 'givenBack'][cause]({
        date: refund ? formatDateAt(refund.at, timeZone) : day,
      }),
      facts: [
        earned ? { label: saleWords.receipt.amounts.earned, value: <MoneyLink of={earned} /> } : null,
        reason,
        amount,
      ],
    }
  }
  const share = computeShare(reading)
  const exact =
    share && share.kind !== 'exact' && share.kind !== 'given'
      ? { label: saleWords.receipt[share.kind], value: exactly(share.exact, entry.currency) }
      : null
  if (terms) {
    const { source, sourceName: name, version, referredAt, cap } = terms
    const money = (minor: number) => formatMoney(minor, entry.currency)
    const isCut = cap !== null && cap.kept < cap.planned
    return {
      name: 'terms',
      state: 'done',
      why: [
        leadPay,
        saleWords.receipt.version({
          terms: saleWords.receipt.termsOf[source]({ name }),
          version,
          date: formatDateAt(referredAt ?? entry.createdAt, timeZone),
        }),
      ]
        .filter(Boolean)
        .join(' '),
      details: (
        <>
          <PaidParts parts={terms.parts} currency={entry.currency} />
          {isCut && <p>{saleWords.receipt.cap[cap.kind]({ limit: money(cap.limit), used: money(cap.used) })}</p>}
        </>
      ),
      facts: [{ label: saleWords.receipt.layer, value: (entry.layer ?? 0) + 1 }, isCut ? null : exact, amount],
    }
  }
  return {
    name: 'share',
    state: 'done',
    why:
      rate &&
      [
        saleWords.receipt.rateOf({ rate: formatRate(rate.percent), layer: rate.layer + 1 }),
        rate.source && saleWords.receipt.sources[rate.source],
      ]
        .filter(Boolean)
        .join(', '),
    facts: [
      entry.baseAmount === null
        ? null
        : { label: saleWords.receipt.base, value: formatMoney(entry.baseAmount, entry.currency) },
      exact,
      share?.kind === 'given' ? { label: saleWords.receipt.why, value: saleWords.receipt.given } : null,
      amount,
    ],
  }
}

const moneyOf = ({ amount, currency }: CommissionEntry) => formatMoney(amount, currency)

/** Formats an amount with more decimals than its currency has. */
const exactly = (decimal: string, currency: string) =>
  new Intl.NumberFormat(formatTag(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: minorDigits(currency) + 6,
  }).format(decimal as `${number}`)

function correctionsOf({ entry, corrections, timeZone }: Reading): Step | null {
  if (corrections.length === 0) return null
  const left = corrections.reduce((sum, { amount }) => sum + amount, entry.amount)
  const named = ({ kind, reason, createdAt }: CommissionEntry) => {
    // An adjustment's reason already names what it settles.
    if (kind === 'adjustment') return reason ?? saleWords.receipt.amounts.adjustment
    const date = formatDateAt(createdAt, timeZone)
    return (kind === 'restoration' ? saleWords.receipt.restored : saleWords.receipt.reversed)({ date })
  }
  return {
    name: 'corrections',
    state: 'done',
    why: saleWords.receipt.corrected({ count: corrections.length }),
    facts: [
      ...corrections.map((one, at) => {
        const name = named(one)
        const again = corrections.slice(0, at).some((before) => named(before) === name)
        return { label: again ? `${name} (${at + 1})` : name, value: <MoneyLink of={one} /> }
      }),
      { label: saleWords.receipt.left, value: formatMoney(left, entry.currency), strong: true, sum: true },
    ],
  }
}

function holdOf({ entry, hold, sale, timeZone }: Reading): Step {
  const { status } = entry
  if (status === 'void')
    return {
      name: 'hold',
      state: 'failed',
      why: saleWords.receipt.voided,
      facts: [sale?.voidReason ? { label: saleWords.receipt.why, value: sale.voidReason } : null],
    }
  if (!hold)
    return {
      name: 'hold',
      state: 'done',
      why: saleWords.receipt.payableSince({ date: formatDateAt(entry.availableAt, timeZone) }),
    }
  return {
    name: 'hold',
    state: status === 'held' ? 'now' : 'waits',
    facts: [
      {
        label: status === 'held' ? fieldWords.heldUntil : saleWords.receipt.onHold,
        value: hold.until ? formatDateAt(hold.until, timeZone) : saleWords.receipt.dispute,
      },
      { label: saleWords.receipt.why, value: hold.reason },
    ],
  }
}

function payoutOf(
  { entry, hold, payout, earlierPayouts, timeZone }: Reading,
  of: Payout | undefined,
  blockers: string[],
): Step | null {
  if (entry.status === 'void') return null
  const earlier = earlierPayouts.map((one, at) => ({
    label: at === 0 ? saleWords.receipt.earlier : saleWords.receipt.earlierAgain({ number: at + 1 }),
    value: <PayoutName of={one} />,
  }))
  if (payout)
    return {
      name: 'payout',
      state: payoutStates[payout.status] ?? 'now',
      why: saleWords.receipt.payouts[payout.status],
      facts: [
        { label: fieldWords.payout, value: <PayoutName of={payout} /> },
        of?.approvedAt ? { label: saleWords.receipt.approvedOn, value: formatDateAt(of.approvedAt, timeZone) } : null,
        ...earlier,
      ],
    }
  if (entry.status !== 'due') {
    const from = hold?.until ? formatDateAt(hold.until, timeZone) : null
    const why = from ? saleWords.receipt.payoutFrom({ date: from }) : saleWords.receipt.payoutAfterHold
    return { name: 'payout', state: 'ahead', why, facts: earlier }
  }
  return {
    name: 'payout',
    state: blockers.length > 0 ? 'waits' : 'now',
    why:
      entry.amount < 0
        ? saleWords.receipt.takenOff
        : blockers.length
          ? saleWords.receipt.blocked
          : saleWords.receipt.next,
    facts: [
      ...(entry.amount < 0
        ? []
        : blockers.map((message, at) => ({
            label: at === 0 ? saleWords.receipt.blocker : saleWords.receipt.blockerAgain({ number: at + 1 }),
            value: message,
            warns: true,
          }))),
      ...earlier,
    ],
  }
}

const payoutStates: Partial<Record<Payout['status'], Step['state']>> = {
  sent: 'done',
  paid: 'done',
  'awaiting-funding': 'waits',
  failed: 'failed',
  returned: 'failed',
}

/** The last step: where the money was sent, or what it waits for. */
function bankOf({ entry, payout, timeZone, readOnly }: Reading, of: Payout | undefined): Step | null {
  if (entry.status === 'void') return null
  if (entry.amount < 0) return { name: 'bank', state: 'ahead', why: saleWords.receipt.nothingSent }
  if (!payout) return { name: 'bank', state: 'ahead', why: saleWords.receipt.bankAhead }
  const transfer = of?.attempts.findLast(({ wiseTransferId }) => wiseTransferId !== null)?.wiseTransferId
  const reached = isAtBank(payout.status) ? payout.status : null
  const day = (at: string | null) => at && formatDateAt(at, timeZone)
  const days = of && paymentDays(of, { day, dayInWords: formatDate })
  return {
    name: 'bank',
    state: reached ? bankStates[reached] : 'ahead',
    why: saleWords.receipt.bank[reached ?? 'ahead'],
    facts: [
      payout.destination ? { label: saleWords.receipt.destination, value: payout.destination } : null,
      days?.sent ? { label: saleWords.receipt.sentOn, value: days.sent } : null,
      days?.paid ? { label: fieldWords.paidOn, value: days.paid } : null,
      of?.failureReason ? { label: saleWords.receipt.why, value: of.failureReason, warns: true } : null,
      of?.externalReference ? { label: saleWords.receipt.reference, value: of.externalReference } : null,
      transfer && !readOnly ? { label: saleWords.receipt.transfer, value: transfer } : null,
    ],
  }
}

const bankStates = { sent: 'now', paid: 'done', failed: 'failed', returned: 'failed' } as const
const isAtBank = (status: Payout['status']): status is keyof typeof bankStates => status in bankStates

type Numbered = { id: string; number: number; status: Payout['status'] }

/** A link to the payout's page, with its status. */
const PayoutName = ({ of: { id, number, status } }: { of: Numbered }) => (
  <>
    <PayoutLink id={id}>{payoutWords.number({ number })}</PayoutLink>
    {`, ${statusLabel('payout', status)}`}
  </>
)
