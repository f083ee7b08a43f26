import { useQuery } from '@tanstack/react-query'
import { partnerQuery } from '../../shared/queries.ts'
import { YourTerms } from '../../shared/YourTerms.tsx'
import { usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { Page } from '../../ui/Page.tsx'
import { termsWords } from '../../words/terms.ts'

/** All terms in force for a partner, and how they are paid. */
export function AllTerms() {
  const { data: partner } = useQuery(partnerQuery(usePartnerRole().partnerId))
  return (
    <Page heading={termsWords.whatYouEarn} badge={<ProgramName />}>
      {partner && <YourTerms partner={partner} heading={termsWords.label} />}
    </Page>
  )
}
