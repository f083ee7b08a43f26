import { useQuery } from '@tanstack/react-query'
import { partnerQuery } from '../../shared/queries.ts'
import { usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageWords } from '../../words/shell.ts'
import { YourLinks } from './YourLinks.tsx'
import { YourPromotionCodes } from './YourPromotionCodes.tsx'

/** A partner's links and codes on their own screen. */
export function OwnLinks() {
  const { partnerId } = usePartnerRole()
  const self = useQuery(partnerQuery(partnerId)).data
  return (
    <Page heading={pageWords.links} badge={<ProgramName />}>
      <YourLinks partnerId={partnerId} state={self?.state} />
      <YourPromotionCodes partnerId={partnerId} />
    </Page>
  )
}
