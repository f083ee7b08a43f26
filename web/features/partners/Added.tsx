import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { createSubPartner, type Partner } from '#contract/partners.ts'
import { isTeam } from '../../shared/roles.ts'
import { useRole } from '../../shell/current.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { basicWords } from '../../words/basic.ts'
import { partnerWords } from '../../words/partners.ts'
import { invitationQuery } from './queries.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The partner on this page was just added. */
    added?: true
  }
}

/** Shown after adding a partner: the link to pass on if no mail is sent, and a button to add the next one. */
export function Added({ partner }: { partner: Partner }) {
  const added = useLocation({ select: ({ state }) => state.added }) ?? false
  const owns = isTeam(useRole())
  const query = invitationQuery(partner)
  const { data, isPending, error } = useQuery({ ...query, enabled: added && query.enabled })
  const { displayName: name, email, invitationStatus, parentPartnerId } = partner
  if (!added || (query.enabled && isPending && !error)) return null
  const url = data?.url
  const otherwise = data && !data.mailed ? (owns ? 'kept' : 'passedOn') : 'mailed'
  const parent = owns && parentPartnerId ? { parent: parentPartnerId } : {}
  return (
    <Message
      kind="success"
      action={
        <GoButton small needs={createSubPartner} go={{ to: '/partners/new', search: parent }}>
          {partnerWords.added.another}
        </GoButton>
      }
    >
      {url ? (
        <>
          {partnerWords.added.link({ name })}
          <span className="row">
            <code className="rest ellipsis">{url}</code>
            <CopyButton small value={url} label={basicWords.actions.copyLink({ name })} />
          </span>
        </>
      ) : invitationStatus === null ? (
        partnerWords.added.notInvited({ name })
      ) : (
        partnerWords.added[otherwise]({ name, email: email ?? '' })
      )}
    </Message>
  )
}
