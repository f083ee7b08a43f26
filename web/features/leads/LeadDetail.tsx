import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import { changeLead, type Lead } from '#contract/leads.ts'
import { createSale, type Sale } from '#contract/sales.ts'
import { formatDate, formatDateAt, formatMoney, formatRate } from '../../format.ts'
import { personActions } from '../../shared/erase-person.tsx'
import { leadQuery } from '../../shared/queries.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { ShieldIcon } from '../../ui/icons.tsx'
import { KeyFacts, WaitingKeyFacts } from '../../ui/KeyFacts.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page, Together } from '../../ui/Page.tsx'
import { type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { pageWords } from '../../words/shell.ts'
import { statsWords } from '../../words/stats.ts'
import { leadActs } from './LeadActions.tsx'
import { LeadChart } from './LeadChart.tsx'
import { Closed, isUnanswered, Metadata, SelfReferral, SharedNote, Unanswered, WhyThisPartner } from './LeadFacts.tsx'
import { LeadPay } from './LeadPay.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { Neighbors } from './Neighbors.tsx'
import { formatStanding } from './protection.ts'
import { RegisteredTwice, showsBoth } from './RegisteredTwice.tsx'
import { SimilarLeads } from './SimilarLeads.tsx'
import { WhatWasSent } from './WhatWasSent.tsx'
import { reasonLabel } from './words.ts'

type Props = {
  leadId: string
  /** The partner's view: no actions, and the share is their own. */
  readOnly: boolean
  /** The sales loaded so far, for the notes below the figures. */
  sales: { all: readonly Sale[]; complete: boolean } | undefined
  /** The panel with the lead's sales. */
  children: ReactNode
}

/** One lead: contact details, results and history. */
export const LeadDetail = (props: Props) => (
  <ThingPage
    query={leadQuery(props.leadId)}
    shape="detail"
    heading={pageWords.lead}
    parent={toLeads}
    gone={leadWords.gone}
  >
    {(lead) => <Loaded {...props} lead={lead} />}
  </ThingPage>
)

const toLeads = <Link to="/leads">{pageWords.leads}</Link>

function Loaded({ lead, readOnly, sales, children }: Props & { lead: Lead }) {
  const { timeZone } = useAccount()
  return (
    <Page
      heading={lead.displayName}
      parent={toLeads}
      badge={
        <>
          <StatusBadge of="lead" status={lead.status} />
          {!readOnly && <Unanswered lead={lead} />}
        </>
      }
      about={<About lead={lead} sales={sales} timeZone={timeZone} readOnly={readOnly} />}
      actions={
        !readOnly && (
          <>
            <Neighbors leadId={lead.id} />
            <Actions lead={lead} />
          </>
        )
      }
    >
      {!readOnly && <Now lead={lead} sales={sales} timeZone={timeZone} />}
      <TwoColumns
        aside={
          <>
            <SharedNote lead={lead} readOnly={readOnly} />
            <WhyThisPartner lead={lead} timeZone={timeZone} readOnly={readOnly} />
            {!showsBoth(lead, readOnly) && <LeadTimeline leadId={lead.id} timeZone={timeZone} />}
            <Metadata lead={lead} />
          </>
        }
      >
        {readOnly && <Closed lead={lead} />}
        <SelfReferral lead={lead} />
        {!readOnly && lead.status === 'new' && (
          <SimilarLeads
            accountId={lead.accountId}
            email={lead.email ?? ''}
            company={lead.company ?? ''}
            leadId={lead.id}
          />
        )}
        <RegisteredTwice lead={lead} timeZone={timeZone} readOnly={readOnly} />
        <StatStrip label={statsWords.summary} stats={statsOf(lead, sales, readOnly)} />
        {children}
        <LeadPay leadId={lead.id} readOnly={readOnly} />
        {lead.stats.numberOfSales > 1 && <LeadChart leadId={lead.id} timeZone={timeZone} readOnly={readOnly} />}
        {!readOnly && <WhatWasSent leadId={lead.id} timeZone={timeZone} />}
      </TwoColumns>
    </Page>
  )
}

type NowProps = { lead: Lead; sales: Props['sales']; timeZone: string }

/** For the owner: the lead's commissions, when they are payable, and the open tasks. */
function Now({ lead, sales, timeZone }: NowProps) {
  const { status, createdAt, partnerId } = lead
  const held = counted(sales).filter(({ hold }) => hold)
  const unanswered = isUnanswered(lead) && {
    key: 'unanswered',
    text: leadWords.now.unanswered({ date: formatDateAt(createdAt, timeZone) }),
    action: (
      <ActButton small act={leadActs.changeStatus} of={lead}>
        {leadWords.now.answer}
      </ActButton>
    ),
  }
  const unattributed = partnerId === null &&
    status !== 'duplicate' && {
      key: 'unattributed',
      text: leadWords.now.unattributed,
      action: (
        <ActButton small act={leadActs.reassign} of={lead}>
          {leadWords.now.assign}
        </ActButton>
      ),
    }
  if (!sales && !unanswered && !unattributed) return <WaitingKeyFacts />
  const onHold = held[0] && {
    key: 'onHold',
    text: leadWords.now.saleOnHold({ count: held.length }),
    action: (
      <LinkButton small to="/leads/$leadId" params={{ leadId: lead.id }} hash={`sale-${held[0].id}`}>
        {leadWords.now.show}
      </LinkButton>
    ),
  }
  return (
    <KeyFacts
      label={leadWords.now.heading}
      facts={commissionsOf(sales, timeZone)}
      reasons={[unanswered, unattributed, onHold].filter((reason) => reason !== false && reason !== undefined)}
    />
  )
}

const open = ['due', 'held', 'on-hold', 'in-payout'] as const
const wordsOfOpen = { due: 'due', held: 'held', 'on-hold': 'onHold', 'in-payout': 'inPayout' } as const

/** Returns all partners' pending commissions of the lead; empty until all its sales are loaded. */
function commissionsOf(sales: Props['sales'], timeZone: string) {
  if (!sales?.complete) return []
  const entries = sales.all.flatMap(({ commissions }) => commissions)
  return open.flatMap((status) => {
    const some = entries.filter((entry) => entry.status === status)
    const amount = some.reduce((sum, entry) => sum + entry.amount, 0)
    if (amount === 0) return []
    const words = leadWords.now[wordsOfOpen[status]]({ amount: formatMoney(amount, some[0]!.currency) })
    const last = some
      .map(({ availableAt }) => availableAt)
      .sort()
      .at(-1)!
    const until = status === 'held' ? ` ${leadWords.now.until({ date: formatDateAt(last, timeZone) })}` : ''
    return [{ key: status, text: <strong>{words + until}</strong> }]
  })
}

/** Contact details, the reason of the status, and the lead's protection or whose customer it is. */
function About({
  lead,
  sales,
  timeZone,
  readOnly,
}: Pick<Props, 'sales' | 'readOnly'> & { lead: Lead; timeZone: string }) {
  const { company, displayName, email, phone, statusReason } = lead
  const masked = readOnly || !email
  const standing = formatStanding(lead, sales?.complete ? counted(sales).at(-1)?.saleDate : undefined, timeZone)
  return (
    <>
      {statusReason && <span>{reasonLabel(statusReason)}</span>}
      {company && company !== displayName && <span>{company}</span>}
      {email && (
        <span>
          {masked ? (
            email
          ) : (
            <a href={`mailto:${email}`} className="plain">
              {email}
            </a>
          )}
        </span>
      )}
      {phone && <span>{phone}</span>}
      {standing && (
        <span>
          <ShieldIcon size={16} />
          {standing}
        </span>
      )}
    </>
  )
}

function Actions({ lead }: { lead: Lead }) {
  const { id, displayName } = lead
  const menu = lead.erasedAt ? [] : [leadActs.addNote, leadActs.reassign, leadActs.extend, leadActs.delete]
  const more = <ActionMenu bordered name={displayName} of={lead} actions={[...menu, ...personActions('lead', lead)]} />
  if (lead.erasedAt) return more
  return (
    <>
      <ActButton act={leadActs.changeStatus} of={lead} />
      <LinkButton needs={changeLead} to="/leads/$leadId/update" params={{ leadId: id }}>
        {leadWords.actions.edit}
      </LinkButton>
      <Together>
        <AddButton needs={createSale} go={{ to: '/leads/$leadId/new-sale', params: { leadId: id } }}>
          {pageWords.addSale}
        </AddButton>
        {more}
      </Together>
    </>
  )
}

/** Partners don't see profit; sale amounts hidden from them are '–'. */
function statsOf({ stats }: Lead, sales: Props['sales'], readOnly: boolean): Stat[] {
  const { currency, numberOfSales, salesRevenue, salesRevenueShare, salesProfit } = stats
  const money = (amount: number | null) => (amount === null ? basicWords.absent : formatMoney(amount, currency))
  const profit = salesProfit !== null && salesRevenue ? (salesProfit / salesRevenue) * 100 : null
  return [
    { label: fieldWords.sales, value: formatNumber(numberOfSales), note: lastSaleOf(sales) },
    { label: fieldWords.revenue, value: money(salesRevenue), note: refundedOf(sales, currency) },
    readOnly
      ? { label: statsWords.earnings, value: money(salesRevenueShare) }
      : { label: statsWords.share, value: money(salesRevenueShare), note: partnersOf(sales) },
    ...(readOnly
      ? []
      : [
          {
            label: fieldWords.profit,
            value: money(salesProfit),
            note:
              profit === null ? null : leadWords.stats.ofRevenue({ rate: formatRate(Math.round(profit * 10) / 10) }),
          },
        ]),
  ]
}

/** Leaves out void sales, and test-mode sales without a partner. */
const counted = (sales: Props['sales']) =>
  sales?.all.filter(({ status, livemode, partnerId }) => status !== 'void' && (livemode !== false || partnerId)) ?? []

/** Relies on the sales being sorted newest first. */
function lastSaleOf(sales: Props['sales']) {
  const last = counted(sales)[0]
  return last ? leadWords.stats.last({ date: formatDate(last.saleDate) }) : sales && leadWords.stats.none
}

/** Null unless all sales are loaded and all refunds are in one currency. */
function refundedOf(sales: Props['sales'], currency: string) {
  const refunded = counted(sales).filter(({ refundedAmount }) => refundedAmount)
  if (!sales?.complete || refunded.length === 0 || refunded.some((sale) => sale.currency !== currency)) return null
  const sum = refunded.reduce((all, { refundedAmount }) => all + (refundedAmount ?? 0), 0)
  return leadWords.stats.refunded({ amount: formatMoney(sum, currency) })
}

function partnersOf(sales: Props['sales']) {
  if (!sales?.complete) return null
  const count = new Set(counted(sales).flatMap(({ commissions }) => commissions.map(({ partnerId }) => partnerId))).size
  return count > 0 ? leadWords.stats.partners({ count }) : null
}
