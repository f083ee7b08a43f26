import type { Account, OwnerInvitation } from '#contract/accounts.ts'
import type { User } from '#contract/auth.ts'
import { formatDateAt } from '../../format.ts'
import { PrintedOnServer } from '../../shared/PrintedOnServer.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useMe } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { UserIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { Empty, Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import styles from './Admin.module.css'
import type { AccountActions } from './account-actions.tsx'

/**
 * The account's owner and the invitation's status; without a mail server, the link to pass on. An administrator who is
 * invited accepts here.
 */
export function Owner({ account, actions }: { account: Account; actions: AccountActions }) {
  const { owner, ownerInvitation: invitation, timeZone } = account
  const heading = t('admin.owner')
  const isMine = useMe().email === owner?.email && invitation !== null
  const isPrinted = !isMine && invitation && !invitation.mailed && !invitation.url && invitation.status !== 'expired'
  if (!owner) {
    return (
      <Panel heading={heading}>
        <Empty icon={<UserIcon />} what={t('admin.noOwner')} hint={t('admin.noOwnerWhy')} />
      </Panel>
    )
  }
  return (
    <Panel
      heading={heading}
      aside={<StatusBadge of="invitation" status={invitation ? invitation.status : 'accepted'} />}
    >
      <div className={styles.body}>
        <Facts label={heading} beside facts={factsOf(owner, invitation, timeZone)} />
        {invitation?.presentOwner && (
          <Message kind="info">{t('admin.presentOwner', { email: invitation.presentOwner })}</Message>
        )}
        {invitation?.url && (
          <Message
            kind="info"
            action={
              <CopyButton small value={invitation.url} label={t('admin.copyLink')}>
                {t('admin.copyLink')}
              </CopyButton>
            }
          >
            {t('admin.linkHelp')}
          </Message>
        )}
        {invitation?.url && <CodeBlock label={t('admin.link')}>{invitation.url}</CodeBlock>}
        {isMine && <Message kind="info">{t('admin.forYou')}</Message>}
        {isPrinted && (
          <>
            <Message kind="info">{t('printed.why')}</Message>
            <PrintedOnServer email={owner.email} />
          </>
        )}
        {invitation && (
          <div className={styles.buttons}>
            {isMine ? (
              <Button
                small
                look="primary"
                busy={actions.accepting}
                onClick={() => actions.accept(account, owner.email)}
              >
                {t('admin.accept')}
              </Button>
            ) : (
              <Button small busy={actions.resending} onClick={() => actions.resend(account)}>
                {t('admin.resend')}
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
  const { sentAt, expiresAt, status } = invitation ?? {}
  const expiry = t(status === 'expired' ? 'admin.expired' : 'admin.expires')
  return [
    { label: t('admin.name'), value: name || t('absent') },
    { label: t('admin.email'), value: email },
    ...(sentAt ? [{ label: t('admin.sent'), value: formatDateAt(sentAt, timeZone) }] : []),
    ...(expiresAt ? [{ label: expiry, value: formatDateAt(expiresAt, timeZone) }] : []),
  ]
}
