import { useQuery } from '@tanstack/react-query'
import { formatList } from '#contract/format.ts'
import { getPayoutSettings } from '#contract/payout-settings.ts'
import { nameOfPerson } from '../../shared/people.ts'
import { partnerMembersQuery, partnerQuery } from '../../shared/queries.ts'
import { PartnerPeople } from '../../shell/PartnerPeople.tsx'
import { Message } from '../../ui/Message.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { peopleWords } from '../../words/people.ts'

/** The partner's people; members also read who manages the payout details. */
export function PartnersPeople({ partnerId }: { partnerId: string }) {
  const self = useQuery(partnerQuery(partnerId)).data
  return (
    <>
      {!usePermission()(getPayoutSettings) && <ManagedBy partnerId={partnerId} />}
      {self && <PartnerPeople key={partnerId} partner={self} />}
    </>
  )
}

function ManagedBy({ partnerId }: { partnerId: string }) {
  const { data } = useQuery(partnerMembersQuery(partnerId))
  const owners = data?.items.filter(({ role, status }) => role === 'owner' && status === 'active') ?? []
  if (owners.length === 0) return null
  const name = formatList(owners.map(nameOfPerson))
  return <Message kind="info">{peopleWords.partner.managedBy({ name })}</Message>
}
