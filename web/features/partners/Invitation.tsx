import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Invitation as InvitationOf, retryInvitation, revokeInvitation } from '#contract/auth.ts'
import type { Partner } from '#contract/partners.ts'
import { useCall } from '../../calls.ts'
import { formatDateAt } from '../../format.ts'
import { PrintedOnServer } from '../../shared/PrintedOnServer.tsx'
import { isTeam } from '../../shared/roles.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount, useRole } from '../../shell/current.ts'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { pieceWords } from '../../words/pieces.ts'
import { invitationQuery } from './queries.ts'
import { sentInWords } from './sent.ts'

/**
 * The invitation's status and the button to send it again. Without a mail server the owner gets the link to pass on.
 */
export function Invitation({ partner }: { partner: Partner }) {
  const heading = fieldWords.invitation
  const answer = useQuery(invitationQuery(partner))
  if (partner.invitationStatus === null) {
    return (
      <Panel heading={heading}>
        <p className="muted inset">{partnerWords.invite.never}</p>
        <Sending partner={partner} label={partnerWords.invite.send} />
      </Panel>
    )
  }
  return (
    <PendingPanel
      heading={heading}
      answer={answer}
      rows={2}
      aside={({ status }) => <StatusBadge of="invitation" status={status} />}
    >
      {(data) => <Invited partner={partner} invitation={data} />}
    </PendingPanel>
  )
}

function Invited({ partner, invitation }: { partner: Partner; invitation: InvitationOf }) {
  const { timeZone } = useAccount()
  const owns = isTeam(useRole())
  const { status, url, mailed } = invitation
  const open = status !== 'accepted' && status !== 'revoked' && status !== 'expired'
  const isPrinted = owns && open && !mailed && !url
  return (
    <>
      <Facts label={fieldWords.invitation} facts={factsOf(invitation, timeZone)} />
      {(status === 'revoked' || status === 'expired') && <p className="muted inset">{partnerWords.invite.revoked}</p>}
      {url && <p className="muted inset">{partnerWords.invite.noMail}</p>}
      {isPrinted && <p className="muted inset">{pieceWords.printed.why}</p>}
      {(url || isPrinted) && (
        <div className="inset">
          {url ? (
            <CodeBlock label={partnerWords.invite.link}>{url}</CodeBlock>
          ) : (
            <PrintedOnServer email={partner.email ?? ''} />
          )}
        </div>
      )}
      {!owns && open && !mailed && <p className="muted inset">{partnerWords.ownerPassesLink}</p>}
      {status !== 'accepted' && (
        <Sending
          partner={partner}
          label={partnerWords.invite.resend}
          first={
            url && (
              <CopyButton small value={url} label={partnerWords.invite.copyLink}>
                {partnerWords.invite.copyLink}
              </CopyButton>
            )
          }
        >
          {open && <ActButton small act={Revocation} of={{ ...partner, owns }} />}
        </Sending>
      )}
    </>
  )
}

function factsOf({ sentAt, expiresAt, status, lastError }: InvitationOf, timeZone: string): Fact[] {
  const day = (label: string, at: string | null): Fact[] => (at ? [{ label, value: formatDateAt(at, timeZone) }] : [])
  const open = status !== 'accepted' && status !== 'revoked'
  return [
    ...day(partnerWords.invite.sent, sentAt),
    ...(open ? day(status === 'expired' ? partnerWords.invite.expired : labelWords.expires, expiresAt) : []),
    lastError && { label: partnerWords.invite.problem, value: lastError, warns: true },
  ]
}

type SendingProps = { partner: Partner; label: string; first?: ReactNode; children?: ReactNode }

/** Sends the invitation, for the first time or again. */
function Sending({ partner, label, first, children }: SendingProps) {
  const owns = isTeam(useRole())
  const retry = useCall(retryInvitation, {
    onSuccess: (sent) => showToast(sentInWords(sent, owns)),
  })
  return (
    <>
      {retry.error && (
        <div className="inset">
          <Message kind="error">{explainRefusal(retry.error)}</Message>
        </div>
      )}
      <div className="row inset">
        {first}
        <Button
          small
          needs={owns ? retryInvitation : undefined}
          busy={retry.busy}
          onClick={() => retry.mutate({ params: { id: partner.id } })}
        >
          {label}
        </Button>
        {children}
      </div>
    </>
  )
}

/** Revokes the invitation link after a confirmation. */
const Revocation = exposeAction(
  defineAction(revokeInvitation, ({ displayName }: Partner & { owns: boolean }) => ({
    heading: partnerWords.invite.revoke,
    done: partnerWords.invite.revokeDone,
    why: partnerWords.invite.revokeWhy({ name: displayName }),
  })),
  {
    label: partnerWords.invite.revoke,
    needs: ({ owns }) => (owns ? revokeInvitation : undefined),
    danger: true,
  },
)
