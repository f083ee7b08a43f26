import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createPartner } from '#contract/partners.ts'
import { connectProvider } from '#contract/payment-providers.ts'
import { Message } from '../ui/Message.tsx'
import { usePermission } from '../ui/permissions.ts'
import { shellWords } from '../words/shell.ts'
import { accountQuery, accountStatsQuery, paymentProvidersQuery } from './queries.ts'
import styles from './Shell.module.css'

/** The owner's next set-up step, one at a time, on every screen except its own. */
export function OwnerNotice({ accountId }: { accountId: string }) {
  const { data: owned } = useQuery(accountQuery(accountId))
  const { data: connections } = useQuery(paymentProvidersQuery(accountId))
  const { data: stats } = useQuery(accountStatsQuery(accountId))
  const may = usePermission()
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/\/+$/, '') })
  if (!owned || owned.disabledAt || !connections) return null
  const setUp = connections.items.some(({ state }) => state !== 'disconnected')
  if (!setUp && may(connectProvider) && path !== '/integrations/payment-providers') {
    const link = <Link to="/integrations/payment-providers">{shellWords.notice.goToProviders}</Link>
    return <Notice text={shellWords.notice.provider} link={link} />
  }
  if (stats?.numberOfPartners === 0 && may(createPartner) && path !== '/partners/new') {
    return (
      <Notice text={shellWords.notice.partner} link={<Link to="/partners/new">{shellWords.notice.addPartner}</Link>} />
    )
  }
  return null
}

function Notice({ text, link }: { text: string; link: ReactNode }) {
  return (
    <section aria-label={shellWords.notice.region} className={`screen-only ${styles.notice}`}>
      <Message kind="info" action={link}>
        {text}
      </Message>
    </section>
  )
}
