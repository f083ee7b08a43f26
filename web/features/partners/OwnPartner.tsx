import { Link } from '@tanstack/react-router'
import type { Partner } from '#contract/partners.ts'
import { sumPeriods } from '../../shared/history.ts'
import { OwnFigures } from '../../shared/OwnFigures.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { YourTerms } from '../../shared/YourTerms.tsx'
import { useAccount, useInPortal } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { DateRangePicker, type DateRangeState, useDateRange } from '../../ui/DateRange.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { About } from './About.tsx'
import { Balance } from './Balance.tsx'
import { Commissions } from './Commissions.tsx'
import { Funnel } from './Funnel.tsx'
import { OnePartner } from './OnePartner.tsx'
import { PartnerLeads } from './PartnerLeads.tsx'
import { PartnerPayouts } from './PartnerPayouts.tsx'
import { SubPartners } from './SubPartners.tsx'
import { useTabWords } from './useTabWords.ts'

const Invoices = lazyComponent(async () => (await import('../../shell/InvoiceList.tsx')).PartnerInvoiceList)

const tabs = ['overview', 'sub-partners', 'leads', 'commissions', 'payouts', 'invoices'] as const
export type OwnPartnerTab = (typeof tabs)[number]

/**
 * The partner's own page: results, earnings and payouts, each as a list. In a portal each is its own screen, since the
 * portal's tabs lead there.
 */
export function OwnPartner({ partner }: { partner: Partner }) {
  const { displayName, state } = partner
  const tab = useTab(tabs)
  const range = useDateRange(useAccount().timeZone)
  const words = useTabWords(partner)
  const panel = <Shown key={tab} tab={tab} partner={partner} range={range} />
  if (useInPortal())
    return (
      <Page heading={words[tab].label} badge={<ProgramName />}>
        {panel}
      </Page>
    )
  return (
    <Page
      heading={displayName}
      parent={<Link to="/dashboard">{pageWords.dashboard}</Link>}
      badge={<StatusBadge of="partner" status={state} />}
      about={<About partner={partner} />}
    >
      <Tabs
        label={partnerWords.detail.tabs}
        tabs={tabs
          // invoices once there is one
          .filter((key) => key !== 'invoices' || words.invoices.count || key === tab)
          .map((key) => ({ key, ...words[key] }))}
        current={tab}
        aside={tab === 'overview' && <DateRangePicker compared range={range} small />}
      >
        {panel}
      </Tabs>
    </Page>
  )
}

function Shown({ tab, partner, range }: { tab: OwnPartnerTab; partner: Partner; range: DateRangeState }) {
  if (tab === 'sub-partners') return <SubPartners partner={partner} />
  if (tab === 'leads') return <PartnerLeads partner={partner} />
  if (tab === 'commissions') return <Commissions partnerId={partner.id} />
  if (tab === 'payouts') return <PartnerPayouts partner={partner} />
  if (tab === 'invoices') return <Invoices partnerId={partner.id} />
  return (
    <TwoColumns
      aside={
        <>
          <Balance partner={partner} own />
          <YourTerms partner={partner} />
        </>
      }
    >
      <OwnFigures
        partnerId={partner.id}
        range={range}
        label={partnerWords.detail.figures({ name: partner.displayName })}
      >
        {(earnings, history) => (
          <>
            {history && <Funnel {...sumPeriods(history)} />}
            {earnings}
          </>
        )}
      </OwnFigures>
    </TwoColumns>
  )
}

/** A portal’s screens of commissions and payouts: that page at its address in the portal. */
export const PortalPartner = ({ partnerId }: { partnerId: string }) => (
  <OnePartner id={partnerId} shape="detail" heading={pageWords[useTab(tabs) === 'payouts' ? 'payouts' : 'commissions']}>
    {(partner) => <OwnPartner partner={partner} />}
  </OnePartner>
)
