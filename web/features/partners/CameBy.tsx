import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Partner } from '#contract/partners.ts'
import { formatDateAt } from '../../format.ts'
import { partnerApplicationQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { applicationWords as words } from '../../words/applications.ts'

/** The application by which a partner came; nothing for one who was added otherwise. */
export function CameBy({ partner: { id } }: { partner: Partner }) {
  const account = useAccount()
  const { data: application } = useQuery(partnerApplicationQuery(account.id, id))
  if (!application) return null
  const { appliedAt, parentPartnerName } = application
  return (
    <Panel
      heading={words.application}
      aside={
        <Link to="/partners" search={{ tab: 'applications', application: application.id }}>
          {words.view}
        </Link>
      }
    >
      <Facts
        label={words.application}
        facts={[
          { label: words.applied, value: formatDateAt(appliedAt, account.timeZone) },
          parentPartnerName && { label: words.recruitedBy, value: parentPartnerName },
        ]}
      />
    </Panel>
  )
}
