import { useQuery } from '@tanstack/react-query'
import { partnerQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { PageAddress } from '../../ui/Address.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { partnerWords as words } from '../../words/partners.ts'

/**
 * The program page's address with the partner's code, with which others join as their sub-partners; nothing while the
 * program is closed to applications, or partners may not invite.
 */
export function RecruitingLink({ partnerId }: { partnerId: string }) {
  const account = useAccount()
  const programUrl = 'programUrl' in account && account.invitationsFromPartners ? account.programUrl : null
  const { data } = useQuery({ ...partnerQuery(partnerId), enabled: programUrl !== null })
  if (programUrl === null || !data || data.state === 'suspended' || data.state === 'archived') return null
  const url = `${programUrl}?by=${encodeURIComponent(data.referralCode)}`
  return (
    <Panel heading={words.recruiting} aside={<small>{words.recruitingHelp}</small>}>
      <div className="row between no-wrap inset">
        <code className="small wrap">
          <PageAddress>{url}</PageAddress>
        </code>
        <CopyButton small value={url} label={words.copyRecruiting} />
      </div>
    </Panel>
  )
}
