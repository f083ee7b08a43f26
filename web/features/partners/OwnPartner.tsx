import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Partner } from '#contract/partners.ts'
import { partnerHistory } from '../../shared/queries.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { YourTerms } from '../../shared/YourTerms.tsx'
import { useAccount } from '../../shell/current.ts'
import { DateRangePicker, type DateRangeState, useDateRange } from '../../ui/DateRange.tsx'
import { comparedWith } from '../../ui/date-ranges.ts'
import { Page } from '../../ui/Page.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { About } from './About.tsx'
import { Balance } from './Balance.tsx'
import { Commissions } from './Commissions.tsx'
import { Figures } from './Figures.tsx'
import { PartnerLeads } from './PartnerLeads.tsx'
import { PartnerPayouts } from './PartnerPayouts.tsx'
import { SubPartners } from './SubPartners.tsx'
import { useTabWords } from './useTabWords.ts'

const tabs = ['overview', 'sub-partners', 'leads', 'commissions', 'payouts'] as const
export type OwnPartnerTab = (typeof tabs)[number]

/** The partner's own page: results, earnings and payouts, each as a list. */
export function OwnPartner({ partner }: { partner: Partner }) {
  const { id, displayName, state } = partner
  const tab = useTab(tabs)
  const range = useDateRange(useAccount().timeZone)
  const words = useTabWords(partner)
  return (
    <Page
      heading={displayName}
      parent={<Link to="/dashboard">{pageWords.dashboard}</Link>}
      badge={<StatusBadge of="partner" status={state} />}
      about={<About partner={partner} />}
    >
      <Tabs
        label={partnerWords.detail.tabs}
        tabs={tabs.map((key) => ({ key, ...words[key] }))}
        current={tab}
        aside={tab === 'overview' && <DateRangePicker range={range} small />}
      >
        {tab === 'overview' && <Overview partner={partner} range={range} />}
        {tab === 'sub-partners' && <SubPartners partner={partner} />}
        {tab === 'leads' && <PartnerLeads partner={partner} />}
        {tab === 'commissions' && <Commissions partnerId={id} />}
        {tab === 'payouts' && <PartnerPayouts partner={partner} />}
      </Tabs>
    </Page>
  )
}

function Overview({ partner, range }: { partner: Partner; range: DateRangeState }) {
  const answer = useQuery(partnerHistory(partner.id, range))
  const before = useQuery(partnerHistory(partner.id, comparedWith(range))).data
  return (
    <TwoColumns
      aside={
        <>
          <Balance partner={partner} own />
          <YourTerms partner={partner} />
        </>
      }
    >
      <Figures partner={partner} range={range} answer={answer} before={before} own />
    </TwoColumns>
  )
}
