import { useQuery } from '@tanstack/react-query'
import { useFirstLoad } from '../../calls.ts'
import { partnerQuery } from '../../shared/queries.ts'
import { useInPortal, usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageWords } from '../../words/shell.ts'
import { Earned } from './Earned.tsx'
import { PartnerFigures } from './PartnerFigures.tsx'
import { readsOfPanels } from './queries.ts'
import { NextPayouts } from './UpcomingPayouts.tsx'
import { YourLink } from './YourLink.tsx'
import { YourPromotionCodes } from './YourPromotionCodes.tsx'

const Questions = lazyComponent(async () => (await import('./Questions.tsx')).Questions, { late: true })
const Latest = lazyComponent(async () => (await import('./Latest.tsx')).Latest, { late: true })

/** The partner's own dashboard; in a portal it is the tab 'Overview', beside tabs with the rest. */
export function PartnerDashboard() {
  const { partnerId } = usePartnerRole()
  const inPortal = useInPortal()
  const self = useQuery(partnerQuery(partnerId)).data
  // panels appear, or not, between those below
  const loads = useFirstLoad(readsOfPanels(partnerId))
  return (
    <Page heading={pageWords[inPortal ? 'overview' : 'dashboard']} badge={<ProgramName />}>
      <Questions partnerId={partnerId} />
      <div className="stack until-loaded" aria-busy={loads || undefined}>
        <YourLink partnerId={partnerId} state={self?.state}>
          <YourPromotionCodes partnerId={partnerId} />
        </YourLink>
        <NextPayouts partnerId={partnerId} />
        <Earned partnerId={partnerId} />
        {!inPortal && <PartnerFigures partnerId={partnerId} />}
        {!inPortal && self && <Latest partner={self} />}
      </div>
    </Page>
  )
}
