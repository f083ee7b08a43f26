import { usePartnerRole } from '../../shell/current.ts'
import { portalWords } from '../../words/portal.ts'
import { PartnerDashboard } from './PartnerDashboard.tsx'

/** A partner's dashboard below the tab of its name. */
export const OwnOverview = () => (
  <PartnerDashboard partnerId={usePartnerRole().partnerId} heading={portalWords.overview} />
)
