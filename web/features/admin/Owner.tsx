import { type Account, assignAccountOwner, type OwnerInvitation } from '#contract/accounts.ts'
import type { User } from '#contract/auth.ts'
import { formatDateAt } from '../../format.ts'
import { PrintedOnServer } from '../../shared/PrintedOnServer.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useMe } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { UserIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { Empty, Panel } from '../../ui/Panel.tsx'
import { adminWords } from '../../words/admin.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { pieceWords } from '../../words/pieces.ts'
import { useResend } from './account-actions.tsx'
import { accountName, rememberAdministrator } from './names.ts'

/**
 * The account's owner and the invitation's status; without a mail server, the link to pass on. An administrator who is
 * invited accepts here.
 */
export function Owner({ account }: { account: Account }) {
  const { resend, busy } = useResend()
  const { owner, ownerInvitation: invitation, timeZone } = account
  const heading = fieldWords.owner
  const isMine = useMe().email === invitation?.email
  const isPrinted = !isMine && invitation && !invitation.mailed && !invitation.url && invitation.status !== 'expired'
  if (!owner) {
    return (
      <Panel heading={heading}>
        <Empty icon={<UserIcon />} what={adminWords.noOwner} hint={adminWords.noOwnerWhy} />
      </Panel>
    )
  }
  return (
    <Panel
      heading={heading}
      aside={
        <StatusBadge of="invitation" status={invitation && !invitation.presentOwner ? invitation.status : 'accepted'} />
      }
    >
      <div className="stack inset">
        <Facts label={heading} beside facts={factsOf(owner, invitation, timeZone)} />
        {invitation?.presentOwner && (
          <Message kind="info">
            {adminWords.staysOwner({ former: invitation.presentOwner, email: invitation.email })}
          </Message>
        )}
        {invitation?.url && (
          <Message
            kind="info"
            action={
              <CopyButton small value={invitation.url} label={adminWords.copyLink}>
                {adminWords.copyLink}
              </CopyButton>
            }
          >
            {adminWords.linkHelp}
          </Message>
        )}
        {invitation?.url && <CodeBlock label={adminWords.link}>{invitation.url}</CodeBlock>}
        {isMine && <Message kind="info">{adminWords.forYou}</Message>}
        {isPrinted && (
          <>
            <Message kind="info">{pieceWords.printed.why}</Message>
            <PrintedOnServer email={invitation.email} />
          </>
        )}
        {invitation && (
          <div>
            {isMine ? (
              <CallButton
                small
                look="primary"
                call={assignAccountOwner}
                input={{ params: { id: account.id }, body: { email: invitation.email } }}
                done={accepted}
              >
                {adminWords.accept}
              </CallButton>
            ) : (
              <Button small busy={busy} onClick={() => resend(account)}>
                {adminWords.resend}
              </Button>
            )}
          </div>
        )}
      </div>
    </Panel>
  )
}

function factsOf({ firstName, lastName, email }: User, invitation: OwnerInvitation | null, timeZone: string): Fact[] {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const { sentAt, expiresAt, status, presentOwner } = invitation ?? {}
  const expiry = status === 'expired' ? adminWords.expired : labelWords.expires
  return [
    { label: fieldWords.name, value: name || basicWords.absent },
    { label: fieldWords.email, value: email },
    invitation &&
      presentOwner && {
        label: adminWords.invitedOwner,
        value: (
          <>
            {invitation.email} <StatusBadge of="invitation" status={invitation.status} />
          </>
        ),
      },
    sentAt && { label: adminWords.sent, value: formatDateAt(sentAt, timeZone) },
    expiresAt && { label: expiry, value: formatDateAt(expiresAt, timeZone) },
  ]
}

/** Administrators accept by assigning themselves as owner. */
function accepted(account: Account) {
  rememberAdministrator()
  return adminWords.accepted({ name: accountName(account) })
}
