import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { acceptAgreement } from '#contract/agreement.ts'
import { agreementVersionsQuery } from '../shared/agreement.ts'
import { partnerQuery } from '../shared/queries.ts'
import { Button } from '../ui/Button.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Message } from '../ui/Message.tsx'
import { usePermission } from '../ui/permissions.ts'
import { agreementWords as words } from '../words/agreement.ts'
import { useInPortal } from './current.ts'
import { accountQuery } from './queries.ts'
import styles from './Shell.module.css'

const ReadAgreement = lazyComponent(async () => (await import('../shared/ReadAgreement.tsx')).ReadAgreement)

type Props = { accountId: string; partnerId: string }

/**
 * Asks a partner to accept the newest version of the agreement, on every screen. Only the partner's owners can, once
 * signed in; a portal links to the sign-in.
 */
export function AgreementNotice({ accountId, partnerId }: Props) {
  const inPortal = useInPortal()
  const [opened, setOpened] = useState(false)
  const may = usePermission()
  const accepts = may(acceptAgreement)
  const { data: versions } = useQuery({ ...agreementVersionsQuery(accountId, partnerId), enabled: accepts || inPortal })
  const newest = versions?.items[0]?.version ?? 0
  const { data: own } = useQuery({ ...partnerQuery(partnerId), enabled: newest > 0 })
  const { data: seen } = useQuery({ ...accountQuery(accountId), enabled: newest > 0 })
  if (!own || !seen || own.state === 'archived' || (own.agreementVersion ?? 0) >= newest) return null
  const toAccept = inPortal ? (
    <a className="strong" href="/auth/sign-in" target="_blank" rel="noopener">
      {words.signIn}
    </a>
  ) : (
    <Button small needs={acceptAgreement} onClick={() => setOpened(true)}>
      {words.read}
    </Button>
  )
  return (
    <section aria-label={words.region} className={`screen-only ${styles.notice}`}>
      <Message kind="info" action={toAccept}>
        {words.please}
      </Message>
      {opened && <ReadAgreement waiting account={seen} partnerId={partnerId} onClose={() => setOpened(false)} />}
    </section>
  )
}
